"""Cuts the power at every block write of a race's saves, on MicroPython's own littlefs in memory. Runs there only.

After each cut the flash is mounted again and the save loaded: it must be what was committed last, or what was
being written when the power failed. Prints a JSON line of counts; raises if a save is lost.
"""

import json

import vfs
from flash_device import Flash, cuts

from glow.store.store import Store

BLOCKS = 48


def race(store, say):
    """A race's worth of saves; `say` records what is committed after each."""
    say(store.begin("header one"), ("header one", 0))
    for number in range(1, 13):
        say(store.append("answer %d" % number), ("header one", number))
        if number % 3 == 0:
            say(store.snapshot(["state %d " % number + "x" * 40 * number]), ("header one", number))
    say(store.begin("header two"), ("header two", 0))
    for number in range(1, 4):
        say(store.append("answer %d" % number), ("header two", number))
    say(store.snapshot(["state 3 " + "y" * 5000]), ("header two", 3))
    say(store.begin(""), (None, 0))


def found(store):
    """(header, number of the last answer) of what can be loaded."""
    header, text, lines = (store.load() + ((),))[:3]
    if header is None:
        if text not in ("save.none",):
            raise ValueError("refused: " + text)
        return (None, 0)
    count = int(text.split(" ")[1]) if text else 0
    for line in lines:
        count += 1
        if line != "answer %d" % count:
            raise ValueError("found " + line + " as line " + str(count))
    if text and "x" in text and text.count("x") != 40 * int(text.split(" ")[1]):
        raise ValueError("half a state")
    return (header, count)


def main():
    flash = Flash(BLOCKS)
    vfs.VfsLfs2.mkfs(flash)
    vfs.mount(vfs.VfsLfs2(flash), "/board")
    start = bytearray(flash.data)
    flash.log = []
    steps = []  # (writes so far, what is committed by then)

    def say(reason, committed):
        if reason:
            raise ValueError(reason)
        steps.append((len(flash.log), committed))

    race(Store("/board/save"), say)
    vfs.umount("/board")

    log = flash.log
    before = (None, 0)
    step = 0
    for cut, _torn, now in cuts(start, log):
        while step < len(steps) and steps[step][0] <= cut:
            before = steps[step][1]
            step += 1
        writing = steps[step][1] if step < len(steps) else before
        vfs.mount(vfs.VfsLfs2(now), "/board")
        state = found(Store("/board/save"))
        if state != before and state != writing:
            raise ValueError("cut %d: found %s, not %s or %s" % (cut, state, before, writing))
        # The save goes on from there.
        store = Store("/board/save")
        if store.load()[0] is not None:
            reason = store.append("answer %d" % (state[1] + 1))
            if reason or found(Store("/board/save"))[1] != state[1] + 1:
                raise ValueError("cut %d: the race can't go on" % cut)
        vfs.umount("/board")
    print(json.dumps({"writes": len(log), "commits": len(steps)}))


if __name__ == "__main__":
    main()
