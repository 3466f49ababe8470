"""The board on a Raspberry Pi Pico, made from board.json alone.

Everything but the Pico and one strip is optional: it is looked for at the start, may vanish and come back,
and `parts` has its state. A timer scans the keys every 5 ms; everything else is done by `poll` and
`sleep_ms`, once a tick, without waiting.
"""

import io
import os
import sys
import time

import machine

from hal import file_system, ticks_add, ticks_diff
from hal.keyring import KeyRing
from hal.outbox import DISPLAY, Linked
from hal.usb import Usb
from shared_rules.link_lines import KEYS

SCAN_MS = 5
SETTLE_MS = 40  # until a chain knows which panels it has
LOOK_MS = 240  # how often parts are checked; four kinds take turns, and each change must be noticed within a second
REST_MS = 1500  # nobody is pressing anything at the moment
WATCHDOG_MS = 8000
LIT = "save/lit"  # there while a race runs: if found after a power-on, the supply broke down during the race
ABSENT, THERE, WRONG = 0, 1, 2  # state of a panel, by its ID bits


class Nothing:
    """Stands in for an output, a display or a buzzer that the board doesn't have."""

    late = False
    mute = False

    def __init__(self, use=""):
        self.count = 0
        self.use = use

    def show(self, frame):
        """There is nothing to light."""

    def lines(self, lines, private_seat=0):
        """There is nothing to write on."""

    def play(self, name):
        """There is nothing to sound."""


class Strip:
    """An output that keeps its last frame for somebody who watches from elsewhere."""

    def __init__(self, output, use):
        self.count = output.count
        self.use = use
        self.frame = None
        self.output = output

    def show(self, frame):
        """Show a frame (RGB, 3 bytes a pixel). The buffer is kept, not copied."""
        self.frame = frame
        self.output.show(frame)


class PicoHal(Linked):
    """The interface of a board. `root` is "" on a Pico, whose files are in its start folder."""

    listened = False
    stable_looks = 2  # how many checks of the panels must agree

    def __init__(self, root=""):
        super().__init__(root, None)
        self.file_system = file_system.state
        if self.frozen_board:
            from rp2 import bootsel_button
            self.bootsel = bootsel_button
        self._ring = KeyRing(_places(self.board.get("keys")))
        self._usb = Usb()
        self._dog = None
        self._watched = False
        self._look_ms = self._key_ms = self.ticks_ms()
        self._looks = self.stable_looks
        self._turn = 0
        self._mirror = None
        self.reset_cause = machine.reset_cause()
        self.ended = self._ended()
        self._take(self._start())
        self._timer = None
        self._interrupted = False
        self._woken_ms = time.ticks_ms()
        self._key_lights = None
        self._taken = False  # the loop has taken keys in this tick
        self._scanning = False
        self._scan_error = None  # the last error of a scan, not yet reported
        self.scans_failed = 0
        if self._chain or self._console:
            self._timer = machine.Timer(-1, period=SCAN_MS, mode=machine.Timer.PERIODIC, callback=self._scan)
        self._states = b""
        self.panel_count = 0
        if self._chain:
            time.sleep_ms(SETTLE_MS)
            self._states = self._chain.states()
            self._note_panels()

    def _start(self):
        from hal.pico_start import Start
        return Start(self.board, self._ring, self.ticks_ms, self._note_part, self.trace, self.frozen_board)

    def _take(self, start):
        self._wires = start.wires
        self.pixels = []
        for described, output in zip(self.board.get("outputs", ()), start.outputs):
            use = described.get("use", "spare")
            self.pixels.append(Strip(output, use) if output else Nothing(use))
        self._screen = start.display
        self.display = start.display or Nothing()
        self._buzzer = start.buzzer
        self.sound = start.buzzer or Nothing()
        self._chain = start.panels
        if self.board.get("panels") and not self._chain:
            self.panel_count = 0
        self._pad = self.board.get("wiring", {}).get("dice_pad", 0)
        self._console = start.console
        self.reader = start.reader
        self.supply = start.supply
        if self._screen:
            self._start_display()

    def _start_display(self):
        try:
            self._screen.start()
        except OSError:
            self._note_part("display", "missing")
            return
        self._note_part("display", "ok")

    # The clock

    def ticks_ms(self):
        """The clock in ms, 0 to 2^30 - 1."""
        return ticks_add(time.ticks_ms(), 0)

    def ticks_us(self):
        """A finer clock, for measuring only; wraps as ticks_ms does."""
        return ticks_add(time.ticks_us(), 0)

    def sleep_ms(self, ms):
        """The end of a tick: the frame goes out, then one piece of the display. A tick begins `ms` after the
        previous one; the time its work took isn't slept again, or thirty frames a second couldn't be reached."""
        if self._taken:
            self._taken = False
            self._key_lights.release()
        self._pump_pixels()
        if self._screen and self.parts[DISPLAY][1] == "ok":
            try:
                self._screen.pump()
            except OSError:
                self._note_part("display", "missing")
        left = ms - time.ticks_diff(time.ticks_ms(), self._woken_ms)
        if left > 0:
            time.sleep_ms(left)
        self._woken_ms = time.ticks_ms()

    def frame_out(self):
        """Sends the newest frame; whether it is on its way: not while the wire still has the previous one."""
        self._pump_pixels()
        for wire in self._wires:
            if wire.due and not wire.stuck:
                return False
        return True

    def _pump_pixels(self):
        now_us = time.ticks_us()
        for wire in self._wires:
            wire.pump(now_us)

    def trace(self, error):
        """Put an error and where it happened between the lines to the host, as text."""
        text = io.StringIO()
        sys.print_exception(error, text)
        line = text.getvalue().encode()
        if self._queued_bytes + len(line) <= self.queue_bytes:
            self._queue.append(line)
            self._queued_bytes += len(line)

    # Keys

    def _scan(self, timer):
        """The timer's callback. It may come at any point of the program, with little stack left, so its calls
        are shallow. MicroPython would print an error raised here into the outgoing line: it is kept, and the
        next scan carries on."""
        try:                                       # first: a Ctrl-C is raised at the first branch of this
            if self._scanning:
                return
            self._scanning = True
            chain = self._chain
            if chain:
                chain.begin()
            if self._console:                      # while the chain shifts
                self._console.tick()
            if chain:
                chain.fetch()
                if chain.untold:
                    chain.tell()
            lights = self._key_lights
            if lights:
                panel = self._ring.pressed()
                while panel:
                    lights.press(panel, self.ticks_ms())
                    panel = self._ring.pressed()
                if self._dial_wire.due:
                    self._dial_wire.pump(time.ticks_us())
        except KeyboardInterrupt:  # subset: ok only printed from here; `poll` raises it where it leads to the prompt
            self._interrupted = True
        except Exception as error:
            self.scans_failed += 1
            self._scan_error = error
            if self._key_lights:
                self._dial_wire.due = True
        self._scanning = False

    def keys(self):
        """The edges of keys since the last call: a list of (t_ms, panel, key, down), oldest first.
        Raises a scan's error since then, once."""
        if self._scan_error is not None:
            error = self._scan_error
            self._scan_error = None
            raise error
        near = self._ring.take_all(self.left)
        if near:
            self._key_ms = self.ticks_ms()
            if self._key_lights:
                self._key_lights.take()
                self._taken = True
        far = self._far_keys.take_all() if self._far_keys else ()
        return list(near) + list(far) if far else near

    def light_keys(self, output, each, span, colour, bright):
        """Lets the timer itself light a pixel for each press from now on, see hal.key_lights; `output`: an
        index in `pixels`."""
        strip = self.pixels[output]
        if strip.count and self._chain:
            from hal.key_lights import KeyLights  # few boards have dials
            self._dial_wire = strip.output.wire
            self._key_lights = KeyLights(strip.output, strip.count // each, each, span, colour, bright)

    def lit(self, panel):
        """The pixel of a panel's first dial that the timer has lit for the press being taken now, or -1."""
        return self._key_lights.lit(panel) if self._key_lights else -1

    def rests(self, now):
        """Whether nobody has pressed a key for a while: time for work that can wait."""
        return not 0 <= ticks_diff(now, self._key_ms) <= REST_MS

    # Once a tick

    def poll(self, now):
        """Take what has come, send what is waiting, check the parts. Always True: a Pico needs no host."""
        if self._interrupted:
            raise KeyboardInterrupt
        if self._watched:                          # first: the loop is running, whatever fails
            self._dog.feed()
        data = self._usb.read()
        if data:
            self._hear(data)
        self._pump_pixels()
        if self._buzzer:
            self._buzzer.tick(now)
        if self.reader:
            self.reader.tick(now)
        if ticks_diff(now, self._look_ms) >= 0:
            self._look_ms = ticks_add(now, LOOK_MS)
            self._look()
        self._pump()
        return True

    def _look(self):
        """Check whether the parts are still there, one kind at a time."""
        self._turn = (self._turn + 1) & 3
        if self._chain:
            self._look_at_panels()
        if self._turn == 0 and self._screen and self.parts[DISPLAY][1] != "ok":
            self._start_display()
        elif self._turn == 1 and self.supply:
            self._note_part("supply", "ok" if self.supply.on() else "missing")
        elif self._turn == 2 and self.reader:
            self._note_part("reader", self.reader.state)
        if self._mirror:
            self._mirror.look()

    def _look_at_panels(self):
        states = self._chain.states()
        if states != self._states:
            self._states = bytes(states)
            self._looks = 0
        elif self._looks < self.stable_looks:
            self._looks += 1
            if self._looks == self.stable_looks:
                self._note_panels()

    def _note_panels(self):
        states = self._states
        most = len(states) - self._pad
        count = 0
        wrong = 0
        for place in range(most):
            if states[place] == THERE:
                count = place + 1
            elif states[place] == WRONG and not wrong:
                wrong = place + 1
        self.panel_count = count
        if wrong:
            self._note_part("panels", "fault", str(wrong))
        else:
            self._note_part("panels", "ok" if count == most else "missing", "%d/%d" % (count, most))
        if self._pad:
            self._note_part("dice_pad", ("missing", "ok", "fault")[states[most]])

    # Out

    def refresh(self):
        """Sends everything again: somebody new is watching."""
        if self._mirror:
            self._mirror.refresh()

    def mirror(self, on):
        """Whether pixels and display go out as messages, at most four times a second."""
        if self._mirror and self._mirror.begun:
            self._queue.insert(0, b"\n")  # ends the line of an incomplete frame
            self._queued_bytes += 1
        self._mirror = None
        if on:
            from hal.mirror import Mirror  # loaded for the first viewer
            self._mirror = Mirror(self)

    def _pump(self):
        usb = self._usb
        self._stalled = False
        for _ in range(2):
            if usb.idle():
                watched = self._mirror is not None and self._mirror.busy
                if self._queue and not (watched and self._mirror.begun):
                    usb.begin(self._next_lines())
                elif watched:
                    usb.begin(self._mirror.next_piece(), not self._mirror.begun)
                else:
                    return
            if not usb.pump():
                self._stalled = True
                return

    def drain(self, limit_ms=2000):
        """Send everything that is waiting; True when nothing is left."""
        begun = time.ticks_ms()
        while self._queue or not self._usb.idle():
            self._pump()
            if time.ticks_diff(time.ticks_ms(), begun) > limit_ms:
                return False
            if self._stalled:
                time.sleep_ms(1)
        return True

    def counts(self):
        """What has gone wrong so far: a dict of counts for the message `stat` and for `doctor`."""
        return {
            "dropped": self._dropped,
            "lost": self._lost_count,
            "keys_lost": self._ring.lost + (self._far_keys.lost if self._far_keys else 0),
            "unread": self._unread,
            "noise": self._decoder.skipped if self._decoder else 0,
            "bad": self._bad,
            "slow": self._usb.slow,
            "scans": self.scans_failed,
        }

    # Power

    def watchdog(self, on):
        """Sets whether the board restarts when a tick takes 8 s: while a race runs. A file on the flash
        records that one is running, so that the next start knows whether the power failed during it."""
        if on == self._watched:
            return
        try:
            if on:
                with open(self.path(LIT), "w"):
                    pass
            else:
                os.remove(self.path(LIT))
        except OSError:
            pass
        self._watched = on
        if on:
            self._dog = machine.WDT(timeout=WATCHDOG_MS)
        else:
            self._stop_dog()

    def _stop_dog(self):
        """`machine.WDT` can't be stopped; the chip can (clear the bit ENABLE of its register CTRL)."""
        if self._dog and hasattr(machine, "mem32"):
            two = "RP2350" in getattr(sys.implementation, "_machine", "")
            machine.mem32[(0x400D8000 if two else 0x40058000) + 0x3000] = 1 << 30
            self._dog = None

    def _ended(self):
        """What ended the last race unexpectedly: "power", "watchdog", "crash" even without a race,
        or "" if nothing did."""
        try:
            with open(self.path(LIT)) as file:
                crashed = file.read()
            os.remove(self.path(LIT))
        except OSError:
            return ""
        if crashed:
            return crashed
        return "power" if self.reset_cause == machine.PWRON_RESET else "watchdog"

    def crashed(self):
        """An error has left the loop and the board is closed: records that for the next start."""
        try:
            with open(self.path(LIT), "w") as file:
                file.write("crash")
        except OSError:
            pass

    def reset(self, how):
        """Restart: "run", "safe" or "bootloader"; False for anything else."""
        if how == "safe":
            with open(self.path("safe_once"), "w"):
                pass
        if how == "bootloader":
            machine.bootloader()
        elif how in ("run", "safe"):
            machine.reset()
        return False

    def close(self):
        """Dark, silent, timers and interrupts off, display blank: for every way out. May be called again."""
        if self._timer:
            self._timer.deinit()
            self._timer = None
        self._key_lights = None
        self._taken = False
        for part in self._wires:
            _quietly(part.dark)
            _quietly(part.close)
        self._wires = []
        for part in (self._buzzer, self._chain, self._console):
            if part:
                _quietly(part.close)
        self._buzzer = self._chain = self._console = None
        if self._screen:
            _quietly(self._clear_display)
            self._screen = None
        self.watchdog(False)

    def _clear_display(self):
        self._screen.lines([""] * 6)
        for _ in range(40):
            if not self._screen.pump():
                return


def _quietly(call):
    try:
        call()
    except Exception:  # a part that is already broken
        pass


def _places(keys):
    """The index in KEYS of each wire of a panel."""
    if not keys or tuple(keys) == KEYS:
        return None
    return [KEYS.index(key) for key in keys]
