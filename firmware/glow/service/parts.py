"""Display, sound, supply, memory and flash, tried in service mode; and the pixel map of a track, stored."""

import gc
import os

from glow.lights import leds_file
from glow.store import files

#: All characters that the display has.
LETTERS = ("ABCDEFGHIJKLMNOPQRSTU", "VWXYZ äöüÄÖÜßé.,:;!?-", "abcdefghijklmnopqrstu", "vwxyz +-*/=%&@#$^_~|\\",
           "0123456789 ()[]{}<>'\"", "#####################")
#: A scale, and some sounds from races.
SOUNDS = ("scale", "press", "lamp", "roll", "refused", "go", "podium")
TRY_FILE = "try.new"
TRY_PIECES = 16


def display(screen, a, _b, _c, _rest):
    """1: all characters that the display has, 0: the usual lines."""
    state = screen.part("display")
    screen.page = list(LETTERS) if a else None
    return {"state": state, "detail": screen.part_detail("display")} if state != "off" else {"state": "missing"}


def say(screen, a, _b, _c, rest):
    """The host's words on the display, lines separated by "|"; with no words: the usual lines."""
    screen.page = rest.split("|")[:6] if rest else None
    return {"state": "ok"}


def sound(screen, a, _b, _c, _rest):
    """A scale (0), or one of the sounds from races. Even a muted board sounds while this mode lasts."""
    if screen.part("buzzer") in ("missing", "off"):
        return {"state": "missing"}
    out = screen.app.hal.sound
    if not screen.hosted:
        a = screen.sounds
        screen.sounds = (a + 1) % len(SOUNDS)
    name = SOUNDS[a % len(SOUNDS)]
    muted = screen.app.settings.get("mute", 0)
    out.mute = False
    out.play(name)
    return {"state": "ok", "name": name, "of": len(SOUNDS), "muted": muted}


def supply(screen, _a, _b, _c, _rest):
    """The voltage of the pixels' supply, in mV."""
    one = getattr(screen.app.hal, "supply", None)
    if one is None:
        return {"state": "missing"}
    return {"state": "ok", "mv": one.millivolts(), "on": 1 if one.on() else 0}


def memory(_screen, _a, _b, _c, _rest):
    """The heap in bytes: free, used, and the largest free block."""
    if not hasattr(gc, "mem_free"):
        return {"state": "missing"}
    gc.collect()
    free = gc.mem_free()
    low, high = 0, free
    while high - low > 512:                        # a size sure to be available, a size sure not to be
        middle = (low + high) // 2
        try:
            bytearray(middle)
            low = middle
        except MemoryError:
            high = middle
        gc.collect()
    return {"state": "ok", "free": free, "used": gc.mem_alloc(), "largest": low}


def flash(screen, _a, _b, _c, _rest):
    """The flash in bytes: size and free; and the ms that it takes to write, read and delete a file."""
    hal = screen.app.hal
    folder = hal.path("save")
    value = {"state": "ok"}
    try:
        about = os.statvfs(folder)
        value["size"] = about[0] * about[2]
        value["free"] = about[0] * about[3]
    except (OSError, AttributeError):              # CPython on Windows has no statvfs
        pass
    path = folder + "/" + TRY_FILE
    piece = bytes(range(256))
    begun = hal.ticks_ms()
    try:
        with open(path, "wb") as file:
            for _ in range(TRY_PIECES):
                files.write_all(file, piece)
        value["write_ms"] = hal.ticks_diff(hal.ticks_ms(), begun)
        begun = hal.ticks_ms()
        with open(path, "rb") as file:
            for _ in range(TRY_PIECES):
                if file.read(len(piece)) != piece:
                    value["state"] = "fault"
                    value["why"] = "differs"
        value["read_ms"] = hal.ticks_diff(hal.ticks_ms(), begun)
        value["bytes"] = TRY_PIECES * len(piece)
    except OSError as error:
        value["state"] = "fault"
        value["why"] = "full" if files.reason_of(error) == "save.full" else "unwritable"
    files.remove(path)
    return value


def leds(screen, _a, _b, _c, rest):
    """Stores the pixels of a track as somebody has found them: "leds ID 0 1 2 …", a number for each space, -1 for none.

    Without numbers, the stored pixels of this track are forgotten.
    """
    track, _, numbers = rest.partition(" ")
    if not numbers:
        leds_file.forget(screen.app.hal, track)
        return {"state": "ok", "spaces": 0}
    why = leds_file.store(screen.app.hal, track, numbers)
    return {"state": "fault", "why": why} if why else {"state": "ok", "spaces": numbers.count(" ") + 1}


#: What can be tried here, by name.
TRIES = {"display": display, "sound": sound, "supply": supply, "memory": memory, "flash": flash, "say": say, "leds": leds}
