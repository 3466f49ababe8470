"""The board gives each request its one answer, whatever happens to the race, and counts it once."""

import pytest
from script_hal import Script, ScriptHal

from glow.app import App
from glow.link.file_pieces import FILE_CHUNK
from glow.link.link import HEARD_MOST
from shared_rules.link_table import ANSWERS, PROTOCOL, answer_to
from shared_rules.race import Race

SETUP = {"game": "moto_grand_prix", "track": "gp-ring", "laps": 1, "seed": "answers", "salt": "s",
         "players": [["person", "Ann"], ["person", "Bo"]]}


class Host:
    """The other end: numbers its messages, and keeps the answers."""

    def __init__(self, driver):
        self.driver = driver
        self.hal = driver.hal
        self.number = 0

    def say(self, ticks=1, **message):
        """Send it under the next number, and let the board run for a while; returns the number."""
        self.number += 1
        self.repeat(self.number, ticks, **message)
        return self.number

    def repeat(self, number, ticks=1, **message):
        self.hal.say({**message, "n": number})
        for _ in range(ticks):
            self.driver.tick()

    def answers(self, number):
        return [one for one in self.hal.sent if one.get("re") == number]

    def asked(self):
        return self.driver.app.race.prompts[0]

    def roll(self, ticks=40, **more):
        prompt = self.asked()
        return self.say(ticks, **{"t": "answer", "seat": prompt.seat, "serial": prompt.serial, "text": "roll", **more})


@pytest.fixture
def host(root):
    driver = Script(App(ScriptHal(root), pace="fast"))
    found = Host(driver)
    found.say(50, t="hi", v=PROTOCOL)
    found.say(20, t="start", setup=SETUP)
    driver.press(1, "OK")
    assert driver.until(lambda: driver.app.state == "race" and not driver.app.table.answering.moving)
    driver.run(200)
    return found


def test_every_message_has_its_one_answer(host):
    """Asked correctly and wrongly, in a race; what only a real board can do is refused."""
    roll = {"t": "answer", "seat": 1, "serial": 1, "text": "roll"}
    asked = {
        "hi": [{"v": PROTOCOL}], "answer": [roll, {**roll, "text": "go 99z"}, {**roll, "seat": 9}, {**roll, "serial": 0}],
        "start": [{"setup": {}}, {"setup": {**SETUP, "seed": "two"}}], "resume": [{}], "view": [{"seat": 1}, {"seat": 9}],
        "why": [{"seat": 2}, {"seat": 9}], "journal": [{}], "info": [{}], "mirror": [{"on": 1}],
        "read": [{"name": "manifest.txt"}, {"name": "../x"}], "put": [{"name": "../x", "k": 0, "of": 1, "d": ""}],
        "commit": [{"name": "x", "crc": "00000000"}], "service": [{"on": 1}, {"on": 0}], "try": [{"what": "x"}],
        "crash": [{}], "reset": [{"how": "run"}], "key": [{"p": 1, "k": "OK", "d": 1}], "stop": [{}],
    }
    assert set(asked) == {kind for kind, _ in ANSWERS}
    for kind, ways in asked.items():
        for way in ways:
            before = len(host.hal.sent)
            number = host.say(60, **{"t": kind, **way}) if kind != "key" else 0
            said = host.hal.sent[before:]
            wanted = answer_to(kind)
            if kind == "key":  # the pins' own input; nobody waits for it
                assert wanted == ""
                continue
            refused = [one for one in said if one["t"] == "no" and one["re"] == number]
            answered = [one for one in said if one["t"] == wanted and one.get("re", number) == number
                        and not (wanted == "file" and one["k"])]
            assert len(refused) + len(answered) == 1, (kind, way, refused, answered)
            assert all("re" in one for one in answered if wanted in ("ok", "view", "why"))


def test_an_answer_that_comes_twice_counts_once_and_is_answered_twice(host):
    number = host.roll()
    prompt = host.asked()
    lines = host.driver.app.race.pending_answers()
    host.repeat(number, 40, t="answer", seat=1, serial=1, text="roll")
    assert host.answers(number) == [{"t": "ok", "re": number}] * 2
    assert host.driver.app.race.pending_answers() == lines and host.asked() is prompt


def test_an_answer_that_comes_twice_before_its_frame_is_one(host):
    host.number += 1
    for _ in range(2):
        host.hal.say({"t": "answer", "n": host.number, "seat": 1, "serial": 1, "text": "roll"})
    host.driver.run(400)
    assert host.answers(host.number) == [{"t": "ok", "re": host.number}]


def test_an_undo_that_comes_twice_takes_back_one_answer(host):
    app = host.driver.app
    while app.race.lines < 6:
        assert host.driver.until(lambda: not app.table.answering.moving and not app.table.answering.offers)
        prompt = host.asked()
        options = prompt.options()
        host.say(40, t="answer", seat=prompt.seat, serial=prompt.serial, text=options[0] if options else "roll")
    assert host.driver.until(lambda: not app.table.answering.moving)
    before = app.race.lines
    undo = {"t": "answer", "seat": host.asked().seat, "serial": 0, "text": "undo"}
    number = host.say(60, **undo)
    lines = app.race.lines
    host.repeat(number, 60, **undo)
    assert app.race.lines == lines <= before + 1
    assert len(host.answers(number)) == 2 and host.answers(number)[0] == host.answers(number)[1]


def test_a_start_that_comes_twice_starts_one_race(host):
    setup = {**SETUP, "seed": "twice"}
    number = host.say(300, t="start", setup=setup)
    race = host.driver.app.race
    host.repeat(number, 20, t="start", setup=setup)
    assert host.driver.app.race is race and len(host.answers(number)) == 2


def test_a_host_that_has_just_come_has_numbers_of_its_own(host):
    host.roll()
    old = host.number
    host.number = 0
    host.say(100, t="hi", v=PROTOCOL)
    host.number = old - 1
    prompt = host.asked()
    number = host.say(40, t="answer", seat=prompt.seat, serial=prompt.serial, text="roll")
    assert number == old and host.answers(number)[-1]["t"] == "ok" and host.asked() is not prompt


def test_only_the_last_answers_are_remembered(host):
    for _ in range(3 * HEARD_MOST):
        host.say(1, t="answer", seat=1, serial=999, text="roll")
    host.driver.run(200)
    assert len(host.driver.app.link._heard) <= HEARD_MOST + 1


@pytest.mark.parametrize("ends", ["quit", "other race", "rules fail"])
def test_an_answer_whose_table_has_gone_is_refused_and_not_forgotten(host, ends, monkeypatch):
    app = host.driver.app
    prompt = host.asked()
    host.hal.say({"t": "answer", "n": 50, "seat": 1, "serial": prompt.serial, "text": "roll"})
    app.link.take()  # now it is waiting for its frame
    assert app.table.answering.offers and not host.answers(50)
    if ends == "quit":
        app.stop_race()
    elif ends == "other race":
        assert app.start_race({**SETUP, "seed": "other"}) == ""
    else:
        real = Race.answer
        calls = []

        def answer(self, seat, text):
            calls.append(text)
            if len(calls) == 1:
                raise ZeroDivisionError("on purpose")
            return real(self, seat, text)
        monkeypatch.setattr(Race, "answer", answer)
    host.driver.run(1500)
    [answer] = host.answers(50)
    assert answer["t"] == "no" and "answer again" in answer["say"]
    if ends == "rules fail":
        number = host.roll()
        assert host.answers(number) == [{"t": "ok", "re": number}], "the race must go on"


def test_an_answer_that_the_queue_has_no_room_for_is_sent_later(host):
    full = []
    send = host.hal.send

    def refuse(message, droppable=False):
        if full and message["t"] in ("ok", "no"):
            full.append(message)
            return False
        return send(message, droppable)
    host.hal.send = refuse
    full.append("full")
    number = host.roll(10)
    assert not host.answers(number) and len(full) > 1
    full.clear()
    host.driver.run(100)
    assert host.answers(number) == [{"t": "ok", "re": number}]


def test_a_journal_that_another_race_breaks_off_is_refused(host):
    app = host.driver.app
    while sum(len(piece) for piece in app.race.journal_lines(False)) <= FILE_CHUNK:
        assert host.driver.until(lambda: not app.table.answering.moving and not app.table.answering.offers)
        prompt = host.asked()
        options = prompt.options()
        host.say(40, t="answer", seat=prompt.seat, serial=prompt.serial, text=options[0] if options else "roll")
    room = host.hal.room
    host.hal.room = lambda: not host.hal.kinds("file")  # one part goes out, and no more for now
    number = host.say(2, t="journal")
    assert [one["k"] for one in host.hal.kinds("file")] == [0] and host.hal.kinds("file")[0]["of"] > 1
    host.hal.room = room
    assert app.start_race({**SETUP, "seed": "another"}) == ""
    host.driver.run(100)
    assert len(host.hal.kinds("file")) == 1 and [one["t"] for one in host.answers(number)] == ["no"]


def test_a_failure_after_an_answer_is_no_second_answer(host, monkeypatch):
    monkeypatch.setattr(host.driver.app, "stop_race", lambda: 1 // 0)
    number = host.say(10, t="stop")
    assert [one["t"] for one in host.answers(number)] == ["ok"]
    monkeypatch.setattr(host.driver.app, "begin_resume", lambda told: 1 // 0)
    number = host.say(150, t="resume")
    assert [one["t"] for one in host.answers(number)] == ["no"]
