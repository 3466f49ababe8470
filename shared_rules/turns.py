"""How a race proceeds: the rules ask, all answers to questions asked together go back to them in seat order, and at the end
of a turn the state is written down.
"""

import json
from binascii import crc32

from shared_rules import journal
from shared_rules.marks import mark_of
from shared_rules.prompts import TABLE

_MOST_SILENT_STEPS = 1000
_MOST_EVENTS = 100

#: The separator between two lists in the text of a boundary.
PARTED = "], ["

#: The mark of an answer that the engine gave for a player who is leaving.
FORCED = -1


class Pending:
    """An answer that waits for the others; ``mark`` is 0 for a new one, the mark of its line in a
    replay, or FORCED for one that the engine gave for a player who is leaving."""

    def __init__(self, seat, by, text, value, secret, mark):
        self.seat = seat
        self.by = by
        self.text = text
        self.value = value
        self.secret = secret
        self.mark = mark


class Turns:
    """The part of a Race that drives the rules and keeps the books; Race is its interface."""

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
            values = self._take_values()

    def _open(self, asked):
        self._single = not isinstance(asked, list)
        self._group = [asked] if self._single else asked
        self._pending = []
        for prompt in self._group:
            prompt.serial = self.take_serial()
            if prompt.kind in ("roll", "draw"):
                source = self._dice_source if prompt.kind == "roll" else self.setup.decks
                self._draw(prompt, source if self._has_person(prompt.seat) else "device")

    def _draw(self, prompt, source):
        """Notes whose dice or cards a prompt wants; draws the device's own."""
        prompt.source = source
        if source == "device" and not self.sealed:
            prompt.draw(self._dice)

    def is_for_bot(self, prompt):
        """Whether a bot answers: it sits at the prompt's seat, or nobody else is left to answer for the table."""
        return not self._has_person(prompt.seat)

    def _has_person(self, seat):
        """Whether somebody is there to roll real dice: at this seat, or anywhere at the table; players who are leaving do
        nothing more for the table."""
        seats, gone = (self.setup.seats(), self.left) if seat == TABLE else ([seat], self._left)
        return any([not self.setup.is_bot(one) and one not in gone for one in seats])

    def _force(self):
        """Answers for the seats whose players are leaving, and for the table once nobody is left."""
        nobody = len(self.left) == len(self.setup.players)
        for prompt in self._group:
            forced = nobody if prompt.seat == TABLE else prompt.seat in self._leaving
            if forced and prompt.seat not in [entry.seat for entry in self._pending]:
                value = prompt.forced()
                self._pending.append(Pending(prompt.seat, prompt.seat, "", value, False, FORCED))

    def _settle(self):
        """Hands the answers over, in seat order, once all those asked together are in."""
        if not self._group or len(self._pending) < len(self._group):
            return
        given = [entry for entry in self._ordered() if entry.mark != FORCED]
        values = self._take_values()
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

    def _take_values(self):
        """The values, for the rules, of all answers asked for together; nothing is open afterwards."""
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
        # The state alone doesn't show the answers that led to it; with their digest nobody can change one unnoticed.
        self._past = [self.digest(), self.public_digest()]
        self._mark_boundary()

    def _drain(self):
        self._events.extend(self.game.events)
        self.game.events = []
        # A board that nobody watches must not fill its memory with events.
        del self._events[:-_MOST_EVENTS]

    def note_event(self, *parts):
        """Notes an event of the engine itself."""
        self._events.append(list(parts))

    def drop_events(self):
        """Drops events that haven't been shown: a replay emits none."""
        self._events = []

    # Book-keeping

    def taken_count(self):
        """How many answers the race consists of; those taken back don't count."""
        return self.base + len(self.taken)

    def _take(self, entry, joined):
        mark = entry.mark or mark_of(len(self._log) + 1, entry.by, joined)
        self.taken.append(mark)
        full = "%d %s\n" % (entry.by, entry.text)
        public = "%d sealed\n" % entry.by if entry.secret else full
        self._crc_full = crc32(full.encode(), self._crc_full)
        self._crc_public = crc32(public.encode(), self._crc_public)

    def append_line(self, seat, text, secret):
        """Writes a line into the journal, with the digests after it."""
        line = journal.JournalLine(seat, text, secret, self.public_digest(), self.digest())
        self._log.append(line.show())

    def log_text(self, number):
        """The journal's own line ``number``, with all its marks."""
        return self._log.line(number)

    def _mark_boundary(self):
        values = self.game.live()
        text = json.dumps(self._state(values, True))
        if self.ring:  # unchanged parts are kept only once; `rewind.boundary` puts them back
            at, last = self.ring[-1]
            self.ring[-1] = [at, _thinned(last, text)]
        self.ring.append([self.taken_count(), text])
        if len(self.ring) > self.ring_boundaries:
            self.ring.pop(0)
            # Marks from before the ring are found again in the journal if somebody goes back that far.
            known = self.ring[0][0] - self.base if self.forgets else 0
            self.taken = self.taken[known:]
            self.base += known
        self._count_crcs(text, values)

    def _count_crcs(self, text, values):
        secret = self.game.secret_fields
        seen = [None if field in secret else value for field, value in zip(self.game.fields, values)]
        public = json.dumps(self._state(seen, False))
        self._crc_full = crc32(text.encode())
        self._crc_public = crc32(public.encode())

    def _state(self, values, chance):
        streams = [self._dice.state(), self._deal.state(), self._past] if chance else [self._past[1]]
        return [self.turns, self._dice_source, self._left] + streams + [values]

    def take_serial(self):
        """A new number for a prompt that is being opened."""
        self._serial += 1
        return self._serial

    def pending_answers(self):
        """[seat, text] of the answers that wait for those of other seats."""
        return [[entry.by, entry.text] for entry in self._pending if entry.mark != FORCED]

    def drop_pending(self, seat=None):
        """Takes back answers that still wait for others, of one seat or all; returns how many."""
        before = len(self._pending)
        self._pending = [entry for entry in self._pending
                         if entry.mark == FORCED or not (seat is None or entry.by == seat)]
        return before - len(self._pending)


def _thinned(text, after):
    """The text of a boundary without the parts that it shares with the next one."""
    parts = text.split(PARTED)
    for at, there in enumerate(after.split(PARTED)):
        if at < len(parts) and parts[at] == there:
            parts[at] = "="
    return PARTED.join(parts)
