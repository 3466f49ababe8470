"""The only door to a race: prompts out, answers in.

Between two turns the state of a race is plain data, the *boundary*; inside a turn it is the last
boundary and the answers since. Undo, resume and replay are all the same thing: go back to a boundary and
give the answers again. Chance is drawn anew then, and comes out the same.
"""

import json
from binascii import crc32

from shared_rules import games, journal, notation, saves
from shared_rules.chance import Chance
from shared_rules.errors import Refused
from shared_rules.marks import mark_of, seat_of, words_of
from shared_rules.notation import ENGINE_VERBS
from shared_rules.prompts import TABLE
from shared_rules.scene import Scene

_MOST_SILENT_STEPS = 1000
_MOST_EVENTS = 100


class Race:
    """A race of one game.

    ``setup`` is a checked Setup, ``track`` its Track. ``log`` keeps the journal's lines (in memory where it is
    None). ``sealed`` is for the replay of a sealed journal: the seed isn't known, so device dice are
    told instead of drawn.
    """

    #: Boundaries kept for a quick undo; older ones are replayed from the start.
    ring_boundaries = 8
    #: Whether marks of answers from before the ring are dropped.
    forgets = True

    def __init__(self, setup, track, log=None, game_class=None, sealed=False):
        self.setup = setup
        self.track = track
        self.sealed = sealed
        self._log = journal.MemoryLog() if log is None else log
        self._class = game_class or games.load(setup.game)
        self._serial = 0
        self._events = []
        self.asking = None
        self._begin()

    # What is open, and what can be seen

    @property
    def prompts(self):
        """The open prompts in seat order, at most one a seat; [] only when the race is over."""
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
    def lines(self):
        """How many lines the journal has."""
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
        """The Scene now, with the events since the last call."""
        scene = Scene()
        scene.track = self.track
        scene.lap = self.game.lap()
        scene.laps = self.setup.laps if scene.lap else 0
        self.game.scene(scene)
        scene.events = self._events
        self._events = []
        return scene

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
        """The same without generator, decks and secrets."""
        return "%08x" % self._crc_public

    def journal_lines(self, unseal=None):
        """Generates the journal's text in pieces; sealed until the podium, unless ``unseal``."""
        sealed = not (self.over if unseal is None else unseal)
        yield journal.header(self.setup, self.track, sealed)
        for number in range(1, len(self._log) + 1):
            yield self.line(number).show(sealed) + "\n"

    def journal(self, unseal=None):
        """The journal as one text."""
        return "".join(list(self.journal_lines(unseal)))

    def bot_answer(self, seat):
        """What the game's bot answers to the open prompt of this seat, as text.

        A bot's chance comes from the seed and the place in the race, so that it is the same after a resume.
        """
        prompt = self.prompt_of(seat)
        if prompt.kind in ("roll", "draw"):
            return prompt.kind
        chance = Chance(self.setup.seed, "bots/%d/%d" % (seat, self.taken_count()))
        bots = self._class.BOTS or games.bots(self.setup.game)
        return bots.choose(self.game, prompt, chance)

    # Answers

    def answer(self, seat, text):
        """Checks and applies an answer; returns its text as it stands in the journal.

        Raises BadText or Refused, and then nothing has changed.
        """
        return self._answer(seat, text, False)

    def feed(self, text):
        """Takes a journal line's text in a replay: what chance gave is drawn anew and compared."""
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
        self._pending.append(_Pending(prompt.seat, seat, text, value, prompt.secret, mark))
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
        self._take(_Pending(seat, seat, text, None, False, mark), False)
        if verb == "leave":
            self.drop_pending(seat)
        # Answers that waited for this seat alone come after it in the journal, as they will in a replay.
        before_others = not mark and bool(self.pending_answers())
        if before_others:
            self.append_line(seat, text, False)
        if verb == "leave":
            self._leaving.append(seat)
            self._force()
            self._settle()
        else:
            self.next_source = words[1]
        if not mark and not before_others:
            self.append_line(seat, text, False)
        return text

    # One turn after the other

    def _begin(self):
        """Sets the race up from its set-up alone."""
        self._dice = Chance(self.setup.seed, "dice")
        self._deal = Chance(self.setup.seed, "deal")
        self.game = self._class(self.setup, self.track, self._deal)
        self.turns = 0
        self._dice_source = self.setup.dice
        self.next_source = self._dice_source
        self._left = []
        self._leaving = []
        self.base = 0
        self.taken = []
        self.ring = []
        self._past = ["", ""]
        self._mark_boundary()
        self._begin_turn()

    def restore(self, text):
        """Goes to a boundary; the caller sees to ``taken`` and ``ring``, and then begins the turn."""
        (self.turns, self._dice_source, self._left, dice, deal, self._past, values) = json.loads(text)
        self._dice = Chance.at(dice)
        self._deal = Chance.at(deal)
        self.game = self._class(self.setup, self.track, Chance("", "")).load(values)
        self.game.deal = self._deal
        self.next_source = self._dice_source
        self._leaving = []
        self._count_crcs(text)
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
        """An answer that the journal has already, with its mark."""
        if words[0] in ENGINE_VERBS:
            self._engine_answer(seat, words[0], words[1:], mark)
        else:
            self._give(seat, words[0], words[1:], True, mark)

    def take_up(self, count, text, marks):
        """Goes on from the boundary ``text`` after ``count`` answers, with those of ``marks``."""
        self.base = count
        self.taken = []
        self.ring = [[count, text]]
        self.restore(text)
        for mark in marks:
            self.give_again(seat_of(mark), words_of(self, mark), mark)

    def place(self):
        """Where the race stands, for ``go_back``."""
        serials = [prompt.serial for prompt in self._group]
        return self.base, list(self.taken), list(self.ring), list(self._events), self._serial, serials

    def go_back(self, place):
        """Goes to where ``place`` was taken, no answers waiting then, as if nothing had happened since."""
        self.base, marks, self.ring, events, serial, serials = place
        count, text = self.ring[-1]
        self.taken = marks[:count - self.base]
        self.restore(text)
        for mark in marks[count - self.base:]:
            self.give_again(seat_of(mark), words_of(self, mark), mark)
        self._events = events
        self._serial = serial
        for prompt, number in zip(self._group, serials):
            prompt.serial = number

    def replay_lines(self, first, last):
        """Gives the journal's own lines again, each compared with what comes out now."""
        log = self._log
        self._log = journal.EchoLog(log, first - 1)
        for number in range(first, last + 1):
            self.feed(log.line(number))
        if len(self._log) < last:
            log.truncate(len(self._log))
        self._log = log

    def replayed(self):
        """The marks of all answers that count, found by playing the journal through."""
        other = Race(self.setup, self.track, journal.EchoLog(self._log, 0), self._class, self.sealed)
        other.forgets = False
        for number in range(1, len(self._log) + 1):
            other.feed(self._log.line(number))
        return other.taken

    def _begin_turn(self):
        self.over = False
        self._group = []
        self._pending = []
        self._turn = None
        self._run(None)

    def _run(self, values):
        """Drives the rules until a prompt is open or the race is over."""
        silent = 0
        while True:
            silent += 1
            if silent > _MOST_SILENT_STEPS:
                raise RuntimeError("the rules ask nobody and never end")
            if self._turn is None:
                if self.game.over():
                    self.over = True
                    return
                self._turn = self.game.turn()
                values = None
            try:
                asked = self._turn.send(values)
            except StopIteration:
                self._turn = None
                self._end_turn()
                continue
            self._drain()
            self._open(asked)
            self._force()
            if len(self._pending) < len(self._group):
                return
            values = self._collect()

    def _open(self, asked):
        self._single = not isinstance(asked, list)
        self._group = [asked] if self._single else asked
        self._pending = []
        for prompt in self._group:
            prompt.serial = self.next_serial()
            if prompt.kind in ("roll", "draw"):
                bot = not self._has_person(prompt.seat)
                source = self._dice_source if prompt.kind == "roll" else self.setup.decks
                prompt.source = "device" if bot else source
                if prompt.source == "device" and not self.sealed:
                    prompt.draw(self._dice)

    def _has_person(self, seat):
        """Whether somebody is there to roll real dice: at a seat, or at the table at all."""
        seats = self.setup.seats() if seat == TABLE else [seat]
        return any([not self.setup.is_bot(one) and one not in self._left for one in seats])

    def _force(self):
        """Answers for the seats whose players are leaving."""
        for prompt in self._group:
            if prompt.seat in self._leaving and prompt.seat not in [e.seat for e in self._pending]:
                value = prompt.forced()
                self._pending.append(_Pending(prompt.seat, prompt.seat, "", value, False, _FORCED))

    def _settle(self):
        """Hands the answers over, in seat order, once all that were asked together are in."""
        if not self._group or len(self._pending) < len(self._group):
            return
        given = [entry for entry in self._ordered() if entry.mark != _FORCED]
        values = self._collect()
        for at, entry in enumerate(given):
            self._take(entry, at > 0)
            if at == len(given) - 1:
                self._run(values)
            if not entry.mark:
                self.append_line(entry.by, entry.text, entry.secret)
        if not given:
            self._run(values)

    def _ordered(self):
        order = []
        for prompt in self._group:
            order.extend([entry for entry in self._pending if entry.seat == prompt.seat])
        return order

    def _collect(self):
        values = [entry.value for entry in self._ordered()]
        self._group = []
        self._pending = []
        return values[0] if self._single else values

    def _end_turn(self):
        for seat in self._leaving:
            self.game.leave(seat)
            self._left.append(seat)
            self.game.event("left", seat)
        self._leaving = []
        self._dice_source = self.next_source
        self.turns += 1
        self._drain()
        # The state alone doesn't tell the answers that led to it; with their digest nobody changes one unseen.
        self._past = [self.digest(), self.public_digest()]
        self._mark_boundary()

    def _drain(self):
        self._events.extend(self.game.events)
        self.game.events = []
        # A board without anybody who looks must not fill its memory with what was to be seen.
        del self._events[:-_MOST_EVENTS]

    def note_event(self, *parts):
        """An event of the engine itself."""
        self._events.append(list(parts))

    def drop_events(self):
        """Forgets what hasn't been shown: a replay emits no events."""
        self._events = []

    # Book-keeping

    def taken_count(self):
        """How many answers the race consists of: those taken back don't count."""
        return self.base + len(self.taken)

    def _take(self, entry, joined):
        mark = entry.mark or mark_of(len(self._log) + 1, entry.by, joined)
        self.taken.append(mark)
        full = "%d %s\n" % (entry.by, entry.text)
        public = "%d sealed\n" % entry.by if entry.secret else full
        self._crc_full = crc32(full.encode(), self._crc_full)
        self._crc_public = crc32(public.encode(), self._crc_public)

    def append_line(self, seat, text, secret):
        """Writes a line into the journal, with the digests that hold after it."""
        line = journal.JournalLine(seat, text, secret, self.public_digest(), self.digest())
        self._log.append(line.show())

    def log_text(self, number):
        """The journal's own line ``number``, with all its marks."""
        return self._log.line(number)

    def _mark_boundary(self):
        text = json.dumps(self._state(self.game.dump(), True))
        self.ring.append([self.taken_count(), text])
        if len(self.ring) > self.ring_boundaries:
            self.ring.pop(0)
            # Marks from before the ring are found again in the journal when somebody goes back so far.
            known = self.ring[0][0] - self.base if self.forgets else 0
            self.taken = self.taken[known:]
            self.base += known
        self._count_crcs(text)

    def _count_crcs(self, text):
        public = json.dumps(self._state(self.game.dump(self.game.secret_fields), False))
        self._crc_full = crc32(text.encode())
        self._crc_public = crc32(public.encode())

    def _state(self, values, chance):
        streams = [self._dice.state(), self._deal.state(), self._past] if chance else [self._past[1]]
        return [self.turns, self._dice_source, self._left] + streams + [values]

    def next_serial(self):
        """A number for a prompt that is being opened."""
        self._serial += 1
        return self._serial

    def pending_answers(self):
        """[seat, text] of the answers that wait for those of other seats."""
        return [[entry.by, entry.text] for entry in self._pending if entry.mark != _FORCED]

    def drop_pending(self, seat=None):
        """Takes back answers that still wait for others: of one seat, or all; returns how many."""
        before = len(self._pending)
        self._pending = [entry for entry in self._pending
                         if entry.mark == _FORCED or not (seat is None or entry.by == seat)]
        return before - len(self._pending)

    # Saving

    def save(self):
        """The whole race as one text, for ``Race.load``."""
        return saves.save(self)

    def snapshot(self):
        """The race without its journal's lines, for ``Race.resume`` with the log that has them."""
        return saves.snapshot(self)

    @classmethod
    def load(cls, text, track, game_class=None):
        """The race of a ``save()``; raises BadSave with what is wrong."""
        from shared_rules import restore
        return restore.load(cls, text, track, game_class)

    @classmethod
    def resume(cls, text, track, log, game_class=None):
        """The race of a ``snapshot()`` and of all lines that ``log`` has had since."""
        from shared_rules import restore
        return restore.resume(cls, text, track, log, game_class)

    def clone(self):
        """An independent copy."""
        from shared_rules import restore
        return restore.load(Race, self.save(), self.track, self._class, self.sealed)


_FORCED = -1


class _Pending:
    """An answer that waits for the others; ``mark`` is 0 for a new one, the mark of its line in a
    replay, or _FORCED for one that the engine gave in the place of a player who is leaving."""

    def __init__(self, seat, by, text, value, secret, mark):
        self.seat = seat
        self.by = by
        self.text = text
        self.value = value
        self.secret = secret
        self.mark = mark


def _who_is_asked(prompts):
    return (", ".join([str(prompt.seat) for prompt in prompts]),)
