"""Pins of the parts: (number, label) as their makers count them. Parts without pin numbers have labels only."""

from __future__ import annotations

Pins = tuple[tuple[str, str], ...]

# The header of a Pico, a Pico W and a Pico 2, from pin 1 on: USB at the top, down the left side and up the right one.
PICO_LABELS = (
    "GP0", "GP1", "GND", "GP2", "GP3", "GP4", "GP5", "GND", "GP6", "GP7",
    "GP8", "GP9", "GND", "GP10", "GP11", "GP12", "GP13", "GND", "GP14", "GP15",
    "GP16", "GP17", "GND", "GP18", "GP19", "GP20", "GP21", "GND", "GP22", "RUN",
    "GP26", "GP27", "GND", "GP28", "ADC_VREF", "3V3", "3V3_EN", "GND", "VSYS", "VBUS",
)
PICO: Pins = tuple((str(number), label) for number, label in enumerate(PICO_LABELS, 1))
# 74AHCT125: four gates, each enabled by a low OE.
LEVEL_SHIFTER: Pins = tuple(
    (str(number), label) for number, label in enumerate(
        ("1OE", "1A", "1Y", "2OE", "2A", "2Y", "GND", "3Y", "3A", "3OE", "4Y", "4A", "4OE", "VCC"), 1)
)
GATES = 4
# 74HC165: QH shifts out H first, then G to A; SER takes the output of the next one.
SHIFT_REGISTER: Pins = tuple(
    (str(number), label) for number, label in enumerate(
        ("SH/LD", "CLK", "E", "F", "G", "H", "/QH", "GND", "QH", "SER", "A", "B", "C", "D", "CLK INH", "VCC"), 1)
)
KEY_INPUTS = "ABCDEF"  # for the keys in order; G and H are hard-wired
PULL_UPS: Pins = (("1", "common"), *((str(n), f"R{n - 1}") for n in range(2, 8)))
TWO: Pins = (("1", "1"), ("2", "2"))
POLAR: Pins = (("+", "+"), ("-", "-"))
DIODE: Pins = (("A", "anode"), ("K", "cathode (ring)"))
# TO-220, seen from the front; its tab is the drain.
POWER_SWITCH: Pins = (("1", "G"), ("2", "D"), ("3", "S"))
# TO-92; makers number the pins in two ways, so they are named by function.
PNP: Pins = (("E", "E"), ("B", "B"), ("C", "C"))
REFERENCE: Pins = (("REF", "REF"), ("A", "anode"), ("K", "cathode"))
PIXELS: Pins = (("5V", "5V"), ("GND", "GND"), ("DIN", "DIN"), ("DOUT", "DOUT"))
ENCODER: Pins = (("A", "A"), ("C", "C (middle)"), ("B", "B"), ("1", "push"), ("2", "push'"))
SCREEN: Pins = (("GND", "GND"), ("VCC", "VCC"), ("SCL", "SCL"), ("SDA", "SDA"))
READER: Pins = tuple((label, label) for label in ("SDA", "SCK", "MOSI", "MISO", "IRQ", "GND", "RST", "3.3V"))
RAIL: Pins = (("5V", "5V"), ("GND", "GND"), ("3V3", "3V3"))

# The ribbons, by the number of their pin-out: with the first, a reversed plug, or one from another console,
# destroys parts. With the second, 5 V and ground are placed so that a reversed plug meets them again and the other wires
# meet nothing they can harm; ground is next to the LEDs' data; panels with a GPIO per key have a 14-pole plug.
_BUS = {
    1: ("5V", "5V", "GND", "GND", "3V3", "LED", "CLK", "LATCH", "KEYS", "GND"),
    2: ("5V", "GND", "LED", "GND", "CLK", "LATCH", "KEYS", "3V3", "GND", "5V"),
}


def bus_box(pinout: int) -> Pins:
    """The connector of a ribbon from panel to panel on a chain."""
    return tuple((str(number), label) for number, label in enumerate(_BUS[pinout], 1))


def keys_box(pinout: int, keys: tuple[str, ...]) -> Pins:
    """The connector of a panel with a GPIO per key."""
    if pinout == 1:
        labels = ("LED IN", "GND", "LED OUT", "5V", *keys)
    else:
        # The middle ten match a bus: a ten-pole plug goes in there.
        labels = (*keys[:2], "5V", "GND", "LED IN", "GND", *keys[2:4], "GND", "LED OUT", "GND", "5V", *keys[4:])
    return tuple((str(number), label) for number, label in enumerate(labels, 1))


def pico_pad(gpio: int | None) -> str:
    """The number of the pad for a GPIO; "?" if there is none."""
    label = f"GP{gpio}"
    return str(PICO_LABELS.index(label) + 1) if label in PICO_LABELS else "?"
