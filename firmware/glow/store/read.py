"""Finds the save in a folder: the newest sound snapshot and the log that belongs to it."""

import json
import os

from glow import step
from glow.store.files import (
    ENOENT,
    FORMAT,
    GENERATIONS,
    LOG,
    PART,
    TRAILER_BYTES,
    crc_of,
    ints,
    lines_of,
    opened,
)


class Found:
    """A save: `reason` says why nothing can be loaded ("" if it can).

    `known`: the race's numbers are known (also those of a cleared race). `lines`: how many lines of
    the log the snapshot holds. `notes`: what was wrong and could be repaired.
    """

    def __init__(self):
        self.reason = ""
        self.notes = []
        self.known = False
        self.has_log = False
        self.header = ""
        self.text = ""
        self.race = 0
        self.serial = 0
        self.lines = 0
        self.appends = 0
        self.snapshots = 0
        self.log_bytes = 0
        self.torn = True


class SnapshotHead:
    """What the first line of a snapshot says."""

    def __init__(self, name, numbers):
        self.name = name
        self.race, self.serial, self.lines, self.appends, self.snapshots, self.header_bytes = numbers


def find(folder):
    """What can be loaded from the folder, as a Found."""
    found = Found()
    problems = []
    log = log_head(folder, problems)
    best = None
    for name in GENERATIONS:
        head = snapshot_head(folder, name, problems)
        if head and (log is None or head.race == log[0]):
            if best is None or (head.race, head.serial) > (best.race, best.serial):
                best = head
    if log:
        found.known = found.has_log = True
        found.race, found.appends, found.snapshots, found.header = log
        found.log_bytes, found.torn = end_of_log(folder)
    if "save.newer" in problems or not (log or best):
        for reason in ("save.none", "save.damaged", "save.unreadable", "save.newer"):
            if reason == "save.none" or reason in problems:
                found.reason = reason
        return found
    if log and not log[3]:
        found.reason = "save.none"
        return found
    if best:
        found.known = True
        found.race = best.race
        found.serial = best.serial
        found.lines = best.lines
        found.appends = max(found.appends, best.appends)
        found.snapshots = max(found.snapshots, best.snapshots)
        header, found.text = read_snapshot(folder, best)
        if header is None:
            found.reason = "save.unreadable"
            return found
        found.header = found.header or header
    if problems:
        found.notes.append("save.older_generation")
    return found


def look_back(folder):
    """The numbers of the last race in the folder, whether or not it can be loaded, as a Found."""
    found = Found()
    log = log_head(folder, [])
    if log:
        found.race, found.appends, found.snapshots, _header = log
    for name in GENERATIONS:
        head = snapshot_head(folder, name, [])
        if head:
            found.race = max(found.race, head.race)
            found.appends = max(found.appends, head.appends)
            found.snapshots = max(found.snapshots, head.snapshots)
    return found


def room(folder):
    """Free bytes on the flash; a large number if that is unknown."""
    try:
        found = os.statvfs(folder)
    except (OSError, AttributeError):  # CPython on Windows has no statvfs
        return 1 << 29
    return min(1 << 29, found[0] * found[3])


def log_head(folder, problems):
    """(race, appends, snapshots, header) of the log, or None; faults go into `problems`."""
    problem = "save.damaged"
    lines = lines_of(folder + "/" + LOG)
    try:
        body = opened(step(lines, b""))
        words = body.split(b" ", 6) if body else ()
        numbers = ints(words[2:6]) if len(words) == 7 and words[:2] == [b"gridglow", b"log"] else None
        if numbers and numbers[0] == FORMAT:
            return numbers[1], numbers[2], numbers[3], json.loads(str(words[6], "utf-8"))
        if numbers and numbers[0] > FORMAT:
            problem = "save.newer"
    except ValueError:
        pass
    except OSError as error:
        problem = "" if error.args[0] == ENOENT else "save.unreadable"
    finally:
        lines.close()
    if problem:
        problems.append(problem)
    return None


def sound_lines(folder, head, count):
    """The bytes of a log with another head: that head, and those of the first `count` lines that are sound."""
    yield head
    rows = lines_of(folder + "/" + LOG)
    try:
        for line in rows:
            body = opened(line)
            numbers = ints((body.split(b" ")[0],)) if body else None
            if numbers and numbers[0] <= count:
                yield line + b"\n"
    except OSError:
        pass
    finally:
        rows.close()


def end_of_log(folder):
    """(size in bytes, whether the log ends in half a line)."""
    try:
        with open(folder + "/" + LOG, "rb") as file:
            size = file.seek(0, 2)
            file.seek(max(size - 1, 0))
            return size, file.read(1) != b"\n"
    except OSError:
        return 0, True


def snapshot_head(folder, name, problems):
    """The SnapshotHead of a complete snapshot, or None; its faults go into `problems`."""
    try:
        with open(folder + "/" + name, "rb") as file:
            first, right = check_snapshot(file)
    except OSError as error:
        if error.args[0] != ENOENT:
            problems.append("save.unreadable")
        return None
    words = first.split(b" ")
    numbers = ints(words[2:]) if words[:2] == [b"gridglow", b"save"] else None
    if numbers and right and numbers[0] == FORMAT and len(numbers) == 7:
        return SnapshotHead(name, numbers[1:])
    problems.append("save.newer" if numbers and right and numbers[0] > FORMAT else "save.damaged")
    return None


def read_snapshot(folder, head):
    """(header, text) of a snapshot that was found complete; (None, "") if it can't be read any more."""
    try:
        with open(folder + "/" + head.name, "rb") as file:
            file.readline()
            header = file.read(head.header_bytes)
            file.read(1)
            text = file.read()
        return str(header, "utf-8"), str(text[:-TRAILER_BYTES], "utf-8")
    except (OSError, ValueError):
        return None, ""


def check_snapshot(file):
    """(first line, whether the CRC at the end is right), read in small parts."""
    first = None
    kept = b""
    crc = 0
    while True:
        part = file.read(PART)
        if not part:
            break
        if first is None:
            first = part[: part.find(b"\n")] if b"\n" in part else b""
        kept += part
        if len(kept) > TRAILER_BYTES:
            crc = crc_of(kept[:-TRAILER_BYTES], crc)
            kept = kept[-TRAILER_BYTES:]
    return first or b"", first is not None and kept == ("\n*%08x\n" % crc).encode()
