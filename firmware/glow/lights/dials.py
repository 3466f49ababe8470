"""The dials: what each seat's panel shows in place of a cardboard dashboard.

A dial shows a value as a share of its maximum, by how many pixels are lit. The dials of a seat that is asked
breathe, and the rest of its first dial glows: the mark is movement and length, not only colour.
"""

from glow.lights.colours import WARNING, WHITE
from glow.lights.effects import breathe, paint
from glow.lights.quick import put, put_cells, set_cells
from hal import ticks_diff

STEADY = 110
PRESSED = paint(WHITE, 255)
WRONG = paint(WARNING, 255)
HOME = 12  # the first pixel of a seat's dials always glows, so that people find their panel
BREATH_MS = 1600
ACK_MS = 150
SIGNAL_MS = 400
#: From this value down a dial that can warn does: red, and breathing slower than anything else.
LOW = 2
LOW_MS = 3000
#: Points about to be spent, well below three flashes a second.
GOING_MS = 800
# The levels that the pixels of dials may have.
DARK = 0
STILL = 1
BREATH = 2
REST = 3
GOING = 4
WARN = 5
GLOW = 6


def lit_pixels(value, top, count):
    """How many of `count` pixels show `value` of `top`: one each if there are enough, else in proportion, rounded up."""
    if value <= 0 or top <= 0:
        return 0
    value = min(value, top)
    return value if top <= count else (value * count + top - 1) // top


class _Panel:
    """The lights of one panel's dials. The colour and level of each pixel change only with the
    race; they are kept in cells, so that a frame is little work."""

    def __init__(self, first, pixels, seats):
        self.first = first  # its first pixel
        self.span = first << 15 | (first + pixels)
        self.seats = seats
        self.seat = seats[0] if seats else 0  # the seat that its dials show
        self.colour = None
        self.rows = ()  # (colour, None: it warns, value, top, points about to be spent) of each dial
        self.costs = ()  # [dial key, points] of what the option under the cursor spends
        self.warns = False  # one of its dials is low
        self.acting = False
        self.entry_value = 0
        self.entry_top = 0
        self.ack_ms = 0
        self.acks = 0
        self.acked = False
        self.signal_ms = 0
        self.signalled = False
        self.changed = True  # its cells must be set again
        self.stale = True


class DialLights:
    """The dials of all panels. `dials` is places.Dials, `limits` has the frames."""

    def __init__(self, dials, limits):
        self._limits = limits
        self._cars = {}
        self._order = ()
        self._rows = ()
        self._asked = ()
        self._asked_cars = ()
        self._low = ()
        self._owed = []  # [car, key, points] that are gone from the scene but still on the dials
        self._output = dials.output
        self._counts = dials.counts
        self._panels = [_Panel(i * dials.pixels, dials.pixels, [i + 1]) for i in range(dials.panels)]
        self._cells = bytearray(4 * dials.pixels * dials.panels)
        self._levels = bytearray(7)
        self._levels[STILL] = STEADY
        self._levels[GLOW] = HOME
        self._quiet = False  # no dial moves or has changed
        self.lit = None  # reports which pixel of a panel is already lit for a press

    def set_panels(self, seats_of_panels):
        """Set which seats each panel serves (a list of seats for each panel)."""
        for i in range(len(self._panels)):
            self._panels[i].seats = seats_of_panels[i] if i < len(seats_of_panels) else ()
        self._settle()

    def set_cars(self, cars, order, low=()):
        """Take the cars of a race: number → CarLight, and the keys of the dials that warn when they are low."""
        self._forget()
        for panel in self._panels:
            panel.acks = 0
            panel.acked = False
        self._low = low
        self._cars = cars
        self._order = order
        self._settle()

    def clear(self):
        """Clear all dials."""
        self._forget()
        self._settle()

    def _forget(self):
        """Drop everything of a race. The mark of a press that has left it stays until another race begins."""
        self._cars = {}
        self._order = ()
        self._rows = ()
        self._owed = []
        self._asked = self._asked_cars = ()
        for panel in self._panels:
            panel.entry_top = 0
            panel.costs = ()
            panel.signalled = False

    def scene(self, rows):
        """Take the dials of a scene: [seat, car, key, value, max]."""
        self._rows = rows
        self._settle()

    def owe(self, car, key, points):
        """Keep on the dial points that the next scene has taken off, until ``pay`` lets them go."""
        self._owed.append((car, key, points))

    def pay(self, count):
        """Take off the first `count` entries of owed points."""
        if self._owed:
            self._owed = self._owed[count:]
            self._settle()

    def acting(self, seats, cars=()):
        """Mark these seats; a shared panel shows the first one that it serves. ``cars``: the car that each is asked for."""
        self._asked = seats
        self._asked_cars = cars
        self._settle()

    def spend(self, panel, costs):
        """Make these points blink on a panel (from 1). True if that changes its dials."""
        if panel > len(self._panels) or not (costs or self._panels[panel - 1].costs):
            return False
        self._panels[panel - 1].costs = costs
        self._settle()
        return True

    def has_room(self, panel, rows):
        """Whether a panel (from 1) can show this many dials at once."""
        return panel <= len(self._panels) and rows <= len(self._counts)

    def shown(self, rows, seat):
        """Those of a scene's dials that a panel has room for when it shows this seat: if not all
        fit, those of the car that the seat is asked for, else of its first car."""
        rows = [row for row in rows if row[0] == seat]
        if len(rows) > len(self._counts):
            car = rows[0][1]
            for at in range(len(self._asked_cars)):
                if self._asked[at] == seat and self._asked_cars[at]:
                    car = self._asked_cars[at]
            rows = [row for row in rows if row[1] == car][:len(self._counts)]
        return rows

    def entry(self, seat, value, top):
        """Show `value` of `top` on the seat's first dial while the value is entered; top 0 ends that."""
        panel = self._of(seat)
        if panel:
            panel.entry_value = value
            panel.entry_top = top
            panel.changed = True
            self._quiet = False

    def ack(self, seat, now):
        """Light one pixel of the seat's first dial for a moment. False if it has none."""
        panel = self._of(seat)
        if not panel:
            return False
        panel.ack_ms = now
        panel.acks += 1  # another pixel each time: quick presses can all be seen, and none is a flash
        if self.lit:
            lit = self.lit(self._panels.index(panel) + 1)
            if lit >= 0:
                panel.acks = lit
        panel.acked = True
        self._quiet = False
        return True

    def signal(self, _kind, seat, now):
        """A short red run along the seat's first dial."""
        panel = self._of(seat)
        if panel:
            panel.signal_ms = now
            panel.signalled = True
            self._quiet = False

    def _of(self, seat):
        for panel in self._panels:
            if seat in panel.seats:
                return panel
        return None

    def _settle(self):
        """Work out what each panel shows: its seat, that seat's dials and colours."""
        self._quiet = False
        for panel in self._panels:
            panel.changed = True
            panel.acting = False
            panel.seat = panel.seats[0] if panel.seats else 0
            for seat in panel.seats:
                if seat in self._asked:
                    panel.seat = seat
                    panel.acting = True
                    break
            panel.colour = None
            for number in self._order:
                if panel.colour is None and self._cars[number].seat == panel.seat:
                    panel.colour = self._cars[number].colour
            rows = []
            panel.warns = False
            for _, car, key, value, top in self.shown(self._rows, panel.seat):
                for owner, dial, points in self._owed:
                    if owner == car and dial == key:
                        value += points
                car = self._cars.get(car)
                colour = (car.colour if car else panel.colour) or WHITE
                if value <= LOW and key in self._low and car and car.space >= 0:
                    colour = None
                    panel.warns = True
                rows.append((colour, value, top, sum([points for dial, points in panel.costs if dial == key])))
            panel.rows = rows

    def draw(self, now, calm):
        """Draw the panels that change into their frames."""
        if self._quiet or not self._panels:
            return
        self._quiet = True
        self._set_levels(now, 2 if calm else 1)
        i = 0
        while i < len(self._panels):
            self._draw_panel(self._panels[i], now)
            i += 1

    def _set_levels(self, now, slow):
        """Work out the moving levels for this moment."""
        levels = self._levels
        levels[BREATH] = breathe(now, slow * BREATH_MS, 70, 255)
        levels[REST] = breathe(now, slow * BREATH_MS, 8, 40)
        levels[WARN] = breathe(now, slow * LOW_MS, 40, 200)
        levels[GOING] = breathe(now, slow * GOING_MS, 40 * slow - 40, 255)

    def _end_marks(self, panel, now):
        """End the marks of presses whose time is up."""
        panel.stale = True
        panel.acked = panel.acked and 0 <= ticks_diff(now, panel.ack_ms) < ACK_MS
        panel.signalled = panel.signalled and 0 <= ticks_diff(now, panel.signal_ms) < SIGNAL_MS
        if panel.acked or panel.signalled:
            self._quiet = False

    def _draw_panel(self, panel, now):
        if panel.changed:
            panel.changed = False
            panel.stale = True
            self._set_cells(panel)
        if panel.acked or panel.signalled:
            self._end_marks(panel, now)
        if panel.acting or panel.warns or panel.costs:
            self._quiet = False
        elif not panel.stale:
            return
        panel.stale = False
        frame = self._limits.frame(self._output)
        first = panel.first
        put_cells(frame, self._cells, self._levels, panel.span)
        if panel.signalled:
            first += ticks_diff(now, panel.signal_ms) * self._counts[0] // SIGNAL_MS
            put(frame, first, WRONG)
        if panel.acked:
            put(frame, panel.first + panel.acks % self._counts[0], PRESSED)

    def _set_cells(self, panel):
        cells = self._cells
        level = STILL
        rest = DARK
        if panel.acting and not panel.costs:  # nothing else moves on the dials while points blink
            level = BREATH
            rest = REST
        first = panel.first
        for number in range(len(self._counts)):
            count = self._counts[number]
            colour = panel.colour or WHITE
            lit = 0
            stays = count
            shown = level
            if number == 0 and panel.entry_top:
                lit = lit_pixels(panel.entry_value, panel.entry_top, count)
            elif number < len(panel.rows):
                colour, value, top, going = panel.rows[number]
                lit = lit_pixels(value, top, count)
                if going:
                    stays = lit_pixels(value - going, top, count)
                if colour is None:
                    colour = WARNING
                    shown = WARN
            stays = min(stays, lit)
            set_cells(cells, first << 15 | (first + stays), colour, shown)
            set_cells(cells, (first + stays) << 15 | (first + lit), colour, GOING)
            set_cells(cells, (first + lit) << 15 | (first + count), WHITE, DARK if number else rest)
            if number == 0 and lit == 0 and panel.colour and not panel.acting:
                set_cells(cells, first << 15 | (first + 1), panel.colour, GLOW)
            first += count
