"""A race at the table: prompts on panels and display, answers to the engine, what happened to the lights.

A press only marks its answer; after the frame that acknowledges it the engine takes it, the journal
gets its line, and then the cars move. While they move, OK on any panel skips to the end. What takes long is done in
pieces, after the lights of a tick: so the light of the next press is never late.
"""

from glow import step, table_answer, table_view
from glow.app_screen import Screen
from hal import ticks_add, ticks_diff

#: How long a bot seems to think.
THINK_MS = {"slow": 1500, "normal": 700, "fast": 200, "instant": 0}
FOCUS_MS = 3000
TOUCHED_MS = 6000
#: Answers that wait for their frame.
OFFERS_MOST = 8


class Place:
    """What one panel works on: a prompt, the cursor in it, and what it reads about near misses."""

    def __init__(self, panel):
        self.panel = panel
        self.clear()

    def clear(self):
        """Nothing is asked here."""
        self.serial = 0
        self.seat = 0
        self.prompt = None
        self.pick = None
        self.teach = ""
        self.seen = False
        self.near = None
        self.near_at = 0
        self.note = ""
        self.card = ""                             # the id of an unknown one that was put down, to be learnt


class Offer:
    """An answer that waits for its frame. ``message`` is the host's, None for keys and bots."""

    def __init__(self, seat, serial, text, message, place):
        self.seat = seat
        self.serial = serial
        self.text = text
        self.message = message
        self.place = place


class Table(Screen):
    """The screen of the race."""

    def __init__(self, app):
        super().__init__(app)
        self.race = app.race
        self.places = [Place(panel + 1) for panel in range(app.panel_count)]
        self.moving = False
        self.telling = False                       # the host isn't told yet what the lights show
        self.done = False                          # the race is over, and all of it was shown
        self.menu = None
        self.offers = []
        self._work = None                          # what is being done in pieces: a generator
        self._thinking = None                      # a bot's, likewise
        self._thought = (0, "")                    # serial of the prompt, answer
        self._untidy = False
        self.last_say = ""
        self.news = []                             # what the game tells, not yet on the display
        self.dice = None
        self.focus = 0
        self.shown_seat = 0
        self._focus_ms = app.now
        self._bot_ms = app.now
        self.ranking = None
        self.wrong_say = ""
        self.dials = ()
        self.led = None                            # leads the table in putting cars back
        self.teacher = None
        self.teach()

    def teach(self):
        """Explains questions from now on, or no longer."""
        self.teacher = None
        if self.app.teaches() and "person" in [kind for kind, _ in self.race.setup.players]:
            from glow.teach import Teacher
            self.teacher = Teacher()

    def taught(self, prompt):
        """The sentence that explains a prompt to its seat, or ""."""
        if self.teacher is None or prompt.seat and self.race.setup.is_bot(prompt.seat):
            return ""
        return self.teacher.sentence(self.app.texts, prompt)

    def enter(self, now):
        self.app.light("show_race", now)
        self._work = self._telling_host(self._show_scene(now))
        if self.race.lines:
            self._lead(None)
        while self._work and self.app.instant:
            self._piece(now)

    def _telling_host(self, seen):
        """Tells the host what there is as the race begins or goes on, in pieces."""
        link = self.app.link
        if not self.app.quiet:
            yield from self._tell_scene(*seen)
        yield
        yield from self.app.pieces("link", link.prompts())
        yield
        self.app.safely("link", link.standings)

    # Time

    def tick(self, now):
        if self.news and not self.app.note:
            self.app.tell(self.app.speech.say(self.news.pop(0)))
        if self.menu:
            self.menu.tick(now)
        elif self._work:
            return                                 # the lights are not yet told all
        elif self.moving:
            if not self.app.light("busy", now):
                self._settled(now)
        elif self.race.over:
            self.done = True
        else:
            if not self.led or self.led.tick(now):  # bots wait until every car was shown
                self._bots(now)
            self._turn_focus(now)

    def after_frame(self, now):
        app = self.app
        while (app.instant or not app.busy()) and self._piece(now) and app.table is self and app.broken is None:
            pass

    def _piece(self, now):
        """Does one piece of the work that waits; False where none does."""
        if self._work:
            work, self._work = self._work, None    # what fails isn't tried again
            if step(work, self) is not self:
                self._work = work
        elif self.offers:
            self._work = table_answer.give(self, self.offers.pop(0))
        elif self._untidy:
            self._untidy = False
            self.app.collect()
        elif self._thinking:
            if self.app.link.put_off() and not self.app.instant:
                return False                       # somebody waits for the picture: bots think in every other tick
            thinking, self._thinking = self._thinking, None
            if step(thinking, self) is not self:
                self._thinking = thinking
        else:
            return self.app.load_ahead()
        return True

    def _bots(self, now):
        if self.offers or self._thinking:
            return
        for prompt in self.race.prompts:
            if self.race.is_for_bot(prompt):
                if self._thought[0] != prompt.serial:
                    self._thinking = self._think(prompt)
                    if not self.app.instant and ticks_diff(now, self._bot_ms) < 0:
                        return
                    while self._thinking and self.app.instant:
                        self._piece(now)
                if self._thought[0] == prompt.serial and ticks_diff(now, self._bot_ms) >= 0:
                    self.offers.append(Offer(prompt.seat, prompt.serial, self._thought[1], None, None))
                return

    def _think(self, prompt):
        """Lets the bot think that is asked, in pieces."""
        try:
            text = yield from self.race.bot_thinking(prompt.seat)
            self._thought = (prompt.serial, text)
        except Exception as error:
            self.rules_failed(error)

    def _turn_focus(self, now):
        """The display shows the place that was touched last, else one open place after the other."""
        if ticks_diff(now, self._focus_ms) < 0:
            if table_view.focused(self) is not None:
                return
        count = len(self.places)
        for further in range(1, count + 1):
            at = (self.focus + further) % count
            if self.places[at].pick:
                self._focus_ms = ticks_add(now, self.app.reading_ms(FOCUS_MS))
                if at != self.focus:
                    self.focus = at
                    self.dirty = True
                    self.light_ends(now)
                return

    def touch(self, place):
        """A panel was pressed: the display is its for a while."""
        self.focus = place.panel - 1
        self._focus_ms = ticks_add(self.app.now, TOUCHED_MS)
        self.dirty = True

    # What is asked

    def sync(self, now):
        """Gives the open prompts to the panels; a cursor stays where its prompt has stayed."""
        if self.wrong_say and self.app.note == self.wrong_say:
            self.app.note = ""                     # who was asked then has answered
        setup = self.race.setup
        people = [p for p in self.race.prompts if p.seat == 0 or not setup.is_bot(p.seat)]
        self.app.panels.prompts([(prompt.serial, prompt.seat) for prompt in people], now)
        for place in self.places:
            self._give_prompt(place, people)
        if self.teacher:
            for prompt in people:
                self.teacher.opened(prompt)
        self._bot_ms = ticks_add(now, THINK_MS.get(self.app.pace, 700))
        self._thinking = None
        self._untidy = True
        if table_view.focused(self) is None:
            self._focus_ms = now
            self._turn_focus(now)
        prompts = self.race.prompts
        self.app.light("acting", [prompt.seat for prompt in prompts], now, [prompt.car for prompt in prompts])
        self.light_ends(now)
        self.dirty = True

    def _give_prompt(self, place, people):
        serial, seat = self.app.panels.asking(place.panel)
        for prompt in people:
            if prompt.serial == serial and prompt.seat == seat:
                if place.prompt is prompt:
                    return
                place.clear()
                place.serial = serial
                place.seat = seat
                place.prompt = prompt
                from glow import table_pick
                place.pick = table_pick.make(prompt, self.race.track, self._space_of(prompt.car))
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

    def light_ends(self, now):
        """Lights the ends (or the near miss) that the place on the display works on."""
        place = table_view.focused(self)
        spaces = ()
        chosen = -1
        table_ask = None
        if not self.moving and not self.menu and any([panel.pick or panel.near for panel in self.places]):
            from glow import table_ask
        if place and table_ask:
            spaces, chosen = table_ask.lit(place, self.race.track)
        self.app.light("ends", spaces, chosen, now)
        for panel in self.places:
            self.app.light("spend", panel.panel, table_ask.costs(panel) if table_ask else ())
        if place and place.pick:
            from glow import table_ask
            value, top = table_ask.entered(place.pick)
            self.app.light("entry", place.seat, value, top, now)

    # Keys

    def light(self, press):
        if press.kind == "wrong" and (press.key != "OK" or self.waits_for_people()):
            self.app.light("signal", "wrong", press.seat, self.app.now)
        elif press.kind in ("press", "wrong") and not self.app.instant:
            self.app.light("ack", press.seat, self.app.now)

    def press(self, press):
        if self.led and press.kind == "press":
            self.led.end()
        if self.menu:
            self.menu.press(press)
        else:
            from glow import table_keys
            table_keys.press(self, press)

    def open_menu(self, panel):
        """Opens the race's menu."""
        from glow.menu_race import RaceMenu
        self.menu = RaceMenu(self, panel)
        self.app.open_keys()
        self.light_ends(self.app.now)
        self.dirty = True

    def close_menu(self):
        """Back to the race."""
        self.menu = None
        if self.app.table is self:
            if self.moving:
                self.app.open_keys()
            else:
                self.sync(self.app.now)
        self.dirty = True

    def skip(self):
        """Ends what moves at once, and a bot's thinking."""
        if self.moving:
            self.app.light("skip", self.app.now)
            if not self._work:
                self._settled(self.app.now)
        self._bot_ms = self.app.now

    def rests(self):
        """Whether nothing moves, and no answer is being taken or worked out."""
        return not (self.moving or self.offers or self._work or self._thinking)

    def waits_for_people(self):
        """Whether a person is asked, and not only bots."""
        return any([not self.race.is_for_bot(p) for p in self.race.prompts])

    # Answers

    def offer(self, seat, serial, text, message=None, place=None):
        """Takes an answer; the engine gets it after the next frame."""
        for waiting in self.offers:
            if waiting.seat == seat and waiting.serial == serial:
                if message is not None:
                    self.app.link.no(message, "board.too_late")
                return
        if len(self.offers) >= OFFERS_MOST:        # a computer that floods the board
            self.app.link.no(message, "board.too_late")
            return
        self.offers.append(Offer(seat, serial, text, message, place))
        if not self.app.instant:
            if message is not None:                # a press has its light already
                self.app.light("ack", seat, self.app.now)
            self.app.sound("press")

    def rules_failed(self, error):
        """The rules themselves have failed."""
        self.app.race_failed(error)
        self._work = self._thinking = None
        self.offers = []

    # What happened

    def _lead(self, scene):
        from glow import table_back
        table_back.lead(self, scene)

    def take_scene(self, now):
        """Shows the race as it is now, and moves what has moved; the host is told, in pieces. Nobody else takes the
        events."""
        seen = self._show_scene(now)
        if not self.app.quiet:
            yield from self._tell_scene(*seen)

    def _tell_scene(self, scene, events):
        self.telling = True
        yield
        yield from self.app.pieces("link", self.app.link.scene(scene, events))
        self.telling = False

    def _show_scene(self, now):
        """Shows the race as it is now, here alone; returns (scene, events)."""
        scene = self.race.scene()
        events = self.race.take_events()
        if self.led:
            self.led.end()
        for event in events:
            if event[0] in ("undone", "corrected"):
                self._lead(scene)
            self._hear(event)
        self.dials = scene.dials
        self.app.light("scene", scene, events, now)
        if self.app.instant:
            self.app.light("skip", now)
            self._settled(now)
        else:
            self.hold_still()
            if not self.menu:
                self.light_ends(now)
            self.dirty = True
        return scene, events

    def hold_still(self):
        """Nothing is asked until all has happened that an answer brings."""
        if not self.moving:
            self.app.open_keys()
        self.moving = True

    def _hear(self, event):
        name = event[0]
        if name in ("rolled", "flipped", "drew"):
            self.dice = (event[1], event[2], event[3])
            self.app.sound("roll")
        elif name in ("undone", "corrected", "turn"):
            self.dice = None
            if name != "turn":
                self.news = []
        elif name == "told" and not self.app.instant:
            self.news.append(event[1])
        elif name in ("lap", "finished", "out", "bumped"):
            self.app.sound(name)
            if name == "lap":
                self.app.safely("link", self.app.link.race)

    def _settled(self, now):
        self.moving = False
        if not self.menu:
            self.sync(now)
        self.dirty = True

    def lines(self):
        if self.menu:
            self.private_seat = 0
            return self.menu.lines()
        return table_view.lines(self)
