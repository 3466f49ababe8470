"""An answer's path: from a key, a bot or the host to the engine, the journal, the host and the lights.

An offered answer waits for the frame that acknowledges it. Then the engine takes it, it is saved and reported, and
the cars move. All this is done in pieces, none of them long, so that the light for the next press is never late.
"""

from glow import step
from glow.lights.lights import Lights
from glow.table.bots import Bots
from shared_rules.errors import BadText, Refused

ENGINE_VERBS = ("undo", "correct", "leave", "source")
#: How many answers may wait for their frame.
OFFERS_MOST = 8


class Offer:
    """An answer waiting for its frame. ``message`` is the host's, None for keys and bots."""

    def __init__(self, seat, serial, text, message, place):
        self.seat = seat
        self.serial = serial
        self.text = text
        self.message = message
        self.place = place


class Answering:
    """``moving``: an answer was taken, and not all its effects have been shown yet; ``telling``: the host
    hasn't yet been told what the lights show. The ``screen`` hears when cars move (``moves``) and when
    everything is still (``settled``)."""

    def __init__(self, app, race, questions, view, leader, screen):
        self.app = app
        self.race = race
        self.questions = questions
        self.view = view
        self.leader = leader
        self.moving = False
        self.telling = False
        self.offers = []
        self._screen = screen
        self._bots = Bots(app, race, self.rules_failed)
        self._work = None                          # the work being done in pieces: a generator
        self._untidy = False                       # the heap needs tidying, as a prompt has opened

    # Offers

    def offer(self, seat, serial, text, message=None, place=None):
        """Accepts an answer; the engine gets it after the next frame."""
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
            if message is not None:                # a press already has its light
                self.app.light(Lights.ack, seat, self.app.now)
            self.app.sound("press")

    def bots(self, now):
        """Offers the answer of a bot that is asked."""
        if not self.offers:
            said = self._bots.tick(now)
            if said:
                self.offers.append(Offer(said[0], said[1], said[2], None, None))

    def asked(self, now):
        """The questions have changed."""
        self._bots.begin(now)
        self._untidy = True

    def skip(self):
        """Ends all movement at once, and a bot's thinking."""
        if self.moving:
            self.app.light(Lights.skip, self.app.now)
            if not self._work:
                self._settle(self.app.now)
        self._bots.hurry()

    def rules_failed(self, error):
        """The rules themselves have failed."""
        self.app.race_failed(error)
        self._work = self._bots.thinking = None
        self.offers = []

    # In pieces

    def begin(self):
        """Shows the race as it starts or resumes and tells the host, in pieces."""
        if not self.app.instant:
            self._hold_still()
        self._work = self._beginning()

    def works(self):
        """Whether an answer is being taken or reported."""
        return self._work is not None

    def rests(self):
        """Whether nothing moves, and no answer is being taken or worked out."""
        return not (self.moving or self.offers or self._work or self._bots.thinking)

    def finish(self):
        """Finishes the work under way at once."""
        while self._work:
            self.piece()

    def piece(self):
        """Does one piece of the waiting work; False if there is none."""
        if self._work:
            work, self._work = self._work, None    # failed work isn't tried again
            if step(work, self) is not self:
                self._work = work
        elif self.offers:
            self._work = self._give(self.offers.pop(0))
        elif self._untidy:
            self._untidy = False
            self.app.collect()
        elif self._bots.thinking:
            if self.app.link.put_off() and not self.app.instant:
                return False                       # a host waits for the picture: bots think only every other tick
            self._bots.piece()
        else:
            return self.app.load_ahead()
        return True

    def tick(self, now):
        """Checks whether all effects of an answer have been shown."""
        if not self.app.light(Lights.busy, now):
            self._settle(now)

    # An answer is taken

    def _give(self, offer):
        """Gives an answer to the engine and does what follows from it, in pieces."""
        race = self.race
        wrong = self._check(offer)
        if wrong:
            self._refuse(offer, self.app.texts.get(wrong), "")
            return
        prompt = race.prompt_of(offer.seat)
        car = prompt.car if prompt else 0
        if prompt and prompt.foresee:
            yield
            yield from self._foresee(prompt.foresee(offer.text))
        lines = race.lines
        turns = race.turns
        if not self._taken(offer, prompt):
            return
        app = self.app
        app.tries = 0
        if prompt:                                 # it may have been answered on a page before a panel had it
            self.questions.opened(prompt)
        if not app.instant:
            self._hold_still()
        app.event("answer %d" % race.lines)
        yield
        if race.turns != turns or race.pending_answers() or race.asking:
            app.safely("save", self._snapshot)
            yield
        if offer.message:
            app.safely("link", app.link.ok, offer.message)
        for number in range(lines + 1, race.lines + 1):
            app.safely("link", self._tell_line, number, car if number == race.lines == lines + 1 else 0,
                       prompt.clause if prompt else "", prompt is not None and prompt.laid_open)
            yield
        if offer.place:
            offer.place.note = self._waiting_note() if race.asking else ""
            if offer.place.card and offer.text[:5] == "draw ":
                app.safely("save", _learn, app, offer.place.card, offer.text)
        yield from self._show_what_came()

    def _taken(self, offer, prompt):
        """Whether the engine takes the answer; else it is refused, or the rules have failed."""
        race = self.race
        try:
            race.answer(offer.seat, offer.text)
            return True
        except Refused as error:
            if prompt and race.is_for_bot(prompt) and offer.message is None and offer.place is None:
                self.rules_failed(error)           # the bot chose from the options: it would choose the same for ever
            else:
                self._refuse(offer, self.app.speech.text(error.reason, error.args_), error.clause)
        except BadText as error:
            self._refuse(offer, str(error), "")
        except Exception as error:
            self.rules_failed(error)
        return False

    def _show_what_came(self):
        """Shows the answer's effects on lights, display and host, in pieces."""
        app = self.app
        seen = self._show_scene(app.now)
        if not app.quiet:
            yield from self._tell_scene(*seen)
        if not app.instant:
            for asked in self.race.prompts:
                if asked.prepare:
                    yield
                    yield from self._prepare(asked)
        if not app.quiet and app.hal.listened:
            yield
            yield from app.pieces("link", app.link.prompts())
            yield
            app.safely("link", self._tell_standings)

    def _check(self, offer):
        """The key of the sentence that says why the board itself refuses this answer, or None."""
        if offer.message is None and offer.serial == 0:
            return None
        words = offer.text.lower().split()
        if words and words[0] in ENGINE_VERBS:
            return None
        prompt = self.race.prompt_of(offer.seat)
        if prompt is not None and prompt.serial != offer.serial:
            return "board.too_late"
        if offer.message is not None and prompt is not None and self.race.setup.is_bot(prompt.seat):
            return "board.is_bot"
        return None

    def _refuse(self, offer, say, clause):
        if offer.message is not None:
            self.app.link.no_text(offer.message, say, clause)
        else:
            self.app.light(Lights.signal, "refused", offer.seat, self.app.now)
            self.app.sound("refused")
        if offer.place:
            offer.place.note = say + (" (" + clause + ")" if clause else "")
        self._screen.dirty = True

    def _foresee(self, work):
        """Does an answer's preparation ahead of time, in pieces. If that fails, the answer does it and reports the fault."""
        some = False
        try:
            for _ in work:
                some = True
                yield
        except Exception:
            some = True
        if some:
            self.app.collect()                     # so that the answer needn't
            yield

    def _prepare(self, prompt):
        """Has the options worked out, in pieces."""
        try:
            yield from prompt.prepare()
        except Exception as error:
            self.rules_failed(error)

    def _snapshot(self):
        self.app.saved(self.app.store.snapshot(self.race.snapshot_pieces()), "race")

    def _waiting_note(self):
        names = [self.app.speech.seat(prompt.seat) for prompt in self.race.prompts]
        return self.app.speech.text("board.asked_others", (", ".join(names),))

    # Showing and reporting what happened

    def _show_scene(self, now):
        """Shows the race as it is now; the only place that does. Returns (scene, events). Nothing else takes the events."""
        app = self.app
        scene = self.race.scene()
        events = self.race.take_events()
        self.leader.end()
        for event in events:
            if event[0] in ("undone", "corrected"):
                self.leader.lead(scene)
            self._hear(event)
        self.view.dials = scene.dials
        app.light(Lights.scene, scene, events, now)
        if app.instant:
            app.light(Lights.skip, now)
            self._settle(now)
        else:
            self._hold_still()
            self._screen.moves(now)
        return scene, events

    def _hear(self, event):
        self.view.hear(event)
        name = event[0]
        if name in ("rolled", "flipped", "drew"):
            self.app.sound("roll")
        elif name in ("lap", "finished", "out", "bumped"):
            self.app.sound(name)
            if name == "lap":
                self.app.safely("link", self.app.link.race)

    def _hold_still(self):
        """Asks nothing until all effects of an answer have been shown."""
        if not self.moving:
            self.app.open_keys()
        self.moving = True

    def _settle(self, now):
        self.moving = False
        self._screen.settled(now)

    def _beginning(self):
        """Shows the state when the race starts or resumes, and tells the host."""
        if not self.app.instant:
            yield                                  # the screen itself has taken up a tick
        seen = self._show_scene(self.app.now)
        if self.race.lines:
            self.leader.lead(None)
        yield
        link = self.app.link
        if not self.app.quiet:
            yield from self._tell_scene(*seen)
        yield
        yield from self.app.pieces("link", link.prompts())
        yield
        self.app.safely("link", link.standings)

    def _tell_scene(self, scene, events):
        self.telling = True
        yield
        yield from self.app.pieces("link", self.app.link.scene(scene, events))
        self.telling = False

    def _tell_line(self, number, car, clause, opened):
        """Shows the sentence of a new line on the display and sends it to the host; ``opened``:
        everybody sees what was played."""
        line = self.race.line(number)
        opened = opened and line.text.split(" ")[0] not in ENGINE_VERBS
        self.view.last_say = self.app.speech.line(line, car, opened)
        if not self.app.quiet:
            self.app.link.line(number, line, self.view.last_say, clause)

    def _tell_standings(self):
        ranking = self.race.standings()
        if ranking != self.view.standings:
            self.view.standings = ranking
            self.app.link.standings()


def _learn(app, uid, text):
    from glow.table import card  # loaded if there is a reader
    card.learn(app, uid, text)
