"""Players read sentences, even when the texts themselves can't be read: never a key."""

import re

import pytest
from script_hal import ScriptHal

from glow.app import App
from glow.menu import choices
from gridglow.firmware.image import build
from gridglow.tracks import load_track

KEY = re.compile(r"[a-z_]+\.[a-z0-9_]+")


@pytest.fixture
def flash(tmp_path):
    build(tmp_path, "full", [load_track("gp-ring")], mpy=False)
    return tmp_path


def faults(app):
    return [message["say"] for message in app.hal.sent if message["t"] == "fault"]


def spoil(path):
    path.write_bytes(path.read_bytes()[:-9])


@pytest.mark.parametrize("change", [lambda path: path.unlink(), spoil])
def test_a_board_without_texts_says_so_in_a_sentence(flash, change):
    for path in (flash / "text").glob("*.pack"):
        change(path)
    said = faults(App(ScriptHal(str(flash))))
    assert said == ["The text file can't be read; keys replace sentences. Run gridglow sync."]


def test_a_language_that_can_not_be_read_is_told_and_not_taken(flash):
    app = App(ScriptHal(str(flash)))
    assert faults(app) == []
    spoil(flash / "text" / "de.pack")
    choices._speak(app, "de")
    assert app.language == "en" and not app.texts.fault
    said = faults(app)
    assert len(said) == 1 and said[0].startswith("The text file can't be read")
    assert not KEY.fullmatch(said[0])
