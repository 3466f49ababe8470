"""No pixel and no output's mean makes more than three on/off pairs in any second, whatever plays at the same time."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from gridglow import paths
from gridglow.races.startup import race_setup
from gridglow_workshop.torture import effects
from gridglow_workshop.torture.seeing import FlashCounter
from gridglow_workshop.torture.trial import QUICK, Outcome, Say
from gridglow_workshop.torture.watched import Frame, Note, WatchedBoard
from shared_rules import games
from shared_rules.errors import GridglowError
from shared_rules.journal_file import Journal

NAME = "flashes"
WHAT = "No pixel and no output's mean flashes more than three times in a second, in any mix of effects and any race."
RACE_MS = {QUICK: 12000, "long": 600000}
KEYS = 0.12  # the share of frames after which somebody presses a key


class Watch:
    """The frames of one board, counted. A frame lasts until the next one."""

    def __init__(self, board: WatchedBoard) -> None:
        self.frames = 0
        self.seconds = 0.0
        self.most = 0
        self.failures: list[str] = []
        self.notes: list[list] = []
        self._board = board

    def run(self, what: str, steps: list, seed: int, **more: object) -> None:
        """Runs a programme, watched by a new counter for each output."""
        full = self._board.board.brightness_max
        eyes = [FlashCounter(count, full) if count else None for count in self._board.counts()]
        first = last = None
        doing = what
        for one in self._board.watch(steps, seed, **more):
            if isinstance(one, Note):
                self.notes.append(one.words)
                if one.words[0] == "doing":
                    doing = f"{what}: {one.words[1]}"
                continue
            assert isinstance(one, Frame)
            first = one.ms if first is None else first
            last = one.ms
            self.frames += 1
            for output, eye in enumerate(eyes):
                if eye is None:
                    continue
                eye.take(one.ms, one.outputs[output])
                if eye.over:
                    measure, pixel, ms, pairs = eye.over[0]
                    eye.over.clear()
                    lit = "the mean" if pixel < 0 else f"pixel {pixel}"
                    self.failures.append(f"{lit} of output {output + 1} makes {pairs} on/off pairs in a second ({measure}"
                                         f") at {ms} ms of {doing} on the board {self._board.board.id}")
                    eyes[output] = None  # once is enough
        self.seconds += ((last or 0) - (first or 0)) / 1000
        self.most = max([self.most, *(eye.most for eye in eyes if eye)])


def run(amount: str, seed: int, say: Say) -> Outcome:
    """Mixes of effects, races of every game by random keys, frames of noise, and (in a checkout) the golden races."""
    chance = random.Random(seed)
    quick = amount == QUICK
    facts, failures = [], []
    tried = survived = frames = golden = 0
    seconds = 0.0
    for name in ("mini", "full"):
        with WatchedBoard(name) as board:
            watch = Watch(board)
            shown = [*programmes(board, chance, quick), *goldens(board, chance, quick)]
            for what, steps, digest in shown:
                say(f"{name}: {what}")
                before = len(watch.failures)
                watch.notes.clear()
                watch.run(what, steps, seed)
                if digest:
                    golden += 1
                    if not any(words[0] == "over" and words[3] == digest for words in watch.notes):
                        watch.failures.append(f"{what} didn't reach the recorded end, {digest}")
                tried += 1
                survived += len(watch.failures) == before
            frames += watch.frames
            seconds += watch.seconds
            failures += watch.failures
            facts.append(f"On {name} the most on/off pairs in any second were {watch.most}.")
    facts.insert(0, f"{frames} frames in {seconds:.0f} s were checked, each pixel by luminance, red and dark, each output "
                    "by its mean.")
    facts.append(f"{golden} golden races were shown, to their recorded ends." if golden else
                 "There are no golden races here; a checkout has them.")
    again = f"; run: gridglow torture --only flashes --seed {seed}" + (" --quick" if quick else "")
    return Outcome(NAME, tried, survived, "shows", facts, [failure + again + "." for failure in failures])


def programmes(board: WatchedBoard, chance: random.Random, quick: bool) -> Iterator[tuple[str, list, str]]:
    """(name, steps, "") of what is shown on this board."""
    yield "mixes of effects", list(mixes(board, chance, quick)), ""
    kinds = ("white", "noise", "strobe", "colours")
    yield "frames of noise", [step for kind in kinds for step in (
        ["note", "doing", kind], ["raw", 1200 if quick else 20000, kind, [0, 1]])], ""
    for game in games.NAMES:
        if quick and (game in games.NAMES[:3]) != (board.board.id == "full"):
            continue
        yield game, races(board, game, chance, quick), ""


def mixes(board: WatchedBoard, chance: random.Random, quick: bool) -> Iterator[list]:
    """Effects in pairs (all of them, or a sample), threes and fives, on the smallest tracks."""
    tracks = sorted(board.tracks, key=lambda track: track.track.count)
    seats = board.board.seats
    groups = effects.pairs()
    names = list(effects.EFFECTS)
    if quick:
        groups = chance.sample(groups, 24 if board.board.id == "mini" else 6)
    heaps = 4 if quick else 150
    groups += [chance.sample(names, 3 if at % 2 else 5) for at in range(heaps)]
    stage = None
    for at, group in enumerate(groups):
        if at % 40 == 0:
            chosen = tracks[0] if at == 0 else chance.choice(tracks)
            stage = effects.Stage(chosen, seats)
            yield effects.opening(stage)
        yield ["note", "doing", " + ".join(group)]
        yield effects.mix(group, chance, stage)


def races(board: WatchedBoard, game: str, chance: random.Random, quick: bool) -> list:
    """Steps that race each variant of a game with people whose keys are pressed at random, plus bots."""
    steps: list = []
    about = games.about(game)
    for variant in about.VARIANTS[:1] if quick else about.VARIANTS:
        for track in [chance.choice(board.tracks_of(game))] if board.tracks_of(game) else []:
            try:
                plain = race_setup(game, variant, track.source.id, seats=about.SEATS[1], bots=about.SEATS[1] // 2,
                                   seed=f"flashes {chance.randrange(10**6)}").setup.plain()
            except GridglowError:
                continue
            steps += [["note", "doing", f"{variant} on {track.source.id}"], ["run", 400], ["go", "menu"], ["run", 400],
                      ["race", plain, None, RACE_MS[QUICK if quick else "long"], KEYS],
                      ["panels", 1], ["run", 300], ["panels", board.board.panels], ["run", 300]]
    return steps


def golden_races() -> Iterable[tuple[str, Journal]]:
    """(name, journal) of the golden races in a checkout."""
    folder = paths.CHECKOUT / "tests" / "help" / "golden_races"
    for file in sorted(folder.glob("*.journal")) if folder.is_dir() else ():
        yield file.stem, Journal.parse(file.read_text(encoding="utf-8"))


def goldens(board: WatchedBoard, chance: random.Random, quick: bool) -> Iterator[tuple[str, list, str]]:
    """(name, steps, digest at the end) of the golden races: on the full board all that it can light, or one of them."""
    here = {track.source.id for track in board.tracks}
    races_ = [race for race in golden_races() if race[1].track in here] if board.board.id == "full" else []
    for name, journal in chance.sample(races_, min(1, len(races_))) if quick else races_:
        answers = [[line.seat, line.text] for line in journal.lines]
        plain = {**journal.plain, "track": journal.track}
        yield (f"golden race {name}", [["set", "pace", "fast"], ["race", plain, answers, 3600000, 0]],
               journal.lines[-1].full)
