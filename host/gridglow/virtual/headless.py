"""A whole race without a page: starts it, waits for its end, takes its journal."""

import asyncio
import base64
import binascii
import contextlib

from gridglow.virtual.engine import Engine, EngineFault
from shared_rules.link_table import PROTOCOL

ARGUMENTS = ("--headless",)  # makes the firmware run on a fake clock, at full speed


class FileCollector:
    """Assembles a file from the parts that the board sends."""

    most_bytes = 16_000_000

    def __init__(self) -> None:
        self.name = ""
        self._parts: list[bytes] = []
        self._bytes = 0

    def take(self, message: dict) -> bytes | None:
        """Takes one ``file`` message; returns the whole file at its last part, else None. Raises EngineFault."""
        if message["k"] == 0:
            self.name, self._parts, self._bytes = message["name"], [], 0
        if message["k"] != len(self._parts) or message["name"] != self.name:
            say = f"Expected part {len(self._parts)} of {self.name or 'a file'}, got {message['k']} of {message['name']}"
            self._parts = []
            raise EngineFault(say + "; ask for it again.")
        try:
            part = base64.b64decode(message["d"])
        except binascii.Error as error:
            raise EngineFault(f"Part {message['k']} of {message['name']} arrived damaged; ask for it again.") from error
        self._parts.append(part)
        self._bytes += len(part)
        if self._bytes > self.most_bytes:
            raise EngineFault(f"{self.name} is larger than {self.most_bytes} bytes; that can't be a journal.")
        if len(self._parts) < message["of"]:
            return None
        whole, self._parts = b"".join(self._parts), []
        return whole


async def run_headless(
    engine: Engine, setup: dict, silence_s: float = 120.0, arguments: tuple[str, ...] = ARGUMENTS
) -> tuple[dict, str]:
    """Runs one race of bots through the firmware's own loop and returns its ``done`` message and its journal's text.

    Raises EngineFault with one sentence if the board refuses the set-up, ends, or is silent for `silence_s`.
    The engine is stopped in any case.
    """
    await engine.start(arguments)
    try:
        return await _race(engine, setup, silence_s)
    finally:
        await engine.stop()


async def _race(engine: Engine, setup: dict, silence_s: float) -> tuple[dict, str]:
    engine.send({"t": "hi", "v": PROTOCOL})
    start = engine.send({"t": "start", "setup": setup})
    done: dict | None = None
    fault = ""
    collector = FileCollector()
    messages = engine.messages()
    while True:
        try:
            message = await asyncio.wait_for(anext(messages), silence_s)
        except asyncio.TimeoutError:
            other = "cpython" if engine.name == "micropython" else "micropython"
            say = f"The board said nothing for {silence_s:g} s, so the race was given up; try --engine {other}."
            raise EngineFault(fault or say) from None
        except StopAsyncIteration:
            raise EngineFault(fault or engine.exit_reason) from None
        kind = message["t"]
        if kind == "no" and message["re"] == start:
            raise EngineFault(message["say"])
        if kind == "fault" and message.get("on") != 0:  # the board may go on without the missing part; if not, this is why
            fault = message["say"]
        elif kind == "done":
            done = message
            # The firmware sends the journal by itself, and may end before this reader gets this far.
            with contextlib.suppress(EngineFault):
                engine.send({"t": "journal"})
        elif kind == "file" and done is not None:
            whole = collector.take(message)
            if whole is not None:
                return done, whole.decode("utf-8", "replace")
