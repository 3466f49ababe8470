"""The last stage before the strips, which nobody can go round: brightness, current of each supply, flashes.

`Limits` owns the frames that the effects draw into and is the only caller of the outputs' `show`. The order is:
brightness (and calm mode) → current → mean of each output → each pixel. Each stage only takes light away from what the
one before lets through, so each promise holds for what is shown.
"""

from array import array

from glow.limits_flash import CHUNK, MeanGuard, PixelGuard, calm_flashes_per_second, flashes_per_second

# Careful numbers for a supply that the board file says nothing about: mA of a pixel's channel at full, of a dark pixel,
# of the rest of the board; mA that a computer's USB port gives without being asked.
RED_MA = GREEN_MA = BLUE_MA = 20
DARK_MA = 1
BASE_MA = 150
LIMIT_MA = 250
BRIGHTNESS = 64
DARKEST = 8  # of 255: below this the rhythms of the cars could not be told apart


class Budget:
    """How much light a supply, or the wire of an output, has room for."""

    def __init__(self):
        self.room = 0  # all in 255ths of a mA
        self.light = 0  # of this frame
        self.rounding = 0  # what rounding up may add to it
        self.part = 256  # of this frame that fits, in 256ths
        self.round_up = True  # a pixel that is lit stays lit, however much it is dimmed

    def choose_part(self):
        """Find `part` and `round_up` for this frame."""
        self.round_up = True
        if self.light <= self.room:
            self.part = 256
            return
        if self.room > 2 * self.rounding:
            part = (self.room - self.rounding) * 256 // self.light
        else:
            self.round_up = False
            part = self.room * 256 // self.light if self.room > 0 else 0
        self.part = part if part < 16 else part & 0xF8  # coarse steps: a breath elsewhere must not make all tremble


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

    def add_pixels(self, count):
        """Hang `count` more pixels on it."""
        self.pixels += count
        self.budget.room = (self.limit_ma - self.resting_ma()) * 255

    def resting_ma(self):
        """What the board draws with all pixels dark."""
        return self.base_ma + self.pixels * self.dark_ma

    def light(self, sums):
        """What channels with these sums of levels draw, in 255ths of a mA."""
        return sums[0] * self.red_ma + sums[1] * self.green_ma + sums[2] * self.blue_ma


class Strip:
    """One output on its way through the limits: its frame, its sums, its guards.

    `limit_ma`: what its wire carries, dark pixels included; 0 where only the supply counts.
    """

    def __init__(self, output, supply, limit_ma):
        count = output.count
        self.output = output
        self.count = count
        self.supply = supply
        self.budget = Budget() if limit_ma else None
        if limit_ma:
            self.budget.room = (limit_ma - count * supply.dark_ma) * 255
        self.frame = bytearray(3 * count)  # the effects draw here, at full brightness
        self.out = bytearray(3 * count)
        self.sums = [0, 0, 0]  # of the frame at the chosen brightness
        self.lit = [0, 0, 0]  # channels that are not 0
        self.held = 0
        self.pixel_guard = PixelGuard(count)
        self.mean_guard = MeanGuard(count)
        self.chunks = (count + CHUNK - 1) // CHUNK
        self._known = bytearray(3 * count)
        self._chunk_sums = array("i", bytes(4 * 6 * self.chunks))
        self._out_sums = array("i", bytes(4 * 3 * self.chunks))
        self._due = bytearray(self.chunks)
        self._held = bytearray(self.chunks)
        self._all_due = True
        self._part = 256
        self._round_up = True
        self.table = bytearray(256)
        new = memoryview(self.frame)
        known = memoryview(self._known)
        spans = [(3 * CHUNK * k, min(3 * CHUNK * (k + 1), 3 * count)) for k in range(self.chunks)]
        self._new_views = [new[a:b] for a, b in spans]
        self._known_views = [known[a:b] for a, b in spans]

    def take_frame(self, bright):
        """Find the chunks that changed and bring the sums up to date."""
        for k in range(self.chunks):
            if self._all_due or self._new_views[k] != self._known_views[k]:
                self._known_views[k][:] = self._new_views[k]
                self._due[k] = 1
                self._sum_chunk(k, bright)
        self._all_due = False

    def _sum_chunk(self, k, bright):
        red = green = blue = red_lit = green_lit = blue_lit = 0
        frame = self.frame
        for i in range(3 * CHUNK * k, min(3 * CHUNK * (k + 1), 3 * self.count), 3):
            level = frame[i]
            if level:
                red += bright[level]
                red_lit += 1
            level = frame[i + 1]
            if level:
                green += bright[level]
                green_lit += 1
            level = frame[i + 2]
            if level:
                blue += bright[level]
                blue_lit += 1
        kept = self._chunk_sums
        i = 6 * k
        self.sums[0] += red - kept[i]
        self.sums[1] += green - kept[i + 1]
        self.sums[2] += blue - kept[i + 2]
        self.lit[0] += red_lit - kept[i + 3]
        self.lit[1] += green_lit - kept[i + 4]
        self.lit[2] += blue_lit - kept[i + 5]
        kept[i] = red
        kept[i + 1] = green
        kept[i + 2] = blue
        kept[i + 3] = red_lit
        kept[i + 4] = green_lit
        kept[i + 5] = blue_lit

    def all_due(self):
        """The brightness changes: everything is to be summed and shown anew."""
        self._all_due = True
        self._part = -1

    def set_part(self, part, round_up, bright):
        """Choose how much of the light is shown (256ths); the table of levels follows when that changes."""
        if part == self._part and round_up == self._round_up:
            return
        self._part = part
        self._round_up = round_up
        add = 255 if round_up and part else 0
        table = self.table
        for level in range(256):
            table[level] = (bright[level] * part + add) >> 8
        for k in range(self.chunks):
            self._due[k] = 1

    def pass_frame(self, now):
        """Bring the chunks that are due through the pixel guard and tell the mean guard what is shown."""
        guard = self.pixel_guard
        self.held = 0
        red = green = blue = 0
        sums = self._out_sums
        for k in range(self.chunks):
            i = 3 * k
            if self._due[k] or self._held[k]:
                first = CHUNK * k
                last = min(first + CHUNK, self.count)
                held = guard.pass_chunk(first, last, self.frame, self.table, self.out, now)
                self._held[k] = held
                self._due[k] = 0
                self.held += held
                self._sum_out(i, 3 * first, 3 * last)
            red += sums[i]
            green += sums[i + 1]
            blue += sums[i + 2]
        self.mean_guard.shown(red, green, blue, now)

    def _sum_out(self, at, first, last):
        out = self.out
        red = green = blue = 0
        for i in range(first, last, 3):
            red += out[i]
            green += out[i + 1]
            blue += out[i + 2]
        self._out_sums[at] = red
        self._out_sums[at + 1] = green
        self._out_sums[at + 2] = blue

    def out_light(self):
        """What the light of the shown frame draws, in 255ths of a mA."""
        shown = self.mean_guard.sums
        return self.supply.light(shown)


class Limits:
    """All outputs of a board behind their limits. `outputs` are `hal.pixels`, `board` is the board file's table."""

    def __init__(self, outputs, board):
        described = board.get("outputs", ())
        supplies = board.get("supply", {})
        supplies = supplies if isinstance(supplies, (list, tuple)) else [supplies]
        self.supplies = [Supply(one) for one in supplies] or [Supply({})]
        self.strips = []
        self._frames = []
        for number in range(len(outputs)):
            if not outputs[number].count:  # a spare output takes no heap
                self._frames.append(bytearray())
                continue
            about = described[number] if number < len(described) else {}
            supply = about.get("supply", 0)
            supply = self.supplies[supply if 0 <= supply < len(self.supplies) else 0]
            self.strips.append(Strip(outputs[number], supply, about.get("limit_ma", 0)))
            self._frames.append(self.strips[-1].frame)
            supply.add_pixels(outputs[number].count)
        self.cap = board.get("brightness", BRIGHTNESS)
        self.calm = False
        self.dimmed_frames = 0
        self.held_pixels = 0
        self._wanted = 255
        self._after_brown_out = False
        self._bright = bytearray(256)
        self._set_bright()

    def set_brightness(self, level):
        """The level of 255 that full light has, at most the board's; ends the dimness after a brown-out."""
        self._wanted = level
        self._after_brown_out = False
        self._set_bright()

    def set_calm(self, calm):
        """Calm mode: half as bright, and at most one flash a second."""
        self.calm = calm
        allowed = calm_flashes_per_second if calm else flashes_per_second
        for strip in self.strips:
            strip.pixel_guard.allowed = allowed
            strip.mean_guard.allowed = allowed
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
            self._bright[level] = (level * full + 254) // 255
        for strip in self.strips:
            strip.all_due()

    def frame(self, output):
        """The frame of an output (RGB, 3 bytes a pixel) to draw into; it keeps what was drawn."""
        return self._frames[output]

    def show(self, now):
        """Bring all frames through the limits and show them."""
        for supply in self.supplies:
            supply.budget.light = 0
            supply.budget.rounding = 0
        for strip in self.strips:
            strip.take_frame(self._bright)
            self._ask(strip)
        dimmed = False
        for supply in self.supplies:
            supply.budget.choose_part()
            dimmed = dimmed or supply.budget.part < 256
        self.held_pixels = 0
        for strip in self.strips:
            dimmed = self._share(strip, now) or dimmed
            strip.pass_frame(now)
            self.held_pixels += strip.held
            strip.output.show(strip.out)
        if dimmed:
            self.dimmed_frames += 1

    def _ask(self, strip):
        """Put what a frame would draw into the budgets of its supply and its wire."""
        light = strip.supply.light(strip.sums)
        rounding = strip.supply.light(strip.lit)
        strip.supply.budget.light += light
        strip.supply.budget.rounding += rounding
        if strip.budget:
            strip.budget.light = light
            strip.budget.rounding = rounding
            strip.budget.choose_part()

    def _share(self, strip, now):
        """Choose how much of a frame is shown; True where a current limit takes some."""
        part = strip.supply.budget.part
        round_up = strip.supply.budget.round_up
        if strip.budget:
            part = min(part, strip.budget.part)
            round_up = round_up and strip.budget.round_up
        dimmed = part < 256
        share = strip.mean_guard.share(strip.sums[0], strip.sums[1], strip.sums[2], now)
        if share < 256:
            part = min(part, share)
            round_up = False
        strip.set_part(part, round_up, self._bright)
        return dimmed

    def ma(self, supply=0):
        """What the last frame draws from a supply by the model, with everything else on it, in mA (rounded up)."""
        light = 0
        for strip in self.strips:
            if strip.supply is self.supplies[supply]:
                light += strip.out_light()
        return self.supplies[supply].resting_ma() + (light + 254) // 255
