"""What a board does while its link is mutated: which files it opens, what it sends, what fails. For the trial `link`."""

import binascii
import json
import os
import sys

from shared_rules.link_lines import ascii_json

#: What is reported at the end.
found = {"tried": 0, "messages": 0, "answers": 0, "races": 0, "scenarios": 0, "pings": 0, "installs": 0, "packs": 0,
         "read": 0, "looked": 0, "needles": 0, "failures": []}
watched = {"on": False, "said": []}
FAILURES_MOST = 12
READ_BYTES = 1024       # at once


def fail(what):
    """Notes a failure, once."""
    if len(found["failures"]) < FAILURES_MOST and what not in found["failures"]:
        found["failures"].append(what)


# What may be opened, written and run: the interpreter's own audit events are used if it has them

HERE = os.getcwd()
# A folder is removed only when empty (rmdir); the whole tree is compared at the end.
OURS = ("save/", "new/", "tracks/", "text/", "manifest.txt/", "starts.txt/")


def watch(event, args):
    """The interpreter reports what it's about to do (CPython only)."""
    if not watched["on"]:
        return
    if event == "open":
        path, mode, flags = args
        writes = flags & 3 if mode is None else [c for c in mode if c in "wax+"]
        look(path, bool(writes), event)
    elif event in ("os.remove", "os.mkdir", "os.truncate", "os.chmod", "os.utime"):
        look(args[0], True, event)
    elif event in ("os.rename", "os.link", "os.symlink"):
        look(args[0], True, event)
        look(args[1], True, event)
    elif event in ("os.listdir", "os.scandir"):
        look(args[0], False, event)
    elif event == "exec":
        name = args[0].co_filename
        if not (name[:1] == "<" and name[:7] == "<frozen" or inside(name) or standard(name)):
            watched["said"].append("code from %s ran" % name)
    elif event[:10] == "subprocess" or event[:7] in ("socket.", "ctypes.") or event in ("os.system", "os.exec", "os.fork"):
        watched["said"].append("%s was called" % event)


def inside(path):
    return os.path.realpath(path).startswith(os.path.realpath(HERE) + os.sep)


def standard(path):
    path = os.path.realpath(path)
    return any(path.startswith(os.path.realpath(place)) for place in STANDARD)


def look(path, writes, event):
    """Notes a path that the board has no business with."""
    if isinstance(path, int):
        return
    found["looked"] += 1
    path = os.fsdecode(path) if path else "."
    real = os.path.relpath(os.path.realpath(path), os.path.realpath(HERE))
    if real == ".":
        real = ""
    if writes and real and "__pycache__" not in real and not (real + "/").startswith(OURS):
        watched["said"].append("%s would write %s" % (event, path))
    elif not writes and (real == ".." or real.startswith("../")) and not standard(path):
        watched["said"].append("%s would read %s" % (event, path))


if hasattr(sys, "addaudithook"):
    STANDARD = [os.path.dirname(os.__file__), sys.prefix, sys.base_prefix]
    sys.addaudithook(watch)


class Pipe:
    """The host's end: the lines to come, and those that have gone out, except those of pixels. It is in the
    board's own heap, so it makes nothing large."""

    def __init__(self):
        self.to_board = []
        self.part = b""
        self.files = {}
        self.lines = []

    def read(self, _wait=0):
        data = b""
        while self.to_board and len(data) < READ_BYTES:
            line = self.to_board.pop(0)
            fits = READ_BYTES - len(data)
            if len(line) > fits:
                self.to_board.insert(0, line[fits:])
            data += line[:fits]
        return data

    def write(self, data):
        data = bytes(data)
        rows = (self.part + data).split(b"\n")
        self.part = rows.pop()
        for row in rows:
            if row[:9] != b'<{"t":"px':
                self.lines.append(row)
        return len(data)


def needles(app):
    """Texts that only a seat may read during the race."""
    race = app.race
    if race is None or race.over:
        return ()
    out = []
    for word in (race.setup.seed, race.setup.salt):
        if word[:7] == "hidden-" or word[:5] == "seed-":  # others are words that also occur elsewhere
            out.append(("the seed", 0, word))
    dump = race.game.dump()
    for name in race.game.secret_fields:
        at = race.game.fields.index(name) if name in race.game.fields else -1
        if at >= 0 and at < len(dump):
            text = json.dumps(dump[at])
            if len(text) > 24:
                out.append(("the secret " + name, 0, text))
    for seat in range(1, len(race.setup.players) + 1):
        for row in race.game.private(seat):
            said = app.speech.say(row)
            if len(said) > 12:
                out.append(("what only seat %d may see" % seat, seat, said))
    return out


def check_out(app, pipe, secrets, last):
    """Reads what has gone out since the last call; no secret may be in it except in the view of its seat."""
    lines = pipe.lines
    pipe.lines = []
    owners = [(said, owner) for _, owner, said in secrets]  # two hands may be alike, and a hand may be passed on
    for row in lines:
        kind = row[7:row.find(b'"', 7)]
        found["read"] += 1
        seat = 0
        if kind == b"info":
            found["pings"] += 1
        if kind == b"view":
            seat = json.loads(row[1:-9])["seat"]   # its prompt has a seat, too, and sometimes comes first
        text = row
        if kind == b"file":
            text = file_text(pipe, row)
        if not secrets or not text:
            continue
        plain = text.replace(b'\\"', b'"')
        for what, owner, said in secrets:
            needle = ascii_json(said)[1:-1].replace('\\"', '"').encode() if kind != b"file" else said.encode()
            found["needles"] += 1
            if needle in plain and not (owner and (said, seat) in owners):
                fail("%s left the board in %s after %s" % (what, kind.decode(), last))


def file_text(pipe, row):
    """The whole text of a file whose last part this is, else b""."""
    try:
        part = json.loads(row[1:-9])
    except ValueError:
        return b""
    data = pipe.files.get(part["name"], b"") if part["k"] else b""
    data += binascii.a2b_base64(part["d"])
    pipe.files[part["name"]] = data
    return data if part["k"] + 1 == part["of"] else b""


def tell(error, last):
    """Notes an exception with the line that raised it and the last input."""
    where = ""
    back = getattr(error, "__traceback__", None)
    while back:
        where = "%s:%d" % (back.tb_frame.f_code.co_filename, back.tb_lineno)
        back = back.tb_next
    if not where and hasattr(sys, "print_exception"):
        import io
        text = io.StringIO()
        sys.print_exception(error, text)
        rows = [row.strip() for row in text.getvalue().split("\n") if row.strip()]
        where = " / ".join(rows[-3:-1])
    fail("%s %s at %s after %s" % (type(error).__name__, error, where, last))
