"""A frame's bytes turned into the words of an LED wire; `ws2812_fast` does the same in native code."""


def pack(frame, words, span):
    """Put the pixels of `frame` (RGB, 3 bytes each) into `words`, 4 bytes each. Whether that changed anything.

    `span` (an array of int) says where: the first word, how many, by how many bits red, green and blue are shifted in a
    word, and white, which is -1 where the strip has none. White takes over what the three have in common.
    """
    at = 4 * span[0]
    red_at = span[2] >> 3
    green_at = span[3] >> 3
    blue_at = span[4] >> 3
    white_at = span[5] >> 3
    changed = 0
    for place in range(0, 3 * span[1], 3):
        red = frame[place]
        green = frame[place + 1]
        blue = frame[place + 2]
        if white_at >= 0:
            white = min(red, green, blue)
            red -= white
            green -= white
            blue -= white
            if words[at + white_at] != white:
                words[at + white_at] = white
                changed = 1
        if words[at + red_at] != red or words[at + green_at] != green or words[at + blue_at] != blue:
            words[at + red_at] = red
            words[at + green_at] = green
            words[at + blue_at] = blue
            changed = 1
        at += 4
    return changed
