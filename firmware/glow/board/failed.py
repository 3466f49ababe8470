"""What a board does when a part, a race or a screen has failed."""

from glow.board import crashbox
from glow.board.health import RESTS
from hal import ticks_add, ticks_diff

#: How many times a race is resumed without an answer in between.
TRIES = 3
RACES = ("start", "race", "podium")
#: The same fault is reported again only after it has been gone this long.
TOLD_MS = 60000


def tell(app, part, error):
    """Reports a part that has failed: to the crash box, the display and the host. Raises
    MemoryError if there is no room for that; everything must then be tried again."""
    what = part + " " + type(error).__name__
    if not told(app, what):
        app._failed.pop(what)                      # not reported yet
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
        app.hal.lost = True                        # the host is sent what it lacks


def told(app, what):
    """Whether this was reported within the last minute; the minute starts again."""
    failed = app._failed
    until = failed.get(what)
    failed[what] = ticks_add(app.now, TOLD_MS)
    return until is not None and -TOLD_MS <= ticks_diff(app.now, until) <= 0


def take_up(app):
    """Resumes the race from its save, for the ``tries``th time. After too many failures it stays
    saved, and the board goes to idle. Raises whatever prevents that."""
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
