"""Chance is fair, new each time, and nobody can change it afterwards.

Each count is compared with what fair dice and shuffles produce (Pearson's test): a fair board fails a test with the chance
``ALARM``. The same seed gives the same results, so a run that passed will always pass.
"""

from __future__ import annotations

import itertools
import json
import math
import random
import shutil
from pathlib import Path

from gridglow import scratch
from gridglow.firmware.image import build
from gridglow.races.startup import race_setup
from gridglow.tracks import list_tracks
from gridglow.virtual.script import run_once
from gridglow_workshop.torture.chances import chi_square_chance
from gridglow_workshop.torture.dice_game import ROLLS_A_RACE, SEATS, rolls_of
from gridglow_workshop.torture.trial import LONG, Outcome, Say
from shared_rules import games
from shared_rules.chance import Chance
from shared_rules.errors import BadSetup, BadTrack
from shared_rules.games.racing_rules.data import DIE
from shared_rules.prompts import D6
from shared_rules.proof import replay
from shared_rules.race import Race

NAME = "dice"
WHAT = "Rolls and shuffles are as even as chance allows, each start has new decks, a changed roll is noticed."

ROLLS = SHUFFLES = 60_000
#: The chance that a fair board fails one of the tests.
ALARM = 1e-9
#: Consecutive rolls of a die are as even as single ones: this many together are counted as one.
IN_A_ROW = 2
#: Cards of a deck whose orders are all counted (24 of them), and of one where each card is counted at each place.
FEW, MANY = 4, 12
#: Shuffles of one race.
A_RACE = 8
COLD_STARTS = 10
HEAP_KB = 1024  # it holds all code, in the end that of five games
COLD_S = 120
#: Rolls and draws to change in the journal of each variant.
CHANGED = {"quick": 2, LONG: 400}
VERBS = ("roll", "draw")


def run(amount: str, seed: int, say: Say) -> Outcome:
    """See `trial`."""
    failures: list[str] = []
    facts: list[str] = []
    tests: list[float] = []
    tried = 0
    kinds = dice_kinds()
    for name, die in kinds.items():
        rolled = [[] for _ in range(SEATS)]
        for race in range(ROLLS // ROLLS_A_RACE):
            for own, more in zip(rolled, rolls_of(die, f"{seed}-{race}"), strict=True):
                own += more
        tried += sum(map(len, rolled))
        tests += _judge_rolls(name, die, rolled, failures)
        say(f"dice: {sum(map(len, rolled))} rolls of {name}.")
    tried += _shuffles(seed, tests, failures)
    say(f"dice: {SHUFFLES} shuffles.")
    odds, alarm = 1 / max(min(tests), 1e-300), 1 / (len(tests) * ALARM)
    facts.append(f"{ROLLS} rolls of each of {len(kinds)} dice and {SHUFFLES} shuffles, overall and for {SEATS} seats: the "
                 f"most uneven of {len(tests)} counts happens by chance once in {odds:.2g} times; a fair board would fail "
                 f"here once in {alarm:.2g}.")
    started = _cold_starts(failures)
    tried += started
    facts.append(f"{started} cold starts on MicroPython began with {started} different decks of each game that has one.")
    changed = _changed_rolls(CHANGED[amount], seed, failures)
    tried += changed
    facts.append(f"{changed} journals with one changed roll or draw, of every game and variant, were noticed at their line.")
    quick = "" if amount == LONG else " --quick"
    again = f"seed {seed}; run it again with: gridglow torture --only {NAME} --seed {seed}{quick}"
    return Outcome(NAME, tried, tried - len(failures), "rolls, shuffles, starts and journals", facts,
                   [f"{one} ({again})." for one in failures])


def dice_kinds() -> dict[str, tuple]:
    """Every die that a game rolls, by its name here: an ordinary one, and those of boards with their own."""
    found = {"an ordinary die": D6, "the house die of racing_rules": DIE}
    for source in list_tracks():
        die = tuple(source.die)
        if die and die not in found.values():
            found[f"the die of {source.id}"] = die
    return found


def _judge_rolls(name: str, die: tuple, rolled: list[list], failures: list[str]) -> list[float]:
    """The chances of the rolls; anything below ALARM is a failure."""
    counted = [("overall", list(itertools.chain(*rolled)))]
    counted += [(f"for seat {seat}", own) for seat, own in enumerate(rolled, 1)]
    tests = []
    for who, faces in counted:
        weights = [die.count(face) / len(die) for face in dict.fromkeys(die)]
        counts = [faces.count(face) for face in dict.fromkeys(die)]
        _test(f"{name} {who}", counts, [weight * len(faces) for weight in weights], tests, failures)
    pairs = list(itertools.product(dict.fromkeys(die), repeat=IN_A_ROW))
    row = counted[0][1]
    seen: dict[tuple, int] = dict.fromkeys(pairs, 0)
    for at in range(0, len(row) - IN_A_ROW + 1, IN_A_ROW):
        seen[tuple(row[at:at + IN_A_ROW])] += 1
    _test(f"{IN_A_ROW} rolls in a row of {name}", list(seen.values()),
          [sum(seen.values()) * math.prod(die.count(face) / len(die) for face in pair) for pair in pairs], tests, failures)
    return tests


def _test(what: str, counts: list[int], expected: list[float], tests: list[float], failures: list[str],
          freedom: int | None = None) -> None:
    chance = chi_square_chance(counts, expected, freedom)
    tests.append(chance)
    if chance < ALARM:
        shown = counts if len(counts) < 30 else f"{len(counts)} counts"
        failures.append(f"{what}: {shown} happens by chance once in {1 / max(chance, 1e-300):.1g}")


def _shuffles(seed: int, tests: list[float], failures: list[str]) -> int:
    """Shuffles decks like a race, with a new seed each; returns how many."""
    orders: dict[tuple, int] = dict.fromkeys(itertools.permutations(range(FEW)), 0)
    counts = [[0] * MANY for _ in range(MANY)]
    for number in range(SHUFFLES):
        if number % A_RACE == 0:
            deal = Chance(f"{seed}-{number}", "deal")
        few, many = list(range(FEW)), list(range(MANY))
        deal.shuffle(few)
        orders[tuple(few)] += 1
        if number % 4 == 0:
            deal.shuffle(many)
            for index, card in enumerate(many):
                counts[index][card] += 1
    _test(f"the orders of {FEW} cards", list(orders.values()), [SHUFFLES / len(orders)] * len(orders), tests, failures)
    each = sum(counts[0]) / MANY
    for seat in range(1, SEATS + 1):  # who is dealt the first card, the second …
        own = [sum(counts[index][card] for index in range(seat - 1, MANY, SEATS)) for card in range(MANY)]
        _test(f"the cards of seat {seat}", own, [each * MANY / SEATS] * MANY, tests, failures)
    for index, cards in enumerate(counts, 1):
        _test(f"the cards at place {index} of {MANY}", cards, [each] * MANY, tests, failures)
    return SHUFFLES


def _cold_starts(failures: list[str]) -> int:
    """Switches a board on this many times; returns how many."""
    having = [game for game in games.NAMES if games.about(game).DECKS]
    starts = [first_start(game, games.about(game).VARIANTS[0], "cold") for game in having]
    plains = [{key: value for key, value in start.setup.plain().items() if key not in ("seed", "salt")} for start in starts]
    seen: dict[str, list[str]] = {}
    with scratch.folder("dice") as folder:
        root = Path(folder)
        build(root, "full", [start.track for start in starts], mpy=False, target="virtual")
        shutil.copyfile(Path(__file__).parent / "on_board" / "cold_starts.py", root / "cold_starts.py")
        (root / "cold.json").write_text(json.dumps(plains), "utf-8")
        for number in range(1, COLD_STARTS + 1):
            shutil.rmtree(root / "save", ignore_errors=True)
            told = run_once(["cold_starts.py"], root, COLD_S, HEAP_KB)
            row = told.row("COLD ")
            if row is None:
                failures.append(f"cold start {number} said nothing: {told.why}")
                continue
            for game, decks in row.items():
                if len(decks) < 2:
                    failures.append(f"cold start {number} of {game} was refused: {decks[0]}")
                else:
                    seen.setdefault(game, []).append(json.dumps(decks[1]))
    for game, decks in seen.items():
        if len(set(decks)) != len(decks):
            failures.append(f"{len(decks)} cold starts of {game} began with {len(set(decks))} different decks")
    return COLD_STARTS


def _changed_rolls(count: int, seed: int, failures: list[str]) -> int:
    """Changes a roll or a draw in a journal of every game and variant, and replays it; returns how many."""
    done = 0
    for game in games.NAMES:
        for variant in games.about(game).VARIANTS:
            start = first_start(game, variant, f"{seed}")
            chance = random.Random(f"{seed}/{game}/{variant}")
            changed = change_each(game, variant, journal_of(start), start.track.track, count, chance, failures)
            if not changed:
                failures.append(f"the journal of {game} {variant} has nothing that could be changed")
            done += changed
    return done


def first_start(game: str, variant: str, seed: str):
    """A RaceStart for bots on the variant's first track; dice and decks are the board's."""
    why = ""
    for source in list_tracks(game):
        try:
            return race_setup(game=game, variant=variant, track=source.id, seats=games.about(game).SEATS[0], bots="all",
                              seed=seed, laps=1 if games.about(game).LAPS else None)
        except BadSetup as error:  # a track for another variant
            why = str(error)
    raise BadTrack(f"There is no track for {game} {variant}: {why}")


def journal_of(start) -> str:
    """The journal of the whole race."""
    race = Race(start.setup, start.track.track)
    while not race.over:
        seat = race.prompts[0].seat or 1
        race.answer(seat, race.bot_answer(seat))
        race.drop_events()
    return race.journal()


def change_each(game: str, variant: str, text: str, track, count: int, chance: random.Random,
                failures: list[str]) -> int:
    """Changes up to this many lines, one in each replay; returns how many."""
    if replay(text, track)["problem"]:
        failures.append(f"the journal of {game} {variant} doesn't replay: {replay(text, track)['problem']}")
    rows = text.split("\n")
    said = {at: row.split(" | ")[0].split(" ") for at, row in enumerate(rows) if row[1:2] == " "}
    where = [at for at, row in said.items() if row[1] in VERBS and len(row) > 2]
    words = {verb: sorted({word for at in where if said[at][1] == verb for word in said[at][2:]}) for verb in VERBS}
    chosen = chance.sample(where, min(count, len(where)))
    for at in chosen:
        seat, verb, *faces = said[at]
        index = chance.randrange(len(faces))
        others = [word for word in words[verb] if word != faces[index]]
        if not others:
            others = ["1" if faces[index] != "1" else "2"]
        faces[index] = chance.choice(others)
        changed = [*rows[:at], f"{seat} {verb} {' '.join(faces)} | {rows[at].split(' | ')[1]}", *rows[at + 1:]]
        problem = replay("\n".join(changed), track)["problem"]
        if not problem or not problem.startswith(f"Line {at + 1}:"):
            failures.append(f"{game} {variant}: line {at + 1} was changed to {changed[at]!r}, and a replay says: {problem}")
    return len(chosen)
