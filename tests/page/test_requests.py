"""Every request from the pages has one answer that ends its wait: a table says which, and repeated requests count once."""

import asyncio
import json
import re
import secrets
from collections import Counter

import pytest
from page_talk import get, links, talk

from browser import RunningBoard, geometry
from gridglow.boards.boardfile import load_board
from gridglow.firmware.image import build
from gridglow.races.startup import race_setup
from gridglow.tracks import load_track
from gridglow.virtual.access import SEAT, TABLE, WATCH
from gridglow.virtual.browsers import Browser
from gridglow.virtual.engines import engine_named
from gridglow.virtual.requests import HERE, REQUESTS, ends, told
from gridglow.virtual.server import PAGE
from gridglow_workshop.torture.link_host import Page, board_with_pages
from shared_rules.link_table import ANSWERS, FROM_BOARD, TO_BOARD, decode, types


@pytest.fixture(scope="module")
def setup():
    return race_setup("moto_grand_prix", "basic", "gp-ring", seats=3, bots=1, laps=1, seed="requests").setup.plain()


# The table

#: What the ends of a link say about its lines: nobody waits for an answer to that.
OF_LINES = ("again", "gone")


def scripts():
    return {file.name: file.read_text("utf-8") for file in PAGE.glob("*.js")}


def test_the_table_has_every_request_of_the_pages_and_no_other():
    sent = set()
    for text in scripts().values():
        sent |= set(re.findall(r'\b(?:send|begin)\(\s*\{ t: "(\w+)"', text))
    assert sent == set(REQUESTS)


def test_there_is_one_way_to_the_boards_computer_for_each_kind_of_request():
    assert [name for name, text in scripts().items() if "new WebSocket(" in text] == ["socket.js"]
    assert [name for name, text in scripts().items() if re.search(r"\bfetch\(", text)] == ["fetching.js"]
    assert [name for name, text in scripts().items() if "XMLHttpRequest" in text or "EventSource" in text] == []


def test_the_table_of_the_link_names_an_answer_for_every_message():
    assert [kind for kind, _ in ANSWERS] == [kind for kind in types(TO_BOARD) if kind not in OF_LINES]
    assert {answer for _, answer in ANSWERS} <= {"", *types(FROM_BOARD)}
    for kind, one in REQUESTS.items():
        assert ends(kind) in types(FROM_BOARD), f"{kind} has no answer"
        assert one.by == HERE or not one.again or ends(kind) in ("ok", "why")


def test_a_page_is_told_of_what_it_may_ask_and_a_slow_board_has_longer():
    assert set(told(TABLE)) == set(REQUESTS)
    assert set(told(SEAT)) == {"answer", "why", "page", "beat"} and set(told(WATCH)) == {"page", "beat"}
    assert told(TABLE)["why"] == ["why", "race", 12] and told(TABLE, 30)["why"][2] == 360
    assert told(TABLE, 30)["key"] == ["ok", "", 12]


# The whole list, on the real firmware

@pytest.fixture(scope="module")
def board(tmp_path_factory, setup):
    root = tmp_path_factory.mktemp("requests")
    build(root, load_board("full"), [load_track("gp-ring")], mpy=False, games=["moto_grand_prix"], target="virtual")
    (root / "save").mkdir(exist_ok=True)
    from glow.store.store import Settings
    for key, value in (("pace", "fast"), ("teach", 0)):
        Settings(str(root / "save")).put(key, value)
    with RunningBoard(engine_named("cpython", root), geometry, start=setup) as running:
        yield running


class Asker:
    """A page: it numbers its requests, and counts what comes for each number."""

    def __init__(self, one):
        self.talk = one
        self.asked = {}

    async def ask(self, number, wanted, **message):
        """Ask, and wait for the answer, which must be of this type."""
        self.asked[number] = (message, wanted)
        await self.talk.socket.send_str(json.dumps({**message, "id": number}))
        answer = await self.talk.until(lambda one: one.get("re") == number, 30)
        assert answer["t"] == wanted, (message, answer)
        return answer

    def answers(self):
        return Counter(one["re"] for one in self.talk.seen if one.get("re") is not None)


def question_of_a_person(message):
    return message["t"] == "prompts" and message["list"] and message["list"][0]["seat"] in (1, 2)


def test_every_request_of_each_page_has_exactly_one_answer(board, setup):
    word = secrets.token_hex(8)

    async def run():
        async with talk(board) as one:
            table = Asker(one)
            prompt = (await one.until(question_of_a_person, 60))["list"][0]
            seat = prompt["seat"]
            roll = {"t": "answer", "seat": seat, "serial": prompt["serial"], "text": "roll"}
            await table.ask(1, "ok", t="page", word=word)
            await table.ask(2, "ok", t="beat")
            await table.ask(3, "ok", t="key", p=6, k="WHY", d=1)
            await table.ask(4, "ok", t="key", p=6, k="WHY", d=0)
            await table.ask(5, "why", t="why", seat=seat)
            await table.ask(6, "no", t="why", seat=9)
            await table.ask(7, "no", **{**roll, "text": "go 99z"})
            await table.ask(8, "ok", **roll)
            await table.ask(9, "no", **roll)
            await table.ask(10, "ok", t="resume")
            await table.ask(11, "no", t="start", setup={**setup, "players": setup["players"][:1]})
            await table.ask(12, "no", t="view", seat=seat)
            await table.ask(13, "no", t="journal")
            await table.ask(14, "no", t="nothing")
            async with talk(board, links(board)[seat]) as other:
                phone = Asker(other)
                await phone.ask(1, "ok", t="page", word=word)
                await phone.ask(2, "ok", t="beat")
                await phone.ask(3, "no", t="answer", seat=seat, serial=0, text="undo")
                await phone.ask(4, "no", t="answer", seat=3, serial=0, text="undo")
                await phone.ask(5, "no", t="key", p=1, k="OK", d=1)
                prompt = (await other.until(question_of_a_person, 60))["list"][0]
                await phone.ask(6, "why" if prompt["seat"] == seat else "no", t="why", seat=seat)
                await phone.ask(7, "ok", t="beat")
                assert phone.answers() == Counter(list(phone.asked))
            await table.ask(15, "ok", t="start", setup={**setup, "seed": "again"})
            await table.ask(16, "no", t="why", seat=9)  # the board answers in order: nothing is still on its way
            assert table.answers() == Counter(list(table.asked))
            assert {REQUESTS[one["t"]] for one, _ in table.asked.values() if one["t"] in REQUESTS} == set(REQUESTS.values())

    asyncio.run(run())


def test_what_a_page_sends_again_on_a_new_connection_counts_once(board, setup):
    word = secrets.token_hex(8)

    async def run():
        async with talk(board) as one:
            before = Asker(one)
            await before.ask(1, "ok", t="page", word=word)
            await before.ask(2, "ok", t="start", setup={**setup, "seed": "once"})
            one.seen.clear()
            await before.ask(3, "ok", t="key", p=1, k="OK", d=1)  # skips the lights
            prompt = (await one.until(question_of_a_person, 60))["list"][0]
            roll = {"t": "answer", "seat": prompt["seat"], "serial": prompt["serial"], "text": "roll"}
            await before.ask(4, "ok", **roll)
            async with talk(board) as two:
                after = Asker(two)
                await after.ask(5, "ok", t="page", word=word)
                await after.ask(4, "ok", **roll)
                await after.ask(2, "ok", t="start", setup={**setup, "seed": "once"})
                closed = await one.socket.receive()
                while closed.type.name == "TEXT":
                    closed = await one.socket.receive()
                assert closed.data == 4002, "the page's older connection must end"
                other = {**roll, "seat": 3 - prompt["seat"], "serial": 2}
                await after.ask(6, "ok", **other)  # all have rolled for the pole now
                await two.until(lambda message: message["t"] == "line" and message["i"] == 3)
                status, text, _ = await asyncio.to_thread(get, board, "/journal")
                assert status == 200
                return text

    journal = asyncio.run(run())
    assert re.findall(r"^(\d) roll", journal, re.M)[:3] == ["1", "2", "3"], journal


# The board's computer alone

def taken(engine):
    return [decode(TO_BOARD, data.rstrip(b"\n")) for data in engine.sent]


def last_number(engine):
    """The number of the last message sent to the board."""
    return taken(engine)[-1]["n"]


def heard(page):
    """What waits to be sent to a page, after its picture."""
    return [one for one in page._waiting if one["t"] not in ("you", "asks", "engine", "snapshot")]


ROLL = {"t": "answer", "seat": 1, "serial": 4, "text": "roll", "id": 7}


async def told_to(board, page, **message):
    await board.take(page, json.dumps(message))


def one_more(board, role=TABLE, seat=0):
    page = Browser(Page(), board.snapshot, role, seat)
    board.add(page)
    return page


def test_a_page_that_comes_back_gets_the_answer_to_what_it_has_asked():
    async def run():
        engine, board, (table, *_) = await board_with_pages()
        await told_to(board, table, t="page", word="x", id=1)
        await told_to(board, table, **ROLL)
        number = last_number(engine)
        back = one_more(board)
        await told_to(board, back, t="page", word="x", id=8)
        await told_to(board, back, **ROLL)
        assert [one["t"] for one in taken(engine)].count("answer") == 1
        assert [one.get("re") for one in heard(back)] == [8], "it must not be answered yet"
        await engine.say({"t": "ok", "re": number})
        await asyncio.sleep(0.01)
        assert (heard(back)[-1]["t"], heard(back)[-1]["re"]) == ("ok", 7)
        third = one_more(board)
        await told_to(board, third, t="page", word="x", id=9)
        assert 7 in [one["re"] for one in heard(third)], "the answer must be sent again"
        other = one_more(board)
        await told_to(board, other, t="page", word="y", id=1)
        assert 7 not in [one["re"] for one in heard(other)], "only to this page"
        await told_to(board, other, **ROLL)
        assert [one["t"] for one in taken(engine)].count("answer") == 2, "another page must have its own numbers"
        await board.stop()

    asyncio.run(run())


def test_pages_of_another_role_are_others_whatever_word_they_say():
    async def run():
        engine, board, (table, watch, seat, other_seat) = await board_with_pages()
        for page in (table, watch, seat, other_seat):
            await told_to(board, page, t="page", word="x", id=1)
        assert set(board.browsers) == {table, watch, seat, other_seat}
        await board.stop()

    asyncio.run(run())


def test_a_board_that_ends_answers_what_it_was_asked():
    async def run():
        engine, board, (table, _, seat, _) = await board_with_pages()
        await told_to(board, table, **ROLL)
        await told_to(board, table, t="why", seat=2, id=8)
        await told_to(board, seat, **{**ROLL, "id": 3})
        numbers_before = [one["n"] for one in taken(engine)]
        await engine._ended("The board was unplugged.")
        await asyncio.sleep(0.01)
        for page, numbers in ((table, [7, 8]), (seat, [3])):
            found = [one for one in heard(page) if one["t"] == "no"]
            assert [(one["re"], one["say"]) for one in found] == [(number, "The board was unplugged.") for number in numbers]
        await engine.start()
        board._reader = asyncio.create_task(board._listen())
        for number in numbers_before:
            await engine.say({"t": "ok", "re": number})
        await asyncio.sleep(0.01)
        assert [one["t"] for one in heard(table)].count("ok") == 0, "numbers of another run must not count as answers"
        await board.stop()

    asyncio.run(run())


def test_keys_are_let_go_with_the_page_that_holds_them():
    async def run():
        engine, board, (table, *_) = await board_with_pages()
        await told_to(board, table, t="page", word="x", id=1)
        await told_to(board, table, t="key", p=2, k="WHY", d=1, id=2)
        await told_to(board, table, t="key", p=2, k="OK", d=1, id=3)
        await told_to(board, table, t="key", p=2, k="OK", d=0, id=4)
        back = one_more(board)
        await told_to(board, back, t="page", word="x", id=5)
        let_go = taken(engine)[-1]
        assert [let_go[name] for name in ("t", "p", "k", "d")] == ["key", 2, "WHY", 0]
        await told_to(board, back, t="key", p=3, k="MENU", d=1, id=6)
        board.remove(back)
        assert (taken(engine)[-1]["k"], taken(engine)[-1]["d"]) == ("MENU", 0)
        board.remove(back)
        assert [one["d"] for one in taken(engine) if one["t"] == "key"] == [1, 1, 0, 0, 1, 0]
        await board.stop()

    asyncio.run(run())


def test_reasons_end_the_wait_of_who_asked_and_everybody_sees_them():
    async def run():
        engine, board, (table, watch, seat, _) = await board_with_pages()
        await told_to(board, table, t="why", seat=1, id=5)
        first = last_number(engine)
        await told_to(board, seat, t="why", seat=1, id=9)
        await engine.say({"t": "why", "re": first + 1, "seat": 1, "items": [["go 1a", "No.", "X-1"]]})
        await engine.say({"t": "why", "re": first, "seat": 1, "items": []})
        await asyncio.sleep(0.01)
        whys = {page: [(one.get("re"), len(one["items"])) for one in heard(page) if one["t"] == "why"]
                for page in (table, watch, seat)}
        assert whys == {table: [(None, 1), (5, 0)], seat: [(9, 1), (None, 0)], watch: [(None, 1), (None, 0)]}
        # An older board doesn't say whom it answers: its answers come in the order of the questions.
        await told_to(board, table, t="why", seat=2, id=6)
        await told_to(board, table, t="why", seat=1, id=7)
        await engine.say({"t": "why", "seat": 1, "items": []})
        await engine.say({"t": "why", "seat": 2, "items": []})
        await asyncio.sleep(0.01)
        assert [one.get("re") for one in heard(table) if one["t"] == "why"][-2:] == [7, 6]
        await board.stop()

    asyncio.run(run())


def test_a_page_that_fell_behind_gets_its_answers_with_the_new_picture():
    async def run():
        engine, board, (table, *_) = await board_with_pages()
        await told_to(board, table, **ROLL)
        await engine.say({"t": "ok", "re": last_number(engine)})
        await told_to(board, table, t="beat", id=8)
        for number in range(Browser.most_waiting + 5):
            table.post({"t": "stat", "number": number})
        await asyncio.sleep(0.01)
        assert sorted(one["re"] for one in table._waiting if one.get("re") is not None) == [7, 8]
        await board.stop()

    asyncio.run(run())


def test_a_board_that_can_not_be_sent_to_is_a_no_in_both_languages():
    async def run():
        engine, board, (table, watch, seat, _) = await board_with_pages()
        engine._lines._write = lambda data: False
        await told_to(board, table, **ROLL)
        await told_to(board, watch, **{**ROLL, "id": 2})
        await told_to(board, seat, **{**ROLL, "id": 3, "text": "source dice table"})
        for page, number in ((table, 7), (watch, 2), (seat, 3)):
            [refused] = [one for one in heard(page) if one["t"] == "no"]
            assert refused["re"] == number and refused["say"] and refused["says"]["de"]
        await board.stop()

    asyncio.run(run())


