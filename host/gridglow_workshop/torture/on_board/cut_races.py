"""Races with a power cut at every block write, on MicroPython's own littlefs in memory, or after every answer.

Reads a job of JSON from its input: ``races``, each a set-up and after how many answers it is abandoned (null: at its end);
``seed``; ``cuts``, "writes" or "answers"; ``every`` and ``first``: which of the cuts to make; ``deep``: after every how
many of these to cut the writes of the resume as well (0: never); ``by_board``: how many answers after a cut go through the
whole board, the rest going only to the rules and the journal, which is four times as fast (null: all through the board).
Races start one after the other on the same board, and each is once switched off and on properly.

After a cut the last two snapshots of the race must both be intact: a new one replaces the older one. The
board is switched on: it must return to where it was or, if an answer was just being saved, to the question before
it. Then the same answers are given as without the cut, to the race's end, which must be the same.
"""

import binascii
import gc
import json
import sys

import lone_board as board
import vfs
from flash import Flash, cuts

BLOCKS = 40
#: Resumes are tried after this many answers of a race, or after all if it has fewer.
MOST_RESUMES = 200
#: The number of file systems kept after their board is off: a file left open there is closed only by garbage collection.
KEPT = 8
IDLE = "idle"


class Step:
    """The certain state after ``writes`` block writes: race, its answers, and where it is (or that none is running)."""

    def __init__(self, writes, race, given, place):
        self.writes = writes
        self.race = race
        self.given = given
        self.place = place


class Races:
    """The races without cuts."""

    def __init__(self, job, device):
        self.job = job
        self.device = device
        self.steps = []
        self.answers = []
        self.ends = []  # the digest of each race, or where it was abandoned
        self.app = board.switched_on("/flash")
        self.note(-1, 0)
        for number in range(len(job["races"])):
            self.race(number)

    def note(self, number, given):
        race = self.app.race if self.app.state == "race" or self.app.saved_race() else None
        self.steps.append(Step(len(self.device.log), number, given, board.place(race) if race else IDLE))

    def race(self, number):
        setup, most = self.job["races"][number]
        begin(self.app, setup)
        self.note(number, 0)
        given = []
        self.answers.append(given)
        off = 0
        while self.app.state == "race" and (most is None or len(given) < most):
            if len(given) == 5 and not off:
                off = 1
                self.app = come_back()
                self.note(number, len(given))
            race = self.app.race
            before = board.place(race)
            answer = board.choose(race, self.job["seed"])
            board.give(self.app, *answer)
            if board.place(race) == before:  # it can't be undone: do something else then
                answer = (answer[0], race.prompt_of(answer[0]).options()[0])
                board.give(self.app, *answer)
            given.append(answer)
            if race.over:
                self.steps.append(Step(len(self.device.log), number, len(given), board.place(race)))
                self.ends.append(race.digest())
                board.settle(self.app)
            self.note(number, len(given))
        if len(self.ends) == number:
            self.ends.append(board.place(self.app.race))
        if self.app.faults:
            raise ValueError("without a cut: " + "; ".join(self.app.faults))


def look_at_snapshots():
    """Raises ValueError if one of the race's last two snapshots is damaged. Reads the files directly."""
    try:
        race = bytes_of("race.log").split(b" ", 4)[3]
    except OSError:                                # there's no race yet
        return
    serials = []
    for name in ("race.a", "race.b"):
        try:
            data = bytes_of(name)
        except OSError:
            continue
        words = data.split(b" ", 5)
        if data[-10:-1] == b"*%08x" % (binascii.crc32(data[:-11]) & 0xFFFFFFFF) and words[3] == race:
            serials.append(int(words[4]))
    newest = max(serials or [0])
    if newest > 1 and newest - 1 not in serials:
        raise ValueError("snapshot %d is intact, but not the one before it" % newest)


def bytes_of(name):
    with open("/flash/save/" + name, "rb") as file:
        return file.read()


def begin(app, setup):
    say = app.start_race(setup)
    if say:
        raise ValueError("not started: " + say)
    board.settle(app)


def come_back():
    """The app of the board switched on again, with its race if it has one."""
    app = board.switched_on("/flash")
    if app.saved_race():
        say = app.resume_race()
        if say:
            raise ValueError("not resumed: " + say)
        board.settle(app)
    return app


def found(app, allowed):
    """Which of these steps the board is at."""
    at = board.place(app.race) if app.race else IDLE
    for step in allowed:
        if step.place == at:
            return step
    asked = [(prompt.seat, prompt.kind) for prompt in app.race.prompts] if app.race else []
    raise ValueError("stands at %s after line %d, asks %s; expected %s" % (
        at, app.race.lines if app.race else 0, asked, " or ".join(["answer %d of race %d (%s)" % (
            step.given, step.race + 1, step.place) for step in allowed])))


def go_on(app, races, step, most=None):
    """Gives the answers after a step, all or this many, and compares the race's end."""
    number, given = step.race, step.given
    if step.place == IDLE and given:             # that race is over
        return
    if app.race is None:
        number = max(number, 0)
        begin(app, races.job["races"][number][0])
    answers = races.answers[number]
    until = len(answers) if most is None else min(len(answers), given + most)
    by_board = races.job["by_board"]
    race = app.race
    for at in range(given, until):
        if by_board is None or at < given + by_board:
            board.give(app, *answers[at])
        else:
            board.answer(race, *answers[at])
    if until == len(answers):
        end = race.digest() if race.over else board.place(race)
        if end != races.ends[number]:
            raise ValueError("race %d ended with %s, not %s" % (number + 1, end, races.ends[number]))
    if app.faults:
        raise ValueError("; ".join(app.faults))


class Counts:
    tried = 0
    deep = 0
    failed = 0

    def __init__(self):
        self.failures = []


def try_cut(device, races, allowed, counts, where, deep):
    """Switches the board on after a cut and goes on; notes failures."""
    start = bytearray(device.data) if deep else None
    device.log = [] if deep else None
    counts.tried += 1
    mount(device)
    try:
        look_at_snapshots()
        app = come_back()
        step = found(app, allowed)
        if deep:
            mark = len(device.log)
            go_on(app, races, step, 2)
            log, device.log = device.log, None
        else:
            go_on(app, races, step)
    except Exception as error:
        counts.failed += 1
        if len(counts.failures) < 20:
            counts.failures.append("%s: %s %s" % (where, type(error).__name__, error))
        deep = False
    app = None
    switch_off()
    if deep:
        steps = races.steps
        first = steps.index(step)
        race = max(step.race, 0)                   # if none was begun, begin the first
        after = [step] + [one for one in steps[first + 1:] if one.race == race][:4]
        for number, torn, now in cuts(start, log):
            counts.deep += 1
            near = [step] if number <= mark else after
            try_cut(now, races, allowed + near, counts, where + ", then cut %d%s" % (number, " torn" if torn else ""), False)


def mount(device):
    """The flash of a board that is switched on."""
    kept.append(vfs.VfsLfs2(device, progsize=256))
    if len(kept) > KEPT:
        kept.pop(0)
    vfs.mount(kept[-1], "/flash")


kept = []


def switch_off():
    """Switches the board off and closes the files that its app had open."""
    gc.collect()
    vfs.umount("/flash")


def around(steps, cut):
    """The steps where the board may be after this many writes: the last certain one, and the one being written, which
    at the end of a race is its last answer and that it's over."""
    at = 0
    while at + 1 < len(steps) and steps[at + 1].writes <= cut:
        at += 1
    until = at + 2
    while until < len(steps) and steps[until].writes == steps[at + 1].writes:
        until += 1
    return steps[at:until]


def main():
    job = json.loads(sys.stdin.readline())
    device = Flash(BLOCKS)
    vfs.VfsLfs2.mkfs(device, progsize=256)
    mount(device)
    start = bytearray(device.data)
    device.log = []
    races = Races(job, device)
    races.app = None
    switch_off()
    log, device.log = device.log, None
    counts = Counts()
    at = 0
    wanted = None
    if job["cuts"] == "answers":
        wanted = [step.writes for step in races.steps if step.given <= MOST_RESUMES]
    for number, torn, now in cuts(start, log):
        if wanted is not None and (torn or number not in wanted):
            continue
        at += 1
        if (at + job["first"]) % job["every"]:
            continue
        where = "write %d%s of %d" % (number, " torn" if torn else "", len(log))
        deep = job["deep"] and at // job["every"] % job["deep"] == 0
        try_cut(now, races, around(races.steps, number), counts, where, deep)
    print(json.dumps({
        "writes": len(log), "erases": len([1 for _at, data in log if data is None]), "ends": races.ends,
        "answers": [len(given) for given in races.answers],
        "tried": counts.tried, "deep": counts.deep, "failed": counts.failed, "failures": counts.failures,
    }))


if __name__ == "__main__":
    main()
