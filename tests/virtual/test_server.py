"""The page's server: who may talk to it, what it refuses, late and slow browsers, death and resuming."""

import asyncio
import json
import socket

import aiohttp
import pytest
from page_talk import SETUP, get, talk

from browser import fake_board, fake_root, geometry, with_arguments
from gridglow.virtual.engines import engine_named
from gridglow.virtual.picture import Picture
from gridglow.virtual.server import PortTaken, serve


@pytest.fixture
def board(tmp_path):
    with fake_board(tmp_path, start=SETUP) as running:
        yield running


@pytest.fixture
def quick(tmp_path):
    with fake_board(tmp_path, "--quick", start=SETUP) as running:
        yield running


def test_the_page_and_its_files(board):
    status, text, headers = get(board, "/")
    assert status == 200 and "<title>Gridglow</title>" in text
    assert "default-src 'self'" in headers["Content-Security-Policy"] and headers["X-Content-Type-Options"] == "nosniff"
    for name, kind in (("app.js", "javascript"), ("base.css", "text/css"), ("icon.svg", "image/svg+xml")):
        status, text, headers = get(board, "/static/" + name)
        assert status == 200 and kind in headers["Content-Type"] and text
    assert get(board, "/static/../server.py")[0] in (403, 404)
    assert get(board, "/static/")[0] in (403, 404)


def test_nothing_on_the_page_comes_from_elsewhere(board):
    from gridglow.virtual.server import PAGE

    for file in PAGE.iterdir():
        text = file.read_text("utf-8").replace("http://www.w3.org/", "")
        assert "http://" not in text and "https://" not in text, file.name


def test_the_drawing_of_a_track(board):
    status, text, _ = get(board, "/geometry/gp-ring.json")
    assert status == 200 and json.loads(text)["id"] == "gp-ring"
    status, text, _ = get(board, "/geometry/nowhere.json")
    assert status == 404 and text.count("\n") == 1 and "nowhere" in text
    assert get(board, "/geometry/..%2F..%2Fetc.json")[0] == 404


@pytest.mark.parametrize("path", ["/", "/ws", "/journal", "/geometry/gp-ring.json", "/static/app.js"])
def test_a_foreign_name_that_leads_here_is_refused(board, path):
    status, text, _ = get(board, path, {"Host": "evil.example:80"})
    assert status == 403 and "this computer only" in text


def test_a_foreign_page_may_not_talk_to_the_board(board):
    async def run(**headers):
        async with talk(board, **headers) as browser:
            await browser.kind("hello")

    for origin in ("http://evil.example", "http://127.0.0.1:1", "null"):
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            asyncio.run(run(Origin=origin))
        assert refused.value.status == 403
    asyncio.run(run(Origin=board.address.rstrip("/")))
    asyncio.run(run())


def test_nothing_changes_by_other_ways(board):
    for method in ("POST", "PUT", "DELETE"):
        assert get(board, "/", method=method)[0] == 405
        assert get(board, "/journal", method=method)[0] == 405


def test_a_browser_gets_the_whole_picture_and_plays(quick):
    async def run():
        async with talk(quick) as first:
            prompt = (await first.until(lambda m: m["t"] == "prompts" and m["list"]))["list"][0]
            assert (await first.reply({"t": "answer", "seat": 1, "serial": prompt["serial"], "text": "roll"}))["t"] == "ok"
            line = await first.kind("line")
            assert line["i"] == 1 and line["clause"]
            refused = await first.reply({"t": "answer", "seat": 1, "serial": prompt["serial"], "text": "roll"})
            assert refused["t"] == "no" and refused["say"]
            async with talk(quick) as late:
                snapshot = await late.kind("snapshot")
                kinds = {message["t"] for message in snapshot["list"]}
                assert kinds >= {"hello", "menu", "race", "scene", "prompts", "standings", "show", "px", "line"}
                assert {message["o"] for message in snapshot["list"] if message["t"] == "px"} == {0, 1}
                scene = next(message for message in snapshot["list"] if message["t"] == "scene")
                assert [event[0] for event in scene["events"]] == ["rolled"]
                assert next(m for m in late.seen if m["t"] == "engine")["alive"]

    asyncio.run(run())


def test_a_reply_goes_to_the_one_who_asked(quick):
    async def run():
        async with talk(quick) as one, talk(quick) as other:
            await other.kind("hello")
            assert (await one.reply({"t": "answer", "seat": 1, "serial": 999, "text": "go 1a"}))["t"] == "no"
            await one.reply({"t": "resume"})
            await asyncio.sleep(0.2)
            await other.send({"t": "why", "seat": 1})
            await other.kind("why")
            assert [m for m in other.seen if m["t"] in ("ok", "no")] == []

    asyncio.run(run())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "is a JSON object"),
        ("[" * 3000, "is a JSON object"),
        ("[]", "is an object with a type"),
        ("{}", "needs its type"),
        ('"key"', "is an object with a type"),
        ('{"t":["key"]}', "needs its type"),
        ('{"t":"stop"}', "A browser may send key, answer"),
        ('{"t":"hi","v":1}', "A browser may send key, answer"),
        ('{"t":"px","o":0,"d":""}', "A browser may send key, answer"),
        ('{"t":"key"}', "needs the field p"),
        ('{"t":"key","p":1,"k":"X","d":1}', "one of PREV NEXT"),
        ('{"t":"key","p":1e400,"k":"OK","d":1}', "a whole number"),
        ('{"t":"view","seat":1}', "own page only"),
        ('{"t":"journal"}', "open /journal"),
        ('{"t":"start","setup":3}', "setup of start is an object"),
        ('{"t":"answer","seat":1,"serial":1,"text":"' + "x" * 5000 + '"}', "at most 4096 characters"),
        ('{"t":"answer","seat":1,"serial":1,"text":"' + "\u00e4" * 1500 + '"}', "at most 4096 bytes"),
        ('{"t":"answer","seat":1,"serial":1,"text":"\\ud800"}', "already|closed|may"),
    ],
)
def test_what_a_browser_may_not_send_gets_one_sentence(board, text, sentence):
    async def run():
        async with talk(board) as browser:
            await browser.kind("hello")
            await browser.send(text)
            refused = await browser.kind("no")
            import re

            assert re.search(sentence, refused["say"]) and "\n" not in refused["say"] and len(refused["say"]) < 250
            assert (await browser.reply({"t": "resume"}))["t"] == "ok"

    asyncio.run(run())


def test_bytes_floods_and_giants_do_no_harm(board):
    async def run():
        async with talk(board) as browser:
            await browser.kind("hello")
            await browser.socket.send_bytes(b"\x00\xff")
            assert "not bytes" in (await browser.kind("no"))["say"]
            for _ in range(250):
                await browser.send({"t": "key", "p": 6, "k": "PREV", "d": 1})
            await browser.until(lambda m: m["t"] == "no" and "in one second" in m["say"])
        async with talk(board) as browser:
            await browser.kind("hello")
            await browser.socket.send_str("x" * 100_000)
            while not browser.socket.closed:
                await browser.socket.receive()
            assert browser.socket.close_code == 1009
        async with talk(board) as browser:
            await browser.kind("hello")

    asyncio.run(run())


def test_why_is_not_told_about_secret_questions(tmp_path):
    async def run(board):
        async with talk(board) as browser:
            prompt = (await browser.until(lambda m: m["t"] == "prompts" and m["list"]))["list"][0]
            await browser.send({"t": "answer", "seat": 1, "serial": prompt["serial"], "text": "roll"})
            await browser.until(lambda m: m["t"] == "prompts" and m["list"] and m["list"][0]["secret"])
            refused = await browser.reply({"t": "why", "seat": 1})
            assert refused["t"] == "no" and "secret" in refused["say"]

    with fake_board(tmp_path, "--quick", "--secret", start=SETUP) as board:
        asyncio.run(run(board))


def test_death_is_told_and_the_board_can_be_started_again(tmp_path):
    async def run(board):
        async with talk(board) as browser, talk(board) as other:
            prompt = (await browser.until(lambda m: m["t"] == "prompts" and m["list"]))["list"][0]
            await browser.send({"t": "answer", "seat": 1, "serial": prompt["serial"], "text": "roll"})
            for one in (browser, other):
                dead = await one.until(lambda m: m["t"] == "engine" and not m["alive"])
                assert dead["reason"] == "The micropython engine ended with code 1: RuntimeError: the fake was told to die."
            refused = await browser.reply({"t": "key", "p": 1, "k": "OK", "d": 1})
            assert refused["say"].endswith("Choose Resume to start it again.")
            status, text, _ = await asyncio.to_thread(get, board, "/journal")
            assert status == 503 and "told to die" in text
            for one in (browser, other):
                one.seen.clear()
            await other.send({"t": "resume"})
            reply = await browser.reply({"t": "start", "setup": SETUP})  # two at the same time: one engine
            assert reply["t"] in ("ok", "no")
            await other.until(lambda m: m["t"] == "engine" and m["alive"])
            await other.kind("hello")
            await other.until(lambda m: m["t"] == "no" and "no saved race" in m["say"])
            await browser.reply({"t": "start", "setup": SETUP})
            await other.until(lambda m: m["t"] == "prompts" and m["list"])

    with fake_board(tmp_path, "--quick", "--die", "1", engine="micropython", start=SETUP) as board:
        asyncio.run(run(board))


def test_a_board_that_says_nothing_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr("gridglow.virtual.board.VirtualBoard.hello_s", 0.5)

    async def run(board):
        async with talk(board) as browser:
            assert (await browser.kind("engine"))["alive"]

    with fake_board(tmp_path, "--mute") as board:
        asyncio.run(run(board))


def test_the_journal_is_a_download(quick):
    status, text, headers = get(quick, "/journal")
    assert status == 200 and text.startswith("gridglow journal 1")
    assert headers["Content-Disposition"] == 'attachment; filename="journal-ring.txt"'


def test_many_journals_at_once(quick):
    async def run():
        async with aiohttp.ClientSession() as session:
            async def one():
                async with session.get(quick.address + "journal") as answer:
                    return answer.status, await answer.text()

            return await asyncio.gather(*[one() for _ in range(8)])

    assert {status for status, _ in asyncio.run(run())} == {200}


def test_a_slow_browser_gets_a_new_picture_and_holds_nobody_up(tmp_path):
    async def run(board):
        async with talk(board) as quick_one:
            await quick_one.until(lambda m: m["t"] == "line" and m["i"] == 8000)
        async with talk(board) as late:
            snapshot = await late.until(lambda m: m["t"] == "snapshot" and any(x["t"] == "line" for x in m["list"]))
            numbers = [message["i"] for message in snapshot["list"] if message["t"] == "line"]
            assert numbers == list(range(1, len(numbers) + 1))
            await late.until(lambda m: m["t"] == "line" and m["i"] == 8000)

    with fake_board(tmp_path, "--flood", "8000", engine="micropython") as board:
        asyncio.run(run(board))


def test_a_port_that_is_taken(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        engine = engine_named("cpython", fake_root(tmp_path))
        with pytest.raises(PortTaken, match=f"Port {port} of 127.0.0.1 isn't available .*; choose another"):
            asyncio.run(serve(engine, geometry, port))
        with pytest.raises(PortTaken, match="Port 70000"):
            asyncio.run(serve(engine, geometry, 70000))
        assert not engine.alive


def test_serving_ends_when_cancelled_and_takes_the_engine_along(tmp_path):
    async def run():
        engine = with_arguments(engine_named("cpython", fake_root(tmp_path)))
        ready = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(serve(engine, geometry, 0, ready.set_result))
        address = await asyncio.wait_for(ready, 20)
        assert address.startswith("http://127.0.0.1:") and engine.alive
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not engine.alive
        with pytest.raises(aiohttp.ClientError):
            async with aiohttp.ClientSession() as session:
                await session.get(address)

    asyncio.run(run())


def test_only_the_loopback_address_listens(board):
    port = int(board.address.split(":")[2].strip("/"))
    for _, _, _, _, (address, *_) in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET):
        if not address.startswith("127."):
            with socket.socket() as outside, pytest.raises(OSError):
                outside.settimeout(2)
                outside.connect((address, port))


def test_the_picture_keeps_private_things_out():
    picture = Picture()
    hidden = picture.take({"t": "show", "lines": ["secret", "", "", "", "", ""], "private": 2})
    assert hidden["private"] == 2 and hidden["lines"] == ["", "", "hidden", "", "", ""]
    assert picture.take({"t": "view", "seat": 1, "prompt": None, "private": ["a card"]}) is None
    assert picture.take({"t": "file", "name": "journal", "k": 0, "of": 1, "d": ""}) is None
    assert "secret" not in str(picture.snapshot()) and "a card" not in str(picture.snapshot())


def test_the_picture_lets_a_race_go_that_the_board_has_left():
    picture = Picture()
    for state, game in (("race", "ring_game"), ("podium", "ring_game"), ("idle", "")):
        picture.take({"t": "scene", "events": [], "lines": ["Spent: 3"]} if state == "race" else
                     {"t": "standings", "list": [[1, 1, 1, 25, "Ann"]], "final": 1})
        picture.take({"t": "race", "state": state, "game": game})
        kinds = [message["t"] for message in picture.snapshot()["list"]]
        assert ("scene" in kinds, "race" in kinds) == (bool(game), True)
    assert "standings" not in kinds


def test_the_picture_takes_lines_back():
    picture = Picture()
    for number in (1, 2, 3, 2):
        picture.take({"t": "line", "i": number, "say": str(number)})
    assert [message["i"] for message in picture.snapshot()["list"]] == [1, 2]


def test_the_picture_notices_missing_lines():
    picture = Picture()
    for number, gap in ((1, False), (2, False), (4, True), (1, False), (2, False), (2, False)):
        picture.take({"t": "line", "i": number, "say": ""})
        assert picture.gap == gap


def test_the_picture_joins_the_parts_of_what_can_be_played():
    picture = Picture()
    head = {"id": "ring", "name": "Ring", "tracks": [{"id": "one"}]}
    parts = [{"t": "menu", "games": [head], "k": 0},
             {"t": "menu", "games": [{"id": "ring", "tracks": [{"id": "two"}]}], "k": 1},
             {"t": "menu", "games": [{"id": "long", "tracks": []}], "k": 2}, {"t": "menu", "games": [], "k": 3, "last": 1}]
    whole = {"t": "menu", "games": [{**head, "tracks": [{"id": "one"}, {"id": "two"}]}, {"id": "long", "tracks": []}]}
    assert [picture.take(part) for part in parts] == [None, None, None, whole]
    assert whole in picture.snapshot()["list"]
    assert [picture.take(part) for part in (parts[0], *parts[2:])] == [None, None, None], "a part is lost"
    assert whole in picture.snapshot()["list"], "what was known before must stay"
    assert [picture.take(part) for part in parts][-1] == whole
