"""The work on single pixels as machine code, for MicroPython's native emitter: the same functions as in plain.py, which
says what they do, with the same results to the last bit.

Numbers are machine words here: nothing may pass 2^31, and words of an array must not be negative. A pointer knows no end:
callers pass only pixels that a frame has. ``(x + 1 + (x >> 8)) >> 8`` is x // 255 for every x from 0 to 65,534.
"""
# ruff: noqa: F821 ptr8, ptr16 and ptr32 are types of the native emitter

import micropython  # subset: ok this is what plain.py is the other half of
from micropython import const  # subset: ok the same

_CHUNK = const(32)
_HEAD = const(32)
_EACH = const(11)
_STEP = const(4)
_RISING = const(0x80)
_SECOND = const(32)


@micropython.viper
def clear(buffer: ptr8, count: int):
    i = 0
    while i < count:
        buffer[i] = 0
        i += 1


@micropython.viper
def put(frame: ptr8, pixel: int, colour: ptr8, level: int):
    if pixel < 0:
        return
    at = ptr8(int(frame) + 3 * pixel)
    x = colour[0] * level + 254
    at[0] = (x + 1 + (x >> 8)) >> 8
    x = colour[1] * level + 254
    at[1] = (x + 1 + (x >> 8)) >> 8
    x = colour[2] * level + 254
    at[2] = (x + 1 + (x >> 8)) >> 8


@micropython.viper
def put_brighter(frame: ptr8, pixel: int, colour: ptr8, level: int):
    if pixel < 0:
        return
    at = ptr8(int(frame) + 3 * pixel)
    x = colour[0] * level + 254
    red = (x + 1 + (x >> 8)) >> 8
    x = colour[1] * level + 254
    green = (x + 1 + (x >> 8)) >> 8
    x = colour[2] * level + 254
    blue = (x + 1 + (x >> 8)) >> 8
    if red + green + blue > at[0] + at[1] + at[2]:
        at[0] = red
        at[1] = green
        at[2] = blue


@micropython.viper
def put_all(frame: ptr8, pixels: ptr16, span: int, paint: int):
    red = (paint >> 16) & 255
    green = (paint >> 8) & 255
    blue = paint & 255
    bar = -1
    if paint >> 24:
        bar = red + green + blue
    k = span >> 15
    last = span & 0x7FFF
    while k < last:
        pixel = pixels[k]
        k += 1
        if pixel != 0xFFFF:
            at = ptr8(int(frame) + 3 * pixel)
            if bar < 0 or bar > at[0] + at[1] + at[2]:
                at[0] = red
                at[1] = green
                at[2] = blue


@micropython.viper
def put_cars(frame: ptr8, cars: ptr8, rhythms: ptr8, clock: ptr32):
    step = clock[1]
    gone = clock[2]
    step_ms = clock[3]
    following = (step + 1) & 31
    k = 0
    while k < clock[0]:
        car = ptr8(int(cars) + 8 * k)
        pixel = car[0] | (car[1] << 8)
        if k != clock[5] and pixel != 0xFFFF and clock[4] % car[6] == car[7]:
            at = 32 * car[5]
            level = (rhythms[at + step] * (step_ms - gone) + rhythms[at + following] * gone) // step_ms
            to = ptr8(int(frame) + 3 * pixel)
            x = car[2] * level + 254
            to[0] = (x + 1 + (x >> 8)) >> 8
            x = car[3] * level + 254
            to[1] = (x + 1 + (x >> 8)) >> 8
            x = car[4] * level + 254
            to[2] = (x + 1 + (x >> 8)) >> 8
        k += 1


@micropython.viper
def put_cells(frame: ptr8, cells: ptr8, levels: ptr8, span: int):
    pixel = span >> 15
    to = ptr8(int(frame) + 3 * pixel)
    at = ptr8(int(cells) + 4 * pixel)
    left = (span & 0x7FFF) - pixel
    while left > 0:
        level = levels[at[0]]
        x = at[1] * level + 254
        to[0] = (x + 1 + (x >> 8)) >> 8
        x = at[2] * level + 254
        to[1] = (x + 1 + (x >> 8)) >> 8
        x = at[3] * level + 254
        to[2] = (x + 1 + (x >> 8)) >> 8
        to = ptr8(int(to) + 3)
        at = ptr8(int(at) + 4)
        left -= 1


@micropython.viper
def set_cells(cells: ptr8, span: int, colour: ptr8, level: int):
    at = ptr8(int(cells) + 4 * (span >> 15))
    left = (span & 0x7FFF) - (span >> 15)
    while left > 0:
        at[0] = level
        at[1] = colour[0]
        at[2] = colour[1]
        at[3] = colour[2]
        at = ptr8(int(at) + 4)
        left -= 1


@micropython.viper
def take_frame(frame: ptr8, known: ptr8, bright: ptr8, numbers: ptr32):
    anew = numbers[1]
    numbers[1] = 0
    end = 3 * numbers[0]
    chunk = ptr32(int(numbers) + 4 * _HEAD)
    last = 0
    while last < end:
        i = last
        last += 3 * _CHUNK
        if last > end:
            last = end
        changed = anew
        words = ptr32(int(frame) + i)
        known_words = ptr32(int(known) + i)
        k = 0
        whole = (last - i) >> 2
        while k < whole:
            word = words[k]
            if word != known_words[k]:
                known_words[k] = word
                changed = 1
            k += 1
        k = i + (whole << 2)
        while k < last:
            if frame[k] != known[k]:
                known[k] = frame[k]
                changed = 1
            k += 1
        if changed:
            chunk[9] = 1
            red = green = blue = red_lit = green_lit = blue_lit = 0
            at = ptr8(int(frame) + i)
            left = last - i
            while left > 0:
                level = at[0]
                if level:
                    red += bright[level]
                    red_lit += 1
                level = at[1]
                if level:
                    green += bright[level]
                    green_lit += 1
                level = at[2]
                if level:
                    blue += bright[level]
                    blue_lit += 1
                at = ptr8(int(at) + 3)
                left -= 3
            numbers[2] = numbers[2] + red - chunk[0]
            numbers[3] = numbers[3] + green - chunk[1]
            numbers[4] = numbers[4] + blue - chunk[2]
            numbers[5] = numbers[5] + red_lit - chunk[3]
            numbers[6] = numbers[6] + green_lit - chunk[4]
            numbers[7] = numbers[7] + blue_lit - chunk[5]
            chunk[0] = red
            chunk[1] = green
            chunk[2] = blue
            chunk[3] = red_lit
            chunk[4] = green_lit
            chunk[5] = blue_lit
        chunk = ptr32(int(chunk) + 4 * _EACH)
    numbers[12] = numbers[2] * numbers[9] + numbers[3] * numbers[10] + numbers[4] * numbers[11]
    unit = (numbers[8] >> 5) & 0xFF
    recent = 0
    k = 0
    while k < numbers[28]:
        if (unit - numbers[25 + k]) & 0xFF <= _SECOND:
            numbers[25 + recent] = numbers[25 + k]
            recent += 1
        k += 1
    numbers[28] = recent
    part = 256
    if recent >= numbers[16]:
        slack = 0
        if numbers[24] == 0:
            slack = numbers[17] - 1
        k = 0
        while k < 3:
            ceiling = numbers[18 + k] + slack
            total = numbers[2 + k]
            if total > ceiling:
                fits = ceiling * 256 // total
                if fits < part:
                    part = fits
            k += 1
    numbers[13] = part


@micropython.viper
def make_levels(guard: ptr8, bright: ptr8, part: int, add: int):
    level = 0
    while level < 256:
        guard[level] = (bright[level] * part + add) >> 8
        level += 1


@micropython.viper
def pass_frame(frame: ptr8, out: ptr8, guard: ptr8, numbers: ptr32):
    count = numbers[0]
    anew = numbers[14]
    numbers[14] = 0
    unit = (numbers[8] >> 5) & 0xFF
    held_in_all = 0
    red_sum = green_sum = blue_sum = 0
    chunk = ptr32(int(numbers) + 4 * _HEAD)
    last = 0
    while last < count:
        pixel = last
        last += _CHUNK
        if last > count:
            last = count
        if anew | chunk[9] | chunk[10]:
            held = 0
            chunk[6] = chunk[7] = chunk[8] = 0
            new = ptr8(int(frame) + 3 * pixel)
            to = ptr8(int(out) + 3 * pixel)
            while pixel < last:
                red = guard[new[0]]
                green = guard[new[1]]
                blue = guard[new[2]]
                if red != to[0] or green != to[1] or blue != to[2]:
                    extreme = ptr8(int(guard) + 256 + 3 * pixel)
                    moments = ptr8(int(extreme) + 3 * count)
                    state = ptr8(int(guard) + 256 + 6 * count + pixel)
                    low_red = extreme[0]
                    low_green = extreme[1]
                    low_blue = extreme[2]
                    shown = 0
                    if state[0] & _RISING:
                        if (red + _STEP > low_red and green + _STEP > low_green and blue + _STEP > low_blue
                                and red | green | blue):
                            if red > low_red or green > low_green or blue > low_blue:
                                if red > low_red:
                                    extreme[0] = red
                                if green > low_green:
                                    extreme[1] = green
                                if blue > low_blue:
                                    extreme[2] = blue
                                moments[(state[0] & 3) - 1] = unit
                            shown = 1
                        else:
                            state[0] = state[0] & 3
                            low_red = to[0]
                            low_green = to[1]
                            low_blue = to[2]
                    if shown == 0:
                        dark = (low_red | low_green | low_blue) == 0
                        if (red >= low_red + _STEP or green >= low_green + _STEP or blue >= low_blue + _STEP
                                or (dark and red | green | blue)):
                            recent = 0
                            k = 0
                            while k < state[0]:
                                if (unit - moments[k]) & 0xFF <= _SECOND:
                                    moments[recent] = moments[k]
                                    recent += 1
                                k += 1
                            state[0] = recent
                            if recent < numbers[16]:
                                moments[recent] = unit
                                state[0] = (recent + 1) | _RISING
                                low_red = red
                                low_green = green
                                low_blue = blue
                            else:
                                held += 1
                                if dark:
                                    red = green = blue = 0
                                if red > low_red:
                                    red = low_red
                                if green > low_green:
                                    green = low_green
                                if blue > low_blue:
                                    blue = low_blue
                        if red < low_red:
                            low_red = red
                        if green < low_green:
                            low_green = green
                        if blue < low_blue:
                            low_blue = blue
                        extreme[0] = low_red
                        extreme[1] = low_green
                        extreme[2] = low_blue
                    to[0] = red
                    to[1] = green
                    to[2] = blue
                chunk[6] = chunk[6] + red
                chunk[7] = chunk[7] + green
                chunk[8] = chunk[8] + blue
                new = ptr8(int(new) + 3)
                to = ptr8(int(to) + 3)
                pixel += 1
            chunk[9] = 0
            chunk[10] = held
        held_in_all += chunk[10]
        red_sum += chunk[6]
        green_sum += chunk[7]
        blue_sum += chunk[8]
        chunk = ptr32(int(chunk) + 4 * _EACH)
    numbers[15] = held_in_all
    numbers[29] = red_sum
    numbers[30] = green_sum
    numbers[31] = blue_sum
    step = numbers[17]
    if numbers[24]:
        above = 0
        k = 0
        while k < 3:
            if numbers[29 + k] + step <= numbers[18 + k]:
                numbers[24] = 0
            elif numbers[29 + k] > numbers[18 + k]:
                above = 1
            k += 1
        k = 0
        while k < 3:
            if numbers[24] == 0:
                numbers[18 + k] = numbers[21 + k]
            elif numbers[29 + k] > numbers[18 + k]:
                numbers[18 + k] = numbers[29 + k]
            k += 1
        if numbers[24] and above:
            if numbers[28] == 0:
                numbers[28] = 1
            numbers[24 + numbers[28]] = unit
    if numbers[24] == 0:
        k = 0
        while k < 3:
            if numbers[29 + k] >= numbers[18 + k] + step:
                numbers[24] = 1
            k += 1
        if numbers[24] and numbers[28] < 3:
            numbers[25 + numbers[28]] = unit
            numbers[28] = numbers[28] + 1
        k = 0
        while k < 3:
            if numbers[24] or numbers[29 + k] < numbers[18 + k]:
                numbers[18 + k] = numbers[29 + k]
            k += 1
    numbers[21] = red_sum
    numbers[22] = green_sum
    numbers[23] = blue_sum
