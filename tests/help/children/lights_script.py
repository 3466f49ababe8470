"""A scripted evening of lights on a board in memory, frame by frame; runs on CPython and MicroPython alike.

As a program it prints one line for each frame: the time and the CRC of every strip, for `lane` and `row`
lighting; or, with `alloc`, how many bytes of heap each show's frames took (MicroPython).
"""

import binascii
import sys

from glow.lights.colours import WORDS
from glow.lights.lights import Lights
from hal import ticks_add

BOARD = {
    "outputs": [
        {"pixels": 420, "use": "track", "limit_ma": 0},
        {"pixels": 240, "use": "dials", "limit_ma": 1200},
        {"pixels": 0, "use": "spare", "limit_ma": 0},
    ],
    "panels": 6,
    "dials": {"output": 1, "seats": 6, "each": [["ring", 8], ["ring", 8], ["ring", 8], ["bar", 8], ["bar", 8]]},
    "display": [21, 6],
    "brightness": 64,
    "supply": {"limit_ma": 3200, "base_ma": 150, "red_ma": 16, "green_ma": 11, "blue_ma": 15, "dark_ma": 1},
}


class Strip:
    """An output that keeps its last frame."""

    def __init__(self, count, use):
        self.count = count
        self.use = use
        self.frame = bytearray(3 * count)

    def show(self, frame):
        self.frame[:] = frame

    def pixel(self, number):
        return tuple(self.frame[3 * number : 3 * number + 3])

    def lit(self):
        return [number for number in range(self.count) if any(self.pixel(number))]


class MemoryHal:
    """The interface that lights need, in memory."""

    def __init__(self, board):
        self.pixels = [Strip(one["pixels"], one["use"]) for one in board["outputs"]]

    def ticks_us(self):
        return 0


class Loop:
    """A closed track of three lanes; every row has all of them."""

    closed = True
    painted = b""

    def __init__(self, rows, lanes=3):
        self.rows = rows
        self.lanes = lanes
        self.count = rows * lanes
        self.in_rows = self.count

    def row(self, space):
        return space // self.lanes + 1

    def lane(self, space):
        return space % self.lanes + 1

    def space(self, row, lane):
        return (row - 1) * self.lanes + lane - 1

    def leds(self, mode="lane"):
        leds = list(range(self.count)) if mode == "lane" else [space // self.lanes for space in range(self.count)]
        return {"hash": "00000000", "mode": mode, "output": 0, "leds": leds}


class Picture:
    """The parts of a Scene that lights use, and what has happened since the previous one."""

    def __init__(self, cars=(), events=(), dials=(), marks=()):
        self.cars = list(cars)
        self.events = list(events)
        self.dials = list(dials)
        self.marks = list(marks)


def take(lights, picture, now):
    """Gives lights a Picture as the table gives them a scene."""
    lights.scene(picture, picture.events, now)


CARS = [[number, number, "game.car", WORDS[number - 1], number - 1] for number in range(1, 7)]


def bench(mode="lane", rows=60, board=BOARD):
    """(lights, hal, track) of a board with a track and six cars."""
    hal = MemoryHal(board)
    lights = Lights(board, hal)
    track = Loop(rows)
    lights.load_track(track.leds(mode), track)
    lights.set_cars(CARS)
    return lights, hal, track


def evening(lights, run):
    """Show everything once. `run(ms)` lets time pass and gives the clock."""
    now = run(0, "begin")
    lights.show_idle(now)
    now = run(2000, "idle")
    lights.show_menu(now)
    now = run(500, "menu")
    lights.set_cars(CARS, ("game.tires",))
    take(lights, Picture([[number, 180 - 3 * number, "run"] for number in range(1, 7)]), now)
    lights.start_sequence(now, 700)
    now = run(5100, "start")                       # not to its end, where the cars are placed again
    dials = [[seat, seat, "game.lap", seat % 3, 2] for seat in range(1, 7)]
    dials += [[seat, seat, "game.tires", seat, 8] for seat in range(1, 7)]
    take(lights, Picture([[1, 5, "run"]], [["turn", 1], ["moved", 1, [177, 1, 5]]], dials, [[20, "oil"]]), now)
    now = run(700, "move")
    lights.acting([2], now)
    lights.ends([30, 31, 32, 33], 1, now)
    lights.spend(2, [["game.tires", 1]])
    now = run(1500, "ends")
    lights.spend(2, ())
    lights.ack(2, now)
    now = run(300, "ack")
    lights.signal("wrong", 3, now)
    lights.entry(2, 4, 6, now)
    now = run(900, "signal")
    lights.entry(2, 0, 0, now)
    lights.ends((), -1, now)
    cars = [[1, 5, "run"], [2, 4, "run"], [3, -1, "done"], [4, -1, "out"]]
    events = [["moved", 2, [174, 178, 1, 4]], ["lap", 2, 3], ["finished", 3, 1], ["out", 4], ["undone", 1]]
    take(lights, Picture(cars, events, dials), now)
    now = run(8000, "events")
    lights.set_calm(True)
    now = run(3000, "calm")
    lights.set_calm(False)
    lights.set_brightness(8)
    now = run(1500, "dim")
    lights.set_brightness(255)
    lights.show_podium([3, 1, 2], now)
    now = run(3000, "podium")
    lights.show_dark(now)
    run(500, "dark")


def show(mode):
    lights, hal, _track = bench(mode)
    clock = [0x3FFFFFFF - 15000]  # it wraps in the middle of the evening

    def run(ms, _what):
        end = ticks_add(clock[0], ms)
        while clock[0] != end:
            if lights.tick(clock[0]):
                crcs = ["%08x" % (binascii.crc32(strip.frame) & 0xFFFFFFFF) for strip in hal.pixels]
                print(mode, clock[0], lights.limits.ma(), lights.limits.held_pixels, " ".join(crcs))
            clock[0] = ticks_add(clock[0], 10)
        return clock[0]

    evening(lights, run)


def alloc():
    import gc

    lights, _hal, _track = bench("lane", 140)
    clock = [1000]

    def run(ms, what):
        gc.collect()
        gc.disable()
        before = gc.mem_alloc()
        now = clock[0]
        for _ in range(ms // 10):
            lights.tick(now)
            now += 10
        print(what, gc.mem_alloc() - before)
        gc.enable()
        clock[0] = now
        return now

    evening(lights, run)


if __name__ == "__main__":
    if "alloc" in sys.argv:
        alloc()
    else:
        show("lane")
        show("row")
