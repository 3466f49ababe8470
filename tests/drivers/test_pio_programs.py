"""The drivers' two PIO programs, run cycle by cycle: pulses, bits, and the rules of the 74HC165."""

import contextlib
import importlib
import random
import sys
from collections import deque

import pico_bench
import pytest
from pioemu import ShiftRegister, State, emulate

TICK_NS = 125  # of the LED wire's program at 8 MHz
OURS = ("machine", "rp2", "pio_asm", "fake_pico", "drivers")


@contextlib.contextmanager
def on_the_bench():
    """Gives the drivers the bench's machine and rp2; afterwards nobody else gets them."""
    def hidden():
        return {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] in OURS}

    kept, path = hidden(), list(sys.path)
    sys.path[:0] = [str(pico_bench.LIB), str(pico_bench.FIRMWARE)]
    try:
        yield
    finally:
        sys.path[:] = path
        hidden()
        sys.modules.update(kept)


def program(module, name):
    with on_the_bench():
        return getattr(importlib.import_module(f"drivers.{module}"), name)


@pytest.fixture(scope="module")
def ws2812():
    return program("ws2812", "ws2812")


@pytest.fixture(scope="module")
def hc165():
    return program("hc165", "hc165")


# LED wires


def wire_levels(program, words, bits):
    """(level, ticks) of the line, one after another, until the program waits for more words."""
    levels = []
    state = State(transmit_fifo=deque(words), output_shift_register=ShiftRegister(0, 32), pin_directions=1)
    last = len(words) * bits * 40 + 200
    for before, after in emulate(
        program.code, stop_when=lambda _code, now: now.clock > last, initial_state=state, auto_pull=True,
        pull_threshold=bits, shift_osr_right=program.out_shiftdir == 1, side_set_base=0, side_set_count=1,
        wrap_target=program.wrap_target, wrap_top=program.wrap,
    ):
        level, ticks = after.pin_values & 1, after.clock - before.clock
        if levels and levels[-1][0] == level:
            levels[-1][1] += ticks
        else:
            levels.append([level, ticks])
    return levels


@pytest.mark.parametrize("bits", [24, 32])
def test_a_0_is_high_for_375_ns_and_a_1_for_750(ws2812, bits):
    generator = random.Random(bits)
    words = [0, 0xFFFFFFFF >> (32 - bits) << (32 - bits), *(generator.getrandbits(bits) << (32 - bits) for _ in range(6))]
    levels = wire_levels(ws2812, words, bits)
    assert levels[0][0] == 0, "the line must be low before the first bit"
    pulses = [ticks for level, ticks in levels if level]
    sent = "".join("1" if ticks == 6 else "0" for ticks in pulses)
    assert set(pulses) == {3, 6}
    assert (3 * TICK_NS, 6 * TICK_NS) == (375, 750)
    assert sent == "".join(f"{word:032b}"[:bits] for word in words), "most significant bit first, none lost"


def test_a_bit_takes_1250_ns_also_from_one_word_to_the_next(ws2812):
    levels = wire_levels(ws2812, [0xA5C30000, 0x00FF0F00, 0xFFFFFF00], 24)
    body = levels[1:-1]  # the line is low before and after
    periods = [body[k][1] + body[k + 1][1] for k in range(0, len(body) - 1, 2)]
    assert len(periods) == 3 * 24 - 1
    assert set(periods) == {10}
    assert 10 * TICK_NS == 1250


def test_the_line_rests_low(ws2812):
    levels = wire_levels(ws2812, [0xFFFFFF00], 24)
    assert levels[-1][0] == 0 and levels[-1][1] > 100


def test_the_bench_knows_the_same_times(ws2812):
    with on_the_bench():
        pulse = importlib.import_module("pio_asm").pulse
    assert pulse(ws2812, 0) == (3, 10)
    assert pulse(ws2812, 1) == (6, 10)


# The chain of panels

DATA, CLOCK, LATCH = 1, 2, 4  # pins 0, 1 and 2: the emulator reads its inputs from pin 0 on


class Registers:
    """A chain of 74HC165s, and the levels at their inputs; the far end's serial input is pulled up."""

    def __init__(self, held):
        self.held = held  # starting with the module next to the Pico, input H in the top bit
        self.bits = []
        self.pins = None
        self.loads = 0
        self.broken = []

    def look(self, pins):
        """The level of the data line, given what the other two lines have done."""
        before = self.pins
        self.pins = pins
        if not pins & LATCH:
            self.bits = [byte >> (7 - bit) & 1 for byte in self.held for bit in range(8)]
        if before is not None and before != pins:
            rises = ~before & pins
            if rises & LATCH:
                self.loads += 1
                if before & CLOCK or pins & CLOCK:
                    self.broken.append("CLK is high when LATCH rises")
            if rises & CLOCK:
                if not pins & LATCH:
                    self.broken.append("CLK rises while LATCH is low")
                self.bits = self.bits[1:] + [1]
        return DATA if self.bits and self.bits[0] else 0


def scans(program, held, orders):
    """Run scans one after another: the words received, the microseconds of each, the registers."""
    chain = Registers(held)

    def read(state: State) -> int:
        return chain.look(state.pin_values & (CLOCK | LATCH))

    words, times = [], []
    state = State(pin_values=LATCH, pin_directions=CLOCK | LATCH)
    for order in orders:
        wanted = (order + 1) // program.push_thresh
        state = State(program_counter=state.program_counter, pin_values=state.pin_values,
                      pin_directions=state.pin_directions, transmit_fifo=deque([order]))
        begun = state.clock
        for _, now in emulate(
            program.code,
            stop_when=lambda code, now, wanted=wanted: len(now.receive_fifo) == wanted or now.clock > 2000,
            initial_state=state, input_source=read, auto_push=True, push_threshold=program.push_thresh,
            shift_isr_right=program.in_shiftdir == 1, side_set_base=1, side_set_count=2,
            wrap_target=program.wrap_target, wrap_top=program.wrap,
        ):
            state = now
        words += list(state.receive_fifo)
        times.append(state.clock - begun)
        for _, now in emulate(  # on to where it waits for the next order
            program.code, stop_when=lambda code, now: code & 0xE0E0 == 0x80A0, initial_state=state, input_source=read,
            side_set_base=1, side_set_count=2, wrap_target=program.wrap_target, wrap_top=program.wrap,
        ):
            state = now
    return words, times, chain


def as_words(held):
    return [int.from_bytes(bytes(held[k:k + 3]), "big") for k in range(0, len(held), 3)]


@pytest.mark.parametrize("trial", [1, 2, 3])
def test_48_bits_come_as_the_chips_hold_them(hc165, trial):
    generator = random.Random(trial)
    held = [generator.getrandbits(8) for _ in range(6)]
    words, times, chain = scans(hc165, held, [47])
    assert words == as_words(held)
    assert chain.broken == [] and chain.loads == 1
    assert 190 <= times[0] <= 200, "µs at 1 MHz"


def test_one_scan_follows_the_other(hc165):
    held = [0x7F, 0x40, 0x55]
    words, _, chain = scans(hc165, held, [23, 23, 23])
    assert words == as_words(held) * 3
    assert chain.loads == 3 and chain.broken == []


@pytest.mark.parametrize("modules", [1, 3, 4, 12])
def test_modules_that_are_not_there_read_as_ones(hc165, modules):
    words_wanted = (modules + 2) // 3
    held = [0x40 + k for k in range(modules)]
    words, _, chain = scans(hc165, held, [24 * words_wanted - 1])
    assert words == as_words(held + [0xFF] * (3 * words_wanted - modules))
    assert chain.broken == []


def test_the_chips_have_time_to_load_and_to_shift(hc165):
    """Slow ones need more than 1 µs: LATCH is low for 4 µs, CLK high and low for 2 µs each."""
    pins = []
    registers = Registers([0x55, 0x2A, 0x7F])

    def read(state: State) -> int:
        return registers.look(state.pin_values & (CLOCK | LATCH))

    start = State(pin_values=LATCH, pin_directions=CLOCK | LATCH, transmit_fifo=deque([23]))
    for before, now in emulate(
        hc165.code, stop_when=lambda code, now: len(now.receive_fifo) == 1, initial_state=start, input_source=read,
        auto_push=True, push_threshold=24, shift_isr_right=False, side_set_base=1, side_set_count=2,
        wrap_target=hc165.wrap_target, wrap_top=hc165.wrap,
    ):
        level, ticks = now.pin_values & (CLOCK | LATCH), now.clock - before.clock
        if pins and pins[-1][0] == level:
            pins[-1][1] += ticks
        else:
            pins.append([level, ticks])
    low = [ticks for level, ticks in pins if not level & LATCH]
    high = [ticks for level, ticks in pins if level & CLOCK]
    between = [ticks for level, ticks in pins[2:] if level == LATCH]
    assert low == [4]
    assert set(high) == {2} and min(between) >= 2


def test_the_model_sees_a_program_that_breaks_the_rule():
    """SPI mode 2, the usual way to read these chips, has CLK high when LATCH rises."""
    chain = Registers([0x55])
    for pins in (CLOCK | LATCH, CLOCK, CLOCK | LATCH):
        chain.look(pins)
    assert chain.broken == ["CLK is high when LATCH rises"]


def test_the_programs_fit_into_one_block_each(ws2812, hc165):
    assert len(ws2812.code) == 4
    assert len(hc165.code) == 5
    assert ws2812.sideset_count == 1 and hc165.sideset_count == 2
