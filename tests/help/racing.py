"""Races for the engine's tests: short tracks, set-ups in one word, and hands that answer."""

from gridglow.tracks import compile_layout
from shared_rules import games, restore
from shared_rules.chance import Chance
from shared_rules.race import Race
from shared_rules.setup import Setup
from shared_rules.track import Track

LAYOUT = "S6 L3d1 S4 R3d2 S4"


def track_pack(game, layout=LAYOUT, lanes=3, laps=2):
    """The pack of a short track for this game."""
    return compile_layout(layout, lanes, laps, game=game, track_id="short-ring", level="basic")


def short_track(game, layout=LAYOUT, lanes=3, laps=2):
    """A short track for this game."""
    return Track.unpack(track_pack(game, layout, lanes, laps))


def plain_setup(game, who="PPP", **more):
    """A set-up: a letter for each seat, P for a person, B for a bot."""
    kinds = {"P": "person", "B": "bot"}
    plain = {
        "game": game,
        "players": [[kinds[letter], "Player %d" % (at + 1)] for at, letter in enumerate(who)],
        "laps": 1, "seed": "seed", "salt": "salt",
    }
    plain.update(more)
    return plain


def new_race(game, who="PPP", track=None, log=None, **more):
    """A Race of a named game, or of a tiny game's class."""
    game_class = games.load(game) if isinstance(game, str) else game
    track = track or short_track(game_class.ID)
    setup = Setup.from_plain(plain_setup(game_class.ID, who, **more), track, game_class)
    return Race(setup, track, log, game_class)


def copied(race):
    """An independent copy of a race."""
    return restore.load(Race, race.save(), race.track, type(race.game), race.sealed)


def give(race, *answers):
    """Gives answers such as "1 roll 3 5"; returns them as they are in the journal."""
    out = []
    for answer in answers:
        seat, _, text = answer.partition(" ")
        out.append(race.answer(int(seat), text))
    return out


def play(race, answers=10**6, seed="hands", pick=None):
    """Random answers, the first open prompt first (or ``pick(prompts, chance)``); returns
    [seat, text given, text kept] of each."""
    chance = Chance(seed, "hands")
    out = []
    while not race.over and len(out) < answers:
        prompt = pick(race.prompts, chance) if pick else race.prompts[0]
        seat = prompt.seat or 1
        text = prompt.sample(chance)
        out.append([seat, text, race.answer(seat, text)])
    return out


def play_until(race, wanted, seed="hands"):
    """Plays on until ``wanted(race)`` holds."""
    chance = Chance(seed, "hands")
    while not wanted(race):
        assert not race.over, "the race ended before the state that the test waits for"
        prompt = race.prompts[0]
        race.answer(prompt.seat or 1, prompt.sample(chance))


def agree(race):
    """Everybody asked for consent says ok."""
    while race.asking:
        race.answer(race.asking.waiting[0], "ok")


def undo(race, seat, back=1):
    """Takes back answers, with everybody agreeing."""
    race.answer(seat, "undo %d" % back)
    agree(race)


def facts(race):
    """What must be equal in two races at the same place."""
    prompts = [prompt.plain() for prompt in race.prompts]
    for prompt in prompts:
        del prompt["serial"]
    options = [prompt.options() for prompt in race.prompts]
    return [race.digest(), race.public_digest(), race.turns, race.over, race.standings(), prompts, options,
            race.pending_answers(), race.left, race.game.dump()]
