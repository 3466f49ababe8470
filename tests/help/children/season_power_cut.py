"""Cuts the power at every block write of what a board keeps of a season, on MicroPython's own littlefs in memory. Runs there
only.

Two races end; each counts, is recorded as ended, and its journal is copied. After each cut the flash is mounted
again and the board goes on as usual: an open race is resumed at its podium, and the missing part of the last
journal is written. No race may be lost, count twice, or have half a journal. Prints a JSON line of counts.
"""

import json
import os

import vfs
from flash_device import Flash, cuts

from glow.season import season
from glow.store.store import Settings, Store

BLOCKS = 64
HEAD = "gridglow journal 1\nseason: 7f3a91c2/%d\nseed: %d\n\n"
LINES = 21
CARS = [[1, 1, "car_1", "red", "slow"], [2, 2, "car_2", "blue", "slow"]]
PLAIN = {
    "id": "7f3a91c2", "game": "moto_grand_prix", "variant": "basic", "players": [["person", "Zoë"], ["bot", "B"]],
    "tracks": ["gp-ring", "april-raceway"],
}


class Hal:
    def path(self, name):
        return "/board/" + name


class Texts:
    def get(self, key):
        return key


class Setup:
    """The season's race with this number."""

    def __init__(self, number):
        self.game = PLAIN["game"]
        self.variant = PLAIN["variant"]
        self.track = PLAIN["tracks"][number - 1]
        self.laps = 3
        self.options = []
        self.players = PLAIN["players"]
        self.grid = []
        self.season = "7f3a91c2/%d" % number


class Track:
    laps = 3


class Ended:
    """A race at its podium."""

    lines = LINES

    def __init__(self, number):
        self.number = number
        self.setup = Setup(number)
        self.track = Track
        self.game = self

    def cars(self):
        return CARS

    def standings(self):
        return [[self.number, self.number, 1, 25], [3 - self.number, 3 - self.number, 2, 20]]

    def digest(self):
        return "%08x" % self.number


class App:
    """As much of a board as a season needs."""

    def __init__(self):
        self.hal = Hal()
        self.texts = Texts()
        self.settings = Settings("/board/save")
        self.store = Store("/board/save")
        self.race = None

    def fault(self, say):
        raise ValueError("fault: " + say)

    tell = fault

    def saved(self, reason, _what="settings"):
        if reason:
            raise ValueError("not saved: " + reason)


def begin_race(app, number):
    """Does what the start of a race does."""
    season.copy(app)
    app.saved(app.store.begin(HEAD % (number, number)))
    app.saved(app.settings.put("open", 1))
    for line in range(1, LINES + 1):
        app.saved(app.store.append("answer %d of race %d" % (line, number)))


def end_race(app, number):
    """Does what the end of a race does, for the journal without a race in the heap."""
    app.race = Ended(number)
    season.note(app)
    app.race = None
    app.saved(app.settings.put("open", 0))
    season.copy(app)


def evening(app, note):
    """Two races; ``note`` is told what is certain after each step: how many races count, and how many have their journal."""
    app.saved(app.settings.put("season", 1))
    app.saved(season._keep(app, season.Season.from_plain(PLAIN)))
    note(0, 0)
    for number in (1, 2):
        begin_race(app, number)
        app.race = Ended(number)
        season.note(app)
        app.race = None
        note(number, number - 1)
        app.saved(app.settings.put("open", 0))
        note(number, number - 1)
        season.copy(app)
        note(number, number)


def journal(number):
    """The text of a kept journal, or None."""
    try:
        with open("/board/save/season-7f3a91c2-%d" % number) as file:
            return file.read()
    except OSError:
        return None


def whole(number):
    lines = ["answer %d of race %d\n" % (line, number) for line in range(1, LINES + 1)]
    return HEAD % (number, number) + "".join(lines)


def look(least, most, journals, where):
    """The files must be those between two steps, and complete."""
    app = App()
    kept = season.load(app)
    if kept is None:
        if least >= 0:
            raise ValueError(where + "the season is gone")
        return app, None
    count = len(kept.results)
    if not max(0, least) <= count <= most:
        raise ValueError(where + "%d races count, not %d to %d" % (count, least, most))
    for number in range(1, count + 1):
        if kept.results[number - 1] != [Ended(number).standings(), Ended(number).digest()]:
            raise ValueError(where + "race %d has another result" % number)
    for number in (1, 2):
        text = journal(number)
        if text is not None and text != whole(number):
            raise ValueError(where + "the journal of race %d is incomplete" % number)
        if text is None and number <= journals:
            raise ValueError(where + "the journal of race %d is gone" % number)
    return app, kept


def go_on(app, kept, where):
    """The board is switched on again: what was open is completed, and then it is as if the power had never failed."""
    head, _, lines = (app.store.load() + ((), ()))[:3]
    number = len(kept.results)
    if app.settings.get("open", 0) and head:
        number = int(head.split("/")[1].split("\n")[0])
        for line in range(app.store.line_count + 1, LINES + 1):
            app.saved(app.store.append("answer %d of race %d" % (line, number)))
        end_race(app, number)
    for later in range(number + 1, 3):
        begin_race(app, later)
        end_race(app, later)
    season.copy(app)
    look(2, 2, 2, where + "after it went on: ")


def main():
    flash = Flash(BLOCKS)
    vfs.VfsLfs2.mkfs(flash)
    vfs.mount(vfs.VfsLfs2(flash), "/board")
    start = bytearray(flash.data)
    flash.log = []
    steps = []
    evening(App(), lambda races, journals: steps.append((len(flash.log), races, journals)))
    vfs.umount("/board")

    log = flash.log
    before = (0, -1, 0)
    step = 0
    ended = 0
    for cut, torn, now in cuts(start, log):
        while step < len(steps) and steps[step][0] <= cut:
            before = steps[step]
            step += 1
        most = steps[step][1] if step < len(steps) else before[1]
        vfs.mount(vfs.VfsLfs2(now), "/board")
        where = "cut %d%s: " % (cut, " torn" if torn else "")
        app, kept = look(before[1], max(most, 0), before[2], where)
        if kept is not None:
            go_on(app, kept, where)
            ended += 1
        vfs.umount("/board")
    os.chdir("/")
    print(json.dumps({"writes": len(log), "steps": len(steps), "ended": ended}))


if __name__ == "__main__":
    main()
