"""The colours of cars stay apart for everybody: normal sight and the three common colour-vision deficiencies."""

import itertools

import pytest
from sights import APART, SIGHTS, lab, seen

from glow.lights.colours import WHITE, WORDS, rgb


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
