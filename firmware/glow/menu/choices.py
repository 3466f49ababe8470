"""The settings that a board's menus offer: the values of each, how they read, and what a change does."""

from glow.lights.lights import SPEEDS, Lights
from hal.data_files import languages

BRIGHTNESSES = (12, 16, 24, 32, 48, 64)
PACES = ("slow", "normal", "fast")
#: What both menus have, in order. Each has a text "board.menu_<key>".
KEYS = ("mute", "brightness", "calm", "left", "pace", "teach", "language")
_DEFAULTS = {"mute": 0, "calm": 0, "teach": 1}


def value(app, key, panel=1):
    """The value of a setting; each panel has its own order of keys, everything else belongs to the board."""
    if key == "left":
        return app.hal.left >> panel & 1
    if key == "pace":
        return app.pace
    if key == "brightness":
        return app.settings.get(key, _brightest(app))
    if key == "language":
        return app.language
    return app.settings.get(key, _DEFAULTS[key])


def name(app, key, panel=1):
    """The words for that value."""
    now = value(app, key, panel)
    if key == "brightness":
        return str(now)
    if key == "pace":
        return app.texts.get("board.pace_" + now)
    if key == "language":
        return app.texts.get("engine.name")
    return app.texts.get("board.on" if now else "board.off")


def turn(app, key, step=1, panel=1):
    """Sets the previous or next value, wrapping round."""
    choices = (0, 1)
    if key == "brightness":
        choices = [level for level in BRIGHTNESSES if level <= _brightest(app)] or BRIGHTNESSES[:1]
    elif key == "pace":
        choices = PACES
    elif key == "language":
        choices = languages(app.hal) or ["en"]
    now = value(app, key, panel)
    if key == "left":
        put(app, key, app.hal.left ^ 1 << panel)
        return
    at = choices.index(now) + step if now in choices else 0
    put(app, key, choices[at % len(choices)])


def put(app, key, new):
    """Stores a setting and applies it to the board."""
    app.saved(app.settings.put(key, new))
    if key == "mute":
        app.hal.sound.mute = new == 1
    elif key == "brightness":
        app.light(Lights.set_brightness, new)
    elif key == "calm":
        app.light(Lights.set_calm, new == 1)
    elif key == "pace":
        app.pace = new
        app.light(Lights.set_speed, SPEEDS.get(new, 100))
    elif key == "teach":
        if app.table:
            app.table.questions.teach()
    elif key == "left":
        app.hal.left = new
        app.safely("link", app.link.hello)
    elif key == "language":
        _speak(app, new)


def _speak(app, language):
    """Uses another language from now on; only one pack is open at a time."""
    app.language = language
    app.open_pack(language)
    fault = app.texts.fault
    if fault:
        app.language = "en"
        app.open_pack("en")
        app.fault([fault], "texts" if app.texts.fault else "")
    else:
        app.fault_over("texts")
    if app.screen:
        app.screen.dirty = True
    app.safely("link", app.link.all)


def _brightest(app):
    return app.hal.board.get("brightness", 64)
