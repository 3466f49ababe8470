"""The link as a host tool uses it, with boards that behave and boards that don't. The clock is fake."""

import base64

import pytest

from gridglow.device.talk import NoAnswer, SaysNo, Talk
from shared_rules.link_table import FROM_BOARD, TO_BOARD, Decoder, encode


class Line:
    """A port with a board behind it: `board(messages)` yields (seconds, bytes) for the messages it receives."""

    path = "/dev/fake"

    def __init__(self, board=None, flood=b""):
        self.clock = 0.0
        self.board = board or (lambda message: [])
        self.flood = flood
        self.due = []
        self.sent = b""
        self.numbers = []
        self.decoder = Decoder(TO_BOARD)

    def now(self):
        return self.clock

    def write(self, data):
        self.sent += data
        for message in self.decoder.feed(data):
            if message["n"] in self.numbers or not message["n"]:
                continue                           # sent again, and the board has it already; or it is about lines
            self.numbers.append(message["n"])
            begin = max([self.clock, *(when for when, _ in self.due)])  # it sends one message after another
            self.due += [(begin + wait_s, answer) for wait_s, answer in self.board(message)]

    def read_some(self, wait_s):
        if self.flood:
            self.clock += 0.01
            return self.flood
        self.due.sort(key=lambda one: one[0])
        if self.due and self.due[0][0] <= self.clock + wait_s:
            when, data = self.due.pop(0)
            self.clock = max(self.clock, when)
            return data
        self.clock += wait_s
        return b""

    def close(self):
        pass


def said(message, n=1):
    return encode(FROM_BOARD, message, n).encode()


ABOUT = {"t": "info", "about": {"name": "Kitchen", "race": None}}


def answering(*messages, wait_s=0.1):
    return lambda message: [(wait_s, said(one)) for one in messages]


def sentence(error):
    text = str(error.value)
    assert "\n" not in text and text.endswith((".", "flash"))
    return text


def test_a_question_and_its_answer():
    line = Line(answering({"t": "stat", "heap_free": 1, "frames": 2, "dropped": 0, "tick_us": 3}, ABOUT))
    talk = Talk(line)
    assert talk.info() == {"name": "Kitchen", "race": None}
    assert [message["t"] for message in talk.others] == ["stat"]
    number = line.numbers[0]
    assert line.sent == encode(TO_BOARD, {"t": "info"}, number)[:-1].encode() + b"\r\n"
    assert number % 4096 == 1, "a session must start at a number that the previous one didn't use"


def test_numbers_count_up_and_the_ok_of_another_question_is_none():
    line = Line(lambda message: [(0.1, said({"t": "ok", "re": message["n"] - 1})),
                                 (0.2, said({"t": "ok", "re": message["n"]}))])
    talk = Talk(line)
    first = talk.ask({"t": "mirror", "on": 1})["re"]
    assert talk.ask({"t": "mirror", "on": 0})["re"] == first + 1 and line.numbers == [first, first + 1]


def test_no_is_the_boards_own_sentence():
    line = Line(lambda message: [(0.1, said({"t": "no", "re": message["n"], "say": "There is no race.", "clause": "X-1"}))])
    with pytest.raises(SaysNo) as error:
        Talk(line).ask({"t": "journal"}, "file")
    assert str(error.value) == "There is no race."
    assert error.value.clause == "X-1"


def test_a_late_answer_to_an_earlier_question_is_no_answer():
    line = Line(lambda message: [(9, said({"t": "no", "re": message["n"], "say": "Late.", "clause": ""}))]
                if message["n"] == line.numbers[0] else [(5, said({"t": "ok", "re": message["n"]}, 2))])
    talk = Talk(line)
    with pytest.raises(NoAnswer):
        talk.ask({"t": "mirror", "on": 1}, limit_s=5)
    assert talk.ask({"t": "mirror", "on": 1}, limit_s=9)["re"] == line.numbers[1]


def test_a_silent_board():
    line = Line()
    with pytest.raises(NoAnswer) as error:
        Talk(line).info(3)
    assert "The board at /dev/fake said nothing within 3 s" in sentence(error)
    assert line.clock == pytest.approx(3)


@pytest.mark.parametrize("flood", [
    b'<{"t":"fault","say":"flood"}*00000000\r\n' * 20,
    b"x" * 5000,
    b"AT\r\nAT+GCAP\r\n",
    bytes(range(256)) * 4,
])
def test_a_board_that_floods(flood):
    line = Line(flood=flood)
    with pytest.raises(NoAnswer) as error:
        Talk(line).info(3)
    assert "sends no Gridglow messages" in sentence(error)
    assert sentence(error).isprintable()
    assert line.clock < 3.1


def test_a_board_that_floods_with_messages():
    line = Line(flood=said({"t": "sound", "name": "lap"}) * 50)
    talk = Talk(line)
    with pytest.raises(NoAnswer) as error:
        talk.info(3)
    assert "runs Gridglow but didn't answer 'info' within 3 s" in sentence(error)
    assert line.clock < 3.1
    assert len(talk.others) == talk.others.maxlen


def test_an_answer_between_garbage_is_found():
    line = said(ABOUT)
    pieces = [b"\xff\x00<{half", b"\r\n", b"Traceback (most recent call last):\r\n  >>", line[:10], line[10:]]
    assert Talk(Line(lambda _: [(0.1 * at, piece) for at, piece in enumerate(pieces, 1)])).info() == ABOUT["about"]


def test_half_a_line_is_no_answer():
    half = said(ABOUT)[:-9]
    with pytest.raises(NoAnswer) as error:
        Talk(Line(lambda _: [(0.1, half)])).info(2)
    assert "Kitchen" in sentence(error)


def prompt(message):
    """MicroPython's prompt echoes what it receives."""
    echo = encode(TO_BOARD, {"t": message["t"]}, message["n"])[:-1].encode()
    return [(0.01, echo), (0.02, b"\r\nTraceback (most recent call last):\r\nSyntaxError: invalid syntax\r\n>>> ")]


def test_the_prompt_of_micropython_is_seen_before_the_limit():
    line = Line(prompt)
    talk = Talk(line)
    with pytest.raises(NoAnswer) as error:
        talk.info(30)
    assert error.value.prompt and talk.prompt_seen
    assert "shows MicroPython's prompt" in sentence(error)
    assert line.clock < 1


def test_a_mere_echo_is_no_prompt_and_no_answer():
    line = Line(lambda message: [(0.01, encode(TO_BOARD, {"t": message["t"]}, message["n"]).encode())])
    with pytest.raises(NoAnswer) as error:
        Talk(line).info(3)
    assert not error.value.prompt
    assert "no Gridglow messages" in sentence(error)


def file_board(data, size=7, name="journal", change=None, wait_s=0.1):
    parts = [data[at : at + size] for at in range(0, len(data), size)]
    messages = [{"t": "file", "name": name, "k": k, "of": len(parts), "d": base64.b64encode(part).decode()}
                for k, part in enumerate(parts)]
    return lambda _: [(wait_s * at, said(one)) for at, one in enumerate(change(messages) if change else messages, 1)]


def test_a_file_in_parts():
    data = bytes(range(100))
    assert Talk(Line(file_board(data))).ask_file({"t": "journal"}) == ("journal", data)
    assert Talk(Line(file_board(data, name="save/cards"))).read_file("save/cards") == data


@pytest.mark.parametrize("change, words", [
    (lambda parts: parts[:2] + parts[3:], "Part 2 of journal was expected, but part 3 came"),
    (lambda parts: parts[:4], "Only 4 parts of journal arrived"),
    (lambda parts: [{**parts[0], "d": "AAAA!"}, *parts[1:]], "Part 0 of journal arrived damaged"),
])
def test_a_file_that_comes_broken(change, words):
    line = Line(file_board(bytes(range(60)), change=change))
    with pytest.raises(NoAnswer) as error:
        Talk(line).ask_file({"t": "journal"})
    assert words in sentence(error)
    assert line.clock < 20 and len(line.numbers) == Talk.file_tries


@pytest.mark.parametrize("change", [
    lambda parts: parts[:2] + parts[3:], lambda parts: parts[1:], lambda parts: parts[:4],
    lambda parts: [{**parts[0], "d": "AAAA!"}, *parts[1:]]])
@pytest.mark.parametrize("broken", [1, 2])
def test_a_file_of_which_a_part_is_lost_is_asked_for_anew(change, broken):
    data = bytes(range(60))
    tries = iter([change] * broken + [None])
    line = Line(lambda message: file_board(data, change=next(tries))(message))
    assert Talk(line).ask_file({"t": "journal"}) == ("journal", data)
    assert len(line.numbers) == broken + 1


def test_a_file_without_an_end():
    endless = [{"t": "file", "name": "journal", "k": k, "of": 9999, "d": "AAAA"} for k in range(900)]
    line = Line(lambda _: [(0.1 * at, said(one)) for at, one in enumerate(endless)])
    with pytest.raises(NoAnswer) as error:
        Talk(line).ask_file({"t": "journal"}, limit_s=20)
    assert "arrived within 20 s" in sentence(error)
    assert line.clock < 21


def test_what_nobody_asked_for_is_told_once_and_in_order():
    edge = {"t": "edge", "p": 1, "k": "OK", "d": 1}
    seen = []
    line = Line(lambda message: [(0.1, said(edge)), (0.2, said({"t": "ok", "re": message["n"]})),
                                 (0.3, said({"t": "card", "uid": "AB"}))])
    talk = Talk(line, seen.append)
    talk.ask({"t": "service", "on": 1})
    assert [message["t"] for message in seen] == ["edge"]
    assert [message["t"] for message in talk.messages(1)] == ["edge", "card"]
    assert [message["t"] for message in talk.messages(1)] == []


def test_what_is_sent_is_checked():
    with pytest.raises(ValueError):
        Talk(Line()).ask({"t": "mirror"})
