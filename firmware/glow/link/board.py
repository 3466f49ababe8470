"""What the host tool asks of a whole board: its identity and state, its crash box, a mirror, a reset."""

import gc
import os
import sys

from glow import FIRMWARE
from glow.store.files import crc_of
from hal.data_files import frozen_id
from shared_rules import RULES_VERSION

_MANIFEST = "manifest.txt"


def take(link, message):
    """Handles `info`, `mirror`, `reset` and `crash`."""
    kind = message["t"]
    if kind == "info":
        link.files.append(_telling(link.app))
    elif kind == "mirror":
        link.app.hal.mirror(message["on"] == 1)
        link.ok(message)
    elif kind == "crash":
        from glow.board import crashbox  # loaded when there is something to record or to read
        link.files.append(crashbox.parts(link.app))
    else:
        _reset(link, message)


def _telling(app):
    """The reply to `info`, in pieces: this module has only just been loaded, and littlefs goes over
    all its blocks to find out how much is free."""
    yield
    flash = _flash(app.hal)
    yield
    crc = _crc(app.hal.path(_MANIFEST))
    yield
    yield {"t": "info", "about": _about(app, flash, crc)}


def _about(app, flash, manifest_crc):
    """The board's identity and state, as a dict of plain values. ``flash``: bytes (free, total)."""
    hal = app.hal
    here = sys.implementation
    race = app.race
    setup = race.setup if race else None
    changed = sys.modules.get("hal.changed")
    return {
        "id": _unique_id(),
        "name": app.settings.get("name", ""),
        "board": hal.board.get("id", ""),
        "fw": FIRMWARE,
        "rules": RULES_VERSION,
        "state": app.state,
        "impl": here.name,
        "version": list(here.version[:3]),
        "mpy": getattr(here, "_mpy", 0),
        "machine": getattr(here, "_machine", sys.platform),
        "heap_free": gc.mem_free() if hasattr(gc, "mem_free") else 0,
        "heap_used": gc.mem_alloc() if hasattr(gc, "mem_alloc") else 0,
        "flash_free": flash[0],
        "flash_size": flash[1],
        "parts": hal.parts,
        "faults": app.moments + [one.say for one in app.lasting],
        "crash": 1 if _is_there(hal.path("save/crash")) else 0,
        "race": {"game": setup.game, "variant": setup.variant, "track": setup.track,
                 "answers": race.lines} if race else None,
        "saved": 1 if app.saved_race() else 0,
        "panels": app.panel_count,
        "lang": app.language,
        "manifest": manifest_crc,
        "counts": hal.counts(),
        "wear": list(app.store.wear),
        "safe": 0,
        "frozen": frozen_id(),
        "changed": changed.names if changed else [],
        "left_out": changed.left_out if changed else [],
        "fs": hal.file_system,
    }


def _reset(link, message):
    """Restarts the board, or stops it at its prompt; a race stays saved."""
    app = link.app
    how = message["how"]
    if how not in ("run", "safe", "bootloader", "repl") or not hasattr(app.hal, "reset_cause"):
        link.no(message, "board.no_reset")
        return
    link.ok(message)
    app.hal.drain(500)
    _forget_starts(app.hal)
    app.stopped = True
    if how != "repl":
        app.hal.close()
        app.hal.reset(how)


def _forget_starts(hal):
    """A start that the host cuts off doesn't count as failed."""
    try:
        os.remove(hal.path("starts.txt"))
    except OSError:
        pass


def _unique_id():
    """The chip's own number in hexadecimal digits; "" if it has none."""
    try:
        from machine import unique_id  # subset: ok only a Pico has one
    except ImportError:
        return ""
    return "".join(["%02x" % byte for byte in unique_id()])


def _flash(hal):
    """(free, size) of the flash in bytes; (0, 0) if that is unknown."""
    try:
        found = os.statvfs(hal.path("") or "/")
    except (OSError, AttributeError):
        return 0, 0
    return found[0] * found[3], found[1] * found[2]


def _is_there(path):
    try:
        os.stat(path)
    except OSError:
        return False
    return True


def _crc(path):
    """The CRC-32 of a file, 0 if there is none."""
    crc = 0
    try:
        with open(path, "rb") as file:
            while True:
                part = file.read(256)
                if not part:
                    return crc
                crc = crc_of(part, crc)
    except OSError:
        return 0
