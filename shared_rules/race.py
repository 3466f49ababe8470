"""The only door to a race: prompts out, answers in.

Between two turns the state of a race is plain data, the *boundary*; inside a turn it is the last
boundary and the answers since. Undo, resume and replay are all the same thing: go back to a boundary and
give the answers again. Chance is then drawn again and comes out the same.
"""

import json

from shared_rules import finish, games, journal, notation, saves
from shared_rules.chance import Chance
from shared_rules.errors import Refused
from shared_rules.marks import seat_of, words_of
from shared_rules.notation import ENGINE_VERBS
from shared_rules.prompts import TABLE
from shared_rules.scene import Scene
from shared_rules.turns import Pending, Turns


class Race(Turns):
    """A race of one game.

    ``setup`` is a checked Setup, ``track`` its Track. ``log`` keeps the journal's lines (in memory if it is
    None). ``sealed`` is for the replay of a sealed journal (True, or the start that it records): the seed isn't known, so
    device dice are
    given instead of drawn.
    """

    #: Boundaries kept for a quick undo; older ones are replayed from the start.
    ring_boundaries = 8
    #: Whether the marks of answers from before the ring are dropped.
    forgets = True
    #: None, or a function that is called before each answer is given again: a small heap needs tidying then.
    tidy = None

    def __init__(self, setup, track, log=None, game_class=None, sealed=False, begins=True):
        self.setup = setup
        self.track = track
        self.sealed = sealed
        if log is None:
            from shared_rules.journal_log import MemoryLog  # board: it has its own
            log = MemoryLog()
        self._log = log
        self._class = game_class or games.load(setup.game)
        self._serial = 0
        self._events = []
        self.asking = None
        self.kept_words = {}                       # for marks whose lines the log may have lost; see saves.py
        if begins:
            self._begin()

    @classmethod
    def beginning(cls, setup, track, log, game_class):
        """Begins a race piece by piece, so that a board's lights go on meanwhile: a generator that returns the race."""
        race = cls(setup, track, log, game_class, begins=False)
        yield
        race._set_up()
        yield
        race._mark_boundary()
        yield
        race._begin_turn()
        return race

    # What is open and what can be seen

    @property
    def prompts(self):
        """The open prompts in seat order, at most one per seat; [] only when the race is over."""
        if self.asking:
            return self.asking.prompts
        answered = [entry.seat for entry in self._pending]
        return [prompt for prompt in self._group if prompt.seat not in answered]

    def prompt_of(self, seat):
        """The open prompt that this seat may answer, or None."""
        for prompt in self.prompts:
            if prompt.seat == seat or prompt.seat == TABLE:
                return prompt
        return None

    @property
    def dice_source(self):
        """Where this turn's dice come from."""
        return self._dice_source

    @property
    def lines(self):
        """The number of lines in the journal."""
        return len(self._log)

    @property
    def lap(self):
        """What the lap counter shows: 1 to ``laps``, or 0 in a game without laps."""
        return self.game.lap()

    @property
    def laps(self):
        """Laps of this race."""
        return self.setup.laps

    @property
    def left(self):
        """Seats whose players have left."""
        return self._left + self._leaving

    def line(self, number):
        """The JournalLine ``number``, from 1."""
        return journal.JournalLine.parse(self._log.line(number))

    def standings(self):
        """A list of [seat, car, place, points], best first."""
        return self.game.standings()

    def scene(self):
        """The Scene now. Looking never changes anything."""
        scene = Scene()
        scene.track = self.track
        scene.lap = self.game.lap()
        scene.laps = self.setup.laps if scene.lap else 0
        self.game.scene(scene)
        return scene

    @property
    def untold(self):
        """Whether there are events that nobody has taken yet."""
        return len(self._events) > 0

    def take_events(self):
        """The events since the last call, in order; see `scene.py`. Taking them removes them, so only one taker may do so
        (on a board the table, which shows them and tells everybody else)."""
        events = self._events
        self._events = []
        return events

    def view(self, seat):
        """What this seat may see, as a dict: its prompt with its choices, and what is private to it."""
        prompt = self.prompt_of(seat)
        return {
            "seat": seat,
            "prompt": prompt.plain(private=prompt.seat == seat) if prompt else None,
            "private": self.game.private(seat) if 0 < seat <= len(self.setup.players) else [],
        }

    def digest(self):
        """8 hex characters: a CRC of the boundary and the answers since."""
        return "%08x" % self._crc_full

    def public_digest(self):
        """The same without the generator, decks and secrets."""
        return "%08x" % self._crc_public

    def journal_lines(self, unseal=None):
        """Generates the journal's text in pieces; sealed until the podium, unless ``unseal``."""
        from shared_rules.journal_file import header
        sealed = not (self.over if unseal is None else unseal)
        start = None
        if sealed and self._class.OPEN_START:
            game = self._class(self.setup, self.track, Chance(self.setup.seed, "deal"))
            start = game.dump(game.secret_fields)
        yield header(self.setup, self.track, sealed, start)
        for number in range(1, len(self._log) + 1):
            yield self.line(number).show(sealed) + "\n"

    def journal(self, unseal=None):
        """The journal as one text."""
        return "".join(list(self.journal_lines(unseal)))

    def code(self):
        """Names of the modules that the race needs once it runs."""
        names = list(self.game.code())
        if "bot" in [kind for kind, _ in self.setup.players] and not self._class.BOTS:
            names.append("bots")
        return ["shared_rules.games.%s.%s" % (self.setup.game, name) for name in names]

    def bot_answer(self, seat):
        """What the game's bot answers to the open prompt of this seat, as text.

        A bot's chance comes from the seed and the number of answers, so it is the same after a resume.
        """
        return finish(self.bot_thinking(seat))

    def bot_thinking(self, seat):
        """``bot_answer`` as a generator that returns it: a board lets a bot think a little in each tick. If the race goes on
        meanwhile, the result is thrown away; thinking again gives the same one."""
        prompt = self.prompt_of(seat)
        if prompt.kind in ("roll", "draw"):
            return prompt.kind
        chance = Chance(self.setup.seed, "bots/%d/%d" % (seat, self.taken_count()))
        bots = self._class.BOTS or games.bots(self.setup.game)
        yield                                      # a bot's code may have to be loaded first
        said = bots.choose(self.game, prompt, chance)
        if isinstance(said, str):
            return said
        return (yield from said)

    # Answers

    def answer(self, seat, text):
        """Checks and applies an answer; returns its text as written in the journal.

        Raises BadText or Refused; nothing has changed then.
        """
        return self._answer(seat, text, False)

    def feed(self, text):
        """Takes a journal line's text in a replay: whatever chance gave is drawn again and compared."""
        line = journal.JournalLine.parse(text)
        return self.feed_answer(line.seat, line.text)

    def feed_answer(self, seat, text):
        """``feed`` for a seat and the text of its answer."""
        return self._answer(seat, text, True)

    def _answer(self, seat, text, replaying):
        verb, words = notation.parse(text)
        if type(seat) is not int or not 0 <= seat <= len(self.setup.players):
            raise Refused("engine.no_such_seat", "", (len(self.setup.players), str(seat)))
        if self.over:
            raise Refused("engine.race_over")
        if verb in ("undo", "correct"):
            from shared_rules import rewind
            return rewind.ask(self, seat, verb, words)
        if verb in ENGINE_VERBS:
            return self._engine_answer(seat, verb, words, 0)
        if self.asking:
            from shared_rules import rewind
            return rewind.consent(self, seat, verb, words)
        return self._give(seat, verb, words, replaying, 0)

    def _give(self, seat, verb, words, replaying, mark):
        prompt = self.prompt_of(seat)
        if prompt is None:
            raise Refused("engine.not_your_prompt", "", _who_is_asked(self.prompts))
        text, value = prompt.match(verb, words, replaying or self.sealed)
        if prompt.kind == "roll":
            self._events.append(["rolled", seat, prompt.car, value])
        elif prompt.kind == "draw" and not prompt.secret:
            self._events.append(["drew", seat, prompt.car, value])
        sealed = prompt.secret or prompt.laid_open
        self._pending.append(Pending(prompt.seat, seat, text, value, sealed, mark))
        self._settle()
        return text

    def _engine_answer(self, seat, verb, words, mark):
        text = notation.show(verb, words)
        if verb == "leave":
            if seat == TABLE or seat in self.left:
                raise Refused("engine.already_left", "", ("seat:%d" % seat,))
        elif len(words) != 2 or words[0] not in ("dice", "decks") or words[1] not in ("device", "table"):
            raise Refused("engine.source_form", "", (text,))
        elif words[0] == "decks":
            raise Refused("engine.decks_fixed")
        self.asking = None
        self._take(Pending(seat, seat, text, None, False, mark), False)
        if verb == "leave":
            self.drop_pending(seat)
        # Answers that waited only for this seat follow it in the journal, as they will in a replay.
        before_others = not mark and bool(self.pending_answers())
        if before_others:
            self.append_line(seat, text, False)
        if verb == "leave":
            self._leaving.append(seat)
            for prompt in self._group:
                if prompt.seat == TABLE and prompt.source == "table" and not self._has_person(TABLE):
                    self._draw(prompt, "device")            # bots can't roll real dice
            self._force()
            self._settle()
        else:
            self.next_source = words[1]
        if not mark and not before_others:
            self.append_line(seat, text, False)
        return text

    # One turn after another

    def _begin(self):
        self._set_up()
        self._mark_boundary()
        self._begin_turn()

    def _set_up(self):
        """Builds the race from its set-up alone; no turn has begun yet."""
        self._dice = Chance(self.setup.seed, "dice")
        self._deal = Chance(self.setup.seed, "deal")
        self.game = self._class(self.setup, self.track, self._deal)
        if isinstance(self.sealed, list):
            known = [there if there is not None else value for there, value in zip(self.sealed, self.game.dump())]
            self.game.load(known)
        self.turns = 0
        self._dice_source = self.setup.dice
        self.next_source = self._dice_source
        self._left = []
        self._leaving = []
        self.base = 0
        self.taken = []
        self.ring = []
        self._past = ["", ""]

    def restore(self, text):
        """Goes to a boundary; the caller takes care of ``taken`` and ``ring``, then begins the turn."""
        (self.turns, self._dice_source, self._left, dice, deal, self._past, values) = json.loads(text)
        self._dice = Chance.at(dice)
        self._deal = Chance.at(deal)
        self.game = self._class(self.setup, self.track, Chance("", "")).load(values)
        self.game.deal = self._deal
        self.next_source = self._dice_source
        self._leaving = []
        self._count_crcs(text, self.game.live())
        self._begin_turn()

    def arrange(self, state):
        """Begins with a partial state, for the spec's vectors."""
        self.game.arrange(state)
        self.game.events = []
        self.ring = []
        self._mark_boundary()
        self._begin_turn()
        self._events = []

    def restart(self):
        """Goes back to before the first answer; the journal stays."""
        self._begin()

    def give_again(self, seat, words, mark):
        """Gives an answer that the journal already has, with its mark."""
        if self.tidy:
            self.tidy()
        if words[0] in ENGINE_VERBS:
            self._engine_answer(seat, words[0], words[1:], mark)
        else:
            self._give(seat, words[0], words[1:], True, mark)

    def take_up(self, count, text, marks):
        """Continues from the boundary ``text`` after ``count`` answers, with the answers in ``marks``."""
        self.base = count
        self.taken = []
        self.ring = [[count, text]]
        self.restore(text)
        for mark in marks:
            self.give_again(seat_of(mark), words_of(self, mark), mark)

    def bookmark(self):
        """The race's present point, for ``go_back``."""
        serials = [prompt.serial for prompt in self._group]
        return self.base, list(self.taken), list(self.ring), list(self._events), self._serial, serials, self.asking

    def go_back(self, bookmark):
        """Returns to a ``bookmark()``, taken while no answers waited, as if nothing had happened since."""
        self.base, marks, self.ring, events, serial, serials, asking = bookmark
        count, text = self.ring[-1]
        self.taken = marks[:count - self.base]
        self.restore(text)
        for mark in marks[count - self.base:]:
            self.give_again(seat_of(mark), words_of(self, mark), mark)
        self._events = events
        self._serial = serial
        self.asking = asking
        for prompt, number in zip(self._group, serials):
            prompt.serial = number

    def replay_lines(self, first, last):
        """Gives the journal's own lines again; each is compared with what comes out now."""
        from shared_rules.journal_log import EchoLog
        log = self._log
        self._log = EchoLog(log, first - 1)
        for number in range(first, last + 1):
            self.feed(log.line(number))
        if len(self._log) < last:
            log.truncate(len(self._log))
        self._log = log

    def replayed(self):
        """The marks of all answers that count, found by playing the journal through."""
        from shared_rules.journal_log import EchoLog
        other = Race(self.setup, self.track, EchoLog(self._log, 0), self._class, self.sealed)
        other.forgets = False
        for number in range(1, len(self._log) + 1):
            other.feed(self._log.line(number))
        return other.taken

    # Saving

    def save(self):
        """The whole race as one text, for ``Race.load``."""
        return saves.save(self)

    def snapshot(self):
        """The race without its journal's lines, for ``Race.resume`` with the log that has them."""
        return "".join(list(saves.snapshot(self)))

    def snapshot_pieces(self):
        """The text of ``snapshot()`` in short pieces."""
        return saves.snapshot(self)

    @classmethod
    def load(cls, text, track, game_class=None):
        """The race in a ``save()``; raises BadSave, which says what is wrong."""
        from shared_rules import restore
        return restore.load(cls, text, track, game_class)

    @classmethod
    def resume(cls, text, track, log, game_class=None):
        """The race in a ``snapshot()``, continued with all lines that ``log`` has gained since."""
        from shared_rules import restore
        return restore.resume(cls, text, track, log, game_class)


def _who_is_asked(prompts):
    return (", ".join([str(prompt.seat) for prompt in prompts]),)
