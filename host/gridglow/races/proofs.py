"""``gridglow test`` as an API: the games' vectors and random races, compared across several interpreters.

    report = prove(load_games(), on=["cpython", "micropython"], races=20)
    report.plain()      the numbers, for --json
    report.failures     one sentence per failure
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial

from gridglow.races.interpreters import Interpreter, InterpreterFault
from gridglow.races.spec import GameSpec, Vector, job_vector, vector_pack
from gridglow.races.startup import tracks_for
from gridglow.tomlfile import FileProblems, Problem
from shared_rules import games
from shared_rules.errors import GridglowError


@dataclass
class GameReport:
    """The numbers of one game; ``failed`` counts a vector once for each interpreter on which it fails, ``per`` is
    {interpreter: [vectors passed, races run]}."""

    clauses: int = 0
    covered: int = 0
    table: int = 0
    vectors: int = 0
    failed: int = 0
    races: int = 0
    equal: int = 0
    per: dict[str, list[int]] = field(default_factory=dict)

    def plain(self) -> dict[str, int]:
        """For --json."""
        return {key: getattr(self, key)
                for key in ("clauses", "covered", "table", "vectors", "failed", "races", "equal")}


@dataclass
class Report:
    """The results of all games."""

    on: list[str]
    games: dict[str, GameReport] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def plain(self) -> dict:
        """For --json."""
        return {"on": self.on, "games": {name: report.plain() for name, report in self.games.items()}}


@dataclass(frozen=True)
class RandomRace:
    """A race to run on every interpreter: a seed, and the track's id and pack."""

    game: str
    variant: str
    seed: str
    track: str
    pack: bytes

    @property
    def job(self) -> dict:
        """For ``proof.serve``."""
        return {"job": "race", "game": self.game, "variant": self.variant, "seed": self.seed}


#: Makes an interpreter from its name; is told how many jobs are done, of how many, and what comes next.
Open = Callable[[str], Interpreter]
Progress = Callable[[str, int, int, str], None]


def prove(specs: dict[str, GameSpec], on: list[str], races: int, sample: int = 1, opener: Open = Interpreter,
          progress: Progress | None = None) -> Report:
    """Runs everything; ``races`` random races per variant, on the game's tracks in turn, and every
    ``sample``-th vector.

    ``opener`` makes an interpreter (a connected board is one too) from its name; ``progress`` gets its name, the jobs
    done, all jobs, and what comes next. Raises FileProblems for a vector whose track can't be used,
    GridglowError if an interpreter is missing.
    """
    report = Report(on)
    for name, spec in specs.items():
        vectors = _with_packs(spec)[::sample]
        drawn = random_races(name, races)
        one = report.games[name] = GameReport(len(spec.clauses), spec.covered, spec.table, len(vectors),
                                              races=len(drawn), per={interpreter: [0, 0] for interpreter in on})
        report.failures += spec.problems
        with ThreadPoolExecutor(len(on)) as pool:
            runs = list(pool.map(partial(_run, vectors=vectors, drawn=drawn, opener=opener, progress=progress), on))
        for interpreter, (problems, _) in zip(on, runs):
            one.per[interpreter][0] = len(vectors) - len(problems)
            one.failed += len(problems)
        report.failures += _sorted_by_vector(vectors, on, [problems for problems, _ in runs])
        _compare(report, one, on, drawn, [results for _, results in runs])
    return report


def random_races(game: str, count: int) -> list[RandomRace]:
    """``count`` races per variant, on its possible tracks in turn."""
    found = []
    for variant in games.load(game).VARIANTS if count else ():
        tracks = list(tracks_for(game, variant))
        if not tracks:
            raise GridglowError(f"There is no track for {game} {variant}.")
        for number in range(1, count + 1):
            track = tracks[(number - 1) % len(tracks)]
            found.append(RandomRace(game, variant, f"{variant}-{number}", track.id, track.pack))
    return found


def _with_packs(spec: GameSpec) -> list[tuple[Vector, bytes]]:
    found = []
    wrong: list[Problem] = []
    for vector in spec.vectors.values():
        try:
            found.append((vector, vector_pack(vector)))
        except FileProblems as error:
            wrong += error.problems
    if wrong:
        raise FileProblems(wrong)
    return found


def _run(name: str, vectors: list[tuple[Vector, bytes]], drawn: list[RandomRace], opener: Open = Interpreter,
         progress: Progress | None = None) -> tuple[dict, list[dict]]:
    """({vector id: problem}, [result of each race]) on one interpreter; sorted by track, whatever their order."""
    problems: dict[str, str] = {}
    results: list[dict] = [{} for _ in drawn]
    done = 0

    def tell(what: str) -> None:
        nonlocal done
        if progress:
            progress(name, done, len(vectors) + len(drawn), what)
        done += 1

    with opener(name) as interpreter:
        for pack in dict.fromkeys([pack for _, pack in vectors] + [race.pack for race in drawn]):
            for vector in [vector for vector, on in vectors if on == pack]:
                tell(f"the vector {vector.id}")
                problem = _ask(interpreter, pack, {"job": "vector", "vector": job_vector(vector)},
                               f"the vector {vector.id}")["problem"]
                if problem:
                    problems[vector.id] = problem
            for at, race in enumerate(drawn):
                if race.pack == pack:
                    tell(f"the race {race.seed} on {race.track}")
                    results[at] = _ask(interpreter, pack, race.job, f"the race {race.seed}")
    return problems, results


def _ask(interpreter: Interpreter, pack: bytes, job: dict, what: str) -> dict:
    """The result of a job, or {"problem": why there is none}."""
    try:
        return interpreter.on_track(pack).ask(job, what)
    except InterpreterFault as error:
        return {"problem": str(error)}


def _sorted_by_vector(vectors, on: list[str], problems: list[dict[str, str]]) -> list[str]:
    """One sentence per failing vector; only once if all interpreters say the same."""
    told = []
    for vector, _ in vectors:
        said: dict[str, list[str]] = {}
        for interpreter, failing in zip(on, problems):
            if vector.id in failing:
                said.setdefault(failing[vector.id], []).append(interpreter)
        told += [f"{vector.where}: {vector.id} on {' and '.join(names)}: {problem}" for problem, names in said.items()]
    return told


def _compare(report: Report, one: GameReport, on: list[str], drawn: list[RandomRace], runs: list[list[dict]]) -> None:
    """Races count as equal if every interpreter ran them to the same end with the same digests."""
    for at, race in enumerate(drawn):
        results = [results[at] for results in runs]
        for interpreter, result in zip(on, results):
            one.per[interpreter][1] += "digest" in result
        if all(result == results[0] and "digest" in result for result in results):
            one.equal += 1
            continue
        said = "; ".join(f"{interpreter}: {result.get('problem') or _end(result)}"
                         for interpreter, result in zip(on, results))
        report.failures.append(f"{race.game} {race.variant}: The random race {race.seed} on {race.track} is not the same "
                               f"everywhere: {said}")


def _end(result: dict) -> str:
    return f"digest {result['digest']} after {result['answers']} answers"
