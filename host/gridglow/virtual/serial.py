"""A real board as an engine: its link over a serial port, for the virtual board's page.

What runs on the board isn't ours: it is never stopped, and a race goes on when this ends. The board may be unplugged or
reset at any time; then the engine ends with a sentence, and can be started again once the board is back.
"""

import asyncio
import contextlib
import threading
from collections import deque
from concurrent.futures import CancelledError

from gridglow.device.port import Port
from gridglow.device.ports import PortInfo, find_again
from gridglow.virtual.engine import Engine, EngineFault
from shared_rules.errors import GridglowError
from shared_rules.link_table import TO_BOARD, encode

PROMPT = b"\r\n>>> "


class SerialEngine(Engine):
    """The board at a serial port. Its display and lights are mirrored while this runs (`mirror`)."""

    name = "serial"
    shared = True  # people are sitting at it: a page must not end their race
    revive_s = 0.5
    waiting_bytes = 16_384  # to the board; more is refused, without waiting
    close_s = 2.0

    def __init__(self, port: PortInfo) -> None:
        super().__init__()
        self.port = port
        self._open_port: Port | None = None
        self._thread: threading.Thread | None = None
        self._closing = threading.Event()
        self._outbox: deque[bytes] = deque()
        self._prompt_told = False

    async def start(self, arguments=()) -> None:
        """Opens the port and has the board mirrored. Raises EngineFault with the reason."""
        await super().start(arguments)
        self.send({"t": "mirror", "on": 1})

    async def _open(self, arguments: tuple[str, ...]) -> None:
        await self._close()
        try:
            self._open_port = await asyncio.to_thread(self._find)
        except GridglowError as error:
            self.exit_reason = str(error)
            raise EngineFault(self.exit_reason) from None
        self._closing.clear()
        self._outbox.clear()
        self._prompt_told = False
        loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, args=(self._open_port, loop), daemon=True)
        self._thread.start()

    def _find(self) -> Port:
        """The board's port, which may have a new name."""
        self.port = find_again(self.port, 0)
        return Port(self.port, open_s=0.3)

    def _write(self, data: bytes) -> bool:
        if sum(map(len, self._outbox)) + len(data) > self.waiting_bytes:
            return False
        self._outbox.append(data)
        return True

    async def _close(self) -> None:
        thread, self._thread = self._thread, None
        if thread is not None:
            self._closing.set()
            await asyncio.to_thread(thread.join, self.close_s)
        self._open_port = None

    # The thread that owns the port

    def _run(self, port: Port, loop: asyncio.AbstractEventLoop) -> None:
        reason = "The board is no longer watched."
        try:
            while not self._closing.is_set():
                data = port.read_some(0.02)
                if data:
                    self._hand_over(self._received(data), loop)
                    self._look_for_prompt(data, loop)
                while self._outbox:
                    port.write(self._outbox.popleft())
            with contextlib.suppress(GridglowError):
                port.write(encode(TO_BOARD, {"t": "mirror", "on": 0}, 0).encode())
                port.flush()
        except GridglowError as error:
            reason = f"{str(error).rstrip('.')}. Looking for the board; its race is saved on it."
        except RuntimeError:  # the event loop ended before us
            pass
        finally:
            port.close()
        if not self._closing.is_set():
            with contextlib.suppress(RuntimeError):
                self._hand_over(self._ended(reason), loop)

    def _hand_over(self, work, loop: asyncio.AbstractEventLoop) -> None:
        """Has the loop do it, and waits for that: so a slow reader delays the board, and nothing is lost."""
        try:
            future = asyncio.run_coroutine_threadsafe(work, loop)
        except RuntimeError:
            work.close()
            raise
        while True:
            try:
                future.result(0.2)
                return
            except TimeoutError:
                if self._closing.is_set() and loop.is_closed():
                    return
            except CancelledError:
                return

    def _look_for_prompt(self, data: bytes, loop: asyncio.AbstractEventLoop) -> None:
        """Detects that the program has ended: it shows MicroPython's prompt, while its port stays."""
        if data.endswith(PROMPT) and not self._prompt_told:
            self._prompt_told = True
            last = self._last_words()
            # Half a message isn't a program's last words: it may be half of somebody's hand.
            why = f" ({last[-80:]})" if last and not last.startswith((">>>", "<{")) and '"t"' not in last else ""
            say = f"Gridglow is no longer running on the board{why}; reset it (unplug it and plug it in again)."
            german = f"Auf dem Brett läuft Gridglow nicht mehr{why}; es neu starten (aus- und wieder einstecken)."
            self._hand_over(self._queue.put({"t": "fault", "n": 0, "say": say, "says": {"en": say, "de": german},
                                             "about": "program", "on": 1}), loop)
