"""Turns a frame's bytes into the words of an LED wire; `ws2812_fast` does the same in native code."""


def pack(frame, words, span):
    """Put the pixels of `frame` (RGB, 3 bytes each) into `words`, 4 bytes each.

    `span` (an array of int) says where: the first word, how many, and by how many bits red, green and blue are shifted in
    a word. The rest of a word stays as it is: the white channel isn't used, as its tint would differ from other strips.
    """
    at = 4 * span[0]
    red_at = span[2] >> 3
    green_at = span[3] >> 3
    blue_at = span[4] >> 3
    for place in range(0, 3 * span[1], 3):
        words[at + red_at] = frame[place]
        words[at + green_at] = frame[place + 1]
        words[at + blue_at] = frame[place + 2]
        at += 4
