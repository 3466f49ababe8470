"""What the display's driver must do, checked by the memory of an SH1106 and an SSD1306. Runs under
MicroPython, which has the `framebuf` that the driver draws with."""

import gc

import framebuf
import machine
from drivers import font
from drivers import oled as oled_module
from drivers.oled import TOPS, Oled
from fake_pico import board
from parts import ETIMEDOUT, Sh1106, Ssd1306

KINDS = (("sh1106", Sh1106), ("ssd1306", Ssd1306))
PAGE_BYTES = 129
AT_BYTES = 4
SCREEN = ["Ann              L1/3", "Reite 7 Felder. Wohin", "soll's gehen? \xc4\xd6\xdc", "> Nach 12b: Motor -1", "",
          "[3] [5]          2/9"]


def bench(kind="sh1106", model=Sh1106, address=0x3C):
    glass = board.i2c[address] = model()
    return glass, Oled(machine.I2C(0, freq=400000), kind, address)


def finish(oled, limit=100):
    """Pump until nothing is left; returns how often."""
    for count in range(limit):
        if not oled.pump():
            return count
    raise AssertionError("it never ends")


def drawn(lines):
    """The picture that the lines must give, drawn dot by dot."""
    rows = [["."] * 128 for _ in range(64)]
    for row, line in enumerate(lines[:6]):
        for at, letter in enumerate(line[:21]):
            place = font.place(letter)
            for column in range(5):
                for dot in range(8):
                    if font.COLUMNS[5 * place + column] >> dot & 1:
                        rows[TOPS[row] + dot][1 + 6 * at + column] = "#"
    return ["".join(row) for row in rows]


class OldFrameBuffer(framebuf.FrameBuffer):
    """As in MicroPython 1.24, which copies only from a FrameBuffer."""

    def blit(self, source, *more):
        if isinstance(source, tuple):
            raise TypeError
        super().blit(source, *more)


class Old:
    FrameBuffer = OldFrameBuffer
    MONO_VLSB = framebuf.MONO_VLSB


def case_the_picture_is_right_with_a_framebuf_of_1_24():
    oled_module.framebuf = Old
    try:
        glass, oled = bench()
        oled.lines(SCREEN)
        oled.start()
        finish(oled)
    finally:
        oled_module.framebuf = framebuf
    assert glass.rows() == drawn(SCREEN)


def case_the_picture_is_right_on_both_kinds():
    for kind, model in KINDS:
        for address in (0x3C, 0x3D):
            glass, oled = bench(kind, model, address)
            oled.lines(SCREEN)
            oled.start()
            finish(oled)
            assert glass.rows() == drawn(SCREEN), kind
            assert glass.flipped == [True, True] and not glass.inverse and glass.start_line == glass.offset == 0


def case_lines_that_are_too_many_or_too_long_are_cut():
    glass, oled = bench()
    oled.start()
    oled.lines(["x" * 40] + ["\u65e5\u672c"] * 4 + ["a\tb\x00c\x7f"] * 9)
    finish(oled)
    assert glass.rows() == drawn(["x" * 21] + ["\u65e5\u672c"] * 4 + ["a\tb\x00c\x7f"])
    assert font.COLUMNS[5 * font.place("\u65e5")] == 0x7F
    oled.lines([])
    finish(oled)
    assert glass.rows() == drawn([""])


def case_it_is_dark_until_its_whole_memory_is_ours():
    glass, oled = bench()
    oled.start()
    oled.lines(SCREEN)
    before = glass.ram[:]
    while glass.pages_sent < 8:
        assert not glass.on and oled.pump()
    assert glass.ram != before
    finish(oled)
    assert glass.on and glass.rows() == drawn(SCREEN)


def case_a_pump_sends_one_page_at_most():
    glass, oled = bench()
    oled.start()
    oled.lines(SCREEN)
    while True:
        sent, pages = glass.bytes, glass.pages_sent
        more = oled.pump()
        assert glass.bytes - sent <= PAGE_BYTES + AT_BYTES and glass.pages_sent - pages <= 1
        if not more:
            break
    assert glass.pages_sent == 8 and glass.most_bytes == PAGE_BYTES


def case_only_changed_pages_are_sent():
    glass, oled = bench()
    oled.start()
    oled.lines(SCREEN)
    finish(oled)
    sent = glass.bytes
    oled.lines(list(SCREEN))
    assert finish(oled) == 0 and glass.bytes == sent
    for row in range(6):
        lines = list(SCREEN)
        lines[row] = "changed"
        sent, pages = glass.bytes, glass.pages_sent
        oled.lines(lines)
        finish(oled)
        assert glass.rows() == drawn(lines)
        count = glass.pages_sent - pages
        assert count == (1 if row in (0, 3) else 2), (row, count)
        assert glass.bytes - sent == count * (PAGE_BYTES + AT_BYTES)
        oled.lines(SCREEN)
        finish(oled)
    lines = list(SCREEN)
    lines[0], lines[3] = "a", "b"
    pages = glass.pages_sent
    oled.lines(lines)
    oled.lines(SCREEN)
    oled.lines(lines)
    finish(oled)
    assert glass.pages_sent - pages == 2


def lit_of(glass):
    """How many bits of its whole memory are set, visible or not."""
    return sum([bin(byte).count("1") for byte in glass.ram])


def case_nothing_of_a_private_screen_stays():
    secret = ["Ann", "> Play 7", "Card 7", "Card 3", "Card 9", "WHY"]
    neutral = ["Ann", "Hold WHY"]
    for after in (neutral, secret, []):
        glass, oled = bench("ssd1306", Ssd1306)
        oled.start()
        oled.lines(neutral)
        finish(oled)
        oled.lines(secret, 2)
        finish(oled)
        assert glass.rows() == drawn(secret)
        pages = glass.pages_sent
        oled.lines(after)
        finish(oled)
        assert glass.pages_sent - pages == 8, "every page must be written again"
        assert glass.rows() == drawn(after)
        assert lit_of(glass) == sum([row.count("#") for row in drawn(after)])


def case_another_seats_private_screen_comes_behind_an_empty_one():
    first, second = ["Ann", "Card 7"], ["Ben", "Card 9"]
    for between in (None, ["Ben", "Hold WHY"]):
        glass, oled = bench("ssd1306", Ssd1306)
        oled.start()
        oled.lines(first, 1)
        finish(oled)
        if between:
            oled.lines(between)
            for _ in range(3):
                oled.pump()                        # the neutral one isn't complete yet
        oled.lines(second, 2)
        old, new = drawn(first), drawn(second)
        while True:
            rows = glass.rows()
            has_old = any(rows[y] == old[y] for y in range(TOPS[1], TOPS[1] + 7))
            has_new = any(rows[y] == new[y] for y in range(TOPS[1], TOPS[1] + 7))
            assert not (has_old and has_new)
            if not oled.pump():
                break
        assert glass.rows() == new


def case_a_private_screen_is_mirrored_to_nobody():
    _, oled = bench()
    assert not oled.late
    oled.lines(SCREEN)
    assert oled.late and oled.message() == {"t": "show", "lines": SCREEN, "private": 0}
    oled.late = False
    oled.lines(list(SCREEN))
    assert not oled.late
    oled.lines(SCREEN, 3)
    assert oled.late and oled.message() == {"t": "show", "lines": [""] * 6, "private": 3}
    oled.lines(["a"])
    assert oled.message()["lines"] == ["a"] + [""] * 5 and oled.message()["private"] == 0


def fails(call):
    try:
        call()
    except OSError as error:
        return error.args[0]
    return 0


def case_a_display_that_is_not_there_raises_oserror_only():
    for error in (5, ETIMEDOUT):
        glass, oled = bench()
        glass.unplug()
        glass.error = error
        assert fails(oled.start) == error and fails(oled.pump) == error
        oled.lines(SCREEN)                         # never
        board.i2c.pop(0x3C)
        assert fails(oled.start) == 5
        board.i2c[0x3C] = glass
        glass.plug()
        oled.start()
        finish(oled)
        assert glass.rows() == drawn(SCREEN)


def case_it_vanishes_at_any_byte_and_comes_back():
    whole = 26 + 8 * (PAGE_BYTES + AT_BYTES)
    for dies_after in list(range(60)) + list(range(60, whole, 13)):
        glass, oled = bench()
        glass.error = ETIMEDOUT if dies_after & 1 else 5
        glass.dies_after = dies_after
        gone = fails(oled.start)
        oled.lines(SCREEN)
        for _ in range(60):
            if gone:
                break
            gone = fails(oled.pump)
        assert gone == glass.error, dies_after
        oled.lines(["other"])
        assert any([fails(oled.pump) for _ in range(8)])  # noqa: C419 the generator would stop at the first
        glass.plug()
        oled.start()
        assert not glass.on
        finish(oled)
        assert glass.rows() == drawn(["other"]), dies_after


def case_an_idle_display_is_looked_at_and_heals():
    for kind, model in KINDS:
        glass, oled = bench(kind, model)
        oled.start()
        oled.lines(SCREEN)
        finish(oled)
        glass.power_up()                           # it lost power for a moment and nobody noticed
        assert glass.rows() != drawn(SCREEN)
        most = 0
        for _ in range(8 * oled.idle_pumps):
            sent = glass.bytes
            oled.pump()
            most = max(most, glass.bytes - sent)
        assert glass.rows() == drawn(SCREEN)
        assert most <= PAGE_BYTES + 40
        glass.unplug()
        gone = [fails(oled.pump) for _ in range(oled.idle_pumps)]
        assert any(gone), "its absence must show even without a change"


class _QuietBus:
    """Accepts everything and takes no memory."""

    def writeto(self, address, data):
        return len(data)


def case_pumping_takes_no_memory():
    oled = Oled(_QuietBus(), "sh1106")
    oled.start()
    oled.lines(SCREEN)
    finish(oled)
    oled.lines(["Berta"] + SCREEN[1:5] + ["OK"], 1)
    oled.lines(["Carla"] + SCREEN[1:5] + ["OK"])
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    finish(oled)
    for _ in range(2 * oled.idle_pumps):
        oled.pump()
    taken = gc.mem_alloc() - before
    gc.enable()
    assert taken == 0, taken
