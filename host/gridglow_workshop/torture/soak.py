"""Trial ``soak``: an evening of a thousand races on a board that is never switched off.

Races of all games, variants and tracks, one after the other in one process: people press random keys (twice, held,
on the wrong panel, into menus, undoing), answer from the page, leave races and resume them, while parts fail,
vanish and return, and the clock restarts in every race. No heap may be lost, nothing may be raised except on
purpose, and the journal of every race is replayed here, to the board's digest.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from gridglow import scratch
from gridglow.firmware.image import build
from gridglow.races.trials import trials
from gridglow.tracks import list_tracks, load_track
from gridglow_workshop.torture import child
from gridglow_workshop.torture.trial import QUICK, Outcome, Say
from shared_rules import games
from shared_rules.chance import Chance
from shared_rules.errors import GridglowError
from shared_rules.journal_file import Journal
from shared_rules.race import Race
from shared_rules.setup import Setup

NAME = "soak"
WHAT = "A thousand races in a row with random presses and faults lose no memory, raise nothing, and replay to their digests."
HEAP_KB = 1600
RACES = {QUICK: 8}
RACES_LONG = 1002
#: How often the evening is raced, key by key: what MicroPython stores for good on first use, such as names,
#: is there by the last time, and each race then uses what it used before. The quick runs' few races haven't met all
#: of that after two times.
TIMES = {QUICK: 4}
TIMES_LONG = 3
#: Tolerance on a computer's heap, where everything is larger than on a Pico: the remains on display and lights vary by this.
A_RACE_BYTES = 15
QUICK_GAMES = tuple(game for game in games.NAMES if trials(game).QUICK)


def run(amount: str, seed: int, say: Say) -> Outcome:
    """A thousand races; quick: eight of the two shortest games."""
    count = RACES.get(amount, RACES_LONG)
    times = TIMES.get(amount, TIMES_LONG)
    races = times * setups(count // times, seed, QUICK_GAMES if amount == QUICK else games.NAMES, amount != QUICK)
    with scratch.folder("soak") as folder:
        evening = Path(folder) / "evening"
        evening.write_text("".join(json.dumps(row) + "\n" for row in races), "utf-8")
        job = {"races": str(evening), "flash": str(folder), "journals": str(folder)}
        root = None if amount == QUICK else whole_image(Path(folder) / "image")
        say(f"{NAME}: {count} races begin")
        found = child.run("busy_races", job, HEAP_KB, root=root)
        rows = [json.loads(row) for row in (Path(folder) / "races").read_text("utf-8").splitlines()]
        failures = list(found["failures"])
        survived = 0
        for number, (answers, digest, _) in enumerate(rows, 1):
            wrong = replay(Path(folder) / f"{number}.journal", digest, answers) if digest else "it didn't reach its end"
            if wrong:
                failures.append(f"Race {number} of the evening ({races[number - 1][0]['game']}): {wrong}")
            else:
                survived += 1
    grown = growth([used for _, _, used in rows], times)
    if grown > A_RACE_BYTES:
        failures.append(f"Each race lost {grown} bytes of memory")
    again = f"gridglow torture --only {NAME} --seed {seed}" + (" --quick" if amount == QUICK else "")
    failures = [f"{what}; run it again with: {again}." for what in failures]
    facts = [
        f"{sum(row[0] for row in rows)} answers, {found['presses']} presses of keys, {found['faults']} faults, "
        f"{found['resumed']} races resumed from the menu.",
        f"A race loses {max(grown, 0)} bytes of memory.",
    ]
    return Outcome(NAME, count, survived, "races", facts, failures)


def setups(count: int, seed: int, names: tuple[str, ...], mixed: bool) -> list:
    """Rows of [set-up, pace], the games in turn."""
    chance = Chance(f"soak-{seed}", "races")
    rows: list = []
    while len(rows) < count:
        game = names[len(rows) % len(names)]
        about = games.about(game)
        variant = chance.die(about.VARIANTS) if mixed else about.VARIANTS[0]
        track = chance.die(tracks_of(game)) if mixed else child.TRACKS[game]
        few, most = about.SEATS
        seats = few + chance.below(min(most, 4) - few + 1)
        plain = child.plain_setup(game, f"soak-{seed}-{len(rows)}", seats, variant=variant)
        plain["track"] = track
        if about.LAPS:
            plain["laps"] = 1
        for index in range(1, seats):
            if chance.below(2):
                plain["players"][index] = ["bot", f"Bot {index + 1}"]
        if fits(plain):
            rows.append([plain, "fast" if chance.below(12) == 0 else "instant"])
    return rows


def fits(plain: dict) -> bool:
    """Whether this can be raced: not every variant suits every track."""
    try:
        Setup.from_plain(plain, compiled(plain["track"]).track)
    except GridglowError:
        return False
    return True


@cache
def compiled(track: str):
    """A track by its id."""
    return load_track(track)


@cache
def tracks_of(game: str) -> list[str]:
    """The ids of the tracks that come with a game."""
    return [source.id for source in list_tracks() if source.game == game]


def whole_image(root: Path) -> Path:
    """A device folder with everything that a full board can race on."""
    root.mkdir()
    build(root, "full", target="virtual")
    return root


def replay(path: Path, digest: str, answers: int) -> str:
    """Replays a journal; "" if it reaches its digest, else what is wrong."""
    try:
        journal = Journal.parse(path.read_text("utf-8"))
        track = compiled(journal.track).track
        race = Race(Setup.from_plain(journal.plain, track), track)
        for line in journal.lines:
            race.feed(line.show())
    except (GridglowError, OSError) as error:
        return f"its journal can't be replayed ({error})"
    if race.digest() != digest or race.lines != answers or not race.over:
        return f"its journal reaches {race.digest()} after {race.lines} lines, the board had {digest} after {answers}"
    return ""


def growth(used: list[int], times: int) -> int:
    """Bytes of memory that each race lost between the last round and the one before; all were raced this many times."""
    part = len(used) // times
    if not part or not used[0]:
        return 0
    lost = sorted(again - before for before, again in zip(used[-2 * part:-part], used[-part:]))
    return max(0, lost[len(lost) // 2]) // part
