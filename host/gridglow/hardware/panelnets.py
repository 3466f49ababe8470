"""The circuits of the panels: keys on a chain of shift registers, or each on its own GPIO; and each panel's dials."""

from __future__ import annotations

from gridglow.boards import pinouts
from gridglow.boards.boardfile import Board, Output
from gridglow.hardware.circuit import Circuit, Component, End
from gridglow.hardware.signals import key_signal

PAD_KEYS = ("1", "2", "3", "4", "5", "6")
CHAIN_SIGNALS = (("CLK", "BTN_CLK", "clock"), ("LATCH", "BTN_LATCH", "latch"))
# By pin-out: the resistors between the Pico and CLK, LATCH; between a panel's 74HC165 and KEYS, its dials and LED data
# out. They keep the current through a wrong or reversed plug below what each part can take.
BUS_OHMS = {1: "100 Ω", 2: "330 Ω"}
KEYS_OHMS, LED_OUT_OHMS = "330 Ω", "560 Ω"


def pico_end(pico: Component, gpio: int | None) -> End:
    """The end of a wire at a GPIO of the Pico."""
    return pico.ref, pinouts.pico_pad(gpio)


def amperes(ma: int) -> str:
    """A current as printed on a fuse: 1.35 A."""
    return f"{ma / 1000:g} A"


def behind_fuse(circuit: Circuit, output: Output, role: str, rail: Component, module: str) -> End:
    """The source of an output's 5 V: the rail, or the output's own fuse."""
    if not output.fuse_ma:
        return rail.pin("5V")
    fuse = circuit.add("F?", role, module, pinouts.TWO, amperes(output.fuse_ma))
    circuit.wire(module, "5V", rail.pin("5V"), fuse.pin("1"), "power")
    return fuse.pin("2")


def add_panels(
    circuit: Circuit, board: Board, pico: Component, rail: Component, ways: dict[int, tuple[str, End]]
) -> None:
    """The panels, and their ribbons to the console board. ``ways`` has net and end of each output's data."""
    on = board.wiring.get("panels_on")
    if not on or not board.panels:
        return
    output = next((one for one in board.outputs if one.number == board.dials_output and one.use == "dials"), None)
    data = ways.get(board.dials_output) if output else None
    if "keys" in on:
        _add_panels_with_pins(circuit, board, pico, rail, output, data, on["keys"])
    else:
        _add_chain(circuit, board, pico, rail, output, data, on)


def _title(circuit: Circuit, board: Board, ribbon: str) -> None:
    alike = {1: "", 2: ", both panels alike"}.get(board.panels or 1, f", all {board.panels} panels alike")
    circuit.titles.update(panels=ribbon, panel_keys=f"Keys of a panel{alike}")
    if board.dials:
        circuit.titles["panel_dials"] = f"Dials of a panel{alike}"


def _add_chain(
    circuit: Circuit, board: Board, pico: Component, rail: Component, output: Output | None,
    data: tuple[str, End] | None, on: dict,
) -> None:
    """Panels chained on one ribbon, with the dice pad last."""
    _title(circuit, board, "Ribbon of the panels: all from the second one on are like it")
    box = circuit.add("J3", "ribbon_box", "panels", pinouts.bus_box(board.pinout))
    v5 = "5V"
    if output is not None and output.fuse_ma:
        v5 = "5V_DIALS"
    source = behind_fuse(circuit, output, "dials_fuse", rail, "panels") if output else rail.pin("5V")
    for net, start, label in ((v5, source, "5V"), ("GND", rail.pin("GND"), "GND")):
        for number in [number for number, one in box.pins if one == label]:
            circuit.wire("panels", net, start, (box.ref, number), "power")
    circuit.wire("panels", "3V3", rail.pin("3V3"), box.pin("3V3"), "power")
    for label, signal, key in CHAIN_SIGNALS:
        resistor = circuit.add("R?", "resistor", "panels", pinouts.TWO, BUS_OHMS[board.pinout])
        circuit.wire("panels", signal, pico_end(pico, on[key]), resistor.pin("1"))
        circuit.wire("panels", f"{signal}_BUS", resistor.pin("2"), box.pin(label))
    circuit.wire("panels", "BTN_DATA", pico_end(pico, on["data"]), box.pin("KEYS"))
    if data is not None:
        circuit.wire("panels", data[0], data[1], box.pin("LED"))
    led = data[0] if data else "LED_DIALS_OUT"
    keys = "BTN_DATA"
    for number in range(1, board.panels + 1):
        box, led, keys = _add_chained(circuit, f"P{number}", "panel_keys", board, (board.keys, board.dials), box,
                                      (v5, led, keys))
    if board.wiring.get("dice_pad"):
        circuit.titles["dice_pad"] = "Dice pad, the last one on the chain"
        _add_chained(circuit, "DICE", "dice_pad", board, (PAD_KEYS, ()), box, (v5, led, keys))


def _add_chained(
    circuit: Circuit, name: str, module: str, board: Board, has: tuple[tuple[str, ...], tuple[tuple[str, int], ...]],
    before: Component, nets: tuple[str, str, str],
) -> tuple[Component, str, str]:
    """One panel of the chain after the box ``before``, which ``has`` keys and dials; ``nets`` are those of 5 V, LED data
    and keys there. Returns its OUT box, and the nets of LED data and keys in it."""
    keys, dials = has
    v5, led, keys_net = nets
    come = circuit.add(f"{name}.J1", "ribbon_box", module, pinouts.bus_box(board.pinout), "IN")
    led_out, keys_out = f"{name}.LED_OUT" if dials else led, f"{name}.SER"
    same = {"5V": v5, "GND": "GND", "3V3": "3V3", "CLK": "BTN_CLK_BUS", "LATCH": "BTN_LATCH_BUS"}
    for number, label in come.pins:
        net = same.get(label) or {"LED": led, "KEYS": keys_net}[label]
        circuit.wire("panels", net, (before.ref, number), (come.ref, number), "ribbon")
    chip = circuit.add(f"{name}.U1", "shift_register", module, pinouts.SHIFT_REGISTER)
    for label, net, pin in (("VCC", "3V3", "3V3"), ("GND", "GND", "GND"), ("CLK INH", "GND", "GND"), ("H", "GND", "GND"),
                            ("G", "3V3", "3V3"), ("CLK", "BTN_CLK_BUS", "CLK"), ("SH/LD", "BTN_LATCH_BUS", "LATCH")):
        circuit.wire(module, net, come.pin(pin), chip.pin(label), "power" if label in ("VCC", "GND") else "signal")
    last = circuit.add(f"{name}.R1", "resistor", module, pinouts.TWO, "10 kΩ")
    if board.pinout == 1:
        circuit.wire(module, keys_net, come.pin("KEYS"), chip.pin("QH"))
    else:
        told = circuit.add(f"{name}.R2", "resistor", module, pinouts.TWO, KEYS_OHMS)
        circuit.wire(module, keys_net, come.pin("KEYS"), told.pin("2"))
        circuit.wire(module, f"{name}.QH", told.pin("1"), chip.pin("QH"))
    small = circuit.add(f"{name}.C1", "small_capacitor", module, pinouts.TWO)
    circuit.wire(module, "3V3", come.pin("3V3"), small.pin("1"), "power")
    circuit.wire(module, "GND", come.pin("GND"), small.pin("2"), "power")
    pulls = circuit.add(f"{name}.RN1", "pull_ups", module, pinouts.PULL_UPS)
    circuit.wire(module, "3V3", come.pin("3V3"), pulls.pin("common"))
    for index, key in enumerate(keys):
        switch = circuit.add(f"{name}.S{index + 1}", "key", module, pinouts.TWO, key)
        net = f"{name}.{key}"
        circuit.wire(module, net, chip.pin(pinouts.KEY_INPUTS[index]), switch.pin("1"))
        circuit.wire(module, "GND", come.pin("GND"), switch.pin("2"), "power")
        circuit.wire(module, net, chip.pin(pinouts.KEY_INPUTS[index]), pulls.pin(f"R{index + 1}"))
    end = come.pin("LED")
    if dials:
        end = _add_dials(circuit, name, board.pinout, dials, come, (v5, led, led_out), end)
    go = circuit.add(f"{name}.J2", "ribbon_box", module, come.pins, "OUT")
    for number, label in come.pins:
        if label in same:
            kind = "power" if label in ("5V", "GND", "3V3") else "signal"
            circuit.wire(module, same[label], (come.ref, number), (go.ref, number), kind)
    circuit.wire("panel_dials" if dials else module, led_out, end, go.pin("LED"))
    circuit.wire(module, "3V3", come.pin("3V3"), last.pin("1"))
    circuit.wire(module, keys_out, last.pin("2"), go.pin("KEYS"))
    circuit.wire(module, keys_out, chip.pin("SER"), go.pin("KEYS"))
    return go, led_out, keys_out


def _add_dials(
    circuit: Circuit, name: str, pinout: int, dials: tuple[tuple[str, int], ...], box: Component,
    nets: tuple[str, str, str], data: End,
) -> End:
    """A seat's dials, chained from ``data`` on, with their power; ``nets`` are those of 5 V, data in and data out.
    Returns the end where the data leaves for the next panel."""
    module = "panel_dials"
    v5, net, out = nets
    capacitor = circuit.add(f"{name}.C2", "panel_capacitor", module, pinouts.POLAR)
    plus, minus = box.pin("5V"), box.pin("GND")
    circuit.wire(module, v5, plus, capacitor.pin("+"), "power")
    circuit.wire(module, "GND", minus, capacitor.pin("-"), "power")
    for number, (shape, pixels) in enumerate(dials, 1):
        dial = circuit.add(f"{name}.LED{number}", shape, module, pinouts.PIXELS, f"{pixels} LEDs")
        circuit.wire(module, v5, plus, dial.pin("5V"), "power")
        circuit.wire(module, "GND", minus, dial.pin("GND"), "power")
        circuit.wire(module, net, data, dial.pin("DIN"))
        plus, minus, data = dial.pin("5V"), dial.pin("GND"), dial.pin("DOUT")
        net = f"{name}.LED_{number}" if number < len(dials) or pinout > 1 else out
    if pinout > 1:
        series = circuit.add(f"{name}.R3", "resistor", module, pinouts.TWO, LED_OUT_OHMS)
        circuit.wire(module, net, data, series.pin("1"))
        data = series.pin("2")
    return data


def _add_panels_with_pins(
    circuit: Circuit, board: Board, pico: Component, rail: Component, output: Output | None,
    data: tuple[str, End] | None, pins: list[list[int]],
) -> None:
    """Panels with a ribbon each: every key has a GPIO, and the LEDs' data returns from one panel for the next."""
    _title(circuit, board, "Ribbons of the panels")
    v5 = "5V_DIALS" if output is not None and output.fuse_ma else "5V"
    source = behind_fuse(circuit, output, "dials_fuse", rail, "panels") if output else rail.pin("5V")
    led, led_from = data if data else ("LED_DIALS_OUT", ("", "?"))
    labels = pinouts.keys_box(board.pinout, board.keys)
    for number, gpios in enumerate(pins, 1):
        box = circuit.add(f"J{number + 2}", "ribbon_box", "panels", labels, f"panel {number}")
        for net, start, label in ((v5, source, "5V"), ("GND", rail.pin("GND"), "GND")):
            for pin in [pin for pin, one in labels if one == label]:
                circuit.wire("panels", net, start, (box.ref, pin), "power")
        pulls = circuit.add("RN?", "pull_ups", "panels", pinouts.PULL_UPS)
        circuit.wire("panels", "3V3", rail.pin("3V3"), pulls.pin("common"))
        for index, (key, gpio) in enumerate(zip(board.keys, gpios)):
            signal = key_signal(number, key)
            circuit.wire("panels", signal, pico_end(pico, gpio), box.pin(key))
            circuit.wire("panels", signal, pulls.pin(f"R{index + 1}"), box.pin(key))
        circuit.wire("panels", led, led_from, box.pin("LED IN"))
        name = f"P{number}"
        come = circuit.add(f"{name}.J1", "ribbon_box", "panel_keys", labels)
        out = f"{name}.LED_OUT"
        for pin, label in labels:
            net = {"5V": v5, "GND": "GND", "LED IN": led, "LED OUT": out}.get(label) or key_signal(number, label)
            circuit.wire("panels", net, (box.ref, pin), (come.ref, pin), "ribbon")
        for index, key in enumerate(board.keys):
            switch = circuit.add(f"{name}.S{index + 1}", "key", "panel_keys", pinouts.TWO, key)
            circuit.wire("panel_keys", key_signal(number, key), come.pin(key), switch.pin("1"))
            circuit.wire("panel_keys", "GND", come.pin("GND"), switch.pin("2"), "power")
        if board.dials:
            end = _add_dials(circuit, name, board.pinout, board.dials, come, (v5, led, out), come.pin("LED IN"))
            circuit.wire("panel_dials", out, come.pin("LED OUT"), end)
        led, led_from = out, box.pin("LED OUT")
