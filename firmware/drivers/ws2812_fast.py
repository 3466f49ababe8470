"""`ws2812_plain.pack` in native code: 660 pixels in well under a millisecond on a Pico."""

import micropython


@micropython.viper
def pack(frame: ptr8, words: ptr32, span: ptr32) -> int:  # noqa: F821 types of viper
    """See ws2812_plain.pack."""
    at = int(span[0])
    end = at + int(span[1])
    red_shift = int(span[2])
    green_shift = int(span[3])
    blue_shift = int(span[4])
    white_shift = int(span[5])
    has_white = 1 if white_shift < 32 and white_shift >= 0 else 0
    place = 0
    changed = 0
    while at < end:
        red = int(frame[place])
        green = int(frame[place + 1])
        blue = int(frame[place + 2])
        if has_white:
            white = red
            if green < white:
                white = green
            if blue < white:
                white = blue
            word = (red - white) << red_shift | (green - white) << green_shift
            word = word | (blue - white) << blue_shift | white << white_shift
        else:
            word = red << red_shift | green << green_shift | blue << blue_shift
        if int(words[at]) != word:
            words[at] = word
            changed = 1
        place += 3
        at += 1
    return changed
