"""Cuts the power at every block write while a board makes its own copy of the pool, on MicroPython's own littlefs in
memory. Runs there only; the pool comes on its input.

After each cut the flash is mounted anew. Before anything is started the pool or the copy must be there as the manifest
says, for the installer; then the board starts, and must have the whole copy, findable in the flash, and no pool. These
starts are cut at each of their writes as well. Prints a JSON line: for a board that had no copy, and for one with that
of an older pool.
"""

import binascii
import json
import os
import sys

import uctypes
import vfs
from flash_device import Flash, cuts
from store_power_cut import BLOCKS

import install
from hal import code_pool

SOURCE = "/board/" + code_pool.SOURCE
LIVE = "/board/" + code_pool.LIVE
POOL = sys.stdin.buffer.read()
OLDER = POOL[:4] + b"old!" + POOL[8:-4096]
WANTED = ("%08x" % binascii.crc32(POOL), str(len(POOL)))


def mount(flash):
    vfs.mount(vfs.VfsLfs2(flash, progsize=256), "/board")


def board(older):
    """A flash with the pool on it, and the copy of an older one where that is given."""
    flash = Flash(BLOCKS)
    vfs.VfsLfs2.mkfs(flash, progsize=256)
    mount(flash)
    for pool in (older, POOL):
        if pool:
            with open(SOURCE, "wb") as file:
                file.write(pool)
        if pool is older and older and not code_pool.ready(SOURCE, LIVE):
            raise ValueError("no older copy")
    return flash


def there():
    """Which of the two is the pool that the manifest lists."""
    names = os.listdir("/board")
    copied = code_pool.LIVE in names and install._copy_crc_size("/board/") == WANTED
    if code_pool.SOURCE in names:
        return "both" if copied else "source"
    return "copy"


def start(flash):
    """Starts the board: what it must be then, or ValueError."""
    with open("/board/starts.txt", "w") as file:   # as boot.py does
        file.write("x")
    if install.in_place("/board/", code_pool.SOURCE) != WANTED:
        raise ValueError("the pool is gone: %s" % os.listdir("/board"))
    which = there()
    if not code_pool.ready(SOURCE, LIVE):
        raise ValueError("no copy")
    if sorted(os.listdir("/board")) != [code_pool.LIVE, "starts.txt"]:
        raise ValueError(str(os.listdir("/board")))
    if install.in_place("/board/", code_pool.SOURCE) != WANTED:
        raise ValueError("the copy is another")
    if not code_pool.find(LIVE, uctypes.addressof(flash.data), BLOCKS):
        raise ValueError("not found in the flash")
    return which


def cut_everywhere(image, log, counts, deep):
    """Starts the board after each cut of these writes; with `deep` every so many of these starts are cut too."""
    for cut, torn, now in cuts(image, log):
        before = bytearray(now.data)
        now.log = []
        mount(now)
        try:
            counts[start(now)] += 1
        except (OSError, ValueError) as error:
            raise ValueError("cut %d%s: %s" % (cut, " torn" if torn else "", error)) from error
        vfs.umount("/board")
        counts["starts"] += 1
        if deep and cut % deep == 0:
            cut_everywhere(before, now.log, counts, 0)
    return counts


def main():
    found = []
    for older in (b"", OLDER):
        flash = board(older)
        image = bytearray(flash.data)
        flash.log = []
        start(flash)
        vfs.umount("/board")
        counts = {"writes": len(flash.log), "starts": 0, "source": 0, "both": 0, "copy": 0}
        found.append(cut_everywhere(image, flash.log, counts, 4))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
