"""Animations of race events, one after another: a car runs its path, a lap is swept, a car stops.

They come from the events of the scene. While one runs, its car appears where the animation has it;
afterwards, where the scene has it.
"""

from array import array

from glow.lights.colours import WHITE
from glow.lights.effects import BRIGHTER, paint
from glow.lights.places import NO_PIXEL
from glow.lights.quick import put, put_all, put_tail
from hal import ticks_diff

STEP_MS = 110  # a car's time on each space
HURRIED_STEP_MS = 55  # when many animations are waiting
MOVE_MAX_MS = 3000
LAP_MS = 1200
FINISH_MS = 1500
OUT_MS = 1500
UNDO_MS = 700
CALLED_MS = 1400  # the car that moves next, and how far: long enough to read
CROSSED_MS = 900
CALLED_WAY = 110  # level of the spaces about to be counted
TAIL = (120, 56, 24, 12)  # levels of a sweep: the last row keeps glowing
WAITING_MAX = 24


class Moves:
    """The queue of animations of one race."""

    def __init__(self):
        self.track = None  # the TrackMap
        self._waiting = []
        self._colour = WHITE  # of the animation that is running
        self._pixels = None
        self._begun = 0
        self._length_ms = 0  # of the first one; 0 if it hasn't begun
        self.speed = 100  # percent
        self.paid = 0  # how many of the waiting points may leave the dials now

    def clear(self):
        """Drop all animations; the cars are where the scene has them."""
        self._waiting.clear()
        self._length_ms = 0

    def busy(self):
        """Whether an animation is running or waiting."""
        return len(self._waiting) > 0

    def add(self, event, cars):
        """Take an event of the scene; events without an animation are ignored. `cars`: number → CarLight. True for
        points to be spent after the animations that are waiting: ``paid`` counts them when their turn comes."""
        kind = event[0]
        if len(self._waiting) >= WAITING_MAX:
            self.clear()
        if kind == "moved" and event[1] in cars and len(event[2]) > 1:
            self._waiting.append((kind, event[1], event[2]))
        elif kind == "called" and event[1] in cars:
            self._waiting.append((kind, event[1], event[2]))
        elif kind == "crossed" and event[1] in cars:
            self._waiting.append((kind, event[1], (self._last_space(event[1], cars[event[1]].space), event[2])))
        elif kind == "lap" or kind == "undone":
            self._waiting.append((kind, 0, ()))
        elif (kind == "finished" or kind == "out") and event[1] in cars:
            self._waiting.append((kind, event[1], (self._last_space(event[1], cars[event[1]].space),)))
        elif kind == "spent" and self._waiting:
            self._waiting.append((kind, event[1], ()))
            return True
        return False

    def car_space(self, car, space):
        """Where to show a car that the scene has on `space`: before its move ends, where its path begins."""
        for kind, mover, path in self._waiting:
            if mover == car and path:
                return path[0]
        return space

    def _last_space(self, car, space):
        """Where the waiting animations leave a car that is on `space` now."""
        for kind, mover, path in self._waiting:
            if mover == car and path:
                space = path[0] if kind == "called" or kind == "crossed" else path[-1]
        return space

    def running(self):
        """The car that the current animation draws, or 0."""
        return self._waiting[0][1] if self._waiting and self._length_ms else 0

    def tick(self, now, calm, cars):
        """Begin and end animations; `cars`: number → CarLight. True if one has ended: the cars must be placed again."""
        if not self._waiting:
            return False
        if not self._length_ms:
            self._begin(now, calm, cars)
            return True
        if ticks_diff(now, self._begun) < self._length_ms:
            return False
        self._waiting.pop(0)
        while self._waiting and self._waiting[0][0] == "spent":
            self._waiting.pop(0)
            self.paid += 1
        self._length_ms = 0
        if self._waiting:
            self._begin(now, calm, cars)
        return True

    def _begin(self, now, calm, cars):
        kind, car, path = self._waiting[0]
        self._colour = cars[car].colour if car else WHITE
        self._pixels = array("H", [self.track.pixel(space) & NO_PIXEL if self.track else NO_PIXEL for space in path])
        hurried = len([1 for other in self._waiting if other[1] != car]) > 3
        if kind == "moved":
            step_ms = HURRIED_STEP_MS if hurried else STEP_MS
            self._length_ms = min(step_ms * len(path), MOVE_MAX_MS)
        else:
            self._length_ms = {"lap": LAP_MS, "finished": FINISH_MS, "out": OUT_MS, "undone": UNDO_MS, "called": CALLED_MS,
                               "crossed": CROSSED_MS}[kind]
            if hurried:
                self._length_ms //= 2
        if calm:
            self._length_ms *= 2
        self._length_ms = self._length_ms * 100 // self.speed
        self._begun = now

    def draw(self, now, frame):
        """Draw the current animation into the frame of the track."""
        if not self._length_ms or not self._waiting:
            return
        kind = self._waiting[0][0]
        done = min(max(ticks_diff(now, self._begun), 0), self._length_ms - 1)
        if kind == "moved":
            done = done * len(self._pixels) // self._length_ms
            put_tail(frame, self._pixels, self._colour, done)
        elif kind == "lap" or kind == "undone":
            done = done * (self.track.rows + 4) // self._length_ms
            self._draw_sweep(frame, done if kind == "lap" else self.track.rows + 3 - done)
        elif kind == "called":
            self._draw_called(frame, done)
        elif kind == "crossed":
            self._draw_crossed(frame)
        elif kind == "finished":
            self._draw_burst(frame, self._waiting[0][2][0], done * 8 // self._length_ms)
        elif self._pixels[0] != NO_PIXEL:
            put(frame, self._pixels[0], (255 - done * 255 // self._length_ms) << 16)

    def _draw_sweep(self, frame, head):
        back = 3
        while back >= 0:
            if 0 <= head - back < self.track.rows:
                self._draw_row(frame, head - back, TAIL[back])
            back -= 1

    def _draw_called(self, frame, done):
        """The car swells twice, and the spaces that it will count light up one after another."""
        at = min(done * 2 * len(self._pixels) // self._length_ms, len(self._pixels) - 1)
        while at > 0:
            if self._pixels[at] != NO_PIXEL:
                put(frame, self._pixels[at], paint(self._colour, CALLED_WAY) | BRIGHTER)
            at -= 1
        if self._pixels[0] != NO_PIXEL:
            done = done * 510 // self._length_ms % 255
            put(frame, self._pixels[0], paint(self._colour, 255 - done // 2))

    def _draw_crossed(self, frame):
        """Light as many rows behind the line as the car has crossings, in its colour: its place on the lap track."""
        row = min(self._waiting[0][2][1], self.track.rows) - 1
        while row >= 0:
            self._draw_row(frame, row, CALLED_WAY)
            row -= 1
        if self._pixels[0] != NO_PIXEL:
            put(frame, self._pixels[0], paint(self._colour, 255))

    def _draw_burst(self, frame, space, reach):
        """Rings of light that run outwards from a car to both sides."""
        if space >= 0:
            self._draw_row(frame, self.track.row(space) + reach, 200 - 20 * reach)
            self._draw_row(frame, self.track.row(space) - reach, 200 - 20 * reach)

    def _draw_row(self, frame, row, level):
        row %= self.track.rows
        row = self.track.span(row, row + 1)
        put_all(frame, self.track.grid, row, paint(self._colour, level) | BRIGHTER)
