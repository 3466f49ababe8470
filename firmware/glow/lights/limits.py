"""The last stage before the strips; every frame passes through it: brightness, current of each supply, flashes.

`Limits` owns the frames that the effects draw into, and nothing else calls the outputs' `show`. The order is:
brightness (and calm mode) → current → mean of each output → each pixel. Each stage only takes light away from what
the previous one lets through, so each promise holds for what is shown. Two lights bypass the frames: the Pico's
first sign of life (hal/pico_start.py) and, until the next frame, one pixel a panel for a press (hal/key_lights.py).
"""

from array import array

from glow.lights.quick import count_lit, make_levels, pass_frame, take_frame

CHUNK = 32  # pixels that are compared, summed and skipped together
HEAD = 32  # numbers of a strip, before those of its chunks
EACH = 8
ANEW_AT = 1  # indexes into the numbers
LIT_AT = 5
NOW_AT = 8
RED_AT = 9
LIGHT_AT = 12
SHARE_AT = 13
PASS_ALL_AT = 14
HELD_AT = 15
ALLOWED_AT = 16
STEP_AT = 17
SHOWN_AT = 21

flashes_per_second = 3
calm_flashes_per_second = 1

# Cautious figures for a supply that the board file doesn't describe: mA of a pixel's channel at full, of a
# dark pixel, and of the rest of the board; and the mA that a computer's USB port gives without negotiation.
RED_MA = GREEN_MA = BLUE_MA = 20
DARK_MA = 1
BASE_MA = 150
LIMIT_MA = 250
BRIGHTNESS = 64
DARKEST = 12  # of 255: below this the rhythms of some cars can't be told apart (`gridglow torture --only sight`)


class Budget:
    """How much light there is room for: on a supply, or on an output's wire."""

    def __init__(self):
        self.room = 0  # in 255ths of a mA
        self.strips = []  # the strips that draw from it
        self.part = 256  # how much of this frame fits, in 256ths
        self.round_up = True  # a lit pixel stays lit, however much it is dimmed

    def fit(self):
        """Set `part` and `round_up` for the frame that was taken. False if the frame is too much as it is."""
        light = 0
        for strip in self.strips:
            light += strip.numbers[LIGHT_AT]
        self.part = 256
        self.round_up = True
        if light > self.room:
            self._choose_part(light)
            return False
        return True

    def _choose_part(self, light):
        rounding = 0
        for strip in self.strips:
            rounding += strip.rounding()
        self.round_up = self.room > 2 * rounding
        if self.round_up:
            self.part = (self.room - rounding) * 256 // light
        else:
            self.part = self.room * 256 // light if self.room > 0 else 0
        if self.part > 15:
            self.part &= 0xF8  # coarse steps: a breath elsewhere must not make everything tremble


class Supply:
    """The current model of one supply, in whole mA."""

    def __init__(self, numbers):
        self.limit_ma = numbers.get("limit_ma", LIMIT_MA)
        self.base_ma = numbers.get("base_ma", BASE_MA)
        self.dark_ma = numbers.get("dark_ma", DARK_MA)
        self.red_ma = numbers.get("red_ma", RED_MA)
        self.green_ma = numbers.get("green_ma", GREEN_MA)
        self.blue_ma = numbers.get("blue_ma", BLUE_MA)
        self.pixels = 0
        self.budget = Budget()

    def add(self, strip):
        """Connect a Strip to it."""
        self.pixels += strip.count
        self.budget.strips.append(strip)
        self.budget.room = (self.limit_ma - self.resting_ma()) * 255

    def resting_ma(self):
        """What the board draws with all pixels dark."""
        return self.base_ma + self.pixels * self.dark_ma

    def light(self, sums, at):
        """What channels draw, in 255ths of a mA, given the three sums of levels from place `at`."""
        return sums[at] * self.red_ma + sums[at + 1] * self.green_ma + sums[at + 2] * self.blue_ma


class Strip:
    """One output on its way through the limits: its frame, its sums, its guards. plain.py describes
    `numbers` and `guard`; the places used here are named below.

    `limit_ma`: the current its wire can carry, dark pixels included; 0 if only the supply counts.
    """

    def __init__(self, output, supply, limit_ma, bright):
        count = output.count
        chunks = (count + CHUNK - 1) // CHUNK
        self.output = output
        self.count = count
        self.supply = supply
        self.budget = Budget() if limit_ma else None
        if limit_ma:
            self.budget.strips.append(self)
            self.budget.room = (limit_ma - count * supply.dark_ma) * 255
        self.frame = bytearray(3 * count)  # the effects draw here, at full brightness
        self.known = bytearray(3 * count)
        self.out = bytearray(3 * count)
        self.guard = bytearray(256 + 8 * count)
        self.bright = bright
        self.numbers = array("i", bytes(4 * (HEAD + EACH * chunks)))
        self.numbers[0] = count
        self.numbers[RED_AT] = supply.red_ma
        self.numbers[RED_AT + 1] = supply.green_ma
        self.numbers[RED_AT + 2] = supply.blue_ma
        self.numbers[STEP_AT] = max(count, 4)  # one level of 255 in the mean
        self.part = -1
        self.round_up = True
        self._counted = False  # what rounding up may add
        self.allow(flashes_per_second)
        self.all_due()

    def allow(self, flashes):
        """Set how many flashes a second are allowed, for each pixel and for the mean."""
        self.numbers[ALLOWED_AT] = flashes

    def all_due(self):
        """After a change of brightness: sum and show everything again."""
        self.numbers[ANEW_AT] = 1
        self.part = -1

    def take(self, now):
        """Take the frame as it is now."""
        self.numbers[NOW_AT] = now
        self._counted = False
        take_frame(self.frame, self.known, self.bright, self.numbers)

    def put_out(self):
        """Show as much of the frame as its budgets and its guards let through."""
        numbers = self.numbers
        part = self.supply.budget.part
        round_up = self.supply.budget.round_up
        if self.budget:
            part = min(part, self.budget.part)
            round_up = round_up and self.budget.round_up
        if numbers[SHARE_AT] < 256:
            part = min(part, numbers[SHARE_AT])
            round_up = False
        if part != self.part or round_up != self.round_up:
            self.part = part
            self.round_up = round_up
            make_levels(self.guard, self.bright, part, 255 if round_up and part else 0)
            numbers[PASS_ALL_AT] = 1
        pass_frame(self.frame, self.out, self.guard, numbers)
        self.output.show(self.out)

    def rounding(self):
        """What rounding up may add to the frame's light, in 255ths of a mA."""
        if not self._counted:
            self._counted = True
            count_lit(self.frame, self.numbers)
        return self.supply.light(self.numbers, LIT_AT)

    def out_light(self):
        """What the light of the shown frame draws, in 255ths of a mA."""
        return self.supply.light(self.numbers, SHOWN_AT)


class Limits:
    """All outputs of a board behind their limits. `outputs` are `hal.pixels`, `board` is the board file's table."""

    def __init__(self, outputs, board):
        described = board.get("outputs", ())
        supplies = board.get("supply", {})
        supplies = supplies if isinstance(supplies, (list, tuple)) else [supplies]
        self.supplies = [Supply(one) for one in supplies] or [Supply({})]
        self.bright = bytearray(256)
        self.strips = []
        self._frames = []
        for number in range(len(outputs)):
            if not outputs[number].count:  # an unused output takes no heap
                self._frames.append(bytearray())
                continue
            about = described[number] if number < len(described) else {}
            supply = about.get("supply", 0)
            supply = self.supplies[supply if 0 <= supply < len(self.supplies) else 0]
            self.strips.append(Strip(outputs[number], supply, about.get("limit_ma", 0), self.bright))
            self._frames.append(self.strips[-1].frame)
            supply.add(self.strips[-1])
        self._budgets = [supply.budget for supply in self.supplies]
        self._budgets += [strip.budget for strip in self.strips if strip.budget]
        self.cap = board.get("brightness", BRIGHTNESS)
        self.calm = False
        self.dimmed_frames = 0
        self.held_pixels = 0
        self._wanted = 255
        self._after_brown_out = False
        self._set_bright()

    def set_brightness(self, level):
        """Set the level of 255 for full light, at most the board's; ends the dimming after a brown-out."""
        self._wanted = level
        self._after_brown_out = False
        self._set_bright()

    def set_calm(self, calm):
        """Calm mode: half the brightness, and at most one flash a second."""
        self.calm = calm
        allowed = calm_flashes_per_second if calm else flashes_per_second
        for strip in self.strips:
            strip.allow(allowed)
        self._set_bright()

    def start_dim(self):
        """The supply broke down at the last start: a quarter of the brightness until somebody sets it."""
        self._after_brown_out = True
        self._set_bright()

    def _set_bright(self):
        full = min(self._wanted, self.cap)
        if self.calm:
            full //= 2
        if self._after_brown_out:
            full //= 4
        full = max(full, min(DARKEST, self.cap))
        for level in range(256):
            self.bright[level] = (level * full + 254) // 255
        for strip in self.strips:
            strip.all_due()

    def frame(self, output):
        """The frame of an output (RGB, 3 bytes a pixel) to draw into; it keeps what was drawn."""
        return self._frames[output]

    def show(self, now):
        """Pass all frames through the limits and show them."""
        for strip in self.strips:
            strip.take(now)
        if not self._fit():
            self.dimmed_frames += 1
        self.held_pixels = 0
        failed = None
        for strip in self.strips:
            try:
                strip.put_out()
            except OSError as error:               # the others are still shown
                failed = error
            self.held_pixels += strip.numbers[HELD_AT]
        if failed:
            raise failed

    def _fit(self):
        fits = True
        for budget in self._budgets:
            if not budget.fit():
                fits = False
        return fits

    def ma(self, supply=0):
        """What the last frame draws from a supply by the model, with everything else on it, in mA (rounded up)."""
        light = 0
        for strip in self.strips:
            if strip.supply is self.supplies[supply]:
                light += strip.out_light()
        return self.supplies[supply].resting_ma() + (light + 254) // 255
