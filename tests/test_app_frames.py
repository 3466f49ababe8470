"""Golden frames: scripted races light the same pixels at every frame, on CPython and on MicroPython."""

import pytest
from golden_frames import compare

#: What the whole firmware has to do with, on 64 bits and with its code in the heap, which a board has frozen in: 305 kB, and
#: 9 for the player of the scripts.
HEAP = "314k"


@pytest.mark.parametrize("name", list(compare.GOLDENS))
def test_the_frames_are_those_that_were_kept(name):
    assert compare.kept(name), f"There is no golden {name}; run tests/renew_goldens.py."
    assert compare.difference(name, compare.played(name)) == ""


@pytest.mark.parametrize("name", list(compare.GOLDENS))
def test_micropython_lights_the_same_frames(name):
    lines, free = compare.played_on_micropython(name, HEAP)
    assert compare.difference(name, lines) == ""
    assert free > 0
