"""Names of the signals on a Pico's GPIOs, as used in drawing, diagrams and netlist."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gridglow.boards.boardfile import NO_PIN, Board, Output

OUTPUT_NAMES = {"track": "LED_TRACK", "dials": "LED_DIALS"}
SAFE_KEY = "SAFE_KEY"


@dataclass(frozen=True)
class Signal:
    """What is on a GPIO: its name, its purpose, and its colour group."""

    gpio: int
    name: str
    says: str
    group: str


def output_signal(output: Output) -> str:
    """The name of an output's data: LED_TRACK, LED_DIALS, or LED_ and its number."""
    return OUTPUT_NAMES.get(output.use, f"LED_{output.number}")


def key_signal(panel: int, key: str) -> str:
    """The name of a key with its own GPIO: P1_PREV."""
    return f"P{panel}_{key}"


def signals_of(board: Board) -> list[Signal]:
    """Every GPIO that the board uses or reserves for an output, by number."""
    found: list[Signal] = []
    for output in board.outputs:
        if output.pin != NO_PIN and not output.after:
            says = {"track": "data of the track's pixels", "dials": "data of the dials' pixels"}.get(
                output.use, "reserved for more pixels")
            found.append(Signal(output.pin, output_signal(output), says, "lights" if output.use != "spare" else "spare"))
    on = board.wiring.get("panels_on", {})
    for panel, pins in enumerate(on.get("keys", []), 1):
        found += [Signal(pin, key_signal(panel, key), f"key {key} of panel {panel}", "panels")
                  for pin, key in zip(pins, board.keys)]
    chain = (("clock", "BTN_CLK", "clock of the panels"), ("latch", "BTN_LATCH", "latch of the panels"),
             ("data", "BTN_DATA", "keys of all panels"))
    found += [Signal(on[key], name, says, "panels") for key, name, says in chain if key in on]
    console = (("a", "ENC_A", "knob"), ("b", "ENC_B", "knob"), ("push", "ENC_PUSH", "pressing the knob"),
               ("ok", "BTN_OK", "OK on the console"), ("back", "BTN_BACK", "BACK on the console"))
    found += _of(board.wiring.get("console"), console, "console")
    found += _of(board.wiring.get("display_on"), (("sda", "I2C_SDA", "display"), ("scl", "I2C_SCL", "display")), "screen")
    reader = (("miso", "NFC_MISO", "card reader"), ("cs", "NFC_CS", "card reader, its pin SDA"),
              ("sck", "NFC_SCK", "card reader"), ("mosi", "NFC_MOSI", "card reader"),
              ("reset", "NFC_RESET", "card reader, its pin RST"))
    found += _of(board.wiring.get("reader_on"), reader, "reader")
    found += _of(board.wiring, (("buzzer", "BUZZER", "buzzer, through 220 Ω"),
                                ("sense", "V5_SENSE", "5 V of the LEDs, halved")), "other")
    safe = board.wiring.get("safe_key")
    found = [one for one in found if one.gpio is not None]  # a faulty board file doesn't give them all
    if safe is not None and safe not in [one.gpio for one in found]:
        found.append(Signal(safe, SAFE_KEY, "hold at power-on", "other"))
    found = [replace(one, says=f"{one.says}; safe mode") if one.gpio == safe else one for one in found]
    return sorted(found, key=lambda one: one.gpio)


def _of(on: dict | None, keys: tuple[tuple[str, str, str], ...], group: str) -> list[Signal]:
    return [Signal(on[key], name, says, group) for key, name, says in keys if on and key in on]
