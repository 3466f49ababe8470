"""Damages the files of a saved race in every way that flash and people can, and fills the flash, on MicroPython's own
littlefs in memory.

Reads a job of JSON from its input: ``setup``; ``answers`` before the files are damaged; ``seed``; ``every`` and ``first``:
which of the ways to try. After each the board is switched on: it must return to where the intact files say, or explain in
a sentence why it can't and leave the files as they are. It goes on from there, and what comes now is saved.
"""

import json
import os
import sys

import lone_board as board
import vfs
from cut_races import Counts, mount, switch_off
from flash import BLOCK_BYTES, Flash

from glow.store import files as store_files
from glow.store.store import Store
from shared_rules.chance import Chance
from shared_rules.race import Race as Rules

BLOCKS = 40
SAVES = "/flash/save"
NAMES = ("race.log", "race.a", "race.b", "settings", "race.new")
FEW = 3  # answers given after a resume


def read_all():
    """(name, content) of each file in the save folder."""
    found = []
    for name in sorted(os.listdir(SAVES)):
        if os.stat(SAVES + "/" + name)[0] & 0x4000:
            found.append((name, None))
        else:
            with open(SAVES + "/" + name, "rb") as file:
                found.append((name, file.read()))
    return found


def write_all(contents):
    """Puts these files there, and nothing else; a content of None means a folder."""
    for name in os.listdir(SAVES):
        path = SAVES + "/" + name
        os.rmdir(path) if os.stat(path)[0] & 0x4000 else os.remove(path)
    for name, content in contents:
        if content is None:
            os.mkdir(SAVES + "/" + name)
        else:
            with open(SAVES + "/" + name, "wb") as file:
                file.write(content)


def newer(name, content):
    """The file as a later Gridglow would write it: intact, except for its format number."""
    head, _, rest = content.partition(b"\n")
    words = head.split(b" ")
    words[2] = b"%d" % (store_files.FORMAT + 1)
    if name == "race.log":
        return store_files.sealed(b" ".join(words)[:-10]) + rest
    whole = b" ".join(words) + b"\n" + rest[:-store_files.TRAILER_BYTES]
    return whole + b"\n*%08x\n" % store_files.crc_of(whole)


def ways(files, chance):
    """(what, contents) for every way to damage a save."""
    there = dict(files)
    for name in NAMES:
        content = there.get(name, b"gridglow")
        others = [entry for entry in files if entry[0] != name]
        yield name + " missing", others
        yield name + " a folder", others + [(name, None)]
        if name in there and name not in ("settings", "race.new"):
            yield name + " of a newer format", others + [(name, newer(name, content))]
        for size in range(len(content)):
            yield "%s cut at %d" % (name, size), others + [(name, content[:size])]
            changed = bytearray(content)
            changed[size] ^= 1 << chance.below(8)
            yield "%s with byte %d changed" % (name, size), others + [(name, bytes(changed))]
    for _ in range(200):
        contents = []
        for name, content in files:
            changed = bytearray(content)
            for _ in range(chance.below(4)):
                changed[chance.below(len(changed))] = chance.below(256)
            contents.append((name, bytes(changed[:chance.below(len(changed)) + 1] if chance.below(3) == 0 else changed)))
        yield "all files scrambled", contents


class Race:
    """The race to damage: its steps, where snapshots came, and the answers after them."""

    def __init__(self, job):
        self.app = board.switched_on("/flash")
        say = self.app.start_race(job["setup"])
        if say:
            raise ValueError(say)
        board.settle(self.app)
        self.places = [board.place(self.app.race)]
        self.answers = []
        self.snapshots = [0]
        race = self.app.race
        while len(self.answers) < job["answers"] or race.pending_answers() or race.asking:
            before = self.app.store.wear[1]
            self.one(job["seed"])
            if self.app.store.wear[1] > before:
                self.snapshots.append(len(self.answers))
        self.files = read_all()
        self.count = len(self.answers)
        self.halves = halves(race, self.answers, self.places)
        while not race.over:
            self.one(job["seed"])
        self.end = race.digest()

    def one(self, seed):
        race = self.app.race
        answer = board.choose(race, seed)
        board.give(self.app, *answer)
        if board.place(race) == self.places[-1]:
            answer = (answer[0], race.prompt_of(answer[0]).options()[0])
            board.give(self.app, *answer)
        self.answers.append(answer)
        self.places.append(board.place(race))


def halves(race, answers, places):
    """Place → (after how many answers, seats that have answered since): where several seats answer together, and the journal
    has them in another order than they came in, a journal cut between them leads to places of its own."""
    found = {}
    other = Rules(race.setup, race.track)
    lines = []
    for number in range(1, race.lines + 1):
        line = race.line(number)
        other.feed(race.log_text(number))
        lines.append((line.seat, line.text))
        if board.place(other) not in places:
            whole = number - 1
            while sorted(answers[:whole]) != sorted(lines[:whole]):
                whole -= 1
            found[board.place(other)] = (whole, [seat for seat, _text in lines[whole:]])
    return found


def least(race, what):
    """(after how many answers the board must be at least, whether it may refuse)."""
    name = what.split(" ")[0]
    if name == "all":
        return 0, True
    if "newer" in what:
        return 0, True
    if name == "race.log":
        return race.snapshots[-1], False
    return race.count, False


def spoil(race, what, contents, to_the_end):  # noqa: C901 one way of spoiling after the other
    """Damages the files, switches the board on and checks it; raises ValueError with what is wrong."""
    write_all(contents)
    app = board.switched_on("/flash")
    fewest, may_refuse = least(race, what)
    if not app.saved_race():
        if may_refuse:
            return
        raise ValueError("no race is offered")
    spoilt = read_all()
    say = app.resume_race()
    if say:
        if not may_refuse:
            raise ValueError("refused: " + say)
        if say[-1] != "." or len(say) < 20:
            raise ValueError("refused without a sentence: " + say)
        if read_all() != spoilt:
            raise ValueError("refused, but the files were changed")
        return
    board.settle(app)
    at = board.place(app.race)
    if at in race.places:
        given, waiting = race.places.index(at), []
    elif at in race.halves:
        given, waiting = race.halves[at]
        waiting = list(waiting)
    else:
        raise ValueError("is where the race never was, after line %d" % app.race.lines)
    if given < fewest:
        raise ValueError("is after %d answers, not %d" % (given, fewest))
    until = min(given + FEW, len(race.answers))
    while given < until or waiting:
        seat, text = race.answers[given]
        if seat in waiting:
            waiting.remove(seat)
        else:
            board.give(app, seat, text)
        given += 1
    if board.place(app.race) != race.places[given]:
        raise ValueError("goes on from another place")
    if not app.faults:
        after = board.switched_on("/flash")
        say = after.resume_race()
        if say or board.place(after.race) != race.places[given]:
            raise ValueError("later answers weren't saved " + say)
        app = after
    elif "folder" not in what:
        raise ValueError("; ".join(app.faults))
    if to_the_end:
        for number in range(given, len(race.answers)):
            board.answer(app.race, *race.answers[number])
        if app.race.digest() != race.end:
            raise ValueError("ends with another digest")


def fill(free):
    """Fills the flash except for this many blocks."""
    with open("/flash/filler", "wb") as file:
        left = os.statvfs("/flash")[3] - free
        for _ in range(max(0, left - 1)):
            file.write(b"\xaa" * BLOCK_BYTES)


def full(race, job, free, reserve, given):
    """The flash is full except for this many blocks after this many answers: the race goes on and says so; what was
    saved comes back, and everything once there is room."""
    Store.reserve_bytes = reserve
    app = board.switched_on("/flash")
    saved = 0
    if given:
        write_all(race.files)
        say = app.resume_race()
        if say:
            raise ValueError("refused before it was full: " + say)
        saved = given
    fill(free)
    if not given and app.start_race(job["setup"]):
        raise ValueError("not started")
    board.settle(app)
    for number in range(given, len(race.answers)):
        faults = len(app.faults)
        board.give(app, *race.answers[number])
        if len(app.faults) == faults and not app.faults:
            saved = number + 1
        if number == given + 9:
            look(race, saved, given)
    if app.race.digest() != race.end:
        raise ValueError("a full flash has changed the race")
    for fault in app.faults:
        if "full" not in fault:
            raise ValueError(fault)
    if not app.faults:                             # then everything must be there
        after = board.switched_on("/flash")
        say = after.resume_race() if after.saved_race() else ""
        there = board.place(after.race) == race.places[-1] if after.race else app.state != "race"
        if say or not there:
            raise ValueError("not everything was saved, and nobody was told; " + say)


def look(race, saved, given):
    """What a board switched on now resumes."""
    app = board.switched_on("/flash")
    if not app.saved_race():
        if saved:
            raise ValueError("what was saved is gone")
        return
    say = app.resume_race()
    if say:
        if saved:
            raise ValueError("what was saved is refused: " + say)
        return
    at = board.place(app.race)
    if at not in race.places or race.places.index(at) < saved:
        raise ValueError("is before what was saved")


def main():
    job = json.loads(sys.stdin.readline())
    chance = Chance(job["seed"], "files")
    device = Flash(BLOCKS)
    vfs.VfsLfs2.mkfs(device, progsize=256)
    mount(device)
    race = Race(job)
    race.app = None
    switch_off()
    image = bytes(device.data)
    counts = Counts()
    counts.full = 0

    def tried(what, *call):
        device.data[:] = image
        mount(device)
        counts.tried += 1
        try:
            call[0](*call[1:])
        except Exception as error:
            counts.failed += 1
            if len(counts.failures) < 20:
                counts.failures.append("%s: %s %s" % (what, type(error).__name__, error))
        call = None
        switch_off()

    for number, (what, contents) in enumerate(ways(race.files, chance)):
        many = "cut" in what or "changed" in what or "all" in what
        if not many or (number + job["first"]) % job["every"] == 0:
            tried(what, spoil, race, what, contents, number % 10 == 0)
    for free in range(0, 13, job["full"]):
        for reserve in (0, 16384):
            for given in (0, race.count):
                counts.full += 1
                tried("%d blocks free, %d bytes in reserve, after answer %d" % (free, reserve, given), full, race, job, free,
                      reserve, given)
    print(json.dumps({"tried": counts.tried, "failed": counts.failed, "failures": counts.failures, "full": counts.full,
                      "bytes": sum([len(content) for _name, content in race.files])}))


if __name__ == "__main__":
    main()
