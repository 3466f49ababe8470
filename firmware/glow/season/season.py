"""The season that the board keeps, so that an evening needs no computer.

Files in the save folder:

- ``season``       one line with its CRC: the season as JSON, rewritten by renaming after each race.
- ``season-ID-N``  the journal of its race N, for the computer that verifies it later. After a power cut at the podium it is
  written before the next race replaces that one's save.
"""

import json
import os

from glow import random_word
from glow.store import files
from glow.texts.texts import fit
from shared_rules import journal_file
from shared_rules.errors import BadSave, BadSetup
from shared_rules.season import Season

FILE = "save/season"
#: What must stay free for the saves of a race.
RESERVE_BYTES = 65536
#: How many lines of a journal are written in one tick.
LINES_AT_ONCE = 4
#: The setting that says that there is a season, so that no other code has to look for it.
SETTING = "season"


def load(app):
    """The Season that the board keeps, or None."""
    try:
        with open(app.hal.path(FILE), "rb") as file:
            body = files.opened(file.read()[:-1])
        return Season.from_plain(json.loads(str(body or b"", "utf-8")))
    except OSError:
        pass
    except (ValueError, BadSave):
        app.fault(["season.lost"])
    return None


def _keep(app, season):
    """Writes the season. Returns "" or a reason."""
    path = app.hal.path(FILE)
    try:
        files.write(path, path + ".new", (files.sealed(json.dumps(season.plain()).encode()),))
    except OSError as error:
        return files.reason_of(error)
    return ""


def begin(app, plain, tracks):
    """Begins a season of races on these tracks; ``plain`` is a set-up as for ``Setup.from_plain``.
    Returns "" or the sentence that says why not. This replaces the previous season, all at once."""
    for track in tracks:
        checked = dict(plain)
        checked["track"] = track
        checked.pop("laps", None)
        say = app.check_race(checked)
        if say:
            return say
    options = [list(pair) for pair in plain["options"]]
    options.sort()
    try:
        season = Season.from_plain({
            "id": random_word(app.hal)[:8], "game": plain["game"], "variant": plain["variant"], "options": options,
            "players": plain["players"], "tracks": list(tracks)})
    except BadSave as error:
        return str(error)
    reason = app.settings.put(SETTING, 1) or _keep(app, season)
    if reason:
        return app.texts.get(reason)
    _drop_journals(app, season.id)
    return ""


def end(app):
    """Forgets the season and the journals of its races."""
    files.remove(app.hal.path(FILE))
    _drop_journals(app, "")
    app.saved(app.settings.put(SETTING, 0))


def _drop_journals(app, but):
    """Removes the journals of all seasons except `but`."""
    try:
        for name in os.listdir(app.hal.path("save")):
            if name[:7] == "season-" and name[7:15] != but:
                files.remove(app.hal.path("save/" + name))
    except OSError:
        pass


# A race is over

def note(app):
    """Counts the finished race if it is the season's next one: only once, even if the race is resumed at its podium."""
    race = app.race
    season = load(app)
    if season and not season.over and not season.problems(race.setup, race.track):
        try:
            season.add(race.game.cars(), race.standings(), race.digest())
            app.saved(_keep(app, season), "season")
        except BadSetup as error:
            app.fault(str(error))


def copying(app):
    """Yields None while the journal of the season's last race is written, if that hasn't been done yet."""
    season = load(app)
    number = len(season.results) if season else 0
    if not number:
        return
    path = app.hal.path("save/season-%s-%d" % (season.id, number))
    if _is_there(path):
        return
    head, lines = _race_of(app, "%s/%d" % (season.id, number))
    if not head:
        return
    try:
        size = os.stat(app.hal.path("save/" + files.LOG))[6]
        if _free_bytes(app.hal.path("") or "/") < size + RESERVE_BYTES:
            app.tell(app.texts.get("season.kept_no_room"), False)
            return
        count = 0
        with open(path + ".new", "wb") as file:
            files.write_all(file, head.encode())
            for line in app.store.lines(1):
                files.write_all(file, (line + "\n").encode())
                count += 1
                if count % LINES_AT_ONCE == 0:
                    yield None
        if count == lines:
            os.rename(path + ".new", path)
    except OSError as error:
        app.saved(files.reason_of(error), "season")
    files.remove(path + ".new")


def _race_of(app, place):
    """(head of the journal, number of its lines) of the saved race, if it is this one of the season; else ("", 0)."""
    race = app.race
    if race:
        if race.setup.season != place:
            return "", 0
        head = journal_file.header(race.setup, race.track, False)
        return head, race.lines
    head = app.store.load()[0]
    if head is None or "\nseason: " + place + "\n" not in head:
        return "", 0
    return head, app.store.line_count


def copy(app):
    """Writes the journal of the season's last race, if that hasn't been done yet."""
    for _ in copying(app):
        pass


# What the display shows

def standings(app, season=None):
    """The lines of the season's standings, teams below the riders."""
    season = season or load(app)
    if not season:
        return []
    from shared_rules import season_table  # loaded when standings are shown
    texts = app.texts
    several = len([row for row in season.cars if row[1]]) > len(season.players)
    keys = dict([(row[0], row[2]) for row in season.cars])
    lines = []
    for line in season_table.riders(season):
        name = season.players[line.seat - 1][1]
        if several:
            name = texts.get(keys[line.car]) + " " + name
        lines.append(fit("%d %s" % (line.place, name), str(line.points)))
    for line in season_table.teams(season):
        lines.append(fit("%d %s" % (line.place, texts.get(line.team)), str(line.points)))
    return lines


def podium(app):
    """What the podium shows of the season, below the race's own standings; [] if the race isn't part of it."""
    season = load(app)
    if not season or app.race.setup.season[:8] != season.id:
        return []
    head = app.texts.format("season.after", (len(season.results), len(season.tracks)))
    return [head] + standings(app, season)


def _is_there(path):
    try:
        os.stat(path)
    except OSError:
        return False
    return True


def _free_bytes(path):
    """Free bytes on the flash; a large number if that is unknown."""
    if not hasattr(os, "statvfs"):
        return 1 << 29
    found = os.statvfs(path)
    blocks = found[3]
    if hasattr(os, "ilistdir"):
        blocks += 2 * _folders(path)               # littlefs counts a folder's two blocks as used twice
    return min(1 << 29, found[0] * blocks)


def _folders(path):
    count = 0
    for entry in os.ilistdir(path):
        if entry[1] == 0x4000:
            count += 1 + _folders(path.rstrip("/") + "/" + entry[0])
    return count
