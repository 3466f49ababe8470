"""The ring between the keys and the loop: long work loses no press, and no press allocates memory."""

from array import array

from hal import CONSOLE, DICE_PAD
from shared_rules.link_lines import KEYS

PAD_KEYS = ("1", "2", "3", "4", "5", "6")


class KeyRing:
    """Of fixed size. A timer may put while the loop takes: each side moves only its own end."""

    size = 64

    # The reader moves only `_first`, the writer only `_end`; one slot more than `size` tells full from empty.

    def __init__(self, order=None):
        self.order = order  # the index in KEYS of each wire of a panel; None: in that order
        self._moments = array("i", bytes(4 * (self.size + 1)))
        self._panels = bytearray(self.size + 1)
        self._keys = bytearray(self.size + 1)
        self._downs = bytearray(self.size + 1)
        self._first = 0
        self._end = 0
        self._looked = 0
        self.lost = 0

    def put(self, t_ms, panel, key, down):
        """Put in one edge (key: its index on the panel). A full ring drops it and counts it."""
        slot = self._end
        after = (slot + 1) % (self.size + 1)
        if after == self._first:
            self.lost += 1
            return
        self._moments[slot] = t_ms
        self._panels[slot] = panel
        self._keys[slot] = key
        self._downs[slot] = down
        self._end = after

    def pressed(self):
        """The panel of the next key-down edge that the timer has put in and not looked at yet; 0 if
        there is none. For the timer alone."""
        while self._looked != self._end:
            slot = self._looked
            self._looked = (slot + 1) % (self.size + 1)
            if self._downs[slot]:
                return self._panels[slot]
        return 0

    def take_all(self, left=0):
        """A list of (t_ms, panel, key word, down), oldest first; empties the ring. ``left``: one bit for
        each panel whose keys are in the left-hand order: from the other end, but PREV stays left of NEXT."""
        if self._first == self._end:
            return ()
        found = []
        while self._first != self._end:
            slot = self._first
            panel = self._panels[slot]
            key = self._keys[slot]
            if panel == DICE_PAD:
                word = PAD_KEYS[key]
            elif panel == CONSOLE:
                word = KEYS[key]
            else:
                mirrored = left >> panel & 1
                if mirrored:
                    key = len(KEYS) - 1 - key
                if self.order is not None:
                    key = self.order[key]
                word = KEYS[1 - key if mirrored and key < 2 else key]
            found.append((self._moments[slot], panel, word, self._downs[slot]))
            self._first = (slot + 1) % (self.size + 1)
        return found
