"""The host's end of the link's lines: numbers them, reads them, and has damaged ones sent again.

A damaged or missing line from the board is requested a few times, and later lines wait for it; what the board requests,
or doesn't answer, is sent again. So nothing is taken twice, and everything is taken in the order in which it was sent.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from shared_rules.link_again import Kept, Order
from shared_rules.link_lines import following, session
from shared_rules.link_table import FROM_BOARD, TO_BOARD, Decoder, answer_to, encode

GONE = "gone"


class Lines:
    """`write` takes the bytes of one line. `slowness`: how many times slower than a board the partner may be.

    Moments are in seconds of any clock that goes up.
    """

    kept_bytes = 65_536
    held_most = 256
    retry_ms = 400
    end_s = 0.3  # this long after the last line another line end follows: the line may have lost its own
    doubt_s = 1.0  # after this long without an answer the last line is sent again; then after twice as long, and so on
    doubts_most = 3

    def __init__(self, write: Callable[[bytes], object], slowness: float = 1, end: bytes = b"\n") -> None:
        self._write = write
        self._end = end
        self._decoder = Decoder(FROM_BOARD)
        self._order = Order(int(self.retry_ms * slowness), self.held_most)
        self._order.twice_ms = int(self._order.twice_ms * slowness)
        self._kept = Kept(self.kept_bytes)
        self._number = session(random.randrange(1 << 24))
        self._sessions = 0
        self._told_lost = 0
        self._slowness = slowness
        self._awaited = ""  # the type of the answer to the last message; "": any message will do
        self._unanswered = False  # no answer yet
        self._said_s: float | None = None  # when it was sent; None: `look` will note it
        self._ended_again = True
        self._doubts = 0

    @property
    def skipped(self) -> int:
        """The number of lines since the start that were not messages."""
        return self._decoder.skipped

    @property
    def again(self) -> int:
        """The number of lines that arrived only after a repeated request."""
        return self._order.again

    @property
    def last_words(self) -> str:
        """What came after the last message and wasn't one: MicroPython writes its traceback there."""
        return self._decoder.noise.decode("ascii", "replace").strip()

    @property
    def missing(self) -> bool:
        """Whether `look` has something to do: a line is, or may be, missing."""
        doubtful = self._unanswered and self._sessions > 0 and self._doubts < self.doubts_most
        return self._order.missing() or doubtful or not self._ended_again

    def send(self, message: dict) -> int:
        """Writes one message; returns its number, or 0 if `write` returned False and nothing was sent. Raises ValueError if
        the table has no such message."""
        number = following(self._number)
        line = self._ended(encode(TO_BOARD, message, number))
        if self._write(line) is False:
            return 0
        self._number = number
        self._kept.keep(number, line)
        self._awaited = answer_to(message["t"])
        self._unanswered, self._said_s, self._ended_again, self._doubts = True, None, False, 0
        return number

    def hear(self, data: bytes, now_s: float) -> list[dict]:
        """Takes bytes from the board; returns the messages that may be handled now, in order."""
        self._decoder.feed(data, self._order, int(now_s * 1000))
        if self._sessions != self._order.sessions:
            if self._sessions:  # the board has restarted: messages for its previous run must not be sent
                self._kept.clear()
            self._sessions = self._order.sessions
        return self._ready()

    def look(self, now_s: float) -> list[dict]:
        """Requests what is missing, when it's time; returns messages that waited for a line now given up."""
        if self._said_s is None:
            self._said_s = now_s
        silent_s = now_s - self._said_s
        if not self._ended_again and silent_s > self.end_s:
            self._ended_again = True
            self._write(self._end)
        if self._unanswered and self._doubts < self.doubts_most and (
                silent_s > self.doubt_s * self._slowness * 2**self._doubts):
            self._doubts += 1
            self._order.doubt()
            line = self._kept.last()[1]
            if self._awaited and line:
                self._write(line)  # it counts once, however often it arrives
        number = self._order.ask(int(now_s * 1000))
        if number >= 0:
            self._write(self._ended(encode(TO_BOARD, {"t": "again", "of": number}, 0)))
        return self._ready()

    def _ready(self) -> list[dict]:
        ready, self._order.ready = self._order.ready, []
        found = []
        for message in ready:
            if not self._awaited or (
                    message["t"] in (self._awaited, "no") and message.get("re", self._number) == self._number):
                self._unanswered = False
            if message["t"] == "again":
                self._send_again(message["of"])
            else:
                found.append(message)
        if self._order.lost != self._told_lost:  # stands for lost lines, so that the caller can request everything again
            self._told_lost = self._order.lost
            found.append({"t": GONE, "n": 0})
        return found

    def _send_again(self, number: int) -> None:
        line, gone = self._kept.again(number, following(self._number))
        if gone:
            line = self._ended(encode(TO_BOARD, {"t": GONE}, number))
        if line:
            self._write(line)

    def _ended(self, line: str) -> bytes:
        return line[:-1].encode("ascii") + self._end
