"""Broken lines of the link are asked for again: what both ends do for that.

The sender numbers its lines, counting up from a session's first number; number 0 is outside the count. The receiver takes
lines in that order: if one is missing, those after it wait, and it is asked for with `again`, a few times, then given up.
A line that comes twice is taken once. The sender keeps its last lines for a while; for one it hasn't kept it says `gone`.
"""

from shared_rules.link_lines import NEAR, SESSION, following

#: This many lines at the beginning of a session are missed if it begins later.
FIRST = 8


class Kept:
    """The last lines that were sent, as many as fit into a number of bytes."""

    def __init__(self, most_bytes):
        self.most_bytes = most_bytes
        self._lines = []                           # (number, line), oldest first
        self._bytes = 0

    def keep(self, number, line):
        """Keeps a line (bytes; b"" for one that isn't to be sent again) for a while, if it isn't too long."""
        if len(line) + 16 > self.most_bytes:
            line = None
        self._lines.append((number, line))
        self._bytes += len(line or b"") + 16
        self.hold(self.most_bytes)

    def hold(self, most_bytes):
        """Keeps at most this many bytes from now on."""
        self.most_bytes = most_bytes
        while self._bytes > most_bytes:
            self._bytes -= len(self._lines.pop(0)[1] or b"") + 16

    def find(self, number):
        """The line with this number; None if it isn't kept, b"" if it may not be sent again."""
        for kept, line in self._lines:
            if kept == number:
                return line
        return None

    def again(self, number, next_number):
        """(the line to send to a partner that lacks this one, or nothing; whether it is no longer kept). A partner that
        thinks of another session lacks the last line."""
        back = next_number - number
        if not -NEAR < back <= NEAR:
            return self.last()[1], False
        line = self.find(number)
        return line, back > 0 and not line

    def last(self):
        """(number, line) of the last line; (0, None) if there is none."""
        return self._lines[-1] if self._lines else (0, None)

    def clear(self):
        """Drops all lines."""
        self._lines = []
        self._bytes = 0


class Order:
    """Puts what is heard in order. `ready` holds the messages that may be taken now; whoever takes them empties it.

    Moments are in ms of any clock that counts up; `retry_ms` is how long a line may take to come again, `held_most` how
    many messages may wait for a missing one. `repeatable` are the types of messages that may be taken again when the
    partner repeats its last one because no answer came: the taker recognises them, or they change nothing.
    """

    tries_most = 4
    #: How often to ask after lines without a readable number, until something comes: the question may break, too.
    blind_most = 3
    #: A partner that has never sent anything again is asked no more after this many lines were given up.
    vain_most = 3
    #: For this long after an `again` a line may come twice.
    twice_ms = 5000

    def __init__(self, retry_ms, held_most, repeatable=()):
        self.retry_ms = retry_ms
        self.held_most = held_most
        self.repeatable = repeatable
        self.ready = []
        self.lost = 0                              # lines that were given up
        self.twice = 0                             # lines that came once more
        self.again = 0                             # lines that came when they were asked for
        self.sessions = 0                          # partners that spoke
        self._due = 0                              # the number of the next line; 0: nobody has spoken yet
        self._known = 0                            # something showed that a line of this number was sent
        self._held = []                            # waiting messages, in order
        self._tries = 0
        self._vain = 0
        self._blind = 0
        self._ask_blind = False
        self._asked_ms = None
        self._waits = False                        # for a line that was asked for

    def take(self, message, now_ms):
        """Takes a message as it arrives."""
        number = message.get("n", 0)
        if not number:
            self.ready.append(message)
            return
        if not self._near(number):
            self._begin(number)
        self._blind = 0
        if SESSION <= number and following(number) == self._due:  # the last one once more: its answer didn't come
            self.twice += 1
            if message["t"] in self.repeatable:
                self.ready.append(message)
            return
        if number < self._due:
            if self._asked_ms is not None and 0 <= now_ms - self._asked_ms <= self.twice_ms:
                self.twice += 1
                return
            self._begin(number)                    # somebody numbers lines in their own way
            self._due = number
        if number == self._due:
            self._ask_blind = False                # nothing was missing before it
            if self._tries:
                self.again += 1
                self._vain = 0
            self._pass(message)
        else:
            self._hold(message)

    def broken(self, number, now_ms):
        """A line came that couldn't be read; `number` is the one in its head, 0 if that can't be read, -1 if it isn't even
        like a line."""
        if number < 0 and not self._due:
            return                                 # noise before anybody has spoken
        if self._near(number) and number >= self._due:  # any other may be a corrupted number
            self._known = max(self._known, number)
        elif self._blind < self.blind_most:
            self._ask_blind = True

    def doubt(self):
        """Nothing comes, and something should: perhaps its line lost its end. Asks for it once."""
        self._ask_blind = self._due > 0
        self._blind = max(self._blind, self.blind_most - 1)

    def missing(self):
        """Whether there is anything to `ask`."""
        return self._ask_blind or 0 < self._due <= self._known

    def ask(self, now_ms):
        """The number of the line to ask for now; -1 for none. Giving one up may have made others `ready`."""
        waits = 0 < self._due <= self._known
        if not waits and not self._ask_blind:
            return -1
        if (self._waits or not waits) and self._asked_ms is not None and 0 <= now_ms - self._asked_ms < self.retry_ms:
            return -1
        if self._ask_blind:
            self._blind += 1
            self._ask_blind = self._blind < self.blind_most
        if waits:
            if self._tries >= self.tries_most or self._vain >= self.vain_most:
                self._give_up()
                return -1
            self._tries += 1
            self._waits = True
        self._asked_ms = now_ms
        return self._due

    def _near(self, number):
        return self._due > 0 and -NEAR <= number - self._due <= NEAR

    def _begin(self, number):
        """Somebody new speaks, or the same partner starts again."""
        self.sessions += 1
        self.ready.extend(self._held)
        self._held = []
        base = number - number % SESSION
        self._due = base + 1 if base and 0 < number - base <= FIRST else number
        self._known = self._tries = self._vain = 0
        self._asked_ms = None
        self._waits = False

    def _pass(self, message):
        self.ready.append(message)
        self._due = following(self._due)
        self._tries = 0
        self._waits = False
        while self._held and self._held[0]["n"] == self._due:
            self.ready.append(self._held.pop(0))
            self._due = following(self._due)

    def _hold(self, message):
        number = message["n"]
        self._known = max(self._known, number - 1)
        at = len(self._held)
        while at and self._held[at - 1]["n"] > number:
            at -= 1
        if at and self._held[at - 1]["n"] == number:
            self.twice += 1
            return
        self._held.insert(at, message)
        if len(self._held) > self.held_most:
            self._give_up()

    def _give_up(self):
        """Goes on without the missing lines."""
        self._vain += 1
        self._tries = 0
        self._waits = False
        if self._held:
            self.lost += self._held[0]["n"] - self._due
            self._due = self._held[0]["n"]
            self._pass(self._held.pop(0))
        else:
            self._known = self._due - 1            # perhaps the broken line showed a number that never existed
