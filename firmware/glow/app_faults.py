"""What the board does where a part fails, a race breaks off or memory runs out: the base of `app.App`.

A part that fails rests for a second, is shown and told to the host, and tried again. A race that fails is taken up anew
from what is saved of it, first at once, then each second.
"""

import gc

from glow.loading import drop_kept, forget_games, forget_seldom, once
from hal import ticks_add, ticks_diff

RETRY_MS = 1000
#: What rests for so long when it has failed. The race, keys and clock must not.
RESTS = ("lights", "display", "lines", "sound", "link", "save", "reader")
NOTE_MS = 4000
#: Events that the crash box keeps.
EVENTS_MOST = 20
#: A board on which nothing can be shown for so many seconds starts anew.
TRIES_MOST = 10


class Guarded:
    """The part of `App` that calls others and sees to what they raise."""

    def __init__(self):
        self.note = ""
        self._note_ms = 0
        self.faults = []
        self.events = []                           # the last ones, for the crash box
        self._failed = {}
        self._untold = None                        # an error that there was no memory to tell of, and its part
        self._untold_part = ""
        self._retell_ms = 0
        self.broken = None                         # what made the race fail
        self.tries = 0                             # how often it was taken up since its last answer

    def safely(self, part, call, *args):
        """Calls a part; where it fails: the fault is shown and told, None comes back, and it rests for a second."""
        if part in self._failed and self.rests(part):
            return None
        try:
            return call(*args)
        except Exception as error:
            self.part_failed(part, error)
            return None

    def rests(self, part):
        """Whether a part has failed within the last second."""
        until = self._failed.get(part)
        if until is None:
            return False
        if -RETRY_MS <= ticks_diff(self.now, until) < 0:
            return True
        del self._failed[part]                     # six days later it would seem to be still to come
        return False

    def part_failed(self, part, error):
        """Notes that a part has failed: some rest for a second (RESTS). Where there is no memory for telling that, there is
        soon."""
        if self._untold is None:
            self._untold = error
            self._untold_part = part
            self._tell_failed()
        if part in RESTS:
            try:
                self._failed[part] = ticks_add(self.now, RETRY_MS)
            except MemoryError:                    # then it doesn't rest
                pass

    def _tell_failed(self):
        try:
            if isinstance(self._untold, MemoryError):
                self.make_room()
            self.once("table_faults", "tell", self._untold_part, self._untold)
            self._untold = None
        except MemoryError:
            self._retell_ms = ticks_add(self.now, RETRY_MS)
        except Exception:                          # what tells it has failed itself
            self._untold = None

    def make_room(self):
        """Lets go of all code that could be loaded again, and tidies the heap."""
        drop_kept()
        forget_seldom()
        gc.collect()

    def race_failed(self, error):
        """The rules or their table have failed: the next tick takes the race up anew. Here there may be no room for that."""
        if self.broken is None:
            self.broken = error

    def _mend(self):
        """Takes the race up anew from what is saved, at once and then a second later; a screen that couldn't be loaded gives
        way to idle. See table_faults."""
        error = self.broken
        if error is not None:
            self.broken = None
            self._let_go()
            self.part_failed("rules", error)
            if self.tries:
                self._failed["rules"] = ticks_add(self.now, RETRY_MS)
        if self.rests("rules"):
            return
        self.tries += 1
        try:
            self.once("table_faults", "take_up")
        except Exception as error:
            self._let_go()
            self._failed["rules"] = ticks_add(self.now, RETRY_MS)
            self.part_failed("race", error)
            if self.tries > TRIES_MOST:            # not even idle: main.py has the board start anew
                raise RuntimeError("nothing can be shown")

    def _let_go(self):
        """Drops race and screen with all that they take."""
        self.screen = self._lines = self.race = self.table = None      # first what takes no memory
        self.bare.dirty = True
        gc.collect()
        self.drop_race()
        self.light("drop_track")
        forget_games()                             # their code lies all over the heap
        self.make_room()

    def event(self, what):
        """Notes something for the crash box: no names, no answers. Of answers in a row the last one counts."""
        events = self.events
        if events and what[:7] == "answer " and events[-1][1][:7] == "answer ":
            events.pop()
        elif len(events) >= EVENTS_MOST:
            events.pop(0)
        events.append((self.now, what))

    def once(self, module, name, *args):
        """Calls a function whose code is loaded for that only."""
        return once(module, name, self, *args)

    def fault(self, say):
        """Notes a fault: on the display, to the host, and in ``faults`` (the last ten)."""
        self.faults = self.faults[-9:] + [say]
        self.tell(say)
        link = getattr(self, "link", None)
        if link:
            link.fault(say)
        else:
            self.hal.send({"t": "fault", "say": say})

    def tell(self, say):
        """Shows a sentence at the foot of the display for some seconds."""
        self.note = say
        self._note_ms = ticks_add(self.now, self.reading_ms(NOTE_MS))
        (self.screen or self.bare).dirty = True

    def reading_ms(self, usual_ms):
        """How long something stands on the display that takes so long as a rule: twice that at a slow pace."""
        return 2 * usual_ms if self.pace == "slow" else usual_ms

    def sound(self, name):
        """Plays a sound."""
        if not self.instant:
            self.safely("sound", self.hal.sound.play, name)

    def light(self, method, *args):
        """Calls a method of the lights, if there are any."""
        if self.lights:                            # though the strips may rest: they show it when they are there again
            try:
                return getattr(self.lights, method)(*args)
            except Exception as error:
                self.part_failed("lights", error)
        return None

    def saved(self, reason):
        """Notes the reason why something couldn't be saved ("" if it was); without a file system that was told once."""
        if reason and self.hal.file_system == "ok":
            self.fault(self.texts.get(reason))
