"""Golden frames: scripted races light the same pixels in every frame, on CPython and on MicroPython."""

import pytest
from golden_frames import compare


@pytest.mark.parametrize("name", list(compare.GOLDENS))
def test_the_frames_are_those_that_were_kept(name):
    assert compare.kept(name), f"There is no golden {name}; run tests/renew_goldens.py."
    assert compare.difference(name, compare.played(name)) == ""


@pytest.mark.parametrize("name", list(compare.GOLDENS))
def test_micropython_lights_the_same_frames(name):
    assert compare.difference(name, compare.played_on_micropython(name)) == ""
