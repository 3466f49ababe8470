"""What the board does where a part fails, a race breaks off or memory runs out: below `Racing`, the base of `app.App`.

A part that fails rests for a second, is shown and told to the host, and tried again. A race that fails is taken up anew
from what is saved of it, first at once, then each second.
"""

import gc

from glow.board.health import RESTS
from glow.lights.lights import Lights
from hal import ticks_add, ticks_diff

RETRY_MS = 1000
NOTE_MS = 4000
#: Events that the crash box keeps.
EVENTS_MOST = 20
#: A board on which nothing can be shown for so many seconds starts anew.
TRIES_MOST = 10
#: A part that has failed works again when it has done so for so long.
WELL_MS = 5000


class Lasting:
    """A fault that lasts. ``about`` says what is wrong, in a word for the host and for whoever ends it; ``parts`` is its
    text. ``part``: that of the board which has failed, ``failed_ms``: when it last did, ``works``: has it worked since?"""

    def __init__(self, about, parts, say):
        self.about = about
        self.parts = parts
        self.say = say
        self.part = ""
        self.failed_ms = 0
        self.works = False


class Guarded:
    """The part of `App` that calls others and sees to what they raise."""

    def __init__(self):
        self.note = ""
        self._note_ms = 0
        self.note_of_race = False                  # the note goes with the race
        self.faults = []
        self.lasting = []                          # those of them that aren't over
        self.moments = []                          # and those that have no end, since the last race began
        self.events = []                           # the last ones, for the crash box
        self._failed = {}
        self._untold = None                        # an error that there was no memory to tell of, and its part
        self._untold_part = ""
        self._retell_ms = 0
        self.broken = None                         # what made the race fail
        self.tries = 0                             # how often it was taken up since its last answer

    def safely(self, part, call, *args):
        """Calls a part; where it fails: the fault is shown and told, None comes back, and it rests for a second. One that
        had nothing to do returns False: that says nothing of whether it works."""
        if part in self._failed and self.rests(part):
            return None
        try:
            answer = call(*args)
        except Exception as error:
            self.part_failed(part, error)
            return None
        if self.lasting and answer is not False:
            self._works(part)
        return answer

    def pieces(self, part, work):
        """Does the work of a part in pieces, each as `safely` does a call; it ends with the piece that fails."""
        while self.safely(part, _piece, work):
            yield

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
                gc.collect()
            from glow.board import failed  # loaded with the first fault
            failed.tell(self, self._untold_part, self._untold)
            self._untold = None
        except MemoryError:
            self._retell_ms = ticks_add(self.now, RETRY_MS)
        except Exception:                          # what tells it has failed itself
            self._untold = None

    def race_failed(self, error):
        """The rules or their table have failed: the next tick takes the race up anew. Here there may be no room for that."""
        if self.broken is None:
            self.broken = error

    def _mend(self):
        """Takes the race up anew from what is saved, at once and then a second later; a screen that couldn't be loaded gives
        way to idle. See glow.board.failed."""
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
            from glow.board import failed  # which may not be loaded yet where a screen couldn't be
            failed.take_up(self)
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
        self.light(Lights.drop_track)
        gc.collect()

    def event(self, what):
        """Notes something for the crash box: no names, no answers. Of answers in a row the last one counts."""
        events = self.events
        if events and what[:7] == "answer " and events[-1][1][:7] == "answer ":
            events.pop()
        elif len(events) >= EVENTS_MOST:
            events.pop(0)
        events.append((self.now, what))

    # Faults that are told

    def fault(self, parts, about=""):
        """Notes a fault: on the display, to the host, and in ``faults`` (the last ten). ``parts`` is its text
        [key, arg, …], or a sentence. With ``about`` it lasts until that is over (`fault_over`), without it is of the
        moment. Returns it."""
        one = Lasting(about, parts, parts if isinstance(parts, str) else self.speech.say(parts))
        self.faults = self.faults[-9:] + [one.say]
        if about:
            self.lasting = [other for other in self.lasting if other.about != about] + [one]
        else:
            self.moments = self.moments[-9:] + [one.say]
        self.tell(one.say, False)
        self._tell_host(one, 1)
        return one

    def lasts(self, about):
        """The fault about this that isn't over yet, or None."""
        for one in self.lasting:
            if one.about == about:
                return one
        return None

    def fault_over(self, about, parts=None):
        """What was wrong is no longer; ``parts``: what is told of that, on the display too."""
        one = self.lasts(about)
        if one is None and parts is None:
            return
        if one:
            self.lasting.remove(one)
            if self.note == one.say:
                self.note = ""
                (self.screen or self.bare).dirty = True
        over = Lasting(about, parts, self.speech.say(parts) if parts else "")
        if over.say:
            self.tell(over.say, False)
        self._tell_host(over, 0)

    def _tell_host(self, one, on):
        link = getattr(self, "link", None)
        if link:                                   # else the board has only just started, and says hello in a moment
            link.fault(one, on)

    def _works(self, part):
        for one in self.lasting:
            if one.part == part:
                one.works = True

    def see_to_faults(self):
        """Ends the fault of a part that works again."""
        for one in self.lasting:
            if one.part and one.works and ticks_diff(self.now, one.failed_ms) >= WELL_MS:
                self.fault_over(one.about)
                return

    def tell(self, say, of_race=True):
        """Shows a sentence at the foot of the display for some seconds; one ``of_race`` goes with its race."""
        self.note = say
        self.note_of_race = of_race
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
        """Calls a method of `Lights` on the board's own, if there are any: ``app.light(Lights.ack, seat, now)``."""
        if self.lights:                            # though the strips may rest: they show it when they are there again
            try:
                return method(self.lights, *args)
            except Exception as error:
                self.part_failed("lights", error)
        return None

    def saved(self, reason, what="settings"):
        """Notes the reason why ``what`` couldn't be saved ("" if it was); without a file system that was told once."""
        about = "save " + what
        if reason:
            one = self.lasts(about)
            if self.hal.file_system == "ok" and (one is None or one.parts[0] != reason):
                self.fault([reason], about)
        elif self.lasting:
            self.fault_over(about)


def _piece(work):
    """Does the next piece of a generator; None where it has ended."""
    try:
        next(work)
        return True
    except StopIteration:
        return None
