"""What every engine offers: something that runs the firmware and speaks the lines of the link.

An engine is a child process here; an emulated Pico or a real board on a serial port offer the same five things.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence

from shared_rules.errors import GridglowError
from shared_rules.link_table import FROM_BOARD, TO_BOARD, Decoder, encode


class EngineFault(GridglowError):
    """An engine that can't start, does not answer or has ended; the message is one sentence for people."""


class Engine:
    """The interface of all engines, and what they share: numbering, decoding and the queue of messages.

    A subclass gives ``_open(arguments)`` (connect, then feed ``_received`` with bytes and call ``_ended`` at the end),
    ``_write(bytes)`` (never blocks; False when the partner does not read) and ``_close()``.
    """

    name = "engine"
    shared = False  # whether people play on it by other ways than ours: then their race is not ours to end
    slowness = 1  # how many times longer its replies may take than a board's
    revive_s = 0.0  # 0, or after so many seconds it is started again by itself when it has ended
    queue_messages = 512  # then the reader waits, the pipe fills, and the board drops what it could not write

    def __init__(self) -> None:
        self.exit_reason = ""
        self.skipped = 0  # lines that were no messages, since the start
        self._alive = False
        self._stopping = False
        self._number = 0
        self._queue: asyncio.Queue = asyncio.Queue(self.queue_messages)
        self._decoder = Decoder(FROM_BOARD)

    @property
    def alive(self) -> bool:
        """Whether the firmware runs. When it does not, ``exit_reason`` is the sentence that says why."""
        return self._alive

    async def start(self, arguments: Sequence[str] = ()) -> None:
        """Start the firmware with these arguments; again after it has ended. Raises EngineFault with the reason."""
        if self._alive:
            raise EngineFault(f"The {self.name} engine runs already; stop it before it is started again.")
        self.exit_reason = ""
        self.skipped = 0
        self._number = 0
        self._stopping = False
        self._queue = asyncio.Queue(self.queue_messages)
        self._decoder = Decoder(FROM_BOARD)
        await self._open(tuple(arguments))
        self._alive = True

    def send(self, message: dict) -> int:
        """Send one message of the table and return its number. Never blocks.

        Raises EngineFault when the firmware has ended or does not read, ValueError when the table has no such message.
        """
        self._number = self._number % 1_000_000_000 + 1
        line = encode(TO_BOARD, message, n=self._number)
        if not self._alive:
            raise EngineFault(self.exit_reason or f"The {self.name} engine does not run; start it first.")
        if not self._write(line.encode("ascii")):
            raise EngineFault("The board has not read for a while, so this was not sent; wait a moment and try again.")
        return self._number

    async def messages(self) -> AsyncIterator[dict]:
        """Yield what the board says, in order and without loss, until the firmware ends."""
        queue = self._queue
        while True:
            message = await queue.get()
            if message is None:
                return
            yield message

    async def stop(self) -> None:
        """End the firmware, gently at first. Does nothing when it has ended already."""
        if self._alive:
            self.exit_reason = f"The {self.name} engine was stopped."
        self._stopping = True
        self._forget_waiting()  # a reader that waits for room in the queue would hold up the end
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
        for message in self._decoder.feed(data):
            if not self._stopping:
                await self._queue.put(message)
        self.skipped = self._decoder.skipped

    def _last_words(self) -> str:
        """What came on the link after the last message: MicroPython writes its traceback there."""
        return self._decoder.noise.decode("ascii", "replace").strip()

    async def _ended(self, reason: str) -> None:
        self._alive = False
        self.exit_reason = self.exit_reason or reason
        if self._stopping:
            self._forget_waiting()
        await self._queue.put(None)

    def _forget_waiting(self) -> None:
        while not self._queue.empty():
            self._queue.get_nowait()
