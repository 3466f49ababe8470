"""The limits hold whatever is drawn: current of each supply and wire, flashes of each pixel and of the mean."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lights_script import BOARD, MemoryHal

from glow.lights.limits import CHUNK, Limits

USB = {"limit_ma": 250, "base_ma": 90, "red_ma": 16, "green_ma": 11, "blue_ma": 15, "dark_ma": 1}


def board(pixels, supply, limits_ma=None, brightness=255):
    limits_ma = limits_ma or [0] * len(pixels)
    outputs = [{"pixels": n, "use": "track", "limit_ma": ma} for n, ma in zip(pixels, limits_ma)]
    return {"outputs": outputs, "supply": supply, "brightness": brightness}


class Watcher:
    """A board whose limits are fed frames; every shown frame is kept with its time."""

    def __init__(self, described):
        self.board = described
        self.hal = MemoryHal(described)
        self.limits = Limits(self.hal.pixels, described)
        self.shown = []

    def show(self, frames, now):
        for output, frame in enumerate(frames):
            self.limits.frame(output)[:] = frame
        self.limits.show(now)
        self.shown.append((now, [bytes(strip.frame) for strip in self.hal.pixels]))
        return self.shown[-1][1]

    def ma(self):
        """The hardware page's model for what is on the strips now, computed independently of the code under test."""
        supply = self.board["supply"]
        total = supply["base_ma"]
        for strip in self.hal.pixels:
            total += self.wire_ma(strip)
        return total

    def wire_ma(self, strip):
        supply = self.board["supply"]
        frame = strip.frame
        light = (
            supply["red_ma"] * sum(frame[0::3])
            + supply["green_ma"] * sum(frame[1::3])
            + supply["blue_ma"] * sum(frame[2::3])
        )
        return light / 255 + strip.count * supply["dark_ma"]


def swings_of(values, step):
    """The times of rises and falls of at least `step`: (time, up) in turn, found by a plain reference."""
    found = []
    low = high = values[0][1]
    going_up = None
    for moment, value in values[1:]:
        low = min(low, value)
        high = max(high, value)
        if going_up is not True and value - low >= step:
            found.append((moment, True))
            going_up, high = True, value
        elif going_up is not False and high - value >= step:
            found.append((moment, False))
            going_up, low = False, value
    return found


def most_pairs(values, step):
    """The most on/off pairs within any second."""
    swings = swings_of(values, step)
    most = 0
    for first in range(len(swings)):
        count = sum(1 for moment, _ in swings[first:] if moment - swings[first][0] <= 1000)
        most = max(most, count // 2)
    return most


def luminance(red, green, blue):
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


MEASURES = {
    "luminance": luminance,
    "sum": lambda red, green, blue: red + green + blue,
    "max": max,
    "red": lambda red, green, blue: red,
    "red alone": lambda red, green, blue: max(0, red - green - blue),
    "lit": lambda red, green, blue: 255 * (red + green + blue > 0),
}


def check_flashes(watcher, allowed=3):
    for output, strip in enumerate(watcher.hal.pixels):
        for pixel in range(strip.count):
            rows = [(now, frames[output][3 * pixel : 3 * pixel + 3]) for now, frames in watcher.shown]
            for name, measure in MEASURES.items():
                values = [(now, measure(*row)) for now, row in rows]
                assert most_pairs(values, 13) <= allowed, (name, output, pixel)
        if strip.count:
            for name in ("luminance", "sum", "red"):
                values = []
                for now, frames in watcher.shown:
                    channels = [sum(frames[output][channel::3]) / strip.count for channel in range(3)]
                    values.append((now, MEASURES[name](*channels)))
                assert most_pairs(values, 6) <= allowed, (name, output)


def noise(chance, pixels, kind):
    """Frames that somebody could draw: random, all on and off, a few colours, slow, sparse."""
    if kind == "random":
        return bytes(chance.getrandbits(8) for _ in range(3 * pixels))
    if kind == "strobe":
        return bytes([255 * chance.getrandbits(1)]) * (3 * pixels)
    if kind == "colours":
        words = [b"\xff\x00\x00", b"\x00\xff\x00", b"\x00\x00\xff", b"\x00\x00\x00", b"\x10\x10\x10"]
        return b"".join(chance.choice(words) for _ in range(pixels))
    if kind == "sparse":
        return b"".join(b"\xff\xff\xff" if chance.random() < 0.1 else b"\x00\x00\x00" for _ in range(pixels))
    return bytes([chance.choice((0, 1, 3, 5))]) * (3 * pixels)


KINDS = ["random", "strobe", "colours", "sparse", "faint"]


@given(
    seed=st.integers(0, 2**32), kind=st.sampled_from(KINDS), step_ms=st.sampled_from([1, 7, 33, 90, 180]),
    brightness=st.sampled_from([8, 64, 255]), start=st.sampled_from([0, 1000, 0x3FFFFFFF - 1500]),
)
@example(seed=135, kind="random", step_ms=90, brightness=255, start=0)  # red is left over when green and blue fall
@settings(max_examples=60, deadline=None)
def test_no_frames_flash_more_than_three_times_a_second(seed, kind, step_ms, brightness, start):
    chance = random.Random(seed)
    watcher = Watcher(board([18, 5, 0], dict(USB, limit_ma=20000), brightness=brightness))
    for number in range(3500 // max(step_ms, 12)):
        now = number * step_ms
        watcher.limits.frame(0)[:] = noise(chance, 18, kind)
        watcher.limits.frame(1)[:] = noise(chance, 5, kind)
        watcher.limits.show((start + now) & 0x3FFFFFFF)
        watcher.shown.append((now, [bytes(strip.frame) for strip in watcher.hal.pixels]))
    check_flashes(watcher)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_holds_where_the_current_limiter_works_too(kind):
    chance = random.Random(5)
    watcher = Watcher(board([20, 12], dict(USB, limit_ma=200), [0, 60]))
    for number in range(120):
        watcher.show([noise(chance, 20, kind), noise(chance, 12, chance.choice(KINDS))], 1000 + 33 * number)
        assert watcher.ma() <= 200
    check_flashes(watcher)


def test_red_that_turns_white_and_back_flashes_no_more_often():
    """Light goes up once, red twice: to red, and from white back to red."""
    watcher = Watcher(board([10], dict(USB, limit_ma=20000)))
    turns = [b"\x00\x00\x00", b"\xc8\x00\x00", b"\xc8\xc8\xc8", b"\xc8\x00\x00"]
    for number in range(160):
        watcher.show([turns[number // 2 % 4] * 10], 1000 + 33 * number)
    check_flashes(watcher)


@pytest.mark.parametrize("step_ms, all_shown", [(100, False), (500, True)])
def test_red_that_is_left_alone_by_the_others_flashes_no_more_often(step_ms, all_shown):
    """White that turns to red: no channel rises, but saturated red appears all the same."""
    watcher = Watcher(board([10], dict(USB, limit_ma=20000)))
    turns = [b"\xc8\xc8\xc8" * 10, b"\xc8\x00\x00" * 10]
    shown = [watcher.show([turns[number % 2]], step_ms * number)[0] for number in range(40)]
    assert shown[:2] == turns
    assert (shown == turns * 20) == all_shown
    check_flashes(watcher)


def test_calm_mode_allows_one_flash_a_second():
    chance = random.Random(2)
    watcher = Watcher(board([10], dict(USB, limit_ma=20000)))
    watcher.limits.set_calm(True)
    for number in range(120):
        watcher.show([noise(chance, 10, "strobe")], 1000 + 33 * number)
    check_flashes(watcher, 1)


def test_a_slow_beat_is_shown_as_it_is():
    """Three flashes a second are allowed: nothing is held back, at any moment."""
    watcher = Watcher(board([20], dict(USB, limit_ma=20000)))
    for number in range(200):
        on = number % 12 < 6  # 360 ms
        shown = watcher.show([bytes([200 * on]) * 60], 1000 + 30 * number)
        assert shown == [bytes([200 * on]) * 60]
        assert watcher.limits.held_pixels == 0


def test_a_strobe_is_held_dark_and_comes_back():
    watcher = Watcher(board([20], dict(USB, limit_ma=20000)))
    for number in range(60):
        watcher.show([bytes([255 * (number % 2)]) * 60], 1000 + 33 * number)
    rises = [number for number in range(1, 60) if watcher.shown[number][1][0][0] > watcher.shown[number - 1][1][0][0]]
    assert rises[:3] == [1, 3, 5]
    assert 4 <= len(rises) <= 6
    assert watcher.show([b"\xff" * 60], 5000) == [b"\xff" * 60]


@given(
    seed=st.integers(0, 2**32), limit=st.integers(60, 4000), first=st.integers(0, 60), second=st.integers(0, 40),
    wire=st.sampled_from([0, 50, 200]), brightness=st.integers(1, 255), kinds=st.lists(st.sampled_from(KINDS), min_size=4),
)
@settings(max_examples=120, deadline=None)
def test_no_frame_draws_more_than_its_supply_and_its_wire_give(seed, limit, first, second, wire, brightness, kinds):
    chance = random.Random(seed)
    watcher = Watcher(board([first, second], dict(USB, limit_ma=limit), [0, wire], brightness))
    now = 1000
    for kind in kinds:
        watcher.show([noise(chance, first, kind), noise(chance, second, kind)], now)
        now += 400
        resting = 90 + first + second
        assert watcher.ma() <= max(limit, resting) + 1e-6
        assert abs(watcher.limits.ma() - watcher.ma()) < 1
        if wire:
            assert watcher.wire_ma(watcher.hal.pixels[1]) <= max(wire, second) + 1e-6


def test_all_white_on_the_full_board_stays_within_both_limits():
    watcher = Watcher(BOARD)
    white = [b"\xff" * (3 * strip.count) for strip in watcher.hal.pixels]
    watcher.limits.set_brightness(255)
    shown = watcher.show(white, 1000)
    assert 2500 < watcher.ma() <= 3200
    assert 900 < watcher.wire_ma(watcher.hal.pixels[1]) <= 1200
    assert watcher.limits.dimmed_frames == 1
    assert max(shown[0]) <= 64


def test_dimming_is_for_that_frame_only():
    watcher = Watcher(board([60], USB))
    dim = watcher.show([b"\xff" * 180], 1000)[0]
    assert 0 < dim[0] < 40
    one = watcher.show([b"\xff\xff\xff" + bytes(177)], 1500)[0]
    assert one[:3] == b"\xff\xff\xff"


def test_a_lit_pixel_stays_lit_when_dimmed():
    watcher = Watcher(board([60], USB))
    frame = b"\xff\xff\xff" * 50 + b"\x03\x00\x00" * 10
    shown = watcher.show([frame], 1000)[0]
    assert all(any(shown[3 * pixel : 3 * pixel + 3]) for pixel in range(60))


def test_a_supply_that_feeds_not_even_dark_pixels_shows_nothing():
    watcher = Watcher(board([300], USB))
    assert watcher.show([b"\xff" * 900], 1000) == [bytes(900)]


def test_brightness_calm_and_brown_out():
    watcher = Watcher(board([10], dict(USB, limit_ma=20000), brightness=64))

    def full(now):
        return max(watcher.show([b"\xff" * 30], now)[0])

    assert full(1000) == 64
    watcher.limits.set_brightness(30)
    assert full(3000) == 30
    watcher.limits.set_brightness(250)
    assert full(5000) == 64
    watcher.limits.set_calm(True)
    assert full(7000) == 32
    watcher.limits.start_dim()
    assert full(9000) == 12  # not a quarter of 32: the cars couldn't be told apart
    watcher.limits.set_calm(False)
    assert full(11000) == 16
    watcher.limits.set_brightness(64)
    assert full(13000) == 64
    watcher.limits.set_brightness(0)
    assert full(15000) == 12


def test_missing_numbers_are_careful_ones():
    described = {"outputs": [{"pixels": 50, "use": "track"}]}
    watcher = Watcher(described)
    watcher.limits.frame(0)[:] = b"\xff" * 150
    watcher.limits.show(1000)
    assert watcher.limits.ma() <= 250
    assert max(watcher.hal.pixels[0].frame) <= 64


def test_supplies_are_counted_apart():
    described = board([40, 40], USB)
    described["supply"] = [dict(USB, limit_ma=200), dict(USB, limit_ma=5000)]
    described["outputs"][1]["supply"] = 1
    watcher = Watcher(described)
    watcher.show([b"\xff" * 120, b"\xff" * 120], 1000)
    assert watcher.limits.ma(0) <= 200 and max(watcher.hal.pixels[0].frame) < 60
    assert watcher.hal.pixels[1].frame == b"\xff" * 120


@given(st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_what_is_skipped_as_unchanged_makes_no_difference(seed):
    """A board that is fed small changes shows the same as one whose every chunk is computed afresh."""
    chance = random.Random(seed)
    described = board([3 * CHUNK + 5], dict(USB, limit_ma=400))
    one, two = Watcher(described), Watcher(described)
    frame = bytearray(3 * (3 * CHUNK + 5))
    for number in range(60):
        for _ in range(chance.randrange(4)):
            frame[chance.randrange(len(frame))] = chance.choice((0, 20, 255))
        now = 1000 + 50 * number
        for strip in two.limits.strips:
            strip.all_due()
        assert one.show([frame], now) == two.show([frame], now)
