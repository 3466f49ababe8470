"""The circuit: it agrees with what the firmware reads, nothing floats, and drawings and netlist say the same."""

import csv
import io
import re
import shutil
import xml.etree.ElementTree as ET

import pytest

from gridglow import paths
from gridglow.boards.boardfile import board_json, load_board, read_board
from gridglow.boards.pinouts import PICO
from gridglow.hardware import netlist, pins_svg, wireviz_svg, wireviz_yaml
from gridglow.hardware.build import plan_build
from gridglow.hardware.making import NeedsExtra
from gridglow.hardware.nets import circuit_of

PADS = {  # GPIO: pin of the header, from the data sheet's drawing
    0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17, 14: 19, 15: 20, 16: 21,
    17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34,
}
OUTPUTS = {"U1": {"1Y", "2Y", "3Y", "4Y"}, ".U1": {"QH", "/QH"}}


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDGLOW_DATA", str(tmp_path / "data"))


def changed(tmp_path, board, *changes):
    text = (paths.boards_folder() / f"{board}.toml").read_text("utf-8")
    for old, new in changes:
        assert re.search(old, text, re.MULTILINE), old
        text = re.sub(old, new, text, count=1, flags=re.MULTILINE)
    path = tmp_path / f"{board}.toml"
    path.write_text(text, "utf-8")
    return read_board(path)


def moved(tmp_path):
    """The full board with every pin elsewhere."""
    return changed(
        tmp_path, "full", (r"^pin = 2$", "pin = 20"), (r"^pin = 3$", "pin = 21"), (r"^clock = 10 ", "clock = 0 "),
        (r"^latch = 11 ", "latch = 1 "), (r"^data = 12", "data = 14"), (r"^a = 6", "a = 11"), (r"^b = 7", "b = 12"),
        (r"^ok = 21", "ok = 9"), (r"^sda = 8", "sda = 26"), (r"^scl = 9", "scl = 27"), (r"^miso = 16", "miso = 16"),
        (r"^reset = 20", "reset = 6"), (r"^pin = 28$", "pin = 8"), (r"^pin = 26$", "pin = 28"),
    )


def agrees(board):
    """Follows every pin that the firmware is told about to the part that must be on it."""
    plain = board_json(board)
    circuit = circuit_of(board, 40)
    nets = circuit.nets()
    on = {end: name for name, ends in nets.items() for end in ends}
    labels = {(one.ref, label): number for one in circuit.components.values() for number, label in one.pins}

    def joined(gpio, ref, label):
        here, there = on[("A1", str(PADS[gpio]))], on[(ref, labels[(ref, label)])]
        assert here == there, f"GPIO {gpio} is on {here}, {ref} {label} on {there}"

    resistors = [one.ref for one in circuit.components.values() if one.role == "resistor"]

    def between(one, other):
        assert any({on[(r, "1")], on[(r, "2")]} == {on[one], on[other]} for r in resistors), (one, other)

    def through(gpio, ref, label):
        """From the GPIO through one resistor to the pin."""
        between(("A1", str(PADS[gpio])), (ref, labels[(ref, label)]))

    wires = {}
    for output in plain["outputs"]:
        if output["pixels"]:
            wires.setdefault(output["pin"], []).append(output["use"])
    for gate, pin in enumerate(wires, 1):
        joined(pin, "U1", f"{gate}A")
        assert on[("U1", labels[("U1", f"{gate}OE")])] == "GND"
    for gate in range(len(wires) + 1, 5):
        assert on[("U1", labels[("U1", f"{gate}OE")])] == "5V", "an unused gate must let nothing through"
    wiring = plain["wiring"]
    chain = wiring["panels_on"]
    if "keys" in chain:
        for panel, pins in enumerate(chain["keys"], 1):
            for place, pin in enumerate(pins, 1):
                joined(pin, f"P{panel}.S{place}", "1")
                assert circuit.components[f"P{panel}.S{place}"].value == plain["keys"][place - 1]
                assert on[(f"P{panel}.S{place}", "2")] == "GND"
    else:
        modules = [f"P{number}" for number in range(1, plain["panels"] + 1)] + ["DICE"] * wiring.get("dice_pad", 0)
        through(chain["data"], "P1.U1", "QH")
        for one, other in zip(modules, modules[1:]):
            between((f"{one}.U1", "10"), (f"{other}.U1", "9"))  # SER takes the next one's output
        for one in modules:
            through(chain["clock"], f"{one}.U1", "CLK")
            through(chain["latch"], f"{one}.U1", "SH/LD")
            assert on[(f"{one}.U1", labels[(f"{one}.U1", "H")])] == "GND" and on[(f"{one}.U1", "5")] == "3V3"
            for place, letter in enumerate("ABCDEF", 1):  # the driver: input A is the first key
                assert on[(f"{one}.U1", labels[(f"{one}.U1", letter)])] == on[(f"{one}.S{place}", "1")]
                assert on[(f"{one}.S{place}", "2")] == "GND"
    if "console" in wiring:
        through(wiring["console"]["a"], "ENC1", "A")
        through(wiring["console"]["b"], "ENC1", "B")
        joined(wiring["console"]["push"], "ENC1", "push")
        joined(wiring["console"]["ok"], "S_OK", "1")
        joined(wiring["console"]["back"], "S_BACK", "1")
    if "display_on" in wiring:
        joined(wiring["display_on"]["sda"], "DS1", "SDA")
        joined(wiring["display_on"]["scl"], "DS1", "SCL")
    if "reader_on" in wiring:
        for key, label in (("miso", "MISO"), ("mosi", "MOSI"), ("sck", "SCK"), ("cs", "SDA"), ("reset", "RST")):
            joined(wiring["reader_on"][key], "RD1", label)
    if "buzzer" in wiring:
        through(wiring["buzzer"], "BZ1", "1")
    if "sense" in wiring:
        halves = {frozenset(on[(one.ref, pin)] for pin in "12")
                  for one in circuit.components.values() if one.role == "resistor"}
        sense = on[("A1", str(PADS[wiring["sense"]]))]
        assert {frozenset({sense, "5V"}), frozenset({sense, "GND"})} <= halves
    # The pixel data: from the gate through a resistor to the plug or the first dial.
    for gate, uses in enumerate(wires.values(), 1):
        data = on[("U1", labels[("U1", f"{gate}Y")])]
        after = [on[(one.ref, "2")] for one in circuit.components.values()
                 if one.role == "resistor" and on[(one.ref, "1")] == data]
        first = "T.LED1" if uses[0] == "track" else "P1.LED1"
        assert after == [on[(first, "DIN")]], uses
    used = {pin for end, _ in on.items() if end[0] == "A1" for pin in [int(end[1])]}
    told = {PADS[pin] for pin in wires} | {PADS[pin] for pin in _pins(wiring)}
    assert {pin for pin in used if pin in PADS.values()} == told, "the firmware must know every soldered GPIO"
    return circuit, on


def _pins(value, key=""):
    if isinstance(value, dict):
        return [pin for name, one in value.items() for pin in _pins(one, name)]
    if isinstance(value, list):
        return [pin for one in value for pin in _pins(one, key)]
    return [value] if type(value) is int and key not in ("address", "dice_pad") else []


@pytest.mark.parametrize("name", ["mini", "full", "mini-direct"])
def test_nets_and_board_json_agree(name):
    agrees(load_board(name))


def test_they_agree_where_every_pin_is_elsewhere(tmp_path):
    circuit, on = agrees(moved(tmp_path))
    assert on[("A1", "26")] == "LED_TRACK" and on[("A1", "31")] == "I2C_SDA"


@pytest.mark.parametrize("changes", [
    [(r"^dice_pad = false", "dice_pad = true ")],
    [(r"^count = 6", "count = 1")],
    [(r"^safe_key = 22 ", "safe_key = 27 ")],
    [(r"^\[reader\](.*\n)+?\n", ""), (r"^\[buzzer\](.*\n)+?\n", ""), (r"^\[sense\](.*\n)+?\n", "")],
    [(r"^\[console\](.*\n)+?\n", ""), (r"^\[screen\](.*\n)+?\n", "")],
])
def test_they_agree_on_other_boards(tmp_path, changes):
    circuit, _ = agrees(changed(tmp_path, "full", *changes))
    if "dice_pad" in changes[0][0]:
        assert [circuit.components[f"DICE.S{n}"].value for n in range(1, 7)] == list("123456")
        assert "DICE.LED1" not in circuit.components
    if "safe_key" in changes[0][0]:
        assert "S_SAFE" in circuit.components


def test_dials_chained_behind_the_track_come_back_from_its_module(tmp_path):
    board = changed(tmp_path, "mini", (r"^pin = 3 ", "after = 1\npin = 2 "))
    nets = circuit_of(board, 64).nets()
    assert {("T.LED1", "DOUT"), ("T.J1", "4"), ("J2", "4"), ("P1.LED1", "DIN")} <= set(nets["TRACK_BACK"])


@pytest.mark.parametrize("name", ["mini", "full", "mini-direct"])
@pytest.mark.parametrize("pixels", [1, 64, 101, 420])
def test_nothing_floats_and_no_two_nets_meet(name, pixels):
    """Every chip pin that is an input is on a net; the rails go everywhere; a net is in one piece."""
    circuit = circuit_of(load_board(name), pixels)
    nets = circuit.nets()  # raises if nets meet or are in pieces
    on = {end for ends in nets.values() for end in ends}
    for one in circuit.components.values():
        if one.role in ("level_shifter", "shift_register"):
            gives = OUTPUTS["U1" if one.ref == "U1" else ".U1"]
            floating = [label for number, label in one.pins if (one.ref, number) not in on and label not in gives]
            assert not floating, (one.ref, floating)
        elif one.role in ("ring", "bar", "pixel"):
            assert {(one.ref, pin) for pin in ("5V", "GND", "DIN")} <= on
        elif one.role and one.role not in ("pico", "reader", "encoder", "ribbon_box"):
            assert {(one.ref, number) for number, _ in one.pins} <= on, one.ref
    fed = [one for one in circuit.components.values() if one.role == "pixel"]
    assert len(fed) == -(-pixels // load_board(name).wires.feed_pixels)
    assert (fed[-1].ref, "5V end") in on and fed[-1].value.endswith(f"to {pixels}")
    assert ("A1", str(PADS[15])) not in on, "GPIO 15 stays free"


def test_5_v_never_meets_usb_on_a_board_with_a_supply():
    nets = circuit_of(load_board("full"), 171).nets()
    assert "VBUS" not in nets and not any(("A1", "40") in ends for ends in nets.values())
    assert set(nets["VSYS"]) == {("D1", "K"), ("A1", "39")} and ("D1", "A") in nets["5V"]
    mini = circuit_of(load_board("mini"), 27).nets()
    assert set(mini["VBUS"]) == {("A1", "40"), ("F1", "1")} and not any(("A1", "39") in ends for ends in mini.values())


def test_the_netlist_has_every_pin_once():
    build = plan_build("full", "gp-ring")
    [(path, content)] = netlist.make(build)
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8"))))
    assert path == "netlist.csv"
    nets = circuit_of(build.board, 171).nets()
    assert sorted((row["net"], row["reference"], row["pin"]) for row in rows) == sorted(
        (net, *end) for net, ends in nets.items() for end in ends)
    assert len({(row["reference"], row["pin"]) for row in rows}) == len(rows)
    assert {"net": "LED_TRACK", "reference": "A1", "pin": "4", "label": "GP2", "value": "",
            "part": build.board.parts["pico"].part} in rows


@pytest.mark.parametrize(("name", "track"), [("full", "gp-ring"), ("mini", "track-a")])
def test_the_drawing_of_the_pins(name, track):
    build = plan_build(name, track)
    pads = pins_svg.pads_of(build)
    on = {end[1]: net for net, ends in circuit_of(build.board, 9).nets().items() for end in ends if end[0] == "A1"}
    for number, label in PICO:
        if number in on and label != "GND":
            assert pads[number][0] == on[number]
    root = ET.fromstring(pins_svg.draw_pins(build))
    texts = ["".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text")]
    numbers = [text for text in texts if text.isdigit()]
    assert numbers == [str(number) for number in range(1, 41)]
    for signal, says, _ in pads.values():
        assert not signal or any(signal in text and says in text for text in texts)
    # Everything beside the Pico has room there, at 0.7 of its size for each letter (DejaVu Sans Bold is that wide).
    room = pins_svg.LEFT_MM - pins_svg.PAD_MM / 2 - 6
    assert all(len(signal) * 3.6 * 0.7 + (len(says) + 2) * 3.2 * 0.6 < room for signal, says, _ in pads.values())


@pytest.mark.parametrize(("name", "track"), [("full", "gp-ring"), ("mini", "track-a"), ("mini-direct", "track-a")])
def test_the_diagrams_have_every_wire(name, track):
    yaml = pytest.importorskip("yaml")
    build = plan_build(name, track)
    circuit = circuit_of(build.board, build.led_map.pixels)
    files = dict(wireviz_yaml.make(build))
    assert list(files) == [f"wiring/{one}.yml" for module in circuit.titles
                           for one in wireviz_yaml.diagrams_of(circuit, module)]
    everywhere = wireviz_yaml.net_colours(circuit)
    for module in circuit.titles:
        drawn, colours = set(), {}
        documents = [yaml.safe_load(files[f"wiring/{one}.yml"]) for one in wireviz_yaml.diagrams_of(circuit, module)]
        for document in documents:
            for cable in document["cables"].values():
                colours.update(zip(cable["wirelabels"], cable["colors"]))
                assert [colours[net] for net in cable["wirelabels"]] == cable["colors"], "a net must have one colour"
            signals = {net: colour for net, colour in colours.items() if colour not in ("RD", "BK", "OG")}
            assert len(set(signals.values())) == len(signals), "different nets must have different colours"
            assert colours.items() <= everywhere.items(), "the same in every drawing"
        for document, (left, cable, right) in [(one, wires) for one in documents for wires in one["connections"]]:
            (a, pins_a), (w, wires), (b, pins_b) = *left.items(), *cable.items(), *right.items()
            assert len(pins_a) == len(wires) == len(pins_b) == document["cables"][w]["wirecount"]
            assert set(pins_a) <= set(document["connectors"][a]["pins"])
            assert set(pins_b) <= set(document["connectors"][b]["pins"])
            drawn |= {(a, str(one), b, str(other)) for one, other in zip(pins_a, pins_b)}
        for wire in circuit.wires:
            ends = (*wire.a, *wire.b)
            key = any(circuit.components[ref].role == "key" and ref.startswith("P") for ref in (wire.a[0], wire.b[0]))
            first = all(ref.startswith("P1.") for ref in (wire.a[0], wire.b[0])) or not module.startswith("panel")
            if wire.module == module and first and not key:
                assert ends in drawn, ends
        if module == "panel_keys":
            keys = [one for document in documents for ref, one in document["connectors"].items() if "S1–S6" in ref]
            assert [label for one in keys for label in one["pinlabels"] if label != "GND"] == list(build.board.keys)


def test_large_modules_have_several_diagrams():
    full, direct = circuit_of(load_board("full"), 420), circuit_of(load_board("mini-direct"), 64)
    names = {module: list(wireviz_yaml.diagrams_of(full, module)) for module in full.titles}
    assert names["panel_dials"] == ["panel_dials", "panel_dials_2"] and names["reader"] == ["reader"]
    for circuit in (full, direct):
        for module in circuit.titles:
            sheets = list(wireviz_yaml.diagrams_of(circuit, module).values())
            for wires in sheets:
                assert not {wire.a[0] for wire in wires} & {wire.b[0] for wire in wires}, "a part is either left or right"
            drawn = [wire for wires in sheets for wire in wires]
            assert len({(wire.a, wire.b) for wire in drawn}) == len(drawn), "each wire once"


def test_the_pictures_of_the_diagrams(monkeypatch):
    build = plan_build("full", "grand-prix-of-japan")
    pytest.importorskip("wireviz")
    if shutil.which("dot"):
        pictures = dict(wireviz_svg.make(build))
        assert set(pictures) == {path.replace(".yml", ".svg") for path, _ in wireviz_yaml.make(build)}
        for one in (build, plan_build("mini", "gp-ring"), plan_build("mini-direct", "track-a")):
            for path, content in wireviz_svg.make(one):
                root = ET.fromstring(content)
                assert root.tag.endswith("svg")
                # Letters of size 14 must be readable on A4 landscape, 277 × 190 mm: here in points.
                wide, high = (float(root.get(side).removesuffix("pt")) for side in ("width", "height"))
                assert 14 * 72 / 25.4 * min(277 / wide, 190 / high) >= 8, path
        words = " ".join(word for name in ("buzzer", "buzzer_2")
                         for word in ET.fromstring(pictures[f"wiring/{name}.svg"]).itertext())
        assert "GP28" in words and "220 Ω" in words and "Buzzer" in words
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(NeedsExtra, match="Graphviz's program \"dot\" is missing; install Graphviz"):
        wireviz_svg.make(build)
