"""`gridglow watch`: a race on a board at a serial port, live on the page; and `gridglow logs`."""

import asyncio
import json
import time

import pytest
from board_on_a_line import RACE, BoardOnALine, about
from commands import call_alone
from page_talk import SETUP, get, talk

from browser import RunningBoard
from gridglow.cli import watch
from gridglow.device.connect import GRIDGLOW, SILENT, Found, boards
from gridglow.device.ports import PortInfo
from gridglow.virtual.engine import EngineFault
from gridglow.virtual.serial import SerialEngine


def served(board, **more):
    return RunningBoard(SerialEngine(PortInfo(board.port)), **more)


def wait_for(true, limit_s=20):
    end = time.monotonic() + limit_s
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def run(work):
    asyncio.run(asyncio.wait_for(work, 60))


def test_the_board_is_mirrored_from_the_start_and_no_longer_at_the_end(line):
    with served(line) as page:
        async def look():
            async with talk(page) as table:
                assert (await table.kind("hello"))["display"] == [21, 6]
                engine = await table.kind("engine")
                assert (engine["name"], engine["alive"]) == ("serial", True)

        run(look())
        assert line.kinds[:2] == ["mirror", "hi"]
        assert line.heard[0]["on"] == 1
    wait_for(lambda: line.kinds[-1] == "mirror" and line.heard[-1]["on"] == 0)
    assert "stop" not in line.kinds
    assert line.alive


def test_a_race_is_played_from_the_page_and_not_ended_by_it(line):
    with served(line) as page:
        async def look():
            async with talk(page) as table:
                await table.kind("menu")
                assert (await table.reply({"t": "start", "setup": SETUP}))["t"] == "ok"
                await table.until(lambda one: one["t"] == "race" and one["state"] == "race")
                prompt = (await table.until(lambda one: one["t"] == "prompts" and one["list"]))["list"][0]
                refused = await table.reply({"t": "start", "setup": SETUP})
                assert refused["say"] == ("A race is running on the board; only the board can end it, with MENU.")
                answer = {"t": "answer", "seat": prompt["seat"], "serial": prompt["serial"], "text": "roll"}
                assert (await table.reply(answer))["t"] == "ok"

        run(look())
    assert line.kinds.count("start") == 1


@pytest.mark.parametrize("how", ["unplug", "reset"])
def test_a_board_that_goes_away_is_shown_and_watched_again(line, how):
    with served(line) as page:
        async def look():
            async with talk(page) as table:
                await table.kind("hello")
                getattr(line, how)()
                gone = await table.until(lambda one: one["t"] == "engine" and not one["alive"])
                assert "disappeared while in use" in gone["reason"] or "There is no port" in gone["reason"]
                table.seen.clear()
                line.plug()
                await table.until(lambda one: one["t"] == "engine" and one["alive"])
                await table.kind("hello")
                assert (await table.reply({"t": "start", "setup": SETUP}))["t"] == "ok"

        run(look())
    mirrors = [message["on"] for message in line.heard if message["t"] == "mirror"]
    assert mirrors[:2] == [1, 1]
    assert "stop" not in line.kinds


@pytest.mark.parametrize("words, told", [
    (b"\r\nTraceback (most recent call last):\r\nMemoryError: no", " (MemoryError: no)"),
    (b'\r\n<{"t":"view","n":4,"seat":1,"private":["HAND-1', "; reset it"),  # half a message isn't the last word
])
def test_a_board_that_shows_its_prompt_is_told(line, words, told):
    with served(line) as page:
        async def look():
            async with talk(page) as table:
                await table.kind("hello")
                await asyncio.sleep(2)  # its whole picture has come: what follows doesn't answer a greeting
                line.end_program(words)
                fault = await table.kind("fault")
                assert fault["say"].startswith(f"Gridglow is no longer running on the board{told}")

        run(look())


def test_hands_cross_only_for_the_page_of_their_seat(tmp_path, caplog):
    with BoardOnALine(tmp_path, "--quick", "--secret") as line, served(line) as page:
        async def look():
            async with talk(page) as table:
                await table.kind("menu")
                await table.reply({"t": "start", "setup": {**SETUP, "players": [["person", "Ann"], ["person", "Zoë"]]}})
                await table.until(lambda one: one["t"] == "race" and one["state"] == "race")
                assert "view" not in line.kinds
                rows = json.loads(get(page, "/seats.json")[1])["seats"]
                path = "seat/" + rows[1]["link"].rsplit("/", 1)[1] + "/"
                page.address, kept = page.address + path, page.address
                async with talk(page) as seat:
                    page.address = kept
                    view = await seat.kind("view")
                    assert "HAND-2" in json.dumps(view)
                    assert "HAND-1" not in json.dumps(seat.seen)
                assert "HAND-" not in json.dumps(table.seen)

        run(look())
        assert {message["seat"] for message in line.heard if message["t"] == "view"} == {2}
        assert "HAND-" not in json.dumps(page.messages)
    assert "HAND-" not in caplog.text


def test_a_port_that_cannot_be_opened_is_a_sentence(tmp_path):
    async def start():
        with pytest.raises(EngineFault) as error:
            await SerialEngine(PortInfo(str(tmp_path / "none"))).start()
        assert "didn't come back" in str(error.value) or "There is no port" in str(error.value)

    run(start())


# The commands


def test_watch_tells_the_address_and_leaves_the_race(line, found, monkeypatch):
    monkeypatch.setattr(watch, "browser_here", lambda: False)
    pages = []

    async def serve(engine, geometry, on_ready, **more):
        pages.append((engine, more, geometry("gp-ring")))
        on_ready("http://127.0.0.1:8717/")

    monkeypatch.setattr(watch, "serve", serve)
    result = call_alone(watch.watch, "--page-port", "8717")
    assert (result.exit_code, result.stdout) == (0, "http://127.0.0.1:8717/\n")
    assert "Kitchen at " in result.stderr and "Stopped; the race on the board goes on." in result.stderr
    told = json.loads(call_alone(watch.watch, "--json").stdout)
    assert (told["address"], told["engine"], told["name"]) == ("http://127.0.0.1:8717/", "serial", "Kitchen")
    assert pages[0][0].port == found.port and pages[0][1]["port"] == 8717
    assert pages[0][2]["id"] == "gp-ring" or pages[0][2]


def test_watch_without_gridglow_on_the_board_is_refused(monkeypatch):
    silent = Found(PortInfo("/dev/ttyACM0"), SILENT, say="The board at /dev/ttyACM0 has said nothing within 3 s.")
    monkeypatch.setattr(watch, "chosen", lambda board, port: silent)
    result = call_alone(watch.watch)
    assert str(result.exception) == silent.say


def test_a_board_file_that_is_not_here(found):
    board, note = watch.file_of(found)
    assert (board.id, note) == ("mini", "")
    board, note = watch.file_of(Found(found.port, GRIDGLOW, about(board="attic")))
    assert board.id == "full" and "'attic'" in note


# The whole firmware


def test_a_real_firmware_is_watched_through_unplugging_and_restart(whole, monkeypatch):
    monkeypatch.setattr(SerialEngine, "revive_s", 0.1)
    engine = SerialEngine(PortInfo(whole.port))
    with RunningBoard(engine) as page:
        async def look():
            async with talk(page) as table:
                assert (await table.kind("hello"))["v"] == 1
                assert (await table.reply({"t": "start", "setup": RACE}))["t"] == "ok"
                await table.until(lambda one: one["t"] == "race" and one["state"] == "race", 60)
                await table.until(lambda one: one["t"] == "px" and set(one["d"]) != {"0"}, 30)
                await table.until(lambda one: one["t"] == "show" and any(one["lines"]), 30)
                rows = json.loads(get(page, "/seats.json")[1])["seats"]
                assert [row["name"] for row in rows] == ["Ann"]

                whole.unplug()
                await table.until(lambda one: one["t"] == "engine" and not one["alive"])
                table.seen.clear()
                whole.plug()  # the race went on meanwhile
                await table.until(lambda one: one["t"] == "race" and one["state"] == "race", 60)
                await table.until(lambda one: one["t"] == "px", 30)

                table.seen.clear()
                whole.power_cut()  # the board restarts, with its race saved
                await table.until(lambda one: one["t"] == "engine" and not one["alive"])
                await table.until(lambda one: one["t"] == "hello", 60)
                await table.until(lambda one: one["t"] == "race" and one["state"] == "idle", 60)
                assert (await table.reply({"t": "resume"}))["t"] == "ok"
                await table.until(lambda one: one["t"] == "race" and one["state"] == "race", 60)

        asyncio.run(asyncio.wait_for(look(), 200))
    (seen,) = boards([whole.port])
    assert (seen.state, seen.about["state"]) == (GRIDGLOW, "race")  # no longer watched, and still running
    with seen.talk() as link:
        assert {message["t"] for message in link.messages(1.5)} & {"px", "show"} == set()
