"""The interface of every engine: something that runs the firmware and speaks the link's lines.

An engine here is a child process; an emulated Pico or a real board on a serial port offer the same five things.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence

from gridglow.lines import Lines
from shared_rules.errors import GridglowError
from shared_rules.link_table import TO_BOARD, check


class EngineFault(GridglowError):
    """An engine that can't start, doesn't answer or has ended; the message is one sentence for people, `german` the same
    for readers of a German page ("" if they never see it)."""

    def __init__(self, say: str, german: str = "") -> None:
        super().__init__(say)
        self.german = german


class Engine:
    """The interface of all engines, and their shared code: numbering, decoding and the queue of messages.

    A subclass provides ``_open(arguments)`` (connects, then feeds ``_received`` with bytes and calls ``_ended`` at the end),
    ``_write(bytes)`` (never blocks; False if the partner doesn't read) and ``_close()``.
    """

    name = "engine"
    shared = False  # whether people also play on it directly: then we may not end their race
    slowness = 1  # how many times slower than a board it may reply
    revive_s = 0.0  # 0, or the seconds after which it restarts automatically
    ask_again_s = 0.05  # interval of checks for missing lines
    queue_messages = 512  # when full, the reader waits, the pipe fills, and the board drops what it couldn't write

    def __init__(self) -> None:
        self.exit_reason = ""
        self.skipped = 0  # lines since the start that were not messages
        self._alive = False
        self._stopping = False
        self._queue: asyncio.Queue = asyncio.Queue(self.queue_messages)
        self._lines = Lines(self._write, self.slowness)
        self._asker: asyncio.Task | None = None
        self._taking = asyncio.Lock()

    @property
    def alive(self) -> bool:
        """Whether the firmware is running. If not, ``exit_reason`` is the sentence that says why."""
        return self._alive

    async def start(self, arguments: Sequence[str] = ()) -> None:
        """Starts the firmware with these arguments; also restarts it. Raises EngineFault with the reason."""
        if self._alive:
            raise EngineFault(f"The {self.name} engine is already running; stop it before you start it again.")
        self.exit_reason = ""
        self.skipped = 0
        self._stopping = False
        self._queue = asyncio.Queue(self.queue_messages)
        self._lines = Lines(self._write, self.slowness)
        await self._open(tuple(arguments))
        self._alive = True

    def send(self, message: dict) -> int:
        """Sends one message of the table and returns its number. Never blocks.

        Raises EngineFault if the firmware has ended or doesn't read, ValueError if the table has no such message.
        """
        wrong = check(message.get("t"), message, TO_BOARD)
        if wrong:
            raise ValueError(wrong)
        if not self._alive:
            raise EngineFault(self.exit_reason or f"The {self.name} engine isn't running; start it first.")
        number = self._lines.send(message)
        if not number:
            raise EngineFault("The board hasn't read for a while, so this wasn't sent; wait a moment and try again.",
                              "Das Brett liest gerade nicht, das ging nicht hinaus; gleich noch einmal versuchen.")
        self._look_after_lines()
        return number

    async def messages(self) -> AsyncIterator[dict]:
        """Yields the board's messages, in order, until the firmware ends. Damaged lines are sent again; for a
        lost line there is a message `gone`."""
        queue = self._queue
        while True:
            message = await queue.get()
            if message is None:
                return
            yield message

    async def stop(self) -> None:
        """Ends the firmware, gently at first. Does nothing if it has already ended."""
        if self._alive:
            self.exit_reason = f"The {self.name} engine was stopped."
        self._stopping = True
        self._forget_waiting()  # a reader waiting for room in the queue would delay the end
        await self._close()
        self._alive = False

    # For subclasses

    async def _open(self, arguments: tuple[str, ...]) -> None:
        raise NotImplementedError

    def _write(self, data: bytes) -> bool:
        raise NotImplementedError

    async def _close(self) -> None:
        raise NotImplementedError

    async def _received(self, data: bytes) -> None:
        async with self._taking:
            await self._take(self._lines.hear(data, self._now_s()))
        self.skipped = self._lines.skipped
        self._look_after_lines()

    def _look_after_lines(self) -> None:
        if self._lines.missing and (self._asker is None or self._asker.done()):
            self._asker = asyncio.get_running_loop().create_task(self._ask_again())

    async def _take(self, messages: list[dict]) -> None:
        for message in messages:
            if not self._stopping:
                await self._queue.put(message)

    async def _ask_again(self) -> None:
        """Asks for missing lines until they have come or are given up."""
        lines = self._lines
        while lines is self._lines and lines.missing and not self._stopping:
            async with self._taking:
                await self._take(lines.look(self._now_s()))
            await asyncio.sleep(self.ask_again_s)

    def _now_s(self) -> float:
        return asyncio.get_running_loop().time()

    def _last_words(self) -> str:
        """What came on the link after the last message: MicroPython writes its traceback there."""
        return self._lines.last_words

    async def _ended(self, reason: str) -> None:
        if self._asker is not None:
            self._asker.cancel()
        self._alive = False
        self.exit_reason = self.exit_reason or reason
        if self._stopping:
            self._forget_waiting()
        await self._queue.put(None)

    def _forget_waiting(self) -> None:
        while not self._queue.empty():
            self._queue.get_nowait()
