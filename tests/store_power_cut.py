"""Cuts the power at every block write of a race's saves, on MicroPython's own littlefs in memory. Runs there only.

After each cut the flash is mounted anew and the save loaded: it must be what was committed last, or what was being
written when the power went. Prints a JSON line of counts; raises where a save is lost.
"""

import json

import vfs

from glow.store import Store

BLOCKS = 48
BLOCK_BYTES = 4096


class Flash:
    """A block device in memory that keeps a list of what is written, so that any cut can be played later."""

    def __init__(self, data=None):
        self.data = data or bytearray(BLOCKS * BLOCK_BYTES)
        self.log = None

    def readblocks(self, number, buf, offset=0):
        at = number * BLOCK_BYTES + offset
        buf[:] = self.data[at : at + len(buf)]

    def writeblocks(self, number, buf, offset=None):
        at = number * BLOCK_BYTES + (offset or 0)
        if offset is None:
            self.ioctl(6, number)
        self._put(at, bytes(buf))

    def ioctl(self, op, arg):
        if op == 4:
            return BLOCKS
        if op == 5:
            return BLOCK_BYTES
        if op == 6:
            self._put(arg * BLOCK_BYTES, b"\xff" * BLOCK_BYTES)
            return 0
        return 0

    def _put(self, at, data):
        self.data[at : at + len(data)] = data
        if self.log is not None:
            self.log.append((at, data))


def race(store, say):
    """A race's worth of saves; `say` notes what is committed after each."""
    say(store.begin("header one"), ("header one", 0))
    for number in range(1, 13):
        say(store.append("answer %d" % number), ("header one", number))
        if number % 3 == 0:
            say(store.snapshot("state %d " % number + "x" * 40 * number), ("header one", number))
    say(store.begin("header two"), ("header two", 0))
    for number in range(1, 4):
        say(store.append("answer %d" % number), ("header two", number))
    say(store.snapshot("state 3 " + "y" * 5000), ("header two", 3))
    say(store.clear(), (None, 0))


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
    flash = Flash()
    vfs.VfsLfs2.mkfs(flash)
    vfs.mount(vfs.VfsLfs2(flash), "/board")
    start = bytearray(flash.data)
    flash.log = []
    steps = []  # (writes so far, what is committed then)

    def say(reason, committed):
        if reason:
            raise ValueError(reason)
        steps.append((len(flash.log), committed))

    race(Store("/board/save"), say)
    vfs.umount("/board")

    log = flash.log
    image = start
    before = (None, 0)
    step = 0
    for cut in range(len(log) + 1):
        while step < len(steps) and steps[step][0] <= cut:
            before = steps[step][1]
            step += 1
        writing = steps[step][1] if step < len(steps) else before
        for torn in (False, True) if cut < len(log) else (False,):
            now = Flash(bytearray(image))
            if torn:  # half of the next write has gone through too
                at, data = log[cut]
                now.data[at : at + len(data) // 2] = data[: len(data) // 2]
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
        if cut < len(log):
            at, data = log[cut]
            image[at : at + len(data)] = data
    print(json.dumps({"writes": len(log), "commits": len(steps)}))


if __name__ == "__main__":
    main()
