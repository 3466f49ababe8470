"""Golden races: a whole journal of every game, variant and track, kept as text.

They fail when a change unintentionally alters the rules, the chance or the digests. In each race people and
bots play two laps, or all if a game leaves no choice; now and then somebody takes back or corrects an answer,
the dice change hands, and somebody leaves.
"""

from pathlib import Path

from racing import agree

from gridglow.tracks import list_tracks, load_track
from shared_rules import games, rewind
from shared_rules.chance import Chance
from shared_rules.errors import BadSetup, Refused
from shared_rules.race import Race
from shared_rules.setup import Setup

FOLDER = Path(__file__).resolve().parent
NAMES = ("Ann", "Bo", "Cid", "Dora", "Emil", "Fay")
LAPS = 2
#: Games whose optional rules are used on every track, and left out on every track (two races of one round
#: each): the second is called "options".
BOTH_WAYS = ("fast_and_furious",)


def wanted() -> list[tuple[str, ...]]:
    """(game, variant, track) or (game, variant, track, "options") of every race that must be here: each packaged track that
    the variant is raced on."""
    found = []
    for game in games.NAMES:
        for variant in games.load(game).VARIANTS:
            for source in list_tracks(game):
                try:
                    _setup(game, variant, source.id)
                except BadSetup:
                    continue
                found.append((game, variant, source.id))
                if game in BOTH_WAYS:
                    found.append((game, variant, source.id, "options"))
    return found


def kept() -> list[tuple[str, ...]]:
    """The races whose journals are here, by their file names: nothing needs to be looked up for that."""
    found = []
    for file in sorted(FOLDER.glob("*.journal")):
        game, _, rest = file.stem.partition("-")
        variants = games.about(game).VARIANTS if game in games.NAMES else ()
        variant = max((name for name in variants if rest.startswith(name + "-")), key=len, default="")
        track, options = rest[len(variant) + 1:], ()
        if track.endswith("-options"):
            track, options = track.removesuffix("-options"), ("options",)
        found.append((game, variant, track, *options))
    return found


def file_of(*wanted_race: str) -> Path:
    """The path of the journal."""
    return FOLDER / ("-".join(wanted_race) + ".journal")


def played(game: str, variant: str, track: str, *options: str) -> str:
    """The journal of this race, played now."""
    race = Race(_setup(game, variant, track, *options), load_track(track).track)
    chance = Chance(" ".join(("golden", game, variant, track, *options)), "hands")
    people = [seat for seat in race.setup.seats() if not race.setup.is_bot(seat)]
    count = 0
    while not race.over:
        count += 1
        if count % 25 == 0:
            _interfere(race, count // 25, people, chance)
            continue
        prompt = chance.die(race.prompts)
        if race.setup.is_bot(prompt.seat):
            race.answer(prompt.seat, race.bot_answer(prompt.seat))
        else:
            race.answer(prompt.seat or people[0], prompt.sample(chance))
    return race.journal()


def _interfere(race: Race, time: int, people: list[int], chance: Chance) -> None:
    """What people do besides playing; if it is refused, nothing happens."""
    seat = chance.die(people)
    try:
        if time % 4 == 1:
            race.answer(seat, "source dice " + ("table" if race.prompts[0].source == "device" else "device"))
        elif time % 4 == 2:
            race.answer(seat, f"undo {max(1, rewind.undo_count(race, seat))}")
            agree(race)
        elif time % 4 == 3:
            race.answer(seat, f"correct {chance.below(6) + 1} flip none")
            agree(race)
        elif len(people) > 2 and not race.left:
            race.answer(people[-1], "leave")
    except Refused:
        pass


def _setup(game: str, variant: str, track: str, *options: str) -> Setup:
    """The set-up of the golden race: on every other track with the options' last values, or as ``options`` says."""
    compiled = load_track(track)
    last = bool(options) if game in BOTH_WAYS else compiled.source.number % 2 == 0
    chosen = [[key, values[-1] if last else default] for key, values, default in games.load(game).OPTIONS]
    laps = LAPS if games.load(game).LAPS else max(1 if game in BOTH_WAYS else LAPS, compiled.track.laps)
    plain = {
        "game": game, "variant": variant, "options": chosen, "laps": laps, "seed": f"golden-{track}", "salt": "golden",
        "players": [["bot" if at == 1 else "person", name] for at, name in enumerate(NAMES[:3 if last else 4])],
    }
    try:
        return Setup.from_plain(plain, compiled.track)
    except BadSetup:            # two teams, perhaps
        plain["players"] = plain["players"][:2]
        return Setup.from_plain(plain, compiled.track)
