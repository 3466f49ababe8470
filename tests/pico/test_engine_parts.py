"""The emulated Pico without its processor: its flash, its pins and the parts on them."""

import pytest

pytest.importorskip("rp2040py", reason="the emulated Pico needs the extra [pico]")
pytest.importorskip("littlefs", reason="the emulated Pico needs the extra [pico]")

from gridglow.boards.boardfile import load_board
from gridglow.tracks import load_track
from gridglow.virtual.pico import fitting
from gridglow.virtual.pico.child import Child
from gridglow.virtual.pico.engine import PicoEngine
from gridglow.virtual.pico.flash import FlashImage
from gridglow.virtual.pico.glass import Glass
from gridglow.virtual.pico.machine import uf2_blocks
from gridglow.virtual.pico.panels import ShiftChain
from gridglow.virtual.pico.reader import Card
from gridglow.virtual.pico.wire import HIGH, LOW, Strip
from shared_rules.errors import GridglowError


class Pin:
    """A pin of the emulated chip, without the chip."""

    def __init__(self):
        self.listener = None
        self.value = LOW
        self.level = None

    def add_listener(self, listener):
        self.listener = listener

    def set_input_value(self, level):
        self.level = level

    def go(self, state):
        before, self.value = self.value, state
        if state is not before:
            self.listener(state, before)


class Chip:
    """Pins and a clock that stands still until moved."""

    def __init__(self):
        self.gpio = [Pin() for _ in range(30)]
        self.nanos = 1e6


# The file system


def test_flash_keeps_a_folder(tmp_path):
    (tmp_path / "save").mkdir()
    (tmp_path / "main.py").write_bytes(b"print(1)")
    (tmp_path / "save" / "race").write_bytes(bytes(range(256)) * 40)
    image = FlashImage.from_folder(tmp_path, leave_out=["main.py"])
    image.put("text/en.pack", b"x")
    assert image.names() == ["save/race", "text/en.pack"]
    kept = tmp_path / "flash.img"
    image.save(kept)
    again = FlashImage.load(kept)
    assert again.read("save/race") == bytes(range(256)) * 40
    assert again.read("main.py") is None
    out = tmp_path / "out"
    assert again.to_folder(out, under="save") == ["save/race"]
    assert (out / "save" / "race").stat().st_size == 10240


def test_flash_says_what_does_not_fit(tmp_path):
    (tmp_path / "large").write_bytes(bytes(1_500_000))
    with pytest.raises(GridglowError, match="doesn't fit into a Pico's flash, at large"):
        FlashImage.from_folder(tmp_path)
    with pytest.raises(GridglowError, match="786,432 bytes, this one 5"):
        FlashImage(b"short")
    with pytest.raises(GridglowError, match="no file system in this flash"):
        FlashImage.bare().names()


def test_an_emulated_board_gets_its_data_alone(tmp_path):
    full = fitting.build_fitting(tmp_path / "full", load_board("full"))
    names = FlashImage.from_folder(tmp_path / "full").names()
    assert names == sorted(full.contents) and {"board.json", "safe_pin.txt", "tracks/grand-prix-of-japan.leds"} <= set(names)
    assert not [name for name in names if not name.startswith("tracks/") and name not in ("board.json", "safe_pin.txt")]
    assert PicoEngine.needs in names
    one = fitting.build_fitting(tmp_path / "one", load_board("mini"), [load_track("bleifuss-drom")])
    assert one.tracks == ["bleifuss-drom"] and "tracks/gp-ring.pack" not in one.contents


def test_what_is_no_uf2_is_refused():
    with pytest.raises(GridglowError, match="isn't a multiple of 512"):
        uf2_blocks(b"x" * 100)
    with pytest.raises(GridglowError, match="block 0 lacks its marks"):
        uf2_blocks(bytes(512))


# LED wires


def send(chip, pin, data, one_ns=750, zero_ns=375):
    for byte in data:
        for bit in range(7, -1, -1):
            high_ns = one_ns if byte >> bit & 1 else zero_ns
            chip.gpio[pin].go(HIGH)
            chip.nanos += high_ns
            chip.gpio[pin].go(LOW)
            chip.nanos += 1250 - high_ns


def a_strip(parts):
    chip = Chip()
    return chip, Strip(chip, chip, 2, parts)


def test_a_wire_is_split_into_its_outputs():
    chip, strip = a_strip([(2, "GRB"), (1, "RGB")])
    send(chip, 2, bytes([2, 1, 3, 20, 10, 30, 7, 8, 9]))
    strip.settle()
    assert strip.frames == 0  # no silence yet: no frame
    chip.nanos += 300_000
    strip.settle()
    assert strip.outputs == [bytes([1, 2, 3, 10, 20, 30]), bytes([7, 8, 9])]
    assert (strip.frames, strip.bad) == (1, 0)


def test_the_first_changed_bit_has_its_time():
    chip, strip = a_strip([(2, "GRB")])
    send(chip, 2, bytes(6))
    chip.nanos += 300_000
    begun_ns = chip.nanos
    send(chip, 2, bytes([0, 0, 0, 0, 4, 0]))
    chip.nanos += 300_000
    strip.settle()
    assert strip.changed_ns == begun_ns + (4 * 8 + 5) * 1250
    send(chip, 2, bytes([0, 0, 0, 0, 4, 0]))
    chip.nanos += 300_000
    strip.settle()
    assert strip.changed_ns is None


@pytest.mark.parametrize("data, gap_ns, one_ns", [
    (bytes(5), 300_000, 750),      # cut in a pixel
    (bytes(6), 100_000, 750),      # after too short a silence
    (b"\xff" * 6, 300_000, 2000),  # a pulse that isn't a bit
], ids=["cut", "gap", "pulse"])
def test_what_a_strip_would_not_understand_is_counted(data, gap_ns, one_ns):
    chip, strip = a_strip([(2, "GRB")])
    send(chip, 2, bytes(6))
    if gap_ns < 280_000:
        strip._end()  # an older strip, which accepts a shorter silence
    chip.nanos += gap_ns
    send(chip, 2, data, one_ns)
    chip.nanos += 300_000
    strip.settle()
    assert strip.bad == 1


def test_white_goes_to_all_colours():
    chip, strip = a_strip([(1, "GRBW")])
    send(chip, 2, bytes([10, 20, 30, 240]))
    chip.nanos += 300_000
    strip.settle()
    assert strip.outputs == [bytes([255, 250, 255])]


# Panels


def scan(chip, bits):
    """Read a chain as a program does: LATCH low, high, then for each bit a rising clock."""
    chip.gpio[11].go(LOW)
    chip.gpio[11].go(HIGH)
    read = 0
    for _ in range(bits):
        read = read << 1 | chip.gpio[12].level
        chip.gpio[10].go(HIGH)
        chip.gpio[10].go(LOW)
    return read.to_bytes(bits // 8, "big")


def test_the_chain_shifts_its_modules_out():
    chip = Chip()
    chip.gpio[11].value = HIGH
    chain = ShiftChain(chip, chip, 10, 11, 12, 3)
    assert scan(chip, 24) == bytes([0x7F, 0x7F, 0x7F])
    chain.press(0, 0)
    chain.press(2, 5)
    assert scan(chip, 24) == bytes([0x7E, 0x7F, 0x5F])
    chain.press(0, 0, False)
    chain.plugged = 1
    assert scan(chip, 24) == bytes([0x7F, 0xFF, 0xFF])  # what isn't there reads as ones
    chain.plugged = 3
    chain.wires[1] = 0x00
    assert scan(chip, 24) == bytes([0x7F, 0x00, 0x5F])
    assert (chain.scans, chain.early_clocks) == (4, 0)


def test_a_clock_that_is_high_under_the_latch_is_noticed():
    chip = Chip()
    chip.gpio[11].value = HIGH
    chain = ShiftChain(chip, chip, 10, 11, 12, 1)
    chip.gpio[10].go(HIGH)
    scan(chip, 8)
    assert chain.early_clocks == 1


# Cards and display


def test_a_card_tells_its_id_level_by_level():
    card = Card(bytes.fromhex("04A1B2C3D4E5F6"))
    assert card.take(b"\x26", 7) == b"\x44\x00"
    first = card.take(b"\x93\x20", 0)
    assert first == bytes.fromhex("8804A1B29F")
    assert card.take(b"\x93\x70" + first, 0) == b"\x04"
    second = card.take(b"\x95\x20", 0)
    assert second == bytes.fromhex("C3D4E5F604")
    assert card.take(b"\x95\x70" + second, 0) == b"\x08"
    assert card.take(b"\x50\x00", 0) is None
    assert card.take(b"\x26", 7) is None  # it sleeps
    assert card.take(b"\x52", 7) == b"\x44\x00"


class Bus:
    scl_low_period = scl_high_period = 10

    def complete_connect(self, there):
        self.there = there

    def complete_write(self, taken):
        pass


class Alarms(Chip):
    def __init__(self):
        super().__init__()
        self.i2c = [Bus(), Bus()]

    def create_alarm(self, call):
        return self

    def schedule(self, nanos):
        pass


@pytest.mark.parametrize("kind, first", [("sh1106", 2), ("ssd1306", 0)])
def test_the_display_shows_what_was_sent(kind, first):
    chip = Alarms()
    glass = Glass(chip, chip, 0, 60, kind)
    bus = chip.i2c[0]
    for data in ([0, 0xAF], [0, 0xB0, first & 15, 0x10], [0x40, *[0] * 128]):
        bus.on_connect(60, None)
        for byte in data:
            bus.on_write_byte(byte)
    assert bus.there and glass.on
    assert set(glass.picture()[0]) == {"."}
    bus.on_connect(61, None)
    assert not bus.there
    glass.present = False
    bus.on_connect(60, None)
    assert not bus.there


# Keys on the page


def test_a_click_is_long_enough_for_a_slow_board():
    """A person's click is over after a few milliseconds of the board's own time."""
    done = []

    class Pico:
        now_us = 0.0

        def at_us(self, microseconds, action):
            later.append((microseconds, action))

    class Keys:
        def key(self, panel, name, down):
            if panel > 6:
                raise GridglowError("There is no such key.")
            done.append((pico.now_us, panel, name, down))

    later, pico = [], Pico()
    child = Child.__new__(Child)
    child.pico, child.console, child._key_us = pico, Keys(), {}
    for at_us, panel, down in ((0, 1, True), (4000, 1, False), (5000, 2, True), (5000, 9, True), (8000, 1, True),
                               (9000, 1, False), (500_000, 1, True)):
        pico.now_us = at_us
        child._key(panel, "OK", down)
    for at_us, action in later:
        pico.now_us = at_us
        action()
    assert sorted(done) == [(0, 1, "OK", True), (5000, 2, "OK", True), (60_000, 1, "OK", False), (120_000, 1, "OK", True),
                            (180_000, 1, "OK", False), (500_000, 1, "OK", True)]
