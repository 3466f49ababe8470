"""The processor time of a start of ``gridglow play``: its steps in multiples of a fixed loop in the same process, and
the whole start, until the page answers, in multiples of the time for loading the command line.

    python -m gridglow_workshop.bench.starts FOLDER     one start, with the device folder FOLDER; prints JSON

``measure_starts`` runs it twice: with an empty cache, and with the first run's cache.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from gridglow import scratch
from gridglow.boards.boardfile import load_board
from gridglow.firmware.image import default_tracks
from gridglow.races.startup import race_setup
from gridglow.tracks import page_geometry
from gridglow.virtual.bot_races import prepare
from shared_rules.errors import GridglowError

try:
    import resource
except ImportError:  # Windows, where the children's time is left out
    resource = None  # type: ignore[assignment]

#: The steps of a start: a race's set-up, its track drawn for the page, all tracks in a board's menu, and the board's
#: files.
STEPS = ("setup", "drawing", "tracks", "files")
LOOP = 3_000_000
LOOPS = 5
START_S = 900.0
LOOK_S = 0.02


def measure_starts() -> dict:
    """``{"loop_us": of the fixed loop, "first": {step: percent of the loop}, "again": the same with the cache,
    "play_percent": a whole start by then, in percent of loading the command line, None if unavailable
    }``. Raises GridglowError if a start failed."""
    with scratch.folder("bench") as folder:
        first = _start(folder / "first", folder / "cache")
        again = _start(folder / "again", folder / "cache")
        play = _play_percent(_environment(folder / "cache"), folder)
    return {"loop_us": again["loop_us"], "first": _percent(first), "again": _percent(again), "play_percent": play}


def _play_percent(environment: dict[str, str], folder: Path) -> int | None:
    if resource is None:
        return None
    _whole_us(environment, folder)                 # fills the cache for the next one
    load = min(_spent_us(lambda: subprocess.run([sys.executable, "-c", "import gridglow.cli"], env=environment, check=True))
               for _ in range(LOOPS))
    return round(100 * _whole_us(environment, folder) / load)


def _whole_us(environment: dict[str, str], folder: Path) -> int:
    """The processor time of ``gridglow play`` until its page answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def start() -> None:
        address = f"http://127.0.0.1:{port}/"
        end = time.monotonic() + START_S
        with subprocess.Popen([sys.executable, "-m", "gridglow", "play", "--port", str(port)], env=environment, cwd=folder,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
            try:
                while not _answers(address):
                    if child.poll() is not None or time.monotonic() > end:
                        raise GridglowError("A start failed: the page of gridglow play didn't answer.")
                    time.sleep(LOOK_S)
            finally:
                child.terminate()

    return _spent_us(start)


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=START_S) as page:
            return page.status == 200
    except OSError:
        return False


def _percent(found: dict) -> dict[str, int]:
    return {step: round(100 * found[step] / found["loop_us"]) for step in STEPS}


def _start(root: Path, cache: Path) -> dict:
    """The microseconds of each step of a start in its own process."""
    try:
        child = subprocess.run([sys.executable, "-m", "gridglow_workshop.bench.starts", str(root)], env=_environment(cache),
                               text=True, capture_output=True, timeout=START_S, check=False)
    except subprocess.TimeoutExpired:
        raise GridglowError(f"A start didn't finish within {START_S:g} s.") from None
    if child.returncode:
        raise GridglowError(f"A start failed: {(child.stderr.strip().splitlines() or ['it said nothing'])[-1]}.")
    return json.loads(child.stdout)


def _environment(cache: Path) -> dict[str, str]:
    return {**os.environ, "GRIDGLOW_CACHE": str(cache), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def _spent_us(step: Callable[[], object]) -> int:
    """The processor time of a step, including child processes that it waits for."""
    before = _cpu_s()
    step()
    return round(1e6 * (_cpu_s() - before))


def _cpu_s() -> float:
    if resource is None:
        return time.process_time()
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _loop() -> int:
    total = 0
    for number in range(LOOP):
        total += number & 7
    return total


def main(root: str) -> None:
    """Runs one start, step by step."""
    board = load_board("full")
    found = {"loop_us": min(_spent_us(_loop) for _ in range(LOOPS))}
    starts = []
    found["setup"] = _spent_us(lambda: starts.append(race_setup(bots="all", seed="bench", board=board)))
    found["drawing"] = _spent_us(lambda: page_geometry(starts[0].track, board))
    found["tracks"] = _spent_us(lambda: default_tracks(board))
    found["files"] = _spent_us(lambda: prepare(Path(root), board, "micropython", [starts[0].track]))
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
