"""Broken lines are requested again: two ends of a link on a line that damages what it carries. On both interpreters."""

from shared_rules.chance import Chance
from shared_rules.link_again import FIRST, Kept, Order
from shared_rules.link_lines import FROM_BOARD, SESSION, TO_BOARD, encode_bytes, following, session
from shared_rules.link_read import Decoder

TICK_MS = 10
RETRY_MS = 100


class End:
    """One end, a short form of board and host. It sends "read" with names that count up, and hears those of the other."""

    def __init__(self, chance):
        self.chance = chance
        self.other = None
        self.number = session(chance.below(60000))
        self.kept = Kept(6000)
        self.begin()

    def begin(self):
        self.order = Order(RETRY_MS, 64)
        self.decoder = Decoder(TO_BOARD)
        self.heard = []
        self.wire = b""                            # on its way to this end

    def say(self, name, line=None):
        self.number = following(self.number)
        line = encode_bytes(TO_BOARD, {"t": "read", "name": str(name)}, self.number)
        self.kept.keep(self.number, line)
        self.other.wire += damaged(line, self.chance)

    def tick(self, now):
        data, self.wire = self.wire, b""
        self.decoder.feed(data, self.order, now)
        number = self.order.ask(now)
        if number >= 0:
            self._write(encode_bytes(TO_BOARD, {"t": "again", "of": number}, 0))
        ready, self.order.ready = self.order.ready, []
        for message in ready:
            if message["t"] == "again":
                line, gone = self.kept.again(message["of"], following(self.number))
                if gone:
                    line = encode_bytes(TO_BOARD, {"t": "gone"}, message["of"])
                if line:
                    self._write(line)
            elif message["t"] == "read":
                self.heard.append(int(message["name"]))

    def _write(self, line):
        self.other.wire += damaged(line, self.chance)


class Damage:
    """How often, in percent, a line is damaged; kept here so that both ends have the same line."""

    percent = 0


def damaged(line, chance):
    """A line as the wire delivers it: mostly whole, else with a wrong letter, without one, without its end,
    with a foreign word in it, or missing altogether."""
    if chance.below(100) >= Damage.percent:
        return line
    at = chance.below(len(line))
    how = chance.below(6)
    if how == 0:
        return line[:at] + bytes([33 + chance.below(90)]) + line[at + 1:]
    if how == 1:
        return line[:at] + line[at + 1:]
    if how == 2:
        return line[:at]
    if how == 3:
        return line[:at] + b"RuntimeError: maximum recursion depth exceeded\r\n" + line[at:]
    if how == 4:
        return line[:at] + b"\n" + line[at:]
    return b""


def talk(seed, percent, each_way=150, calm_ms=3000):
    """Both ends after they have sent this many messages; at the end the line is sound for a while."""
    chance = Chance(seed, "damage")
    here, there = End(chance), End(chance)
    here.other, there.other = there, here
    Damage.percent = percent
    now = 0
    said = [0, 0]
    while min(said) < each_way:
        for place, end in enumerate((here, there)):
            while said[place] < each_way and chance.below(3) == 0:
                end.say(said[place])
                said[place] += 1
        for end in (here, there):
            end.tick(now)
        now += TICK_MS
    Damage.percent = 0
    here.say(each_way)
    there.say(each_way)
    for _ in range(calm_ms // TICK_MS):
        here.tick(now)
        there.tick(now)
        now += TICK_MS
    return here, there


def case_all_comes_once_and_in_its_order():
    for seed in range(12):
        for end in talk("again %d" % seed, 12):
            assert end.heard == list(range(151)), (seed, end.heard)
            assert end.order.again > 3 and end.order.lost == 0


def case_a_bad_line_loses_something_but_doubles_nothing():
    lost = 0
    for seed in range(6):
        for end in talk("bad %d" % seed, 55, 120, 6000):
            assert end.heard == sorted(set(end.heard)), (seed, end.heard)
            assert end.heard[-1] == 120, "it must go on after giving up"
            lost += 121 - len(end.heard)
    assert lost > 0


def case_a_whole_line_asks_for_nothing():
    for end in talk("whole", 0):
        assert end.heard == list(range(151)) and not end.order.again and end.order._asked_ms is None


def take(order, *numbers, now=0):
    for number in numbers:
        order.take({"t": "stat", "n": number}, now)
    ready, order.ready = order.ready, []
    return [message["n"] for message in ready]


def case_what_is_missing_is_asked_for_a_few_times_and_holds_up_what_comes_after():
    order = Order(RETRY_MS, 16)
    base = 7 * SESSION
    assert take(order, base + 1, base + 2, base + 4, base + 5) == [base + 1, base + 2]
    asked = []
    for now in range(0, 10000, 10):
        number = order.ask(now)
        if number >= 0:
            asked.append((now, number))
        if not order.missing():
            break
    assert asked == [(now, base + 3) for now in (0, 100, 200, 300)]
    assert take(order, base + 6) == [base + 4, base + 5, base + 6] and order.lost == 1
    assert take(order, base + 3, now=400) == [] and order.twice == 1, "a line that was given up comes too late"


def case_the_first_lines_of_a_session_are_missed_too():
    order = Order(RETRY_MS, 16)
    assert take(order, 9 * SESSION + 40) == [9 * SESSION + 40], "a sender that has been talking for long"
    assert take(order, 5 * SESSION + 3) == [] and order.ask(0) == 5 * SESSION + 1
    assert take(order, 5 * SESSION + 1) == [5 * SESSION + 1] and order.ask(10) == 5 * SESSION + 2
    assert take(order, 5 * SESSION + 2) == [5 * SESSION + 2, 5 * SESSION + 3]
    assert order.sessions == 2 and FIRST >= 3


def case_a_broken_line_tells_its_number():
    order = Order(RETRY_MS, 16)
    decoder = Decoder(TO_BOARD)
    lines = [encode_bytes(TO_BOARD, {"t": "why", "seat": 1}, 3 * SESSION + 1 + at) for at in range(3)]
    decoder.feed(lines[0] + lines[1].replace(b'"seat":1', b'"seat":2'), order, 0)
    assert take(order) == [3 * SESSION + 1] and order.ask(0) == 3 * SESSION + 2 and order.ask(50) == -1
    decoder.feed(lines[1] + lines[1] + b"noise\n", order, 60)
    assert take(order) == [3 * SESSION + 2] and order.twice == 1
    assert order.ask(100) == 3 * SESSION + 3, "it may have been a line, the last one"
    decoder.feed(lines[2], order, 110)
    assert take(order) == [3 * SESSION + 3] and not order.missing()


def case_noise_is_asked_after_a_few_times_and_before_anybody_has_spoken_never():
    order = Order(RETRY_MS, 16)
    decoder = Decoder(FROM_BOARD)
    decoder.feed(b"AT\r\n>>> \r\n", order, 0)
    assert not order.missing()
    take(order, SESSION + 1)
    asked = 0
    for now in range(0, 60000, 10):
        decoder.feed(b"Traceback (most recent call last):\n", order, now)
        asked += order.ask(now) >= 0
    assert asked == Order.blind_most


def case_who_never_sends_anything_again_is_asked_no_more():
    order = Order(RETRY_MS, 16)
    asked = 0
    heard = take(order, SESSION + 1)
    number = SESSION + 3
    for now in range(0, 60000, 10):
        if now % 1000 == 0:
            heard += take(order, number, now=now)
            number += 2
        asked += order.ask(now) >= 0
    heard += take(order)
    assert asked == Order.vain_most * Order.tries_most and len(heard) == 61 and heard == sorted(heard)


def case_a_partner_that_counts_in_its_own_way_is_heard():
    order = Order(RETRY_MS, 16)
    assert take(order, 1, 1, 1, 0, 5, 2) == [1, 1, 1, 0, 2] and order.ask(0) in (3, 5)
    for number in (0, 1, 4096, 1073741823, 1, 77777):
        assert number in take(order, number, now=10000), number


def case_lines_are_kept_as_long_as_there_is_room():
    kept = Kept(200)
    for number in range(1, 20):
        kept.keep(number, b"x" * 40)
    assert kept.find(19) == b"x" * 40 and kept.find(17) and kept.find(16) is None
    assert kept.last() == (19, b"x" * 40)
    kept.keep(20, b"")
    assert kept.find(20) == b"", "it may not be sent again"
    kept.keep(21, b"x" * 1000)
    assert kept.find(21) is None and kept.find(20) == b""
    kept.clear()
    assert kept.last() == (0, None) and kept.find(20) is None
