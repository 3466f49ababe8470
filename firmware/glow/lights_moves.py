"""Animations of what happened in the race, one after the other: a car runs its path, a lap is swept, a car stops.

They come from the events of the scene. While one runs, its car is shown where the animation has it; afterwards where
the scene has it.
"""

from glow.colours import WARNING, WHITE
from glow.effects import BRIGHTER, paint
from glow.quick import put, put_all, put_brighter
from hal import ticks_diff

STEP_MS = 110  # a car's time on one space
HURRIED_STEP_MS = 55  # with many animations waiting
MOVE_MAX_MS = 3000
LAP_MS = 1200
FINISH_MS = 1500
OUT_MS = 1500
UNDO_MS = 700
TAIL = (120, 56, 24)  # levels of the comet's tail
WAITING_MAX = 24


class Moves:
    """The queue of animations of one race."""

    def __init__(self):
        self._waiting = []
        self._begun = 0
        self._length_ms = 0  # of the first one; 0 where it has not begun
        self.speed = 100  # percent

    def clear(self):
        """Drop all; the cars are where the scene has them."""
        self._waiting.clear()
        self._length_ms = 0

    def busy(self):
        """Whether an animation runs or waits."""
        return len(self._waiting) > 0

    def add(self, event, cars):
        """Take an event of the scene; those without an animation are let pass. `cars`: number → CarLight."""
        kind = event[0]
        if len(self._waiting) >= WAITING_MAX:
            self.clear()
        if kind == "moved" and event[1] in cars and len(event[2]) > 1:
            self._waiting.append((kind, event[1], event[2]))
        elif kind == "lap" or kind == "undone":
            self._waiting.append((kind, 0, ()))
        elif (kind == "finished" or kind == "out") and event[1] in cars:
            self._waiting.append((kind, event[1], (self._last_space(event[1], cars[event[1]].space),)))

    def car_space(self, car, space):
        """Where a car is shown that the scene has on `space`: before its move ends, where its path begins."""
        for kind, mover, path in self._waiting:
            if mover == car and path:
                return path[0]
        return space

    def _last_space(self, car, space):
        """Where the waiting animations leave a car that stands on `space` now."""
        for _kind, mover, path in self._waiting:
            if mover == car and path:
                space = path[-1]
        return space

    def running(self):
        """The car that an animation draws at present, or 0."""
        return self._waiting[0][1] if self._waiting and self._length_ms else 0

    def tick(self, now, calm):
        """Begin and end animations. True where one ended: the cars are to be placed anew."""
        if not self._waiting:
            return False
        if not self._length_ms:
            self._begin(now, calm)
            return True
        if ticks_diff(now, self._begun) < self._length_ms:
            return False
        self._waiting.pop(0)
        self._length_ms = 0
        if self._waiting:
            self._begin(now, calm)
        return True

    def _begin(self, now, calm):
        kind, _car, path = self._waiting[0]
        if kind == "moved":
            step_ms = HURRIED_STEP_MS if len(self._waiting) > 4 else STEP_MS
            self._length_ms = min(step_ms * len(path), MOVE_MAX_MS)
        else:
            self._length_ms = {"lap": LAP_MS, "finished": FINISH_MS, "out": OUT_MS, "undone": UNDO_MS}[kind]
            if len(self._waiting) > 4:
                self._length_ms //= 2
        if calm:
            self._length_ms *= 2
        self._length_ms = self._length_ms * 100 // self.speed
        self._begun = now

    def draw(self, now, frame, track, cars):
        """Draw the running animation into the frame of the track."""
        if not self._length_ms or not self._waiting:
            return
        kind, car, path = self._waiting[0]
        done = min(max(ticks_diff(now, self._begun), 0), self._length_ms - 1)
        if kind == "moved":
            self._draw_move(frame, track, cars[car].colour, path, done * len(path) // self._length_ms)
        elif kind == "lap":
            self._draw_sweep(frame, track, done * (track.rows + 4) // self._length_ms)
        elif kind == "undone":
            self._draw_sweep(frame, track, track.rows + 3 - done * (track.rows + 4) // self._length_ms)
        elif kind == "finished":
            self._draw_burst(frame, track, cars[car].colour, path[0], done * 8 // self._length_ms)
        else:
            level = 255 - done * 255 // self._length_ms
            put(frame, track.pixel(path[0]), WARNING, level)

    def _draw_move(self, frame, track, colour, path, head):
        for back in range(3, 0, -1):
            if head >= back:
                put_brighter(frame, track.pixel(path[head - back]), colour, TAIL[back - 1])
        put(frame, track.pixel(path[head]), colour, 255)

    def _draw_sweep(self, frame, track, head):
        for back in range(3, -1, -1):
            row = head - back
            if 0 <= row < track.rows:
                level = TAIL[back] if back < 3 else 12
                put_all(frame, track.grid, track.span(row, row + 1), paint(WHITE, level) | BRIGHTER)

    def _draw_burst(self, frame, track, colour, space, reach):
        """Rings of light that run away from a car to both sides."""
        if space < 0:
            return
        ring = paint(colour, 200 - 20 * reach) | BRIGHTER
        row = (track.row(space) + reach) % track.rows
        put_all(frame, track.grid, track.span(row, row + 1), ring)
        row = (track.row(space) - reach) % track.rows
        put_all(frame, track.grid, track.span(row, row + 1), ring)
