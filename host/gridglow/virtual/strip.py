"""A strip of pixels on the pins of the computer that the virtual board runs on, such as a Raspberry Pi.

It shows the board's first output, the track: the same frames as the page, with the same limits. The pixels are driven
by adafruit-circuitpython-neopixel (the extra ``[pi]``), whose ``NeoPixel`` is a ``PixelBuf``.
"""

from __future__ import annotations

import re
from typing import Any

from gridglow.boards.boardfile import Board
from gridglow.tomlfile import nearest
from shared_rules.errors import GridglowError

FORM = re.compile(r"neopixel:([A-Za-z][A-Za-z0-9_]*)")
INSTALL = 'pip install "gridglow[pi]"'
TRACK_OUTPUT = 0  # in messages


class HostStrip:
    """A strip that shows the frames it gets. ``problem`` is "" or the sentence that says why it has stopped."""

    def __init__(self, pixels: Any, pin: str) -> None:
        self.pin = pin
        self.problem = ""
        self._pixels = pixels
        self._spare = (0,) if pixels.bpp == 4 else ()  # the white channel of four-channel pixels stays dark

    def take(self, message: dict) -> None:
        """Shows a ``px`` message of the track's output; ignores everything else. Pixels beyond the strip's end are left
        out. A failure is noted in ``problem``: the race goes on."""
        if message["t"] != "px" or message["o"] != TRACK_OUTPUT or self.problem:
            return
        frame = bytes.fromhex(message["d"])
        try:
            for at in range(min(len(self._pixels), len(frame) // 3)):
                self._pixels[at] = (*frame[3 * at:3 * at + 3], *self._spare)
            self._pixels.show()
        except (RuntimeError, OSError, ValueError) as error:
            self.problem = _cannot(self.pin, error)

    def close(self) -> None:
        """Switches everything off and releases the pin."""
        try:
            self._pixels.deinit()
        except (RuntimeError, OSError, ValueError) as error:
            self.problem = self.problem or _cannot(self.pin, error)


def parse_strip(text: str) -> str:
    """The pin of ``neopixel:PIN``. Raises GridglowError for anything else."""
    found = FORM.fullmatch(text)
    if not found:
        raise GridglowError(f"Expected the strip as neopixel:PIN, such as neopixel:D18, got {text!r}.")
    return found[1]


def open_strip(text: str, board: Board) -> HostStrip:
    """The strip of ``neopixel:PIN`` with the pixels of the board's track output, all dark.

    Raises GridglowError with what is missing: the package, a computer with such pins, the pin, the permission to drive it.
    """
    pin = parse_strip(text)
    output = board.outputs[TRACK_OUTPUT]
    try:
        import board as pins  # Blinka's: the pins of this computer
        import neopixel
    except ImportError as error:
        raise GridglowError(f"The strip on {pin} can't be lit, as the package {_package(error)} isn't installed; run: "
                            f"{INSTALL}") from None
    except (NotImplementedError, RuntimeError) as error:
        raise GridglowError(f"The strip on {pin} can't be lit, as this computer has no pins that drive pixels ({error}); "
                            "play on a Raspberry Pi, or leave out --strip.") from None
    there = getattr(pins, pin, None)
    if there is None or pin.startswith("_"):
        known = [name for name in dir(pins) if name.isupper() or name[:1] == "D" and name[1:].isdigit()]
        raise GridglowError(f"This computer has no pin {pin!r} for a strip{nearest(pin, known)}")
    try:
        pixels = neopixel.NeoPixel(there, output.pixels_max, bpp=len(output.order), auto_write=False,
                                   pixel_order=output.order)
        pixels.show()
    except (RuntimeError, OSError, ValueError) as error:
        raise GridglowError(_cannot(pin, error)) from None
    return HostStrip(pixels, pin)


def _package(error: ImportError) -> str:
    return {"board": "adafruit-blinka", "neopixel": "adafruit-circuitpython-neopixel"}.get(error.name or "", error.name or
                                                                                         "adafruit-circuitpython-neopixel")


def _cannot(pin: str, error: Exception) -> str:
    return (f"The strip on {pin} can't be lit: {str(error).strip() or type(error).__name__}. Pixels on a Raspberry Pi need "
            "a suitable pin (D10, D12, D18, D21) and, except for D10, a start with sudo.")
