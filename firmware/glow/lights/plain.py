"""The work on single pixels: drawing, and the limits' way from a frame to what is shown. In plain Python, for everything
without machine code; fast.py has the same functions for MicroPython's native emitter, with results equal to the last bit.

A frame has three bytes a pixel. The drawing functions take a colour as three bytes, a level from 0
to 255, and a span of pixels as ``first << 15 | last + 1``. Nothing here allocates.

The limits keep a strip in four buffers (frame, known, out, guard) and an array of whole numbers, none ever negative:

======= ======================================================================================================
places  of ``numbers``
======= ======================================================================================================
0       pixels
1       1: sum all chunks again
2 - 4   sums of the levels of the frame at the chosen brightness: red, green, blue
5 - 7   how many of its channels aren't 0, once counted
8       the clock
9 - 11  mA of a channel at full
12      what the frame would draw, in 255ths of a mA
13      how much of the frame the mean guard allows, in 256ths
14      1: bring all chunks to the strip
15      pixels held back
16      rises allowed in a second
17      the step of the mean guard; 18 - 20 its extremes; 21 - 23 the sums shown; 24: it is rising;
        25 - 27 the times of its last rises; 28 how many of them are set; 29 - 31 the sums to be shown
32 …    eight for each chunk: its part of 2 - 4, its shown sums, whether it is due, how many pixels it holds
======= ======================================================================================================

``guard`` is the table of levels (256), then eight for each pixel: its extremes (red, green, blue,
red alone), the times of its last rises, its state.

The flash limiter lets through at most three on/off pairs in any second, for every pixel and for the mean of every
output. Both guards work alike. A *rise* begins when any of the three channels comes up by a step from its lowest
level since the last fall (or from dark to lit). It lasts as long as its peak goes up, and the next can begin once
any channel has fallen by a step from its peak. A fourth rise within a second isn't let through: the light is held
at its low level until the second has passed. A guard only ever takes light away, so it can stand behind the current
limiter. As every channel is watched, any measure of brightness (luminance, sum, largest channel) has at most three
rises a second too. The guard of a pixel watches a fourth value, how much of it is red alone (red less green and
blue): saturated red that comes and goes must not flash more often either, whether red rises or the others fall.

Times are kept in a byte, in units of 32 ms; 32 units are a little more than a second. The byte wraps after 8 seconds,
and an old time can then pass for a new one: that may hold a light back for a second too long, but never lets one flash.
"""

_CHUNK = 32  # pixels that are compared, summed and skipped together
_HEAD = 32  # numbers of a strip before those of its chunks
_EACH = 8  # numbers of a chunk
_STEP = 4  # of 255: a smaller change of a lit channel isn't a flash
_RISING = 0x80  # in a pixel's state, beside how many of its times are set (0 to 3)
_SECOND = 32  # in units of the times


# Drawing

def clear(buffer, count):
    """Make the first `count` bytes 0."""
    for i in range(count):
        buffer[i] = 0


def put(frame, pixel, paint):
    """Set a pixel of a frame; a number below 0 is no pixel. `paint` is the wanted colour, 0xRRGGBB; with
    0x1000000 added it is set only if that makes the pixel brighter (by the sum of its channels)."""
    if pixel < 0:
        return
    i = 3 * pixel
    red = (paint >> 16) & 255
    green = (paint >> 8) & 255
    blue = paint & 255
    if paint >> 24 == 0 or red + green + blue > frame[i] + frame[i + 1] + frame[i + 2]:
        frame[i] = red
        frame[i + 1] = green
        frame[i + 2] = blue


def put_all(frame, pixels, span, paint):
    """Like put, for the pixels whose numbers are in this span of `pixels` (words; 0xFFFF: none)."""
    for k in range(span >> 15, span & 0x7FFF):
        if pixels[k] != 0xFFFF:
            put(frame, pixels[k], paint)


def put_cars(frame, cars, rhythms, clock):
    """Draw the cars, eight bytes each: pixel (low byte first; 0xFFFF: none), red, green, blue,
    rhythm, how many share the pixel, and which of the turns is this car's.

    `rhythms` are 32 levels each. `clock`: how many cars, the step of the rhythms, the ms of it that
    have passed, the ms it lasts, the turn of those that share, and the place of a car to leave out.
    """
    step = clock[1]
    gone = clock[2]
    step_ms = clock[3]
    for k in range(clock[0]):
        i = 8 * k
        pixel = cars[i] | (cars[i + 1] << 8)
        if k == clock[5] or pixel == 0xFFFF or clock[4] % cars[i + 6] != cars[i + 7]:
            continue
        at = 32 * cars[i + 5]
        level = (rhythms[at + step] * (step_ms - gone) + rhythms[at + ((step + 1) & 31)] * gone) // step_ms
        pixel *= 3
        frame[pixel] = (cars[i + 2] * level + 254) // 255
        frame[pixel + 1] = (cars[i + 3] * level + 254) // 255
        frame[pixel + 2] = (cars[i + 4] * level + 254) // 255


def put_tail(frame, pixels, colour, head):
    """Draw a comet over the pixels whose numbers are in words: its head and three fainter ones behind."""
    for back in range(3, -1, -1):
        if head < back or pixels[head - back] == 0xFFFF:
            continue
        i = 3 * pixels[head - back]
        level = (0x183878FF >> (8 * back)) & 255
        red = (colour[0] * level + 254) // 255
        green = (colour[1] * level + 254) // 255
        blue = (colour[2] * level + 254) // 255
        if back == 0 or red + green + blue > frame[i] + frame[i + 1] + frame[i + 2]:
            frame[i] = red
            frame[i + 1] = green
            frame[i + 2] = blue


def put_cells(frame, cells, levels, span):
    """Draw a span of pixels by their cells, four bytes each: which of the `levels`, then red, green, blue."""
    for pixel in range(span >> 15, span & 0x7FFF):
        i = 3 * pixel
        at = 4 * pixel
        level = levels[cells[at]]
        frame[i] = (cells[at + 1] * level + 254) // 255
        frame[i + 1] = (cells[at + 2] * level + 254) // 255
        frame[i + 2] = (cells[at + 3] * level + 254) // 255


def set_cells(cells, span, colour, level):
    """Give the cells of a span of pixels a colour and the number of a level."""
    for at in range(4 * (span >> 15), 4 * (span & 0x7FFF), 4):
        cells[at] = level
        cells[at + 1] = colour[0]
        cells[at + 2] = colour[1]
        cells[at + 3] = colour[2]


# The limits

def take_frame(frame, known, bright, numbers):
    """Find the chunks of a frame that differ from `known`, update the sums (at the levels of the table `bright`),
    and work out what the frame would draw and how much of it the mean guard lets through without a rise too many."""
    count = numbers[0]
    anew = numbers[1]
    numbers[1] = 0
    at = _HEAD
    last = 0
    while last < 3 * count:
        first = last
        last = min(first + 3 * _CHUNK, 3 * count)
        changed = anew
        for i in range(first, last):
            if frame[i] != known[i]:
                known[i] = frame[i]
                changed = 1
        if changed:
            numbers[at + 6] = 1
            for channel in range(3):
                total = 0
                for i in range(first + channel, last, 3):
                    total += bright[frame[i]]
                numbers[2 + channel] += total - numbers[at + channel]
                numbers[at + channel] = total
        at += _EACH
    numbers[12] = numbers[2] * numbers[9] + numbers[3] * numbers[10] + numbers[4] * numbers[11]
    unit = (numbers[8] >> 5) & 0xFF
    recent = 0
    for k in range(numbers[28]):
        if (unit - numbers[25 + k]) & 0xFF <= _SECOND:
            numbers[25 + recent] = numbers[25 + k]
            recent += 1
    numbers[28] = recent
    part = 256
    if recent >= numbers[16]:
        # While rising, nothing may exceed the peak; else nothing may come up a step from the lowest level.
        slack = 0 if numbers[24] else numbers[17] - 1
        for channel in range(3):
            ceiling = numbers[18 + channel] + slack
            if numbers[2 + channel] > ceiling:
                part = min(part, ceiling * 256 // numbers[2 + channel])
    numbers[13] = part


def count_lit(frame, numbers):
    """Count the channels of a frame that aren't 0: rounding up may add one to each."""
    for channel in range(3):
        lit = 0
        for i in range(channel, 3 * numbers[0], 3):
            if frame[i]:
                lit += 1
        numbers[5 + channel] = lit


def make_levels(guard, bright, part, add):
    """Make the table of levels: those of `bright`, `part` 256ths of each; `add` 255 rounds up, 0 down."""
    for level in range(256):
        guard[level] = (bright[level] * part + add) >> 8


def pass_frame(frame, out, guard, numbers):
    """Pass the chunks that are due through the table of levels and the guard of each pixel into
    `out`; tell the mean guard what is shown. Only pixels that change cost more than a comparison."""
    count = numbers[0]
    anew = numbers[14]
    numbers[14] = 0
    numbers[15] = 0
    for channel in range(29, 32):
        numbers[channel] = 0
    at = _HEAD
    last = 0
    while last < count:
        first = last
        last = min(first + _CHUNK, count)
        if anew or numbers[at + 6] or numbers[at + 7]:
            held = 0
            for pixel in range(first, last):
                held += _pass_pixel(pixel, frame, out, guard, numbers)
            for channel in range(3):
                total = 0
                for i in range(3 * first + channel, 3 * last, 3):
                    total += out[i]
                numbers[at + 3 + channel] = total
            numbers[at + 6] = 0
            numbers[at + 7] = held
        numbers[15] += numbers[at + 7]
        for channel in range(3):
            numbers[29 + channel] += numbers[at + 3 + channel]
        at += _EACH
    _pass_mean(numbers)


def _pass_pixel(pixel, frame, out, guard, numbers):
    """Show a pixel as far as its guard allows; 1 if it is held back."""
    i = 3 * pixel
    red = guard[frame[i]]
    green = guard[frame[i + 1]]
    blue = guard[frame[i + 2]]
    if red == out[i] and green == out[i + 1] and blue == out[i + 2]:
        return 0
    extreme = 256 + 8 * pixel
    moments = extreme + 4
    state = extreme + 7
    unit = (numbers[8] >> 5) & 0xFF
    alone = max(red - green - blue, 0)
    held = 0
    if guard[state] & _RISING:
        if (red + _STEP > guard[extreme] and green + _STEP > guard[extreme + 1] and blue + _STEP > guard[extreme + 2]
                and alone + _STEP > guard[extreme + 3] and (red or green or blue)):
            if (red > guard[extreme] or green > guard[extreme + 1] or blue > guard[extreme + 2]
                    or alone > guard[extreme + 3]):
                guard[extreme] = max(guard[extreme], red)
                guard[extreme + 1] = max(guard[extreme + 1], green)
                guard[extreme + 2] = max(guard[extreme + 2], blue)
                guard[extreme + 3] = max(guard[extreme + 3], alone)
                guard[moments + (guard[state] & 3) - 1] = unit
            out[i] = red
            out[i + 1] = green
            out[i + 2] = blue
            return 0
        guard[state] &= 3
        guard[extreme] = out[i]
        guard[extreme + 1] = out[i + 1]
        guard[extreme + 2] = out[i + 2]
        guard[extreme + 3] = max(out[i] - out[i + 1] - out[i + 2], 0)
    low_red = guard[extreme]
    low_green = guard[extreme + 1]
    low_blue = guard[extreme + 2]
    low_alone = guard[extreme + 3]
    dark = not (low_red or low_green or low_blue)
    if (red >= low_red + _STEP or green >= low_green + _STEP or blue >= low_blue + _STEP
            or alone >= low_alone + _STEP or (dark and (red or green or blue))):
        # One more rise: count those of the last second, forget older ones.
        recent = 0
        for k in range(guard[state]):
            if (unit - guard[moments + k]) & 0xFF <= _SECOND:
                guard[moments + recent] = guard[moments + k]
                recent += 1
        guard[state] = recent
        if recent < numbers[16]:
            guard[moments + recent] = unit
            guard[state] = (recent + 1) | _RISING
            guard[extreme] = out[i] = red
            guard[extreme + 1] = out[i + 1] = green
            guard[extreme + 2] = out[i + 2] = blue
            guard[extreme + 3] = alone
            return 0
        held = 1
        green = min(green, low_green)
        blue = min(blue, low_blue)
        red = min(red, low_red, low_alone + green + blue)
        alone = max(red - green - blue, 0)
    guard[extreme] = min(red, low_red)
    guard[extreme + 1] = min(green, low_green)
    guard[extreme + 2] = min(blue, low_blue)
    guard[extreme + 3] = min(alone, low_alone)
    out[i] = red
    out[i + 1] = green
    out[i + 2] = blue
    return held


def _pass_mean(numbers):  # noqa: C901 the twin of machine code
    """Record the sums of the frame that is shown."""
    step = numbers[17]
    if numbers[24]:
        above = 0
        for channel in range(3):
            if numbers[29 + channel] + step <= numbers[18 + channel]:
                numbers[24] = 0
            elif numbers[29 + channel] > numbers[18 + channel]:
                above = 1
        if not numbers[24]:
            for channel in range(3):
                numbers[18 + channel] = numbers[21 + channel]
        elif above:
            for channel in range(3):
                numbers[18 + channel] = max(numbers[18 + channel], numbers[29 + channel])
            if not numbers[28]:
                numbers[28] = 1
            numbers[24 + numbers[28]] = (numbers[8] >> 5) & 0xFF
    if not numbers[24]:
        for channel in range(3):
            if numbers[29 + channel] >= numbers[18 + channel] + step:
                numbers[24] = 1
        if numbers[24] and numbers[28] < 3:
            numbers[25 + numbers[28]] = (numbers[8] >> 5) & 0xFF
            numbers[28] += 1
        for channel in range(3):
            if numbers[24] or numbers[29 + channel] < numbers[18 + channel]:
                numbers[18 + channel] = numbers[29 + channel]
    for channel in range(3):
        numbers[21 + channel] = numbers[29 + channel]
