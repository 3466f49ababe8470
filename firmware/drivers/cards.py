"""Cards on the reader: each is reported once when it is put down, however unsteadily it reads.

A card lying still reads as present and absent by turns, so it counts as there after two rounds that found it, and as
gone after several that didn't. Ids that begin with 08 are random, new each time, and identify nothing; two cards at
once can't be told apart. Both are refused with a reason. A reader that doesn't answer is tried again once a second.
"""

from hal import ticks_add, ticks_diff

#: Why a card is refused: text keys.
RANDOM_ID = "board.card_random"
SEVERAL = "board.card_several"

_RANDOM_FIRST = 0x08
_NOTHING = b""
_RANDOM = b"random"
_MANY = b"several"


class Presence:
    """The card reader as the board uses it: call `tick` once a tick, and collect `card()` and `refused()`."""

    round_ms = 50
    retry_ms = 1000
    rounds_there = 2
    rounds_gone = 6

    def __init__(self, reader):
        self.state = "missing"  # or "ok"
        self._reader = reader
        self._set_up = False
        self._next_ms = None  # when to begin the next round or try again; None: at once
        self._resting = _NOTHING  # what lies there and has been reported
        self._seen = _NOTHING  # what may be reported next
        self._rounds = 0  # how many rounds have found that
        self._missed = 0  # how many rounds in a row have missed what lies there
        self._new = ""
        self._refused = ""

    def card(self):
        """The id of a newly placed card, as upper-case hexadecimal text; "" when there is none."""
        new = self._new
        if new:
            self._new = ""
        return new

    def refused(self):
        """The key of the text that says why the card can't be taken; "" when nothing was refused."""
        why = self._refused
        if why:
            self._refused = ""
        return why

    def again(self):
        """Report what lies there once more, as if it had just been put down."""
        self._resting = self._seen = _NOTHING
        self._missed = 0
        self._new = self._refused = ""

    def version(self):
        """The reader's version register; see `rc522.Reader.version`."""
        return self._reader.version()

    def tick(self, now):
        """Do what is due: at most one exchange with the reader."""
        reader = self._reader
        if not reader.busy:
            if self._next_ms is not None and ticks_diff(now, self._next_ms) < 0:
                return
            if not self._set_up:
                self._begin(now)
                return
            self._next_ms = ticks_add(now, self.round_ms)
        uid = reader.poll()
        if reader.busy:
            return
        if not reader.there:
            self._set_up = False
            self._next_ms = None  # retry at once: perhaps it only lost power for a moment
        elif reader.collided:
            self._round(_MANY)
        elif uid is None:
            self._round(_NOTHING)
        elif len(uid) == 4 and uid[0] == _RANDOM_FIRST:
            self._round(_RANDOM)  # a new id each time, but still the same card
        else:
            self._round(uid)

    def _begin(self, now):
        self._set_up = self._reader.start()
        self._next_ms = None
        self.state = "ok"
        if not self._set_up:
            self.state = "missing"
            self._next_ms = ticks_add(now, self.retry_ms)
            self._resting = self._seen = _NOTHING

    def _round(self, found):
        """Handle a round's result: an id, a random one, several cards or nothing."""
        resting = self._resting
        if found and (found == resting or resting == _MANY or not resting):
            self._missed = 0
        else:
            self._missed += 1
            if self._missed >= self.rounds_gone:
                self._resting = _NOTHING
                if not found:
                    self._seen = _NOTHING
        if not found:
            return
        if found == resting:
            self._seen = _NOTHING
            return
        if found != self._seen:
            self._seen = found
            self._rounds = 0
        self._rounds += 1
        # A card left over from several wasn't put down by itself: report nothing until all are off.
        if self._rounds >= self.rounds_there and (not self._resting or found == _MANY):
            self._tell(found)

    def _tell(self, found):
        self._resting = found
        self._seen = _NOTHING
        self._missed = 0
        if found == _RANDOM:
            self._refused = RANDOM_ID
        elif found == _MANY:
            self._refused = SEVERAL
        else:
            self._new = "".join(["%02X" % byte for byte in found])
