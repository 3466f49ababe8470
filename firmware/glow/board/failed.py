"""What a board does when a part, a race or a screen has failed."""

from glow.board import crashbox
from glow.board.health import RESTS
from hal import ticks_add, ticks_diff

#: So often a race is taken up without an answer between.
TRIES = 3
RACES = ("start", "race", "podium")
#: The same fault is told again only when it has been away for so long.
TOLD_MS = 60000


def tell(app, part, error):
    """Tells of a part that has failed: the crash box, the display and the host. Raises MemoryError where there is no room
    for that; then all of it is to be tried again."""
    what = part + " " + type(error).__name__
    if not told(app, what):
        app._failed.pop(what)                      # not yet
        says = (type(error).__name__ + " " + str(error)).strip()
        if isinstance(error, MemoryError):
            says = "@board.memory_short"
        lasts = part in RESTS or part == "panels"
        if hasattr(app.hal, "trace"):
            app.hal.trace(error)
        app.event("failed " + what)
        crashbox.failed(app, what, error)
        one = app.fault(["board.fault_rules" if part == "rules" else "board.fault", "@board.part_" + part, says],
                        "failed " + part if lasts else "")
        if lasts:
            one.part = part
        told(app, what)
    for one in app.lasting:
        if one.part == part:
            one.failed_ms = app.now
            one.works = False
    if part == "link":
        app.hal.lost = True                        # what the host lacks is sent to it


def told(app, what):
    """Whether this was told within the last minute, which begins anew."""
    failed = app._failed
    until = failed.get(what)
    failed[what] = ticks_add(app.now, TOLD_MS)
    return until is not None and -TOLD_MS <= ticks_diff(app.now, until) <= 0


def take_up(app):
    """Takes the race up from what is saved, for the ``tries``th time. Where that has failed so often it stays saved, and all
    goes to idle. Raises whatever hinders that."""
    raced = app.state in RACES and app.saved_race()
    say = ""
    if raced and app.tries <= TRIES:
        say = app.resume_race()
        if not say:
            return
    app.stop_race()
    app.tries = 0
    if say:
        app.fault(say)
    if raced:
        app.fault(["board.race_stopped"])
