"""The health of the board: a sentence for each part that is missing, vanishes or comes back."""

import sys

from glow.lights.lights import Lights
from glow.store import read
from hal.outbox import CONSOLE, PANELS

#: What rests for a second after it has failed. The race, keys and clock must not.
RESTS = ("lights", "display", "lines", "sound", "link", "save", "reader")


def started(app):
    """Reports, after the start, what should be there and isn't, and why the board restarted if that was unexpected."""
    if app.settings.get("open", None) is None:
        _look_for_race(app)
    app.parts_known = [part[1] for part in app.hal.parts]
    recount(app)
    for number in range(len(app.hal.parts)):
        if app.parts_known[number] in ("missing", "fault"):
            _tell(app, number, "board.part_missing")
    if app.parts_known[PANELS] == "missing":
        app.tell(app.speech.text("board.panels_now", (app.hal.panel_count,)), False)
    if app.hal.file_system != "ok":
        app.fault(["board.memory_foreign"], "file system")
    changed = sys.modules.get("hal.changed")
    for name, why in changed.left_out if changed else ():
        app.fault(["board.module_left_out", name, why], "module " + name)
    ended = getattr(app.hal, "ended", "")
    if ended:
        app.event("ended by " + ended)
        if app.lights:                             # whatever the reason, it may have been the supply
            app.lights.limits.start_dim()
        app.fault(["board.ended_" + ended], "ended")
        _box(app, "ended by " + ended)


def _box(app, what):
    from glow.board import crashbox  # loaded when there is something to note
    crashbox.note(app, what)


def _look_for_race(app):
    """No record yet of an open race, or the record is damaged: if there is a race, it is offered."""
    if not read.find(app.hal.path("save")).reason:
        app.saved(app.settings.put("open", 1))


def changed(app):
    """Handles a change of the parts. Returns True; if it raises, it must be called again."""
    known = app.parts_known
    if known is None:                              # not yet started
        return True
    for number in range(len(known)):
        name, state, detail = app.hal.parts[number]
        if state != known[number]:
            app.event("part " + name + " " + state)
            if state == "ok":
                app.fault_over("part " + name, ["board.part_back", "@board.parts_" + name])
            elif state == "off":
                app.fault_over("part " + name)
            else:
                _tell(app, number, "board.part_gone")
                _box(app, "A part failed: " + name + " " + state + " " + detail)
            known[number] = state
    if recount(app):
        now = ["board.panels_now", app.hal.panel_count]
        if app.hal.panel_count < app.hal.board.get("panels", 0):
            app.fault(now, "panels")
        else:
            app.fault_over("panels", now)
        app.link.race()
    return True


def _tell(app, number, key):
    name, state, detail = app.hal.parts[number]
    if state == "fault":
        key = "board.part_wrong"
    elif number == PANELS and app.hal.panel_count:
        return                                     # a missing panel is reported by the number of panels
    app.fault([key, "@board.parts_" + name, detail], "part " + name)


def recount(app):
    """Deals the seats to the panels that answer now; True if that has changed anything. With a
    console but no panel, the console is the only one."""
    count = app.hal.panel_count
    if not count and app.hal.parts[CONSOLE][1] == "ok":
        count = 1
    if count == app.panel_count:
        return False
    app.panel_count = count
    race = app.race
    seats = app.settings.get("panels", []) if race else []
    if seats and len(seats) == count:
        app.panels.assign(seats)
    else:
        app.panels.serve(count, len(race.setup.players) if race else count)
    app.light(Lights.set_panels, [app.panels.seats(panel + 1) for panel in range(count)])
    table = app.table
    if table:
        table.questions.serve(count)
    if table and not table.answering.moving and not table.menu:
        table.sync(app.now)
    else:
        app.open_keys()
    if app.screen:
        app.screen.dirty = True
    return True
