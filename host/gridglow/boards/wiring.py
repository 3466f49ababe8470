"""Which part of a console is on which GPIO: the board file's tables for this, checked against the chip.

``take_wiring`` reads them, ``check_pins`` compares all pins with each other. The result is plain data, as the firmware
reads it in ``board.json``.
"""

from __future__ import annotations

from gridglow.tomlfile import Checker, Where

CHIPS = ("rp2040", "rp2350")
SCREENS = ("sh1106", "ssd1306")
WIRING_KEYS = ("chip", "console", "screen", "reader", "buzzer", "sense", "safe_key")
PANEL_PINS = ("clock", "latch", "data")
CONSOLE_PINS = ("a", "b", "push", "ok", "back")
READER_PINS = ("miso", "cs", "sck", "mosi", "reset")
KEYS_EACH = 6
# GPIOs of a Pico and a Pico 2 with a pad; 15 stays free for a workaround for its USB.
PINS = tuple(pin for pin in (*range(23), 26, 27, 28) if pin != 15)
ADC_PINS = (26, 27, 28)
ADDRESSES = (0x08, 0x77)
DISPLAY_ADDRESSES = (0x3C, 0x3D)


class Pins:
    """The pins named so far, in the order of the checks: each may belong to one part only."""

    def __init__(self, check: Checker):
        self.check = check
        self.taken: list[tuple[Where, int]] = []

    def take(self, table: dict, where: Where, key: str) -> int | None:
        """A GPIO with a pad on a Pico; marks it as taken."""
        pin = self.check.take_int(table, where, key, 0, 28)
        return self.claim(where + (key,), pin)

    def claim(self, where: Where, pin: int | None) -> int | None:
        """Checks a pin and notes its owner; None if there is no such pin."""
        if pin is None:
            return None
        if not self.exists(where, pin):
            return None
        self.taken.append((where, pin))
        return pin

    def exists(self, where: Where, pin: int) -> bool:
        """Whether a Pico has this pin; notes an error if not."""
        if pin not in PINS:
            self.check.note(where, no_such_pin(pin))
            return False
        return True


def no_such_pin(pin: int) -> str:
    """The sentence for a GPIO that a board can't use."""
    why = "; GPIO 15 stays free, as a workaround for the chip's USB needs it" if pin == 15 else ""
    return f"Expected a free GPIO on a Pico (0 to 14, 16 to 22, 26 to 28), found {pin}{why}."


def take_wiring(check: Checker, table: dict, panels: int | None) -> tuple[dict, Pins]:
    """The wiring in the form of ``board.json``, and the pins that it uses. ``panels``: how many there are."""
    pins = Pins(check)
    wiring: dict = {"chip": check.take_word(table, (), "chip", CHIPS, "rp2040")}
    _take_panels(pins, table.get("panels"), panels, wiring)
    console = _table(check, table, "console", CONSOLE_PINS)
    if console is not None:
        wiring["console"] = {key: pins.take(console, ("console",), key) for key in CONSOLE_PINS}
    _take_screen(pins, table, wiring)
    _take_reader(pins, table, wiring)
    for key in ("buzzer", "sense"):
        one = _table(check, table, key, ("pin",))
        if one is not None:
            wiring[key] = pins.take(one, (key,), "pin")
    if wiring.get("sense") is not None and wiring["sense"] not in ADC_PINS:
        check.note(("sense", "pin"), f"Expected a GPIO that measures (26, 27 or 28), found {wiring['sense']}.")
    return wiring, pins


def _table(check: Checker, table: dict, key: str, keys: tuple[str, ...]) -> dict | None:
    one = check.take(table, (), key, dict, None)
    if one is not None:
        check.known(one, (key,), keys)
    return one


def _take_panels(pins: Pins, table: object, count: int | None, wiring: dict) -> None:
    """Panels on a chain of shift registers, or with each key on its own pin."""
    if not isinstance(table, dict):
        return
    check, where = pins.check, ("panels",)
    chained = [key for key in PANEL_PINS if key in table]
    if chained:
        chain = {key: pins.take(table, where, key) for key in PANEL_PINS}
        wiring["panels_on"] = chain
        clock, latch = chain["clock"], chain["latch"]
        if clock is not None and latch is not None and latch != clock + 1:
            check.note(where + ("latch",), f"Expected {clock + 1}, the GPIO after the clock's, found {latch}.")
    if "pins" in table:
        if chained:
            check.note(where + ("pins",), f"Expected either 'pins' or a chain, found {chained[0]!r} too; keep one.")
        keys = check.take(table, where, "pins", list)
        if keys is not None:
            wiring["panels_on"] = {"keys": _take_keys(pins, keys, count)}
    pad = check.take(table, where, "dice_pad", bool, False)
    if pad and not chained:
        check.note(where + ("dice_pad",), "Expected a chain (clock, latch, data) for the dice pad; add them.")
    if pad:
        wiring["dice_pad"] = 1


def _take_keys(pins: Pins, keys: list, count: int | None) -> list:
    where = ("panels", "pins")
    if count is not None and len(keys) != count:
        pins.check.note(where, f"Expected one list for each of the {count} panels, found {len(keys)}.")
    right = []
    for one in keys:
        if not isinstance(one, list) or len(one) != KEYS_EACH or any(type(pin) is not int for pin in one):
            pins.check.note(where, f"Expected {KEYS_EACH} GPIOs for each panel, found {one!r}.")
        else:
            right.append([pins.claim(where, pin) for pin in one])
    return right


def _take_screen(pins: Pins, table: dict, wiring: dict) -> None:
    check, where = pins.check, ("screen",)
    screen = _table(check, table, "screen", ("kind", "sda", "scl", "address"))
    if screen is None:
        return
    kind = check.take_word(screen, where, "kind", SCREENS)
    sda, scl = pins.take(screen, where, "sda"), pins.take(screen, where, "scl")
    address = check.take(screen, where, "address", int, 0x3C)
    if address is not None and not ADDRESSES[0] <= address <= ADDRESSES[1]:
        half = address // 2
        more = (f"; some makers include the read/write bit: use 0x{half:02X}"
                if half in DISPLAY_ADDRESSES else "")
        check.note(where + ("address",), f"Expected 0x{ADDRESSES[0]:02X} to 0x{ADDRESSES[1]:02X}, found "
                                         f"0x{address:02X}{more}.")
        address = None
    wiring["display_on"] = {"kind": kind, "sda": sda, "scl": scl, "address": address}
    _check_function(check, where + ("sda",), "SDA", sda, [pin for pin in PINS if pin % 2 == 0])
    fits = [pin for pin in PINS if pin % 2 and (sda is None or pin // 2 % 2 == sda // 2 % 2)]
    _check_function(check, where + ("scl",), f"SCL on the same I2C as SDA {sda}", scl, fits)


def _take_reader(pins: Pins, table: dict, wiring: dict) -> None:
    check, where = pins.check, ("reader",)
    reader = _table(check, table, "reader", READER_PINS)
    if reader is None:
        return
    on = {key: pins.take(reader, where, key) for key in READER_PINS}
    wiring["reader_on"] = on
    sck = on["sck"]
    same = [pin for pin in PINS if sck is None or pin // 8 % 2 == sck // 8 % 2]
    _check_function(check, where + ("sck",), "SCK", sck, [pin for pin in PINS if pin % 4 == 2])
    of = f"on the same SPI as SCK {sck}"
    _check_function(check, where + ("miso",), f"MISO {of}", on["miso"], [pin for pin in same if pin % 4 == 0])
    _check_function(check, where + ("mosi",), f"MOSI {of}", on["mosi"], [pin for pin in same if pin % 4 == 3])


def _check_function(check: Checker, where: Where, what: str, pin: int | None, fits: list[int]) -> None:
    if pin is not None and pin not in fits:
        check.note(where, f"Expected a GPIO with {what} ({', '.join(map(str, fits))}), found {pin}.")


def check_pins(pins: Pins, table: dict, wiring: dict, outputs: list) -> None:
    """Notes every pin claimed by two parts, and a safe-mode key that isn't a key."""
    wired: dict[int, str] = {}
    for output in outputs:
        if output is not None and output.pin in PINS:
            wired.setdefault(output.pin, f"output {output.number}")
    for where, pin in pins.taken:
        if pin in wired:
            pins.check.note(where, f"GPIO {pin} already belongs to {wired[pin]}; use another.")
        else:
            wired[pin] = f"[{where[0]}] {where[1]}"
    safe = pins.check.take_int(table, (), "safe_key", 0, 28, None)
    if safe is None or not pins.exists(("safe_key",), safe):
        return
    wiring["safe_key"] = safe
    keys = {pin for where, pin in pins.taken if where[1] in ("pins", "push", "ok", "back")}
    if safe in wired and safe not in keys:
        pins.check.note(
            ("safe_key",), f"GPIO {safe} belongs to {wired[safe]}; use a free one, or that of a key to ground."
        )
