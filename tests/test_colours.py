"""The colours of cars stay apart for everybody: normal sight and the three common colour-vision deficiencies."""

import itertools

import pytest

from glow.lights.colours import WHITE, WORDS, rgb

# Machado, Oliveira and Fernandes 2009, severity 1.0, for linear RGB.
SIGHTS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900),
    ),
}
# CIELAB distance (1976); 2.3 can just be seen side by side, so this is clear across a table.
APART = 30


def seen(levels, sight):
    """The linear RGB that somebody with this sight sees of LED levels (their light is linear)."""
    light = [level / 255 for level in levels]
    return [min(max(sum(a * b for a, b in zip(row, light)), 0), 1) for row in SIGHTS[sight]]


def lab(red, green, blue):
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("sight", SIGHTS)
def test_any_two_colours_stay_apart(sight):
    for one, two in itertools.combinations(WORDS, 2):
        a, b = lab(*seen(rgb(one), sight)), lab(*seen(rgb(two), sight))
        assert sum((p - q) ** 2 for p, q in zip(a, b)) ** 0.5 >= APART, (one, two)


def test_the_palette_has_the_eight_words():
    assert set(WORDS) == {"blue", "yellow", "red", "green", "white", "orange", "cyan", "magenta"}
    for word in WORDS:
        assert len(rgb(word)) == 3 and all(0 <= level <= 255 for level in rgb(word)) and max(rgb(word)) >= 80


def test_an_unknown_word_is_white():
    assert rgb("mauve") == WHITE
