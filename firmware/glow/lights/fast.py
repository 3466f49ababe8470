"""The work on single pixels as machine code, for MicroPython's native emitter: the same functions
as in plain.py, where they are described, with results equal to the last bit.

Numbers are machine words here: none may exceed 2^31, and words of an array must not be negative. Pointers have no
bounds: callers pass only pixels that a frame has. ``(x + 1 + (x >> 8)) >> 8`` is x // 255 for every x from 0 to 65,534.
"""
# ruff: noqa: F821 ptr8, ptr16 and ptr32 are types of the native emitter

import micropython  # subset: ok this is plain.py's other half
from micropython import const  # subset: ok the same

_CHUNK = const(32)
_HEAD = const(32)
_EACH = const(8)
_STEP = const(4)
_RISING = const(0x80)
_SECOND = const(32)


@micropython.viper
def clear(buffer: ptr8, count: int):
    while count > 0:
        buffer[0] = 0
        buffer = ptr8(int(buffer) + 1)
        count -= 1


@micropython.viper
def put(frame: ptr8, pixel: int, paint: int):
    if pixel < 0:
        return
    frame = ptr8(int(frame) + 3 * pixel)
    red = (paint >> 16) & 255
    green = (paint >> 8) & 255
    blue = paint & 255
    if paint >> 24 == 0 or red + green + blue > frame[0] + frame[1] + frame[2]:
        frame[0] = red
        frame[1] = green
        frame[2] = blue


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
def put_tail(frame: ptr8, pixels: ptr16, colour: ptr8, head: int):
    back = 3
    while back >= 0:
        if head >= back:
            pixel = pixels[head - back]
            if pixel != 0xFFFF:
                at = ptr8(int(frame) + 3 * pixel)
                level = (0x183878FF >> (8 * back)) & 255
                x = colour[0] * level + 254
                red = (x + 1 + (x >> 8)) >> 8
                x = colour[1] * level + 254
                green = (x + 1 + (x >> 8)) >> 8
                x = colour[2] * level + 254
                blue = (x + 1 + (x >> 8)) >> 8
                if back == 0 or red + green + blue > at[0] + at[1] + at[2]:
                    at[0] = red
                    at[1] = green
                    at[2] = blue
        back -= 1


@micropython.viper
def put_cells(frame: ptr8, cells: ptr8, levels: ptr8, span: int):
    frame = ptr8(int(frame) + 3 * (span >> 15))
    cells = ptr8(int(cells) + 4 * (span >> 15))
    left = (span & 0x7FFF) - (span >> 15)
    while left > 0:
        level = levels[cells[0]]
        x = cells[1] * level + 254
        frame[0] = (x + 1 + (x >> 8)) >> 8
        x = cells[2] * level + 254
        frame[1] = (x + 1 + (x >> 8)) >> 8
        x = cells[3] * level + 254
        frame[2] = (x + 1 + (x >> 8)) >> 8
        frame = ptr8(int(frame) + 3)
        cells = ptr8(int(cells) + 4)
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
    left = numbers[0]
    chunk = ptr32(int(numbers) + 4 * _HEAD)
    while left > 0:
        pixels = _CHUNK
        changed = anew
        if left < _CHUNK:
            pixels = left
            changed = 1  # no whole words: checking the last few isn't worth it
        if changed == 0:
            new = ptr32(frame)
            old = ptr32(known)
            k = 0
            while k < 3 * _CHUNK // 32:
                if ((new[0] ^ old[0]) | (new[1] ^ old[1]) | (new[2] ^ old[2]) | (new[3] ^ old[3])
                        | (new[4] ^ old[4]) | (new[5] ^ old[5]) | (new[6] ^ old[6]) | (new[7] ^ old[7])):
                    changed = 1
                new = ptr32(int(new) + 32)
                old = ptr32(int(old) + 32)
                k += 1
        left -= pixels
        if changed:
            red = green = blue = 0
            while pixels > 0:
                level = frame[0]
                known[0] = level
                red += bright[level]
                level = frame[1]
                known[1] = level
                green += bright[level]
                level = frame[2]
                known[2] = level
                blue += bright[level]
                frame = ptr8(int(frame) + 3)
                known = ptr8(int(known) + 3)
                pixels -= 1
            numbers[2] = numbers[2] + red - chunk[0]
            numbers[3] = numbers[3] + green - chunk[1]
            numbers[4] = numbers[4] + blue - chunk[2]
            chunk[0] = red
            chunk[1] = green
            chunk[2] = blue
            chunk[6] = 1
        else:
            frame = ptr8(int(frame) + 3 * _CHUNK)
            known = ptr8(int(known) + 3 * _CHUNK)
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
def count_lit(frame: ptr8, numbers: ptr32):
    left = numbers[0]
    red = green = blue = 0
    while left > 0:
        red += (frame[0] + 255) >> 8
        green += (frame[1] + 255) >> 8
        blue += (frame[2] + 255) >> 8
        frame = ptr8(int(frame) + 3)
        left -= 1
    numbers[5] = red
    numbers[6] = green
    numbers[7] = blue


@micropython.viper
def make_levels(guard: ptr8, bright: ptr8, part: int, add: int):
    level = 0
    while level < 256:
        guard[level] = (bright[level] * part + add) >> 8
        level += 1


@micropython.viper
def pass_frame(frame: ptr8, out: ptr8, guard: ptr8, numbers: ptr32):  # noqa: C901 one pass over the pixels, as machine code
    count = numbers[0]
    anew = numbers[14]
    numbers[14] = 0
    unit = (numbers[8] >> 5) & 0xFF
    held_in_all = 0
    numbers[29] = numbers[30] = numbers[31] = 0
    chunk = ptr32(int(numbers) + 4 * _HEAD)
    pixel = 0
    while pixel < count:
        last = pixel + _CHUNK
        if last > count:
            last = count
        if anew | chunk[6] | chunk[7]:
            held = 0
            red_sum = green_sum = blue_sum = 0
            while pixel < last:
                red = guard[frame[0]]
                green = guard[frame[1]]
                blue = guard[frame[2]]
                if (red ^ out[0]) | (green ^ out[1]) | (blue ^ out[2]):
                    cell = ptr8(int(guard) + 256 + 8 * pixel)
                    low_red = cell[0]
                    low_green = cell[1]
                    low_blue = cell[2]
                    low_alone = cell[3]
                    alone = red - green - blue
                    if alone < 0:
                        alone = 0
                    shown = 0
                    if cell[7] & _RISING:
                        # Differences joined by "or" are negative if any of them is.
                        if ((red + _STEP - 1 - low_red) | (green + _STEP - 1 - low_green)
                                | (blue + _STEP - 1 - low_blue) | (alone + _STEP - 1 - low_alone)) >= 0 and (
                                red | green | blue):
                            if ((low_red - red) | (low_green - green) | (low_blue - blue) | (low_alone - alone)) < 0:
                                if red > low_red:
                                    cell[0] = red
                                if green > low_green:
                                    cell[1] = green
                                if blue > low_blue:
                                    cell[2] = blue
                                if alone > low_alone:
                                    cell[3] = alone
                                cell[(cell[7] & 3) + 3] = unit
                            shown = 1
                        else:
                            cell[7] = cell[7] & 3
                            low_red = out[0]
                            low_green = out[1]
                            low_blue = out[2]
                            low_alone = low_red - low_green - low_blue
                            if low_alone < 0:
                                low_alone = 0
                    if shown == 0:
                        if ((low_red + _STEP - 1 - red) | (low_green + _STEP - 1 - green)
                                | (low_blue + _STEP - 1 - blue) | (low_alone + _STEP - 1 - alone)) < 0 or (
                                (low_red | low_green | low_blue) == 0 and red | green | blue):
                            recent = 0
                            k = 0
                            while k < cell[7]:
                                if (unit - cell[4 + k]) & 0xFF <= _SECOND:
                                    cell[4 + recent] = cell[4 + k]
                                    recent += 1
                                k += 1
                            cell[7] = recent
                            if recent < numbers[16]:
                                cell[4 + recent] = unit
                                cell[7] = (recent + 1) | _RISING
                                low_red = red
                                low_green = green
                                low_blue = blue
                                low_alone = alone
                            else:
                                held += 1
                                if red > low_red:
                                    red = low_red
                                if green > low_green:
                                    green = low_green
                                if blue > low_blue:
                                    blue = low_blue
                                if red - green - blue > low_alone:
                                    red = low_alone + green + blue
                                alone = red - green - blue
                                if alone < 0:
                                    alone = 0
                        if red < low_red:
                            low_red = red
                        if green < low_green:
                            low_green = green
                        if blue < low_blue:
                            low_blue = blue
                        if alone < low_alone:
                            low_alone = alone
                        cell[0] = low_red
                        cell[1] = low_green
                        cell[2] = low_blue
                        cell[3] = low_alone
                    out[0] = red
                    out[1] = green
                    out[2] = blue
                red_sum += red
                green_sum += green
                blue_sum += blue
                frame = ptr8(int(frame) + 3)
                out = ptr8(int(out) + 3)
                pixel += 1
            chunk[3] = red_sum
            chunk[4] = green_sum
            chunk[5] = blue_sum
            chunk[6] = 0
            chunk[7] = held
        else:
            pixel = last
            frame = ptr8(int(frame) + 3 * _CHUNK)
            out = ptr8(int(out) + 3 * _CHUNK)
        held_in_all += chunk[7]
        numbers[29] = numbers[29] + chunk[3]
        numbers[30] = numbers[30] + chunk[4]
        numbers[31] = numbers[31] + chunk[5]
        chunk = ptr32(int(chunk) + 4 * _EACH)
    numbers[15] = held_in_all
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
    numbers[21] = numbers[29]
    numbers[22] = numbers[30]
    numbers[23] = numbers[31]
