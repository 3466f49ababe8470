"""Commands ended by a signal: a closed terminal, a system that shuts down. They leave nothing behind."""

import asyncio
import gc
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gridglow import paths, scratch
from gridglow.cli import signals
from gridglow.device.board_clock import ToldClock
from shared_rules.errors import GridglowError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs Unix signals")
BOTH = [signal.SIGTERM, signal.SIGHUP]


def me(number):
    os.kill(os.getpid(), number)
    time.sleep(0.01)                                          # the handler runs between two steps


@pytest.mark.parametrize("number", BOTH)
def test_the_first_signal_ends_the_command_and_the_second_lets_it_tidy_up(number):
    before = signal.getsignal(number)
    tidied = False
    with signals.caught(), pytest.raises(signals.Ended) as ended:
        try:
            me(number)
        finally:
            for again in BOTH:
                me(again)
            tidied = True
    assert tidied and ended.value.code == 128 + number
    assert ended.value.say == f"Ended by {number.name}."
    assert signal.getsignal(number) is before


def test_a_signal_that_is_ignored_stays_ignored():
    """For example under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with signals.caught():
            me(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("number", BOTH)
def test_what_is_served_until_it_is_stopped_is_stopped(number):
    async def serve():
        stop = asyncio.Event()
        with signals.setting(stop):
            asyncio.get_running_loop().call_later(0.01, os.kill, os.getpid(), number)
            await asyncio.wait_for(stop.wait(), 30)
            me(number)
        me(number)
        return "tidied"

    with signals.caught():
        assert asyncio.run(serve()) == "tidied"
        me(number)


def test_a_signal_in_a_loop_that_has_no_end_of_its_own_ends_its_tasks():
    """A race without a page: its engine is stopped before the command ends."""
    stopped = []

    async def race():
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)
            stopped.append("engine")

    async def main():
        asyncio.get_running_loop().call_later(0.01, os.kill, os.getpid(), signal.SIGTERM)
        await asyncio.gather(race(), race())

    with signals.caught(), pytest.raises(signals.Ended):
        asyncio.run(main())
    assert stopped == ["engine", "engine"]


def begun(tmp_path, *words):
    """Starts a command whose temporary folders are here."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path), "CI": "1"}
    return subprocess.Popen([sys.executable, "-m", "gridglow", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, env=env)


def left(tmp_path):
    """Our files that are still there."""
    return sorted(path.name for path in tmp_path.glob("gridglow-*"))


RACE = ["play", "--bots", "all", "--laps", "1", "--engine", "micropython"]


@pytest.mark.parametrize("number", BOTH)
@pytest.mark.parametrize("words", [RACE, [*RACE, "--headless", "--json"]])
def test_a_signal_while_it_starts_leaves_no_folder(tmp_path, number, words):
    child = begun(tmp_path, *words)
    until = time.monotonic() + 120
    while not left(tmp_path) and child.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    assert left(tmp_path), child.stderr.read()
    for _ in range(2):                                        # closing a terminal sends two
        child.send_signal(number)
    out, err = child.communicate(timeout=120)
    assert child.returncode == 128 + number
    assert err.splitlines() == [f"gridglow: Ended by {number.name}."]
    assert (f'"error": "Ended by {number.name}."' in out) == ("--json" in words)
    assert left(tmp_path) == []


@pytest.mark.parametrize("number", [*BOTH, signal.SIGINT])
def test_a_signal_while_the_page_is_served_leaves_no_folder(tmp_path, number):
    child = begun(tmp_path, *RACE, "--port", "0")
    assert re.fullmatch(r"http://127\.0\.0\.1:[0-9]+/\n", child.stdout.readline())
    for _ in range(1 if number == signal.SIGINT else 2):
        child.send_signal(number)
    err = child.communicate(timeout=120)[1]
    assert child.returncode == 0 and err.splitlines()[-1] == "Stopped."
    assert left(tmp_path) == []


@pytest.mark.parametrize("at", ["mkdir", "__enter__", "body"])
def test_a_temporary_folder_is_gone_at_whatever_moment_the_command_ends(tmp_path, monkeypatch, at):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    make = Path.mkdir

    def made(self, *words, **more):
        make(self, *words, **more)
        if at == "mkdir":
            raise signals.Ended(signal.SIGHUP)

    monkeypatch.setattr(Path, "mkdir", made)

    def use():
        manager = scratch.folder("try")
        manager.__enter__()
        if at == "__enter__":                                 # the body hasn't begun
            raise signals.Ended(signal.SIGHUP)

    with pytest.raises(signals.Ended):
        if at == "body":
            with scratch.folder("try") as folder:
                (folder / "deep").mkdir()
                raise signals.Ended(signal.SIGHUP)
        use()
    gc.collect()
    assert left(tmp_path) == []


def test_all_temporary_folders_are_made_in_one_place():
    """The standard library's own ones can be left behind if a signal comes at the wrong moment."""
    calls = re.compile(r"tempfile\.(TemporaryDirectory|mkdtemp|NamedTemporaryFile|mkstemp)")
    assert [path.name for path in paths.PACKAGE.rglob("*.py") if calls.search(path.read_text("utf-8"))] == ["scratch.py"]


def test_where_no_folder_can_be_had_a_sentence_says_so(monkeypatch):
    def nowhere():
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(scratch.tempfile, "gettempdir", nowhere)
    with pytest.raises(GridglowError, match="make room in one, or name one with TMPDIR"), scratch.folder("try"):
        pass


def test_the_clock_of_an_emulated_board_leaves_no_folder(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    one, other = ToldClock("/dev/pts/998"), ToldClock("/dev/pts/999")
    one.close()
    (folder,) = left(tmp_path)
    other.close()
    assert left(tmp_path) == [], folder
