"""What one panel works on: a question, the cursor in it, and what its player reads about near misses."""

from glow.table.ends import EndsPick
from glow.table.pick import WheelPick


class Place:
    """One panel's place at the table. While nothing is asked here, ``prompt`` and ``pick`` are None."""

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
        self.card = ""                             # the id of an unknown card on the reader, to be learnt

    def hush(self):
        """Removes near misses and notes from the question."""
        self.near = None
        self.note = ""

    def lit(self, track):
        """(spaces, index of the bright one or -1) for the lights."""
        if self.near and self.near_at < len(self.near):
            words = self.near[self.near_at].text.split(" ")
            space = track.named(words[1]) if words[0] == "go" and len(words) > 1 else -1
            return ([space], 0) if space >= 0 else ((), -1)
        if self.pick and self.prompt.ends and not self.prompt.secret:
            return self.prompt.ends, self.pick.place()
        if isinstance(self.pick, EndsPick) and not self.prompt.secret:
            spaces, chosen = self.pick.lit()
            return spaces, spaces.index(chosen[0])
        return (), -1

    def costs(self):
        """What the option under the cursor costs: [dial key, points] each; () if it costs nothing."""
        if not self.pick or not self.prompt.costs or self.prompt.secret:
            return ()
        at = self.pick.place()
        return self.prompt.costs(at) if at >= 0 else ()

    def entered(self):
        """(which face is on the wheel, of how many) for the seat's dial; (0, 0) if there is no wheel to turn."""
        if isinstance(self.pick, WheelPick):
            return self.pick.faces[self.pick.at] + 1, len(self.pick.wheels[self.pick.at])
        return 0, 0
