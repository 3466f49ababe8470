"""Panels: key edges become presses, each bound to the prompt that it was made for.

A press acts on its first edge; bounce after it is ignored. A confirming press (OK, UNDO) is dropped as "early" if its
prompt wasn't open yet when the finger came down, or if it follows another one of the same kind so closely that one
finger must have made both. There may be fewer panels than seats: a panel then serves the seat whose prompt is open.
"""

from hal import ticks_add, ticks_diff

KEYS = ("PREV", "NEXT", "OK", "UNDO", "WHY", "MENU")
_TURNING = ("PREV", "NEXT")  # repeat while held
_CONFIRMING = ("OK", "UNDO")
_ANSWERING = ("PREV", "NEXT", "OK")  # only from the panel that is asked


class Press:
    """What somebody did with a key.

    `kind`: "press"; "repeat" (PREV or NEXT held); "long" (another key, held); "release"; "wrong" (this panel is not
    asked); "early" (dropped). `serial` is the prompt that it belongs to (0: none), `seat` the seat that made it.
    """

    def __init__(self, kind, panel, key, seat, serial, t_ms):
        self.kind = kind
        self.panel = panel
        self.key = key
        self.seat = seat
        self.serial = serial
        self.t_ms = t_ms


class _Key:
    """One key of one panel: its settled state and what it is waiting for."""

    def __init__(self):
        self.down = False  # settled
        self.raw = False  # the last edge
        self.raw_ms = 0
        self.settled_ms = 0
        self.fresh = True  # no edge yet: settled_ms means nothing
        self.next_ms = 0  # when the next repeat is due
        self.repeats = 0
        self.seat = 0
        self.serial = 0
        self.quiet = False  # pressed without effect, or stuck: no more presses until it is released


class _Panel:
    """One panel: the seats it serves and the prompt it answers now."""

    def __init__(self, seats):
        self.seats = seats
        self.keys = [None] * len(KEYS)  # a _Key from its first edge on: most are never pressed
        self.serial = 0
        self.seat = 0
        self.since_ms = 0
        self.confirmed = False  # there was a confirming press; confirmed_ms is its time
        self.confirmed_ms = 0


class Panels:
    """All panels. Feed it the edges, tell it what is asked, take the presses once a tick."""

    bounce_ms = 20
    guard_ms = 150
    repeat_start_ms = 400
    repeat_ms = (100, 100, 100, 100, 100, 100, 70, 70, 70, 70, 70, 70, 70, 70, 40)  # the last one repeats
    long_ms = 800
    stuck_ms = 10000
    recent_ms = 600000
    stuck_why_ms = 60000  # WHY is held to look at a hand

    def __init__(self, panel_count, seat_count=0):
        self._panels = []
        self._presses = []
        self._asked = []
        self._confirmed = False
        self._confirmed_ms = 0
        self.ignored = 0  # edges of panels that don't exist
        self.serve(panel_count, seat_count or panel_count)

    def serve(self, panel_count, seat_count):
        """Deal the seats to the panels: panel p serves seats p, p + panels, …"""
        seats = []
        for panel in range(1, panel_count + 1):
            seats.append([seat for seat in range(panel, seat_count + 1, panel_count)])
        self.assign(seats)

    def assign(self, seats_of_panels):
        """Set which seats each panel serves. Keys that are down stay known."""
        while len(self._panels) < len(seats_of_panels):
            self._panels.append(_Panel([]))
        del self._panels[len(seats_of_panels):]
        for number in range(len(seats_of_panels)):
            self._panels[number].seats = seats_of_panels[number]

    def count(self):
        """The number of panels."""
        return len(self._panels)

    def seats(self, panel):
        """The seats served by a panel (from 1)."""
        return self._panels[panel - 1].seats

    def panel_of(self, seat):
        """The panel that serves a seat, or 0."""
        for number in range(len(self._panels)):
            if seat in self._panels[number].seats:
                return number + 1
        return 0

    def asking(self, panel):
        """(serial, seat) of the prompt that a panel answers now; (0, 0) if it isn't asked."""
        one = self._panels[panel - 1]
        return one.serial, one.seat

    def held(self, panel, key):
        """Whether a key is down (and not stuck)."""
        if not 0 < panel <= len(self._panels):
            return False
        one = self._panels[panel - 1].keys[KEYS.index(key)]
        return one is not None and one.down and one.repeats >= 0

    def stuck(self):
        """A list of (panel, key) that have been down so long that they are ignored."""
        found = []
        for number in range(len(self._panels)):
            for place in range(len(KEYS)):
                key = self._panels[number].keys[place]
                if key and key.down and key.quiet and key.repeats < 0:
                    found.append((number + 1, KEYS[place]))
        return found

    def prompts(self, asked, now):
        """Set what is asked now: a list of (serial, seat), seat 0 for anybody. Call it whenever that changes.

        A panel answers the first prompt for a seat that it serves, else the first prompt for anybody.
        """
        self._asked = asked
        for panel in self._panels:
            serial = 0
            seat = 0
            for one_serial, one_seat in asked:
                if one_seat in panel.seats and one_seat:
                    serial = one_serial
                    seat = one_seat
                    break
                if not one_seat and not serial:
                    serial = one_serial
            if serial != panel.serial or seat != panel.seat:
                panel.serial = serial
                panel.seat = seat
                panel.since_ms = now

    def feed(self, t_ms, panel, key, down):
        """Take one edge as `hal.keys()` gives it."""
        if not 0 < panel <= len(self._panels) or key not in KEYS:
            self.ignored += 1
            return
        keys = self._panels[panel - 1].keys
        place = KEYS.index(key)
        if keys[place] is None:
            keys[place] = _Key()
        one = keys[place]
        if down:
            self._edge_down(one, panel, key, t_ms)
        elif one.raw:
            one.raw = False
            one.raw_ms = t_ms

    def _edge_down(self, one, panel, key, t_ms):
        quiet_time = ticks_diff(t_ms, one.raw_ms if one.down else one.settled_ms)
        was_raw = one.raw
        one.raw = True
        since_edge = ticks_diff(t_ms, one.raw_ms)
        one.raw_ms = t_ms
        if one.fresh:
            one.fresh = False
        elif one.down and (not was_raw and 0 <= since_edge < self.bounce_ms):
            return  # the release bounces
        elif 0 <= quiet_time < self.bounce_ms:  # below 0: days ago, and the clock has wrapped
            return  # the press bounces
        if one.down:  # released in the meantime, or the release was lost
            self._release(one, panel, key, t_ms)
        self._press(one, panel, key, t_ms)

    def _press(self, one, panel, key, t_ms):
        where = self._panels[panel - 1]
        one.down = True
        one.settled_ms = t_ms
        one.serial = where.serial
        one.seat = where.seat or (where.seats[0] if where.seats else 0)
        one.repeats = 0
        one.quiet = False
        one.next_ms = ticks_add(t_ms, self.repeat_start_ms if key in _TURNING else self.long_ms)
        kind = "press"
        if key in _ANSWERING and not where.serial:
            kind = "wrong"
        elif key in _CONFIRMING and self._too_early(where, t_ms):
            kind = "early"
        elif key in _CONFIRMING:
            where.confirmed = self._confirmed = True
            where.confirmed_ms = self._confirmed_ms = t_ms
        one.quiet = kind != "press"
        self._presses.append(Press(kind, panel, key, one.seat, one.serial, t_ms))

    def _too_early(self, panel, t_ms):
        """Whether a confirming press can't have been meant for the prompt that is open now."""
        # Only the last moments count: times from days ago can't be told from the future.
        if panel.serial and -self.recent_ms < ticks_diff(t_ms, panel.since_ms) < 0:
            return True
        if panel.confirmed and 0 <= ticks_diff(t_ms, panel.confirmed_ms) < self.guard_ms:
            return True
        return self._opened_just_now(panel, t_ms)

    def _opened_just_now(self, panel, t_ms):
        # Somebody else's press has only just opened this prompt: nobody can have read it yet.
        return (
            self._confirmed
            and panel.serial != 0
            and 0 <= ticks_diff(t_ms, self._confirmed_ms) < self.guard_ms
            and ticks_diff(panel.since_ms, self._confirmed_ms) >= 0
        )

    def _release(self, one, panel, key, t_ms):
        one.down = False
        one.settled_ms = t_ms
        self._presses.append(Press("release", panel, key, one.seat, one.serial, t_ms))

    def turn(self, t_ms, panel, key):
        """One click of an encoder that works for a panel: a press that ends at once."""
        self._press(_Key(), panel, key, t_ms)

    def digit(self, t_ms, panel, key):
        """A key of the dice pad; the press's word is its number. Like OK, it may open the next prompt."""
        where = self._panels[panel - 1]
        if where.serial:
            early = self._opened_just_now(where, t_ms)
            self._confirmed = True
            self._confirmed_ms = t_ms
            self._presses.append(Press("early" if early else "press", panel, key, where.seat, where.serial, t_ms))

    def take(self, now):
        """The presses since the last call, oldest first; also lets keys settle and repeat."""
        for number in range(len(self._panels)):
            panel = self._panels[number]
            for place in range(len(KEYS)):
                one = panel.keys[place]
                if one and one.down:
                    self._hold(one, panel, number + 1, KEYS[place], now)
        if not self._presses:
            return ()
        found = self._presses
        self._presses = []
        return found

    def _hold(self, one, panel, number, key, now):
        if not one.raw:
            if ticks_diff(now, one.raw_ms) >= self.bounce_ms:
                self._release(one, number, key, one.raw_ms)
            return
        held_ms = ticks_diff(now, one.settled_ms)
        if held_ms >= (self.stuck_why_ms if key == "WHY" else self.stuck_ms):
            one.quiet = True
            one.repeats = -1
        if one.quiet or ticks_diff(now, one.next_ms) < 0:
            return
        if key in _TURNING:
            if one.serial != panel.serial:  # the prompt it was turning is answered: the next one needs its own press
                one.quiet = True
                return
            steps = self.repeat_ms
            one.next_ms = ticks_add(now, steps[min(one.repeats, len(steps) - 1)])
            one.repeats += 1
            self._presses.append(Press("repeat", number, key, one.seat, one.serial, now))
        else:
            one.quiet = True
            self._presses.append(Press("long", number, key, one.seat, one.serial, now))
