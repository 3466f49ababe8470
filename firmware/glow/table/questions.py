"""What people are asked: which panel has which question, where its cursor is, and which question the display shows.

Questions change nothing in the race: `choose` returns a player's choice as text, and `Answering` takes it.
"""

from glow.lights.lights import Lights
from glow.table.pick import enter, make
from glow.table.place import Place
from hal import ticks_add, ticks_diff

#: The display cycles through the open questions, and stays with a panel after a press there.
FOCUS_MS = 3000
TOUCHED_MS = 6000


class Questions:
    """``places``: a Place for each panel; ``focus``: which of them is on the display, from 0. Of
    the ``screen``, only ``dirty`` is used."""

    def __init__(self, app, race, screen):
        self.app = app
        self.race = race
        self.places = [Place(panel + 1) for panel in range(app.panel_count)]
        self.focus = 0
        self.teacher = None                        # explains questions, or None
        self._screen = screen
        self._focus_ms = app.now
        self.teach()

    # What is asked

    def ask(self, now):
        """Gives the open prompts to the panels and lights what they ask; a cursor stays put if its prompt does."""
        people = self.people()
        self.app.panels.prompts([(prompt.serial, prompt.seat) for prompt in people], now)
        for place in self.places:
            self._give(place, people)
        for prompt in people:
            self.opened(prompt)
        if self.focused() is None:
            self._focus_ms = now
            self.turn_focus(now)
        prompts = self.race.prompts
        self.app.light(Lights.acting, [prompt.seat for prompt in prompts], now, [prompt.car for prompt in prompts])
        self.light(now)
        self._screen.dirty = True

    def people(self):
        """The prompts that people answer at the panels."""
        setup = self.race.setup
        return [prompt for prompt in self.race.prompts if not prompt.seat or not setup.is_bot(prompt.seat)]

    def waits_for_people(self):
        """Whether a person is asked, and not only bots."""
        return any([not self.race.is_for_bot(prompt) for prompt in self.race.prompts])

    def _give(self, place, people):
        serial, seat = self.app.panels.asking(place.panel)
        for prompt in people:
            if prompt.serial == serial and prompt.seat == seat:
                if place.prompt is prompt:
                    return
                place.clear()
                place.serial = serial
                place.seat = seat
                place.prompt = prompt
                place.pick = make(prompt, self.race.track, self._space_of(prompt.car))
                place.teach = self.taught(prompt)
                return
        note = place.note if self.race.asking else ""
        place.clear()
        place.note = note

    def _space_of(self, car):
        for number, space, _ in self.race.scene().cars if car else ():
            if number == car:
                return space
        return -1

    # Who is served by which panel

    def serve(self, count):
        """Sets the number of panels."""
        self.places = self.places[:count] + [Place(panel + 1) for panel in range(len(self.places), count)]
        if self.focus >= count:
            self.focus = 0

    def seats_of(self, panel):
        """The people served by a panel; those who have left come last."""
        race = self.race
        seats = [seat for seat in self.app.panels.seats(panel)
                 if seat <= len(race.setup.players) and not race.setup.is_bot(seat)]
        return [seat for seat in seats if seat not in race.left] + [seat for seat in seats if seat in race.left]

    def seat_of(self, panel):
        """The first person served by a panel, or 0."""
        return (self.seats_of(panel) + [0])[0]

    # Which question the display shows

    def focused(self):
        """The Place that the display shows, or None while nobody at a panel is asked anything."""
        if self.focus < len(self.places):
            place = self.places[self.focus]
            if place.pick or place.note:           # with teaching there is a pick too
                return place
        return None

    def touch(self, place):
        """A panel was pressed: the display stays with it for a while."""
        self.focus = place.panel - 1
        self._focus_ms = ticks_add(self.app.now, TOUCHED_MS)
        self._screen.dirty = True

    def turn_focus(self, now):
        """Shows the place that was touched last, else cycles through the open places."""
        if ticks_diff(now, self._focus_ms) < 0:
            if self.focused() is not None:
                return
        count = len(self.places)
        for further in range(1, count + 1):
            at = (self.focus + further) % count
            if self.places[at].pick:
                self._focus_ms = ticks_add(now, self.app.reading_ms(FOCUS_MS))
                if at != self.focus:
                    self.focus = at
                    self._screen.dirty = True
                    self.light(now)
                return

    # The cursor

    def choose(self, place, key):
        """Handles a key for a place's cursor: the answer's text, or None if nothing has been chosen yet."""
        text = None
        if key == "OK":
            text = place.pick.ok()
        elif key in ("PREV", "NEXT"):
            place.pick.move(1 if key == "NEXT" else -1)
        else:                                      # a key of the dice pad
            text = enter(place, key)
        if text is None:
            self.light(self.app.now)
        return text

    def why(self, place):
        """Shows the next near miss of the prompt, or why there is none."""
        self.touch(place)
        place.note = ""
        if not place.prompt:
            place.note = self.app.texts.get("board.nothing_asked")
            return
        if place.prompt.secret:
            return                                 # holding WHY shows the hand
        if place.near is None:
            place.near = place.prompt.refused()
            place.near_at = 0
        else:
            place.near_at += 1
        if place.near_at >= len(place.near):
            none = not place.near
            place.near = None
            if none and place.prompt.told:
                say, clause = place.prompt.told()
                place.note = self.app.speech.say(say) + " (" + clause + ")"
            elif none:
                clause = place.prompt.clause
                place.note = self.app.speech.text("board.no_near_miss", (clause or "-",))
        self.light(self.app.now)

    def light(self, now, on=True):
        """Lights the ends (or the near miss) of the place on the display; if not ``on``, lights none."""
        place = self.focused()
        spaces, chosen = place.lit(self.race.track) if place and on else ((), -1)
        self.app.light(Lights.ends, spaces, chosen, now)
        for panel in self.places:
            self.app.light(Lights.spend, panel.panel, panel.costs() if on else ())
        if place and place.pick:
            value, top = place.entered()
            self.app.light(Lights.entry, place.seat, value, top, now)

    # Explaining questions

    def teach(self):
        """Starts or stops explaining questions."""
        self.teacher = None
        if self.app.teaches() and "person" in [kind for kind, _ in self.race.setup.players]:
            from glow.table.teach import Teacher  # loaded when teaching is on
            self.teacher = Teacher()

    def taught(self, prompt):
        """The sentence that explains a prompt to its seat, or ""."""
        if self.teacher is None or prompt.seat and self.race.setup.is_bot(prompt.seat):
            return ""
        return self.teacher.sentence(self.app.texts, prompt)

    def opened(self, prompt):
        """A prompt is shown to its seat, which needs no more teaching about that kind."""
        if self.teacher:
            self.teacher.opened(prompt)
