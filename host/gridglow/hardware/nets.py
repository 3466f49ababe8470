"""The circuit of a console with its panels and a track module, from the board file: the one model behind parts list, pin
drawing, wiring diagrams and netlist.

The names of GPIOs' signals are in ``signals.py``; the firmware's ``board.json`` comes from the same ``Board``.
"""

from __future__ import annotations

from gridglow.boards import pinouts
from gridglow.boards.boardfile import NO_PIN, Board, Output
from gridglow.hardware.circuit import Circuit, Component, End
from gridglow.hardware.panelnets import add_panels, amperes, behind_fuse, pico_end
from gridglow.hardware.signals import SAFE_KEY, output_signal, signals_of

ORDER = ("power", "guard", "lights", "track", "panels", "panel_keys", "panel_dials", "dice_pad", "console", "screen",
         "reader", "buzzer", "safe_key")
CHIP_ROLES = {"rp2040": "pico", "rp2350": "pico_2"}
PICO_GROUNDS = ("38", "3", "18", "23")
# Of the MOSFETs' gates, of the divider (which detects 5.49 V), of the base, between base and emitter.
GUARD_OHMS = ("10 kΩ", "12 kΩ, 1 %", "10 kΩ, 1 %", "2.2 kΩ", "1 kΩ")


def circuit_of(board: Board, pixels: int) -> Circuit:
    """Everything that is soldered; ``pixels`` is the track module's number of pixels."""
    circuit = Circuit()
    pico = circuit.add("A1", CHIP_ROLES[board.wiring.get("chip") or "rp2040"], "power", pinouts.PICO)
    rail = circuit.add("RAIL", "", "power", pinouts.RAIL, name="Rails of the console board")
    _add_power(circuit, board, pico, rail)
    ways = _add_lights(circuit, board, pico, rail)
    _add_track(circuit, board, pixels)
    add_panels(circuit, board, pico, rail, ways)
    _add_console(circuit, board, pico, rail)
    _add_screen(circuit, board, pico, rail)
    _add_reader(circuit, board, pico, rail)
    _add_buzzer(circuit, board, pico, rail)
    _add_safe_key(circuit, board, pico, rail)
    circuit.titles = {module: circuit.titles[module] for module in ORDER if module in circuit.titles}
    return circuit


def _add_power(circuit: Circuit, board: Board, pico: Component, rail: Component) -> None:
    supply = board.supply
    usb = supply is None or supply.kind == "usb"
    circuit.titles["power"] = "Power: from USB to the rails" if usb else "Power: from the 5 V supply to the rails"
    fuse_ma = supply.fuse_ma if supply else 0
    if usb:
        fuse = circuit.add("F1", "fuse", "power", pinouts.TWO, amperes(fuse_ma))
        circuit.wire("power", "VBUS", pico.pin("VBUS"), fuse.pin("1"), "power")
    else:
        socket = circuit.add("J1", "supply_socket", "power", pinouts.POLAR, "5 V ONLY")
        fuse = circuit.add("F1", "fuse", "power", pinouts.TWO, amperes(fuse_ma))
        circuit.wire("power", "5V_IN", socket.pin("+"), fuse.pin("1"), "power")
        circuit.wire("power", "GND", socket.pin("-"), rail.pin("GND"), "power")
    guarded = not usb and supply is not None and supply.guard
    if not guarded:
        circuit.wire("power", "5V", fuse.pin("2"), rail.pin("5V"), "power")
    capacitor = circuit.add("C1", "rail_capacitor", "power", pinouts.POLAR)
    circuit.wire("power", "5V", rail.pin("5V"), capacitor.pin("+"), "power")
    circuit.wire("power", "GND", rail.pin("GND"), capacitor.pin("-"), "power")
    if not usb:
        diode = circuit.add("D1", "diode", "power", pinouts.DIODE)
        circuit.wire("power", "5V", rail.pin("5V"), diode.pin("anode"), "power")
        circuit.wire("power", "VSYS", diode.pin("cathode (ring)"), pico.pin("VSYS"), "power")
    # From the source of the power to its users, as the diagram is drawn from left to right.
    for net, there, here in [*(("GND", rail.pin("GND"), (pico.ref, number)) for number in PICO_GROUNDS),
                             ("3V3", rail.pin("3V3"), pico.pin("3V3"))]:
        circuit.wire("power", net, *((here, there) if usb else (there, here)), "power")
    if "sense" in board.wiring:
        upper = circuit.add("R?", "resistor", "power", pinouts.TWO, "10 kΩ")
        lower = circuit.add("R?", "resistor", "power", pinouts.TWO, "10 kΩ")
        circuit.wire("power", "5V", rail.pin("5V"), upper.pin("1"))
        circuit.wire("power", "V5_SENSE", upper.pin("2"), pico_end(pico, board.wiring["sense"]))
        circuit.wire("power", "V5_SENSE", lower.pin("1"), pico_end(pico, board.wiring["sense"]))
        circuit.wire("power", "GND", rail.pin("GND"), lower.pin("2"))
    if guarded:
        _add_guard(circuit, fuse, rail)


def _add_guard(circuit: Circuit, fuse: Component, rail: Component) -> None:
    """Two switches, source to source, between fuse and rail. Q1 stays off if the plug's polarity is reversed; Q2 goes off
    if U2 sees more than 2.5 V at its divider, as Q3 then joins the gates to the sources."""
    circuit.titles["guard"] = "Guard: keeps reversed plugs and more than 5.6 V off the rails"

    def join(net: str, *ends: End, kind: str = "signal") -> None:
        for end in ends[1:]:
            circuit.wire("guard", net, ends[0], end, kind)

    front = circuit.add("Q1", "power_switch", "guard", pinouts.POWER_SWITCH, "polarity")
    back = circuit.add("Q2", "power_switch", "guard", pinouts.POWER_SWITCH, "over-voltage")
    cut = circuit.add("Q3", "small_pnp", "guard", pinouts.PNP)
    reference = circuit.add("U2", "reference", "guard", pinouts.REFERENCE)
    gate, upper, lower, base, hold = (circuit.add("R?", "resistor", "guard", pinouts.TWO, value) for value in GUARD_OHMS)
    join("5V_FUSED", fuse.pin("2"), front.pin("D"), kind="power")
    join("V_MID", front.pin("S"), back.pin("S"), kind="power")
    join("5V", back.pin("D"), rail.pin("5V"), kind="power")
    join("V_MID", back.pin("S"), cut.pin("E"), upper.pin("1"), hold.pin("1"))
    join("GATE", front.pin("G"), back.pin("G"))
    join("GATE", back.pin("G"), cut.pin("C"), gate.pin("1"))
    join("OV_REF", upper.pin("2"), reference.pin("REF"))
    join("OV_REF", lower.pin("1"), reference.pin("REF"))
    join("OV_BASE", cut.pin("B"), base.pin("1"))
    join("OV_BASE", hold.pin("2"), base.pin("1"))
    join("OV_CUT", base.pin("2"), reference.pin("cathode"))
    join("GND", rail.pin("GND"), gate.pin("2"), lower.pin("2"), reference.pin("anode"))


def _add_lights(circuit: Circuit, board: Board, pico: Component, rail: Component) -> dict[int, tuple[str, End]]:
    """The level shifter and the plugs of all outputs with lights. Returns net and end of each dial output's
    data."""
    used = [output for output in board.outputs if output.use != "spare" and output.pin != NO_PIN]
    circuit.titles["lights"] = "Lights: from the Pico's 3.3 V to the 5 V of the LEDs"
    shifter = circuit.add("U1", "level_shifter", "lights", pinouts.LEVEL_SHIFTER)
    small = circuit.add("C2", "small_capacitor", "lights", pinouts.TWO)
    for part, plus, minus in ((shifter, "VCC", "GND"), (small, "1", "2")):
        circuit.wire("lights", "5V", rail.pin("5V"), part.pin(plus), "power")
        circuit.wire("lights", "GND", rail.pin("GND"), part.pin(minus), "power")
    ways: dict[int, tuple[str, End]] = {}
    gate = 0
    for output in used:
        if output.after:
            ways[output.number] = ways.get(output.after, ("", ("", "?")))
        else:
            gate += 1
            ways[output.number] = _add_gate(circuit, output, gate, pico, rail, shifter)
        if output.use == "track":
            way = ways[output.number]
            chained = any(other.after == output.number for other in used)
            ways[output.number] = _add_track_socket(circuit, output, way, chained, rail)
    for number in range(gate + 1, pinouts.GATES + 1):
        circuit.wire("lights", "5V", rail.pin("5V"), shifter.pin(f"{number}OE"))
        circuit.wire("lights", "GND", rail.pin("GND"), shifter.pin(f"{number}A"))
    return ways


def _add_gate(
    circuit: Circuit, output: Output, gate: int, pico: Component, rail: Component, shifter: Component
) -> tuple[str, End]:
    signal = output_signal(output)
    resistor = circuit.add("R?", "resistor", "lights", pinouts.TWO, "330 Ω")
    circuit.wire("lights", signal, pico_end(pico, output.pin), shifter.pin(f"{gate}A"))
    circuit.wire("lights", "GND", rail.pin("GND"), shifter.pin(f"{gate}OE"))
    circuit.wire("lights", f"{signal}_5V", shifter.pin(f"{gate}Y"), resistor.pin("1"))
    return f"{signal}_OUT", resistor.pin("2")


def _add_track_socket(
    circuit: Circuit, output: Output, way: tuple[str, End], chained: bool, rail: Component
) -> tuple[str, End]:
    """The socket for a track module; a fourth pin leads its data back if something is chained behind it."""
    pins = (("1", "5V"), ("2", "GND"), ("3", "DATA"), *([("4", "BACK")] if chained else []))
    socket = circuit.add("J2", "track_socket", "lights", pins, f"{len(pins)} pins")
    circuit.wire("lights", "5V" if not output.fuse_ma else "5V_TRACK",
                 behind_fuse(circuit, output, "track_fuse", rail, "lights"), socket.pin("5V"), "power")
    circuit.wire("lights", "GND", rail.pin("GND"), socket.pin("GND"), "power")
    circuit.wire("lights", way[0], way[1], socket.pin("DATA"))
    return ("TRACK_BACK", socket.pin("BACK")) if chained else way


def _add_track(circuit: Circuit, board: Board, pixels: int) -> None:
    """The module: a plug, and the string in pieces. Each gets its own 5 V and ground, the last one also at its end."""
    output = next((one for one in board.outputs if one.use == "track"), None)
    if output is None or "J2" not in circuit.components:
        return
    circuit.titles["track"] = f"Track module: {pixels} pixels"
    socket = circuit.components["J2"]
    plug = circuit.add("T.J1", "track_plug", "track", socket.pins, socket.value)
    v5 = "5V_TRACK" if output.fuse_ma else "5V"
    back = "BACK" in [label for _, label in socket.pins]
    data = f"{output_signal(output)}_OUT"
    for net, label in ((v5, "5V"), ("GND", "GND"), (data, "DATA"), ("TRACK_BACK", "BACK")):
        if label != "BACK" or back:
            circuit.wire("track", net, socket.pin(label), plug.pin(label), "power" if label in ("5V", "GND") else "signal")
    feed = board.wires.feed_pixels if board.wires else pixels
    before, firsts = plug.pin("DATA"), list(range(1, pixels + 1, feed))
    for number, first in enumerate(firsts, 1):
        last = min(first + feed - 1, pixels)
        at_end = (("5V end", "5V end"), ("GND end", "GND end")) if last == pixels else ()
        piece = circuit.add(f"T.LED{number}", "pixel", "track", pinouts.PIXELS + at_end, f"pixels {first} to {last}",
                            bom=number == 1)
        circuit.wire("track", data, before, piece.pin("DIN"), "signal" if number == 1 else "string")
        for tail in ("", " end") if at_end else ("",):
            circuit.wire("track", v5, plug.pin("5V"), (piece.ref, f"5V{tail}"), "power")
            circuit.wire("track", "GND", plug.pin("GND"), (piece.ref, f"GND{tail}"), "power")
        before, data = piece.pin("DOUT"), f"TRACK_{last}"
    if back:
        circuit.wire("track", "TRACK_BACK", plug.pin("BACK"), before)


def _add_console(circuit: Circuit, board: Board, pico: Component, rail: Component) -> None:
    on = board.wiring.get("console")
    if on is None:
        return
    circuit.titles["console"] = "Console: the knob, OK and BACK"
    encoder = circuit.add("ENC1", "encoder", "console", pinouts.ENCODER)
    for letter in ("A", "B"):
        signal = f"ENC_{letter}"
        pull = circuit.add("R?", "resistor", "console", pinouts.TWO, "10 kΩ")
        series = circuit.add("R?", "resistor", "console", pinouts.TWO, "10 kΩ")
        filter_ = circuit.add("C?", "filter_capacitor", "console", pinouts.TWO)
        circuit.wire("console", "3V3", rail.pin("3V3"), pull.pin("1"))
        circuit.wire("console", f"{signal}_RAW", pull.pin("2"), series.pin("1"))
        circuit.wire("console", f"{signal}_RAW", encoder.pin(letter), series.pin("1"))
        circuit.wire("console", signal, series.pin("2"), pico_end(pico, on[letter.lower()]))
        circuit.wire("console", "GND", rail.pin("GND"), filter_.pin("2"))
        circuit.wire("console", signal, filter_.pin("1"), pico_end(pico, on[letter.lower()]))
    circuit.wire("console", "GND", rail.pin("GND"), encoder.pin("C (middle)"))
    circuit.wire("console", "ENC_PUSH", encoder.pin("push"), pico_end(pico, on["push"]))
    circuit.wire("console", "GND", rail.pin("GND"), encoder.pin("push'"))
    for name in ("ok", "back"):
        key = circuit.add(f"S_{name.upper()}", "key", "console", pinouts.TWO, name.upper())
        circuit.wire("console", "GND", rail.pin("GND"), key.pin("2"))
        circuit.wire("console", f"BTN_{name.upper()}", key.pin("1"), pico_end(pico, on[name]))


def _add_screen(circuit: Circuit, board: Board, pico: Component, rail: Component) -> None:
    on = board.wiring.get("display_on")
    if on is None:
        return
    circuit.titles["screen"] = "Display"
    screen = circuit.add("DS1", "screen", "screen", pinouts.SCREEN)
    circuit.wire("screen", "GND", rail.pin("GND"), screen.pin("GND"), "power")
    circuit.wire("screen", "3V3", rail.pin("3V3"), screen.pin("VCC"), "power")
    for label in ("SCL", "SDA"):
        pull = circuit.add("R?", "resistor", "screen", pinouts.TWO, "4.7 kΩ")
        circuit.wire("screen", f"I2C_{label}", pico_end(pico, on[label.lower()]), screen.pin(label))
        circuit.wire("screen", "3V3", rail.pin("3V3"), pull.pin("1"))
        circuit.wire("screen", f"I2C_{label}", pull.pin("2"), screen.pin(label))


def _add_reader(circuit: Circuit, board: Board, pico: Component, rail: Component) -> None:
    on = board.wiring.get("reader_on")
    if on is None:
        return
    circuit.titles["reader"] = "Card reader"
    reader = circuit.add("RD1", "reader", "reader", pinouts.READER)
    circuit.wire("reader", "3V3", rail.pin("3V3"), reader.pin("3.3V"), "power")
    circuit.wire("reader", "GND", rail.pin("GND"), reader.pin("GND"), "power")
    for label, key in (("RST", "reset"), ("MISO", "miso"), ("MOSI", "mosi"), ("SCK", "sck"), ("SDA", "cs")):
        circuit.wire("reader", f"NFC_{key.upper()}", pico_end(pico, on[key]), reader.pin(label))


def _add_buzzer(circuit: Circuit, board: Board, pico: Component, rail: Component) -> None:
    if "buzzer" not in board.wiring:
        return
    circuit.titles["buzzer"] = "Buzzer"
    resistor = circuit.add("R?", "resistor", "buzzer", pinouts.TWO, "220 Ω")
    buzzer = circuit.add("BZ1", "buzzer", "buzzer", pinouts.TWO)
    circuit.wire("buzzer", "BUZZER", pico_end(pico, board.wiring["buzzer"]), resistor.pin("1"))
    circuit.wire("buzzer", "BUZZER_OUT", resistor.pin("2"), buzzer.pin("1"))
    circuit.wire("buzzer", "GND", rail.pin("GND"), buzzer.pin("2"))


def _add_safe_key(circuit: Circuit, board: Board, pico: Component, rail: Component) -> None:
    """A key for safe mode, if no other key serves as one."""
    if any(one.name == SAFE_KEY for one in signals_of(board)):
        circuit.titles["safe_key"] = "Key for safe mode"
        key = circuit.add("S_SAFE", "key", "safe_key", pinouts.TWO, "SAFE MODE")
        circuit.wire("safe_key", "GND", rail.pin("GND"), key.pin("2"))
        circuit.wire("safe_key", SAFE_KEY, key.pin("1"), pico_end(pico, board.wiring["safe_key"]))
