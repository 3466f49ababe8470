"""The link to a board, for host tools: questions and answers, and files in parts.

Nothing here ends a race. Whatever the board sends (floods, garbage, half lines, the echo of a MicroPython prompt) or
doesn't send, every question gets an answer, or a sentence, within its limit.
"""

from __future__ import annotations

import base64
import binascii
from collections import deque
from collections.abc import Callable, Sequence

from gridglow.device.port import Port
from gridglow.lines import GONE, Lines
from shared_rules.errors import GridglowError
from shared_rules.link_table import PROTOCOL

PROMPT = b">>> "


class NoAnswer(GridglowError):
    """The board sent nothing, or no answer, within the limit. `prompt`: MicroPython's prompt was seen."""

    def __init__(self, say: str, prompt: bool = False) -> None:
        super().__init__(say)
        self.prompt = prompt


class SaysNo(GridglowError):
    """The board refuses a request, with its own sentence; `clause` is the rule behind it, or ""."""

    def __init__(self, say: str, clause: str = "") -> None:
        super().__init__(say)
        self.clause = clause


class Talk:
    """Talks to the board at an open port (or a path, which it opens). `on_message` sees all unrequested messages."""

    answer_s = 5.0
    silence_s = 4.0  # between two parts of a file
    file_s = 60.0
    file_tries = 3  # a file with a lost or damaged part is requested again
    file_bytes_most = 4_000_000
    quiet_s = 0.3  # after MicroPython's prompt: then no answer will follow
    heard_bytes = 400  # of the last data received, for sentences

    def __init__(self, port: Port | str, on_message: Callable[[dict], None] | None = None) -> None:
        self.port = Port(port) if isinstance(port, str) else port
        self.on_message = on_message
        self.others: deque[dict] = deque(maxlen=256)  # unrequested messages, oldest first
        self.came = 0  # bytes since the start
        self.understood = 0  # messages since the start
        # \r: at MicroPython's prompt it ends the line, so that the next one isn't appended to it; the link ignores it.
        self._lines = Lines(self.port.write, end=b"\r\n")
        self._waiting: deque[dict] = deque()
        self._heard = b""

    @property
    def skipped(self) -> int:
        """The number of lines since the start that were not messages."""
        return self._lines.skipped

    @property
    def again(self) -> int:
        """The number of damaged lines sent again since the start."""
        return self._lines.again

    @property
    def prompt_seen(self) -> bool:
        """Whether MicroPython's prompt came last: it echoes its input, and runs no race."""
        return self._heard.endswith(PROMPT)

    def heard(self) -> str:
        """The end of the data that were not messages, in printable characters, for a sentence."""
        text = self._heard.decode("ascii", "replace").replace("\ufffd", "?")
        text = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
        return text[-60:]

    def send(self, message: dict) -> int:
        """Sends a message and returns its number."""
        return self._lines.send(message)

    def hello(self, limit_s: float | None = None) -> dict:
        """Greets the board; returns its `hello`. It then reports its whole state, message by message."""
        return self.ask({"t": "hi", "v": PROTOCOL}, "hello", limit_s)

    def info(self, limit_s: float | None = None) -> dict:
        """The board's account of itself and its parts: `about` of the message `info`."""
        return self.ask({"t": "info"}, "info", limit_s)["about"]

    def ask(self, message: dict, want: str | Sequence[str] = "ok", limit_s: float | None = None) -> dict:
        """Sends a message and returns the first answer whose type is (among) `want`; "ok" must belong to this message.

        Raises SaysNo with the board's sentence if it refuses, NoAnswer after `limit_s`, PortError if the port fails.
        """
        wanted = (want,) if isinstance(want, str) else tuple(want)
        while self._waiting:  # events, and answers to abandoned questions
            self._other(self._waiting.popleft())
        number = self.send(message)
        for answer in self._listen(self.answer_s if limit_s is None else limit_s):
            if answer["t"] == "no" and answer["re"] in (number, 0) and "no" not in wanted:
                if answer["re"] == number:
                    raise SaysNo(answer["say"], answer["clause"])
            elif answer["t"] in wanted and answer.get("re", number) == number:
                return answer
            self._other(answer)
        raise self._no_answer(message["t"], self.answer_s if limit_s is None else limit_s)

    def ask_file(self, message: dict, limit_s: float | None = None) -> tuple[str, bytes]:
        """Asks for a file (`journal`, `crash`, `read`); returns (name, content). Raises like `ask`."""
        limit_s = self.file_s if limit_s is None else limit_s
        end = self.port.now() + limit_s
        part = self.ask(message, "file", min(limit_s, self.answer_s))
        name, parts, tries, last = part["name"], [], 1, -1
        passing = False  # parts of the previous attempt are still arriving
        while True:
            wrong = ""
            if part is None:
                wrong = (f"Only {len(parts)} parts of {name} arrived within {limit_s:g} s; repeat the command when the "
                         "board is less busy.")
            elif part["name"] == name:
                k = part["k"]
                if k == 0:
                    parts, passing = [], False
                if k == len(parts):
                    wrong = self._add(parts, part)
                    if not wrong and len(parts) >= part["of"]:
                        return name, b"".join(parts)
                elif not passing or k <= last:
                    wrong = f"Part {len(parts)} of {name} was expected, but part {k} came; repeat the command."
                last = k
            left = end - self.port.now()
            if wrong:
                if tries == self.file_tries or left <= 0:
                    raise NoAnswer(wrong)
                tries, parts, passing = tries + 1, [], True
                self.send(message)  # the whole file: a board remembers its last lines only
            part = self._next_of("file", min(self.silence_s, left)) if left > 0 else None

    def _add(self, parts: list[bytes], part: dict) -> str:
        """Adds a part's content; returns what is wrong with it, or "". Raises NoAnswer if the file is too large."""
        try:
            parts.append(base64.b64decode(part["d"], validate=True))
        except binascii.Error:
            return f"Part {part['k']} of {part['name']} arrived damaged; repeat the command."
        if sum(map(len, parts)) > self.file_bytes_most:
            raise NoAnswer(f"{part['name']} is larger than {self.file_bytes_most} bytes, so reading it was stopped.")
        return ""

    def read_file(self, name: str, limit_s: float | None = None) -> bytes:
        """A public file on the board's flash."""
        return self.ask_file({"t": "read", "name": name}, limit_s)[1]

    def messages(self, limit_s: float):
        """Generates the board's messages for at most `limit_s`; first those that came during other questions."""
        while self.others:
            yield self.others.popleft()
        yield from self._listen(limit_s)

    def now(self) -> float:
        """The time on the board's clock, in seconds."""
        return self.port.now()

    def close(self) -> None:
        """Close the port."""
        self.port.close()

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def hear(self, wait_s: float) -> bytes:
        """Reads data within `wait_s` and stores its messages; returns the raw bytes."""
        data = self.port.read_some(wait_s)
        if data:
            self.came += len(data)
            if self._take(self._lines.hear(data, self.port.now())):
                self._heard = b""
            else:
                self._heard = (self._heard + data)[-self.heard_bytes :]
        if self._lines.missing and not self.prompt_seen:
            self._take(self._lines.look(self.port.now()))
        return data

    def _take(self, messages: list[dict]) -> int:
        """Stores messages for those who wait for them; returns how many there were."""
        found = [message for message in messages if message["t"] != GONE]
        self._waiting.extend(found)
        self.understood += len(found)
        return len(found)

    def _listen(self, limit_s: float):
        until = self.port.now() + limit_s
        while True:
            while self._waiting:
                yield self._waiting.popleft()
            left = until - self.port.now()
            if left <= 0:
                return
            if not self.hear(min(left, self.quiet_s)) and self.prompt_seen:
                return

    def _next_of(self, kind: str, limit_s: float) -> dict | None:
        for message in self._listen(limit_s):
            if message["t"] == kind:
                return message
            self._other(message)
        return None

    def _other(self, message: dict) -> None:
        self.others.append(message)
        if self.on_message is not None:
            self.on_message(message)

    def _no_answer(self, kind: str, limit_s: float) -> NoAnswer:
        where = f"The board at {self.port.path}"
        if self.prompt_seen:
            return NoAnswer(f"{where} shows MicroPython's prompt, so Gridglow isn't running on it; reset it, or install "
                            "Gridglow with: gridglow flash", prompt=True)
        if not self.came:
            return NoAnswer(f"{where} said nothing within {limit_s:g} s; reset it (unplug it and plug it in again), and "
                            "try again.")
        if self.understood:
            return NoAnswer(f"{where} runs Gridglow but didn't answer {kind!r} within {limit_s:g} s; it may be an older "
                            "version (gridglow flash updates it) or busy: try again.")
        last = self.heard() or self._lines.last_words[:60]
        return NoAnswer(f"{where} sends no Gridglow messages ({self.skipped} other lines, the last: {last!r}) and did "
                        f"not answered {kind!r} within {limit_s:g} s; another program may be running on it: reset it, and "
                        "try again.")
