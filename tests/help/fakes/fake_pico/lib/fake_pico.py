"""The bench for a fake Pico: what hangs on its pins, its clock, and what a test does to it.

    from fake_pico import board
    board.fake_clock()                time stands still until board.advance(us); else the real clock runs
    board.setup(table)                the wiring of a board.json: what hangs where
    board.press(1, "OK")              panel 1 … n, 200 the dice pad ("1" … "6"), 201 the console ("OK", "PUSH", "BACK")
    board.release(1, "OK")            board.turn(3), board.turn(-1): clicks of the encoder
    board.plug(3), board.unplug(3)    a module of the chain (and, unplugged, all behind it)
    board.module_bytes[3] = 0xC0      what a broken module shifts out instead; None mends it
    board.wires[pin]                  what an LED wire showed last: .pixels(order, first, count), .frames, .gap_us …
    board.tone, board.heard           the buzzer: hertz now (0 silent), list of (ms, hertz)
    board.supply_mv                   at the LED rail, before its divider
    board.i2c[address] = device       device.write(data), device.read(count) -> bytes; not there: OSError(5)
    board.spi[cs_pin] = device        device.select(on), device.exchange(byte) -> byte
    board.pin(n).drive(level)         a level from outside, with the interrupts it raises; None lets go
    board.on_reset = f                f("hard" | "soft" | "bootloader" | "watchdog"); without it SystemExit

It runs under MicroPython (unix) beside the firmware, in the same heap, and imports under CPython.
"""

try:
    import utime as _real  # MicroPython's own clock, even with lib/time.py in front of it
except ImportError:
    import time as _real

KEYS = ("PREV", "NEXT", "OK", "UNDO", "WHY", "MENU")
DICE_PAD = 200
CONSOLE = 201
MODULES_MOST = 12


class Wire:
    """An LED wire: takes the words of a frame, and records what a strip would have made of it."""

    latch_us = 280  # a newer WS2812B shows a frame after this; a shorter gap joins two frames

    def __init__(self, pin):
        self.pin = pin
        self.bits = 24
        self.words = b""  # of the latest frame, as it went out
        self.frames = 0
        self.begun_us = 0
        self.ends_us = -1000000
        self.gap_us = 1 << 30  # the shortest so far
        self.short_gaps = 0
        self.overlaps = 0  # frames started before the last had ended
        self.torn = 0  # frames whose buffer changed while it was being sent
        self._buffer = None
        self._check = False

    def begin(self, now_us, data, words, bits, word_us):
        """A frame goes out. `data`: the buffer that it is read from."""
        if self.frames:
            gap = now_us - self.ends_us
            if gap < 0:
                self.overlaps += 1
            elif gap < self.latch_us:
                self.short_gaps += 1
            if gap < self.gap_us:
                self.gap_us = gap
        self.bits = bits
        if len(self.words) != 4 * words:
            self.words = bytearray(4 * words)
        memoryview(self.words)[:] = memoryview(data)[: 4 * words]
        self._buffer = data
        self._check = True
        self.frames += 1
        self.begun_us = now_us
        self.ends_us = now_us + words * word_us

    def look(self, now_us):
        """Notice a buffer that changes while it is being read."""
        if self._check and now_us < self.ends_us:
            if memoryview(self._buffer)[: len(self.words)] != memoryview(self.words):
                self.torn += 1
                self._check = False
        else:
            self._check = False

    def pixels(self, order, first=0, count=None):
        """RGB (RGBW with a white channel) of the pixels as the strip shows them, 3 or 4 bytes each."""
        letters = "RGBW" if "W" in order else "RGB"
        count = len(self.words) // 4 - first if count is None else count
        out = bytearray(len(letters) * count)
        for k in range(count):
            for place in range(len(letters)):
                out[len(letters) * k + place] = self.words[4 * (first + k) + 3 - order.index(letters[place])]
        return bytes(out)


class Board:
    """See above."""

    def __init__(self):
        self.real_time = _real
        self._fake_us = -1
        self._firing = False
        self.timers = []
        self.pins = {}
        self.wires = {}
        self.i2c = {}
        self.spi = {}
        self.modules = bytearray(MODULES_MOST)  # 1: plugged
        self.module_keys = bytearray(MODULES_MOST)  # one bit for each key that is down
        self.module_bytes = [None] * MODULES_MOST
        self.pad = -1  # the place of the dice pad in the chain
        self.key_pins = []
        self.console = {}
        self.outputs = []
        self.scans = 0
        self.look_us = 0  # how long a look into a FIFO takes on a fake clock
        self.tone = 0
        self.heard = []
        self.supply_mv = 5000
        self.supply_divider = 2
        self.bootsel = 0
        self.hertz = 125000000
        self.memory = {}
        self.id = b"\xe6\x61\x64\x08\x43\x12\x34\x56"
        self.reset_cause = 1
        self.on_reset = None
        self.watchdog = None
        self.faults = []  # what would silently have failed on a real Pico

    # The clock

    def fake_clock(self, us=1000000):
        """From now on time moves only by `advance` (and in sleeps)."""
        self._fake_us = us

    def now_us(self):
        """Microseconds, without wrapping."""
        if self._fake_us >= 0:
            return self._fake_us
        if hasattr(self.real_time, "ticks_us"):
            return self.real_time.ticks_us()
        return self.real_time.monotonic_ns() // 1000

    def tick_us(self):
        """The same, after running the timers that are due by the real clock."""
        if self._fake_us < 0:
            self._fire(self.now_us())
        return self.now_us()

    def advance(self, us):
        """Move the fake clock on, running all timers in between."""
        target = self._fake_us + us
        self._fire(target)
        self._fake_us = target

    def sleep_us(self, us):
        """What the program does when it sleeps."""
        if self._fake_us >= 0:
            self.advance(us)
            return
        until = self.now_us() + us
        while True:
            now = self.now_us()
            self._fire(now)
            rest = until - now
            if rest <= 0:
                return
            for timer in self.timers:
                rest = min(rest, max(1, timer.due_us - now))
            if hasattr(self.real_time, "sleep_us"):
                self.real_time.sleep_us(rest)
            else:
                self.real_time.sleep(rest / 1000000)

    def _fire(self, until_us):
        if self._firing:
            return
        self._firing = True
        try:
            while True:
                first = None
                for timer in self.timers:
                    if timer.due_us <= until_us and (first is None or timer.due_us < first.due_us):
                        first = timer
                if first is None:
                    break
                if self._fake_us >= 0:
                    self._fake_us = max(self._fake_us, first.due_us)
                first.fire(until_us if self._fake_us < 0 else first.due_us)
        finally:
            self._firing = False
        dog = self.watchdog
        if dog is not None and until_us > dog.due_us:
            self.watchdog = None
            self.reset("watchdog")

    def reset(self, how):
        """The chip restarts."""
        if self.on_reset is None:
            raise SystemExit(how)
        self.on_reset(how)

    # What hangs on it

    def setup(self, table):
        """Use the table of a board.json: outputs and wiring. All panels and the supply are plugged in."""
        self.outputs = table.get("outputs", [])
        wiring = table.get("wiring", {})
        self.console = wiring.get("console") or {}
        where = wiring.get("panels_on") or {}
        self.key_pins = where.get("keys") or []
        if "clock" in where:
            count = table.get("panels", 6)
            count = count.get("count", 6) if isinstance(count, dict) else count
            if wiring.get("dice_pad"):
                self.pad = count
                count += 1
            for k in range(count):
                self.modules[k] = 1

    def pin(self, number):
        """The pin (a machine.Pin) with this number."""
        if number not in self.pins:
            import machine

            machine.Pin(number)
        return self.pins[number]

    def wire(self, pin):
        """The LED wire on a pin, which exists once something is sent on it."""
        if pin not in self.wires:
            self.wires[pin] = Wire(pin)
        return self.wires[pin]

    def shown(self, place):
        """RGB shown by output `place` (from 0, as in board.json), b"" before the first frame."""
        output = self.outputs[place]
        wire = self.wires.get(output["pin"])
        if wire is None or not wire.frames or not output["pixels"]:
            return b""
        first = 0
        for other in self.outputs[:place]:
            if other["pin"] == output["pin"]:
                first += other["pixels"]
        return wire.pixels(output.get("order", "GRB"), first, output["pixels"])

    # What people do

    def press(self, panel, key):
        """Hold a key down."""
        self._key(panel, key, 1)

    def release(self, panel, key):
        """Release it."""
        self._key(panel, key, 0)

    def _key(self, panel, key, down):
        if panel == CONSOLE:
            name = {"PUSH": "push", "OK": "ok", "BACK": "back"}[key]
            self.pin(self.console[name]).drive(0 if down else 1)
            return
        number = int(key) - 1 if panel == DICE_PAD else KEYS.index(key)
        if panel != DICE_PAD and self.key_pins:
            self.pin(self.key_pins[panel - 1][number]).drive(0 if down else 1)
            return
        module = self.pad if panel == DICE_PAD else panel - 1
        if down:
            self.module_keys[module] |= 1 << number
        else:
            self.module_keys[module] &= 0xFF ^ 1 << number

    def turn(self, clicks):
        """Turn the encoder: four steps a click."""
        one, other = ("a", "b") if clicks > 0 else ("b", "a")
        one = self.pin(self.console[one])
        other = self.pin(self.console[other])
        for _ in range(abs(clicks)):
            one.drive(0)
            other.drive(0)
            one.drive(1)
            other.drive(1)

    def plug(self, module):
        """Plug a module of the chain (from 1) in."""
        self.modules[module - 1] = 1

    def unplug(self, module):
        """Pull it out; everything behind it is gone as well."""
        self.modules[module - 1] = 0

    def chain_byte(self, place):
        """What a module (from 0) latches while LATCH is low: H = 0, G = 1, then the keys, which are 0 when down."""
        for k in range(place + 1):
            if k >= MODULES_MOST or not self.modules[k]:
                return 0xFF
        if self.module_bytes[place] is not None:
            return self.module_bytes[place]
        return 0x7F ^ self.module_keys[place]


board = Board()
