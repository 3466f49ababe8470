"""``pins.svg``: the Pico from above, with the use of each of its forty pins."""

from __future__ import annotations

from html import escape

from gridglow.boards.pinouts import PICO
from gridglow.hardware.making import Build, Made, made_text
from gridglow.hardware.nets import circuit_of
from gridglow.hardware.signals import signals_of

COLOURS = {
    "lights": ("#d9480f", "LEDs"), "panels": ("#1864ab", "panels"), "console": ("#5f3dc4", "console"),
    "screen": ("#0b7285", "display"), "reader": ("#2b8a3e", "card reader"), "other": ("#862e9c", "buzzer, sense, safe mode"),
    "spare": ("#868e96", "reserved"), "power": ("#c92a2a", "5 V and 3.3 V"), "ground": ("#212529", "ground"),
    "free": ("#adb5bd", "free"),
}
LEFT_MM, TOP_MM, STEP_MM, PICO_MM = 92.0, 26.0, 8.0, 60.0
PAD_MM = 5.2
WIDTH_MM = 2 * LEFT_MM + PICO_MM
STAYS_FREE = "GP15"


def make(build: Build) -> list[Made]:
    """The drawing, in millimetres for a landscape A4 sheet."""
    return [made_text("pins.svg", draw_pins(build))]


def draw_pins(build: Build) -> str:
    """The SVG text."""
    pads = pads_of(build)
    bottom = TOP_MM + 20 * STEP_MM + 4
    used = [group for group in COLOURS if any(one[2] == group for one in pads.values())]
    height = bottom + 8 + 6 * -(-len(used) // 3) + 4
    chip = "Raspberry Pi Pico 2" if build.board.wiring.get("chip") == "rp2350" else "Raspberry Pi Pico"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH_MM:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {WIDTH_MM:g} {height:g}" font-family="DejaVu Sans, Arial, sans-serif" font-size="3.6">',
        f'<rect width="{WIDTH_MM:g}" height="{height:g}" fill="#ffffff"/>',
        f'<text x="{WIDTH_MM / 2:g}" y="9" font-size="6" font-weight="bold" text-anchor="middle">'
        f"{escape(build.board.name)}: pins of the {chip}</text>",
        f'<text x="{WIDTH_MM / 2:g}" y="15" text-anchor="middle" fill="#495057">seen from above, with the USB socket at the '
        "top; the numbers are those of the header</text>",
        f'<rect x="{LEFT_MM:g}" y="{TOP_MM - 4:g}" width="{PICO_MM:g}" height="{20 * STEP_MM + 8:g}" rx="3" fill="#e6f4ea" '
        'stroke="#2b8a3e" stroke-width="0.5"/>',
        f'<rect x="{WIDTH_MM / 2 - 8:g}" y="{TOP_MM - 7:g}" width="16" height="10" rx="1" fill="#ced4da" stroke="#495057" '
        'stroke-width="0.4"/>',
        f'<text x="{WIDTH_MM / 2:g}" y="{TOP_MM - 1:g}" text-anchor="middle" font-size="3.2">USB</text>',
    ]
    for number, label in PICO:
        lines += _pad(int(number), label, *pads[number])
    for at, group in enumerate(used):
        x, y = 14 + at % 3 * (WIDTH_MM - 28) / 3, bottom + 10 + 6 * (at // 3)
        colour, says = COLOURS[group]
        lines.append(f'<rect x="{x:g}" y="{y - 3.4:g}" width="4" height="4" rx="0.8" fill="{colour}"/>'
                     f'<text x="{x + 6:g}" y="{y:g}">{escape(says)}</text>')
    return "\n".join((*lines, "</svg>", ""))


def pads_of(build: Build) -> dict[str, tuple[str, str, str]]:
    """By the number of each of the forty pins: signal, purpose, colour group."""
    circuit = circuit_of(build.board, build.led_map.pixels)
    signals = {f"GP{one.gpio}": one for one in signals_of(build.board)}
    nets = {number: net for net, ends in circuit.nets().items() for ref, number in ends if ref == "A1"}
    soldered = {number for wire in circuit.wires for ref, number in (wire.a, wire.b) if ref == "A1"}
    usb = build.board.supply.kind == "usb"
    power = {"VBUS": "5 V of USB, through F1" if usb else "5 V of USB: nothing is soldered here", "3V3": "3.3 V of the Pico",
             "VSYS": "5 V of the supply, through D1" if not usb else "nothing is soldered here"}
    pads = {}
    for number, label in PICO:
        one = signals.get(label)
        if one is not None:
            pads[number] = (one.name, one.says, one.group)
        elif label == "GND":
            pads[number] = ("GND", "rail" if number in soldered else "", "ground")
        elif label in power:
            pads[number] = (nets.get(number, ""), power[label], "power" if number in soldered else "free")
        else:
            pads[number] = ("", "keep free: the chip's USB may need it" if label == STAYS_FREE else "", "free")
    return pads


def _pad(number: int, label: str, signal: str, says: str, group: str) -> list[str]:
    """A pad with its number, its label inside, and its signal outside."""
    left = number <= 20
    y = TOP_MM + STEP_MM / 2 + (number - 1 if left else 40 - number) * STEP_MM
    edge = LEFT_MM if left else LEFT_MM + PICO_MM
    way, outer, inner = (-1, "end", "start") if left else (1, "start", "end")
    colour = COLOURS[group][0]
    box = edge - PAD_MM / 2
    lines = [
        f'<rect x="{box:g}" y="{y - PAD_MM / 2:g}" width="{PAD_MM:g}" height="{PAD_MM:g}" rx="1" fill="{colour}"/>',
        f'<text x="{edge:g}" y="{y + 1.2:g}" text-anchor="middle" fill="#ffffff" font-size="3.2">{number}</text>',
        f'<text x="{edge - way * (PAD_MM / 2 + 1.5):g}" y="{y + 1.3:g}" text-anchor="{inner}">{label}</text>',
    ]
    if signal or says:
        start, end = edge + way * PAD_MM / 2, edge + way * (PAD_MM / 2 + 4)
        lines.append(f'<path d="M{start:g} {y:g}H{end:g}" stroke="{colour}" stroke-width="0.7" fill="none"/>')
        name = f'<tspan font-weight="bold" fill="{colour}">{escape(signal)}</tspan>' if signal else ""
        more = f'<tspan fill="#495057" font-size="3.2">{escape(says)}</tspan>' if says else ""
        words = [name, more] if not left else [more, name]
        lines.append(f'<text x="{end + way * 1.2:g}" y="{y + 1.3:g}" text-anchor="{outer}">'
                     f"{'  '.join(word for word in words if word)}</text>")
    return lines
