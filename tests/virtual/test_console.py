"""Console and dice pad: whose question they work on, that they never answer a secret one, and bounce."""

from types import SimpleNamespace

import pytest

from glow.keys.console import FarKeys
from glow.keys.panels import Panels
from glow.table.pick import ListPick, WheelPick, enter
from hal import CONSOLE, DICE_PAD


class Prompt:
    def __init__(self, secret=False, kind="choose"):
        self.secret = secret
        self.kind = kind


class Place:
    def __init__(self, prompt, pick=None):
        self.prompt = prompt
        self.pick = pick


class Table:
    def __init__(self, *places):
        self.questions = SimpleNamespace(places=list(places), focus=0)
        self.answering = SimpleNamespace(moving=False)
        self.menu = None


class App:
    """As much of an App as the keys need."""

    def __init__(self, table=None, panels=2):
        self.table = table
        self.panels = Panels(panels, panels)
        self.panels.prompts([(1, 1), (2, 2)], 0)
        self.told = []
        self.texts = self

    def get(self, key):
        return key

    def tell(self, say):
        self.told.append(say)


def stroke(keys, t_ms, panel, key, hold_ms=60):
    keys.feed(t_ms, panel, key, 1)
    keys.feed(t_ms + hold_ms, panel, key, 0)


def presses(app, now):
    return [(one.kind, one.panel, one.key) for one in app.panels.take(now) if one.kind != "release"]


def test_the_console_works_for_the_panel_that_is_shown():
    app = App(Table(Place(Prompt()), Place(Prompt())))
    keys = FarKeys(app)
    stroke(keys, 1000, CONSOLE, "OK")
    assert presses(app, 1100) == [("press", 1, "OK")]
    app.table.questions.focus = 1
    stroke(keys, 2000, CONSOLE, "OK")
    assert presses(app, 2100) == [("press", 2, "OK")]


def test_a_key_that_is_let_go_is_let_go_where_it_was_pressed():
    app = App(Table(Place(Prompt()), Place(Prompt())))
    keys = FarKeys(app)
    keys.feed(1000, CONSOLE, "OK", 1)
    app.panels.take(1000)
    app.table.questions.focus = 1
    keys.feed(1100, CONSOLE, "OK", 0)
    app.panels.take(1150)
    assert not app.panels.held(1, "OK") and not app.panels.held(2, "OK")


def test_no_click_of_the_encoder_is_lost_however_fast_it_is_turned():
    app = App(Table(Place(Prompt()), Place(Prompt())))
    keys = FarKeys(app)
    for _ in range(7):
        keys.feed(1000, CONSOLE, "NEXT", 1)
        keys.feed(1000, CONSOLE, "NEXT", 0)
    keys.feed(1001, CONSOLE, "PREV", 1)
    assert presses(app, 1005) == [("press", 1, "NEXT")] * 7 + [("press", 1, "PREV")]


@pytest.mark.parametrize("panel, key", [(CONSOLE, "OK"), (CONSOLE, "NEXT"), (DICE_PAD, "3")])
def test_a_secret_is_never_answered_where_all_can_see_it(panel, key):
    app = App(Table(Place(Prompt(secret=True)), Place(Prompt())))
    keys = FarKeys(app)
    stroke(keys, 1000, panel, key)
    assert presses(app, 1100) == [] and app.told == ["board.console_secret"]
    stroke(keys, 2000, CONSOLE, "UNDO")
    stroke(keys, 3000, CONSOLE, "MENU")
    assert [key for _, _, key in presses(app, 3100)] == ["UNDO", "MENU"]


def test_the_dice_pad_bounces_and_guards_as_other_keys():
    app = App(Table(Place(Prompt()), Place(Prompt())))
    keys = FarKeys(app)
    for t_ms, down in ((1000, 1), (1004, 0), (1008, 1), (1100, 0), (1105, 1), (1109, 0)):
        keys.feed(t_ms, DICE_PAD, "4", down)
    assert presses(app, 1200) == [("press", 1, "4")]
    keys.feed(2000, DICE_PAD, "4", 1)
    app.panels.take(2000)
    app.panels.prompts([(3, 1)], 2005)             # its answer has opened the next question
    keys.feed(2060, DICE_PAD, "5", 1)
    keys.feed(2400, DICE_PAD, "6", 1)
    assert presses(app, 2400) == [("early", 1, "5"), ("press", 1, "6")]


def test_without_a_race_the_dice_pad_does_nothing_and_the_console_works_for_the_first_panel():
    app = App()
    keys = FarKeys(app)
    stroke(keys, 1000, DICE_PAD, "4")
    stroke(keys, 2000, CONSOLE, "OK")
    assert presses(app, 2100) == [("press", 1, "OK")]
    none = App(panels=0)
    FarKeys(none).feed(1000, CONSOLE, "OK", 1)
    assert presses(none, 1100) == []


def test_what_a_digit_enters():
    wheels = Place(Prompt(kind="roll"), WheelPick("roll", [(1, 2, 3), (1, 2, 3)]))
    assert enter(wheels, "6") is None and wheels.pick.at == 0
    assert enter(wheels, "3") is None and enter(wheels, "1") == "roll 3 1"
    number = Place(Prompt(kind="number"), ListPick(["number 1", "number 2"], [None, None]))
    assert enter(number, "2") == "number 2" and enter(number, "5") is None
    choice = Place(Prompt(), ListPick(["flip 1", "flip 2", "flip none"], [None] * 3))
    assert enter(choice, "2") is None and choice.pick.at == 1
