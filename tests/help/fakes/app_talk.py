"""The host's link to a board without a wire: the real firmware, tick by tick on a fake clock, in the same process.

`AppTalk` has the interface of `gridglow.device.talk.Talk`; `ScriptedPerson` sits in front of the board and sees its pixels.
"""

from gridglow.device.person import Person, Stopped
from gridglow.device.port import GONE, PortError
from gridglow.device.talk import NoAnswer, SaysNo
from shared_rules.link_table import FROM_BOARD, TO_BOARD, decode, encode

TICKS_PER_S = 100


class AppTalk:
    """Talks to a `script_hal.Script`. `gone_after`: its cable is pulled after this many questions."""

    def __init__(self, driver, about=None, gone_after=None, deaf=()):
        self.driver = driver
        self.hal = driver.hal
        self.about = about or {}
        self.gone_after = gone_after
        self.deaf = deaf                           # what the board never answers: words of `try`
        self.others = []
        self.asked = []
        self.files = {}
        self._seen = len(self.hal.sent)
        self._number = 0

    def ask(self, message, want="ok", limit_s=5.0):
        self._number += 1
        if self.gone_after is not None and self._number > self.gone_after:
            raise PortError(GONE, "The board at /dev/ttyACM0 disappeared while in use (no such device).")
        line = encode(TO_BOARD, {**message}, self._number)
        self.asked.append(message)
        wanted = (want,) if isinstance(want, str) else want
        if message.get("what") not in self.deaf or not self.deaf:
            self.hal.say(decode(TO_BOARD, line[:-1].encode()))
        for _ in range(int(limit_s * TICKS_PER_S)):
            self.driver.tick()
            for answer in self._new():
                if answer["t"] == "no" and answer["re"] == self._number:
                    raise SaysNo(answer["say"], answer["clause"])
                if answer["t"] in wanted and answer.get("re", self._number) == self._number:
                    return answer
                self.others.append(answer)
        raise NoAnswer(f"The board at /dev/ttyACM0 has not answered {message['t']!r} within {limit_s:g} s; try again.")

    def _new(self):
        while self._seen < len(self.hal.sent):
            message = self.hal.sent[self._seen]
            self._seen += 1
            yield decode(FROM_BOARD, encode(FROM_BOARD, message, 1)[:-1].encode())

    def messages(self, limit_s):
        if self.gone_after is not None and self._number >= self.gone_after:
            raise PortError(GONE, "The board at /dev/ttyACM0 disappeared while in use (no such device).")
        while self.others:
            yield self.others.pop(0)
        for _ in range(max(1, int(limit_s * TICKS_PER_S))):
            self.driver.tick()
            yield from self._new()

    def info(self, limit_s=None):
        return self.about

    def read_file(self, name, limit_s=None):
        if name not in self.files:
            raise SaysNo(f"The board has no file {name}.")
        return self.files[name]

    def ask_file(self, message, limit_s=None):
        return message["t"], self.read_file(message["t"])

    def now(self):
        return self.hal.ticks_ms() / 1000

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class ScriptedPerson(Person):
    """Answers from a list: typed texts, and functions that are called with the last sentence and return one (or None:
    nothing is typed for now, but perhaps a key of the board was pressed). After the last one nobody is there any more."""

    def __init__(self, *answers, always=None):
        self.answers = list(answers)
        self.always = always
        self.heard = []

    def say(self, text):
        self.heard.append(text)

    def line(self, limit_s):
        if not self.answers and self.always is None:
            raise Stopped("Nobody is answering: standard input has ended.")
        answer = self.answers.pop(0) if self.answers else self.always
        return answer(self.heard[-1]) if callable(answer) else answer

    @property
    def talk(self):
        return "\n".join(self.heard)
