"""The lights of the board: what a race's scene, prompts and shows look like, frame by frame.

scene → effects → frame → limits → strips. All movement is a function of the clock; `tick` makes at most thirty
frames a second and allocates nothing. The app says what is going on; `Limits` has the last word on what is shown.
"""

from array import array

from glow.lights.colours import WHITE, rgb
from glow.lights.dials import DialLights
from glow.lights.effects import BRIGHTER, RHYTHMS, STEP_MS, breathe, next_frame, paint
from glow.lights.limits import Limits
from glow.lights.moves import Moves
from glow.lights.places import NO_PIXEL, Dials, TrackMap
from glow.lights.quick import clear, put, put_all, put_cars
from hal import ticks_diff

#: Speed of movement in percent of normal.
SPEEDS = {"slow": 50, "normal": 100, "fast": 200}
ENDS_MS = 800  # all offered spaces pulse together, less deeply than any car
ENDS_LOW = 70
ENDS_HIGH = 130
SELECTED = paint(WHITE, 255)
SHARE_MS = 700  # several things on one pixel take turns of this length
LINE = 20
MARK_LEVEL = 40  # steady and dim: no car is both
DIP_MS = 200  # of four: marks of another kind are dark for one, unlike any car's rhythm
ACK_MS = 150
NOBODY = 255


class CarLight:
    """A car as a light: where it stands, its colour, its place in the table of what is drawn."""

    def __init__(self, seat, colour, place):
        self.seat = seat
        self.colour = colour
        self.place = place
        self.space = -1  # in the scene


class Lights:
    """All lights of a board. `board` is the table of board.json; `hal` has the strips."""

    frame_ms = 33

    def __init__(self, board, hal):
        self._hal = hal
        counts = [output.count for output in hal.pixels]
        self._counts = counts
        self.limits = Limits(hal.pixels, board)
        dials = Dials(board, counts)
        self.dials = DialLights(dials, self.limits)
        if dials.panels and hasattr(hal, "light_keys"):
            hal.light_keys(dials.output, dials.pixels, dials.counts[0], WHITE, self.limits.bright)
            self.dials.lit = hal.lit
        self.calm = False
        self.frames = 0
        self.frame_us = 0
        self._track = None
        self._base = None  # the frame of the track without moving parts
        self._paint = None  # the same with only the colours of its spaces, if it has any
        self._twice = None  # spaces of two colours, or marks that dip, and their clock
        self._mode = "dark"
        self._shows = None  # the module that draws other shows, while one is on
        self._start = None
        self._moves = Moves()
        self._cars = {}
        self._car_order = []
        self._drawn = bytearray()  # the cars as put_cars takes them: pixel, colour, rhythm, sharers, turn of each
        self._clock = array("i", bytes(24))
        self._marks = []
        self.mark_colours = {}  # by mark word; words that aren't listed are white
        self._ends = None  # the pixels of the offered spaces
        self._chosen = -1
        self._podium = []
        self._shown_step = -1  # the step of the show that is drawn in the base
        self._last_ms = 0
        self._due = True
        self._ack_ms = 0
        self._acked = False

    # Setting up the board and the race

    def load_track(self, leds, track):
        """Take the LED map of a track (the table of its .leds file) and the Track."""
        self._clear_frames()
        self._track = TrackMap(leds, track, self._counts)
        if not 0 <= self._track.output < len(self._counts):
            self._track = self._moves.track = None
            return
        self._moves.track = self._track
        self._base = bytearray(3 * self._counts[self._track.output])
        self._paint = self._twice = None
        if track.painted:
            from glow.lights import painted  # few tracks are painted
            self._paint = bytearray(len(self._base))
            twice = painted.draw(self._paint, self._track, track.painted)
            self._twice = twice, array("i", (len(twice) // 8, 0, 0, painted.TURN_MS, 0, NOBODY))
        self._moves.clear()
        self._marks = []
        self._ends = None
        self._chosen = -1
        self._draw_base()
        self._due = True

    def drop_track(self):
        """Drop the track; its strip stays dark until the next one."""
        self._clear_frames()
        self._track = self._moves.track = None
        self._paint = self._twice = None
        self._moves.clear()
        self._marks = []
        self._ends = None
        self._chosen = -1
        self._cars = {}
        self._car_order = []
        self._drawn = bytearray()
        self._clock[0] = 0
        self._due = True

    def has_track(self):
        """Whether there is a track to light."""
        return self._track is not None

    def set_cars(self, rows, low=()):
        """Take the cars of a race: [car, seat, name key, colour word, rhythm]; ``low``: keys of the dials that warn."""
        self._moves.clear()
        self._cars = {}
        self._car_order = []
        self._drawn = bytearray(8 * len(rows))
        self._clock[0] = len(rows)
        at = 0
        for car, seat, _name, colour, rhythm in rows:
            self._cars[car] = CarLight(seat, rgb(colour), at // 8)
            self._car_order.append(car)
            self._drawn[at] = self._drawn[at + 1] = 255  # no pixel yet
            self._drawn[at + 2:at + 5] = rgb(colour)
            self._drawn[at + 5] = rhythm & 7
            self._drawn[at + 6] = 1
            at += 8
        self.dials.set_cars(self._cars, self._car_order, low)
        self._acked = False
        self._marks = []
        self._ends = None
        self._chosen = -1
        self._due = True

    def set_panels(self, seats_of_panels):
        """Set which seats each panel serves: its dials show one of them."""
        self.dials.set_panels(seats_of_panels)

    def set_calm(self, calm):
        """Calm mode: slower, dimmer, and nothing blinks."""
        self.calm = calm
        self.limits.set_calm(calm)
        self._shown_step = -1
        self._due = True

    def set_speed(self, percent):
        """Set how fast cars run and laps are swept, normally 100. The start lights keep their time."""
        self._moves.speed = percent

    def set_brightness(self, level):
        """Set the level of 255 for full light; kept high enough to tell the cars apart, and no higher than the board's."""
        self.limits.set_brightness(level)
        self._due = True

    # What is shown

    def _show(self, mode):
        self._mode = mode
        if mode == "race" or mode == "dark":
            self._shows = self._start = None
        else:
            self._load_shows()
            if mode != "start":
                self._start = None
        self._draw_base()
        self._due = True

    def _load_shows(self):
        if self._shows is None:
            from glow.lights import shows  # a board that resumes a race doesn't need it
            self._shows = shows

    def show_idle(self, _now=0):
        """Nobody plays: comets circle the track."""
        self.dials.clear()
        self._show("idle")

    def show_menu(self, _now=0):
        """A race is being set up: the same, dimmer."""
        self.dials.clear()
        self._show("menu")

    def show_race(self, _now=0):
        """Cars, prompts, marks and dials."""
        self._show("race")

    def show_podium(self, cars, _now=0):
        """The first three of these cars (best first) in their colours."""
        self._podium = [self._cars[car].colour for car in cars if car in self._cars][:3]
        self._moves.clear()
        self._ends = None
        self._chosen = -1
        self._show("podium")

    def show_dark(self, _now=0):
        """All dark."""
        self.dials.clear()
        self._show("dark")

    def start_sequence(self, now, hold_ms):
        """Five lights, one a second, that go out after `hold_ms`; then the race is shown."""
        self._load_shows()
        self._start = self._shows.StartLights(now, hold_ms)
        self._show("start")

    def start_phase(self, now):
        """0 to 5: how many start lights are lit; 6: go; -1: no sequence is running."""
        return self._start.phase(now) if self._start else -1

    # What happens in a race

    def scene(self, scene, events, now):
        """Take a Scene: cars, marks and dials as they are, and the events as animations one after another."""
        if not self._moves.busy():
            self.dials.pay(NOBODY)
        for event in events:
            if self._moves.add(event, self._cars):
                self.dials.owe(event[1], event[2], event[3])
        for car, space, _status in scene.cars:
            if car in self._cars:
                self._cars[car].space = space
        self._marks = scene.marks
        self.dials.scene(scene.dials)
        self._draw_base()
        self._place_cars()
        self._due = True

    def stands(self, car):
        """The space of a car in the last scene, -1 if it is on none."""
        return self._cars[car].space if car in self._cars else -1

    def lead(self, car, spaces):
        """Show where a car belongs, and where it was: nothing while animations run."""
        if not self._moves.busy():
            self._moves.add(("called", car, spaces), self._cars)

    def ends(self, spaces, selected, _now=0):
        """Offer spaces: they pulse together; the selected one (its place in `spaces`, or -1) is steady and bright."""
        track = self._track
        self._ends = None
        self._chosen = -1
        if track is not None and len(spaces):
            self._ends = array("H", [track.pixel(space) & NO_PIXEL for space in spaces])
            if 0 <= selected < len(spaces):
                self._chosen = track.pixel(spaces[selected])
        self._place_cars()
        self._due = True

    def acting(self, seats, _now=0, cars=()):
        """Mark the dials of the seats that are asked; ``cars``: the car that each is asked for (0: none)."""
        self.dials.acting(seats, cars)
        self._due = True

    def spend(self, panel, costs):
        """Make the points blink on a panel's dials that the option under its cursor spends: [dial key, points] each."""
        if self.dials.spend(panel, costs):
            self._due = True

    def entry(self, seat, value, top, _now=0):
        """Show the number that a seat is entering on its first dial; `top` 0 ends that."""
        self.dials.entry(seat, value, top)
        self._due = True

    def ack(self, seat, now):
        """A press was taken: light on the seat's first dial, or on the line if there are no dials."""
        if not self.dials.ack(seat, now):
            self._ack_ms = now
            self._acked = True
        self._due = True

    def signal(self, kind, seat, now):
        """"wrong" (not this panel's turn) or "refused": a short red run on the seat's dials."""
        self.dials.signal(kind, seat, now)
        self._due = True

    def busy(self, now):
        """Whether a start sequence or an animation is running or waiting."""
        return self._moves.busy() or self.start_phase(now) >= 0

    def skip(self, now):
        """End all animations; the start lights go out at once."""
        if self._start:
            self._start.skip(now)
        self._moves.clear()
        self._place_cars()
        self._pay()
        self._due = True

    # Frames

    def tick(self, now):
        """Make and show a frame if one is due. True if it did."""
        late = ticks_diff(now, self._last_ms)
        if not self._due and 0 <= late < self.frame_ms:
            return False
        self._due = False
        self._last_ms = next_frame(self._last_ms, now, late, self.frame_ms)
        begun = self._hal.ticks_us()
        self._draw(now)
        self.limits.show(now)
        self.frames = (self.frames + 1) & 0x3FFFFFFF
        self.frame_us = ticks_diff(self._hal.ticks_us(), begun)
        return True

    # Code run in every frame keeps few values at once: MicroPython takes heap for a call with more than eleven.

    def _draw(self, now):
        self._step(now)
        self.dials.draw(now, self.calm)
        if self._track is not None:
            self._draw_track(self.limits.frame(self._track.output), now)

    def _draw_track(self, frame, now):
        mode = self._mode
        if self._shows and mode != "start":
            self._draw_show(now)
        frame[:] = self._base
        if mode == "race" or mode == "start":
            if self._twice:
                self._draw_twice(frame, now)
            self._set_clock(now, 2 if self.calm else 1)
            if self._ends and mode == "race":
                self._draw_ends(frame, now)
            put_cars(frame, self._drawn, RHYTHMS, self._clock)
            self._moves.draw(now, frame)
            if mode == "start":
                self._start.draw(frame, self._track, now)
        elif mode == "idle" or mode == "menu":
            draw_line(frame, self._track, breathe(now, 4000, 16, 48))
        if self._acked:
            self._draw_ack(frame, now)

    def _step(self, now):
        """End what has run its time."""
        if self._mode == "start" and self.start_phase(now) < 0:
            self._show("race")
        if self._mode == "race" and self._moves.tick(now, self.calm, self._cars):
            self._place_cars()
            self._pay()

    def _pay(self):
        """Take points off the dials as the animations reach them, and all of them once nothing is left to show."""
        if self._moves.paid or not self._moves.busy():
            self.dials.pay(self._moves.paid if self._moves.busy() else NOBODY)
            self._moves.paid = 0

    def _draw_show(self, now):
        """Draw the show outside a race into the base, whenever it changes."""
        step = self._shows.step(self._mode, now, self.calm)
        if step == self._shown_step:
            return
        self._shown_step = step
        clear(self._base, len(self._base))
        if self._mode == "podium":
            self._shows.draw_podium(self._base, self._track, step, self._podium)
        else:
            self._shows.draw_idle(self._base, self._track, step, self._mode == "menu")

    def _draw_twice(self, frame, now):
        twice, clock = self._twice
        clock[4] = now // (clock[3] * (2 if self.calm else 1))
        put_cars(frame, twice, RHYTHMS, clock)

    def _draw_ends(self, frame, now):
        level = breathe(now, 2 * ENDS_MS if self.calm else ENDS_MS, ENDS_LOW, ENDS_HIGH)
        put_all(frame, self._ends, len(self._ends), paint(WHITE, level))
        put(frame, self._chosen, SELECTED)

    def _set_clock(self, now, slow):
        """Set the rhythm step and the turn for put_cars."""
        clock = self._clock
        step_ms = STEP_MS * slow
        moment = now % (32 * step_ms)
        clock[1] = moment // step_ms
        clock[2] = moment % step_ms
        clock[3] = step_ms
        clock[4] = now // (SHARE_MS * slow)
        running = self._moves.running()
        clock[5] = self._cars[running].place if running else NOBODY

    def _draw_ack(self, frame, now):
        done = ticks_diff(now, self._ack_ms)
        if 0 <= done < ACK_MS:
            put(frame, self._track.pixel_at(0, 0), SELECTED)
        else:
            self._acked = False

    # Not in the frame path

    def _clear_frames(self):
        if self._track is not None:
            frame = self.limits.frame(self._track.output)
            clear(frame, len(frame))

    def _draw_base(self):
        """Draw what stays still: the line and the marks of the scene."""
        self._shown_step = -1
        if self._track is None:
            return
        base = self._base
        clear(base, len(base))
        if self._mode == "race" or self._mode == "start":
            if self._paint:
                base[:] = self._paint
            else:
                draw_line(base, self._track, LINE)
            kinds = sorted(self.mark_colours)[1:]  # the first kind of marks is steady, the others dip
            dips = bytearray()
            for space, word in self._marks:
                pixel = self._track.pixel(space)
                put(base, pixel, paint(rgb(self.mark_colours.get(word)), MARK_LEVEL))
                if word in kinds and pixel >= 0:
                    dips += bytes((pixel & 255, pixel >> 8, 0, 0, 0, 0, 4, 3))
            if kinds and not self._paint:
                self._twice = dips, array("i", (len(dips) // 8, 0, 0, DIP_MS, 0, NOBODY))

    def _place_cars(self):
        """Find each car's pixel and the turns on it: cars in their order, then an offered space."""
        track = self._track
        if track is None:
            return
        drawn = self._drawn
        offered = list(self._ends) if self._ends else ()
        for at in range(0, len(drawn), 8):
            number = self._car_order[at >> 3]
            pixel = track.pixel(self._moves.car_space(number, self._cars[number].space)) & NO_PIXEL
            drawn[at] = pixel & 255
            drawn[at + 1] = pixel >> 8
        for at in range(0, len(drawn), 8):
            pixel = drawn[at] | (drawn[at + 1] << 8)
            sharers = 0
            for other in range(0, len(drawn), 8):
                if other == at:
                    drawn[at + 7] = sharers
                if drawn[other] == drawn[at] and drawn[other + 1] == drawn[at + 1]:
                    sharers += 1
            if pixel in offered:
                sharers += 1
            drawn[at + 6] = sharers


def draw_line(frame, track, level):
    """The line, white: the first row of a loop, the last row of a road with an end."""
    put_all(frame, track.grid, track.span(track.line, track.line + 1), paint(WHITE, level) | BRIGHTER)
