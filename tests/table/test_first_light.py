"""Settings survive power-off, and apply before the first light is lit and the first sound is made: a board is
set, switched off and on again, and its very first frame and sound are checked."""

import pytest
from golden_frames.board_root import board_root
from script_hal import Buzzer, ScriptHal, Strip

from glow.app import App
from glow.menu import choices
from hal.keyring import KeyRing
from shared_rules.link_lines import KEYS


@pytest.fixture
def root(tmp_path):
    return str(board_root(tmp_path))


class Watched(ScriptHal):
    """Keeps every frame that its strips show, every requested sound and every page of its display."""

    def __init__(self, root):
        super().__init__(root)
        self.frames = []
        self.heard = []
        for number, strip in enumerate(self.pixels):
            self._tap(number, strip)
        hal = self

        class Loud(Buzzer):
            def play(self, name):
                if not self.mute:
                    hal.heard.append(name)

        self.sound = Loud()

    def _tap(self, number, strip):
        def show(frame):
            Strip.show(strip, frame)
            self.frames.append((number, bytes(frame)))
        strip.show = show


def switched_on(root, ms=0):
    """A board that has just got power: only the flash of the previous one is left. It runs until its first frames."""
    hal = Watched(root)
    app = App(hal)
    assert hal.frames == [] and hal.heard == [], "something was lit or heard before the settings were read"
    gone = 0
    while not hal.frames or gone < ms:
        app.tick(hal.ticks_ms())
        hal.advance(10)
        gone += 10
    return app, hal


def brightest(hal):
    """The highest level of the frames so far; of the first ones if only the start was run."""
    return max(max(frame) for _, frame in hal.frames if frame)


def press(app, hal, key="OK"):
    for down in (1, 0):
        hal.edge(1, key, down)
        for _ in range(6):
            app.tick(hal.ticks_ms())
            hal.advance(10)


def test_brightness_and_calm_hold_in_the_first_frame(root):
    _, usual = switched_on(root)
    app, _ = switched_on(root)
    app.set("brightness", 16)
    _, dim = switched_on(root)
    assert 16 < brightest(usual) <= 64 and 0 < brightest(dim) <= 16
    app, _ = switched_on(root)
    app.set("brightness", 64)
    app.set("calm", 1)
    calm_app, calm = switched_on(root)
    assert calm_app.lights.calm and brightest(calm) <= 32


def test_a_muted_board_makes_no_first_sound(root):
    app, hal = switched_on(root)
    press(app, hal)
    assert hal.heard[:1] == ["press"]
    app.set("mute", 1)
    app, hal = switched_on(root)
    press(app, hal)
    assert hal.heard == [] and app.state == "menu"


def test_the_language_holds_on_the_first_page_of_the_display(root):
    app, _ = switched_on(root)
    app.set("language", "de")
    app, hal = switched_on(root)
    shown = hal.display.text()
    assert app.texts.get("board.idle_start").split(" ")[0] in shown and app.language == "de"
    assert hal.sent[0]["t"] == "hello" and hal.sent[0]["lang"] == "de"


def test_the_order_for_the_left_hand_is_each_panels_own_and_holds_from_the_first_key_on(root):
    app, _ = switched_on(root)
    choices.turn(app, "left", 1, 2)
    assert choices.value(app, "left", 2) == 1 and choices.value(app, "left", 1) == 0
    app, hal = switched_on(root)
    assert hal.left == 1 << 2 and hal.sent[0]["left"] == [2]
    choices.turn(app, "left", 1, 2)
    assert app.settings.get("left", 0) == 0


@pytest.mark.parametrize("order", [None, [2, 0, 1, 3, 4, 5]])
def test_keys_come_from_the_other_end_but_prev_stays_left_of_next(order):
    ring = KeyRing(order)
    for panel in (1, 2, 7):
        for key in range(6):
            ring.put(0, panel, key, 1)
    words = [word for _, _, word, _ in ring.take_all(1 << 2)]
    usual, left = words[:6], words[6:12]
    assert usual == [KEYS[place] for place in order or range(6)]
    swapped = {"PREV": "NEXT", "NEXT": "PREV"}
    assert left == [swapped.get(word, word) for word in reversed(usual)]
    if order is None:
        assert left == ["MENU", "WHY", "UNDO", "OK", "PREV", "NEXT"]
