"""What the board does when a part fails, a race breaks off or memory runs out: below `Racing`, the base of `app.App`.

A part that fails rests for a second, is shown and reported to the host, and tried again. A race
that fails is resumed from its save, at once the first time, then every second.
"""

import gc

from glow.board.health import RESTS
from glow.lights.lights import Lights
from hal import ticks_add, ticks_diff

RETRY_MS = 1000
NOTE_MS = 4000
#: How many events the crash box keeps.
EVENTS_MOST = 20
#: A board that can't show anything for this many seconds restarts.
TRIES_MOST = 10
#: A failed part counts as working again after it has worked for this long.
WELL_MS = 5000


class Lasting:
    """A fault that lasts. ``about`` says what is wrong, in a word for the host and for the code that ends it; ``parts``
    is its text. ``part``: the part that has failed, ``failed_ms``: when it last did, ``works``: has it worked since?"""

    def __init__(self, about, parts, say):
        self.about = about
        self.parts = parts
        self.say = say
        self.part = ""
        self.failed_ms = 0
        self.works = False


class Guarded:
    """The part of `App` that calls the other parts and handles what they raise."""

    def __init__(self):
        self.note = ""
        self._note_ms = 0
        self.note_of_race = False                  # the note disappears with the race
        self.faults = []
        self.lasting = []                          # the ones that are still on
        self.moments = []                          # and those without an end, since the last race began
        self.events = []                           # the latest, for the crash box
        self._failed = {}
        self._untold = None                        # an error that couldn't be reported for lack of memory, and its part
        self._untold_part = ""
        self._retell_ms = 0
        self.broken = None                         # the error that made the race fail
        self.tries = 0                             # how often it was resumed since its last answer

    def safely(self, part, call, *args):
        """Calls a part; if it fails, the fault is shown and reported, None is returned, and the part rests
        for a second. A part that returns False had nothing to do: that doesn't show whether it works."""
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
        """Does a part's work in pieces, each like one call of `safely`; ends at the first piece that fails."""
        while self.safely(part, _piece, work):
            yield

    def rests(self, part):
        """Whether a part has failed within the last second."""
        until = self._failed.get(part)
        if until is None:
            return False
        if -RETRY_MS <= ticks_diff(self.now, until) < 0:
            return True
        del self._failed[part]                     # six days later it would appear to lie in the future
        return False

    def part_failed(self, part, error):
        """Records that a part has failed; some then rest for a second (RESTS). If there is no
        memory to report it, that is done soon."""
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
        except Exception:                          # the code that reports it has itself failed
            self._untold = None

    def race_failed(self, error):
        """The rules or their table have failed: the next tick resumes the race. There may be no memory for that here."""
        if self.broken is None:
            self.broken = error

    def _mend(self):
        """Resumes the race from its save, at once and then a second later; a screen that couldn't
        be loaded gives way to idle. See glow.board.failed."""
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
            from glow.board import failed  # which may not be loaded yet if a screen couldn't be
            failed.take_up(self)
        except Exception as error:
            self._let_go()
            self._failed["rules"] = ticks_add(self.now, RETRY_MS)
            self.part_failed("race", error)
            if self.tries > TRIES_MOST:            # idle fails too: main.py restarts the board
                raise RuntimeError("nothing can be shown")

    def _let_go(self):
        """Drops race and screen with everything they hold."""
        self.screen = self._lines = self.race = self.table = None      # first the steps that take no memory
        self.bare.dirty = True
        gc.collect()
        self.drop_race()
        self.light(Lights.drop_track)
        gc.collect()

    def event(self, what):
        """Records something for the crash box: no names, no answers. Of several answers in a row, only the last is kept."""
        events = self.events
        if events and what[:7] == "answer " and events[-1][1][:7] == "answer ":
            events.pop()
        elif len(events) >= EVENTS_MOST:
            events.pop(0)
        events.append((self.now, what))

    # Faults that are reported

    def fault(self, parts, about=""):
        """Reports a fault: on the display, to the host, and in ``faults`` (the last ten). ``parts``
        is its text [key, arg, …], or a sentence. With ``about`` it lasts until it is over
        (`fault_over`), without it is momentary. Returns it."""
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
        """The fault with this ``about`` that isn't over yet, or None."""
        for one in self.lasting:
            if one.about == about:
                return one
        return None

    def fault_over(self, about, parts=None):
        """What was wrong is over; ``parts``: the text that says so, on the display too."""
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
        """Ends the faults of parts that work again."""
        for one in self.lasting:
            if one.part and one.works and ticks_diff(self.now, one.failed_ms) >= WELL_MS:
                self.fault_over(one.about)
                return

    def tell(self, say, of_race=True):
        """Shows a sentence at the foot of the display for some seconds; with ``of_race`` it disappears with its race."""
        self.note = say
        self.note_of_race = of_race
        self._note_ms = ticks_add(self.now, self.reading_ms(NOTE_MS))
        (self.screen or self.bare).dirty = True

    def reading_ms(self, usual_ms):
        """How long something stays on the display that normally takes ``usual_ms``: twice that at a slow pace."""
        return 2 * usual_ms if self.pace == "slow" else usual_ms

    def sound(self, name):
        """Plays a sound."""
        if not self.instant:
            self.safely("sound", self.hal.sound.play, name)

    def light(self, method, *args):
        """Calls a method of `Lights` on the board's lights, if it has any: ``app.light(Lights.ack, seat, now)``."""
        if self.lights:                            # even while the strips rest: they show it when they are back
            try:
                return method(self.lights, *args)
            except Exception as error:
                self.part_failed("lights", error)
        return None

    def saved(self, reason, what="settings"):
        """Reports why ``what`` couldn't be saved ("" if it was); a missing file system has been reported already."""
        about = "save " + what
        if reason:
            one = self.lasts(about)
            if self.hal.file_system == "ok" and (one is None or one.parts[0] != reason):
                self.fault([reason], about)
        elif self.lasting:
            self.fault_over(about)


def _piece(work):
    """Does the next piece of a generator; None once it has ended."""
    try:
        next(work)
        return True
    except StopIteration:
        return None
