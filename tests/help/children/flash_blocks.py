"""How many blocks files really take in MicroPython's own littlefs, on a flash like a Pico's. Runs there only.

    flash_blocks.py             reads a line of JSON from its input: a list of sets, each a list of (path, size) in the
                                order in which they are written; prints a line for each: the blocks that it takes
    flash_blocks.py OLD NEW     installs the folder NEW as new/ on a flash with the files of the folder OLD;
                                prints the blocks in use before, the most that were in use, and those at the end

Blocks in use are those that the file system reports; for an installation, two fewer for each folder, which it
counts twice.

    flash_blocks.py fill        fills a flash with twenty folders; prints the blocks reported free, and how many a
                                file could be given
"""

import json
import os
import sys

import vfs
from flash_device import BLOCK_BYTES, Flash

import install

BLOCKS = 352


def used():
    found = os.statvfs("/board")
    return found[2] - found[3]


def truly_used():
    return used() - 2 * folders("/board")


def folders(at):
    count = 0
    for name in os.listdir(at):
        path = at + "/" + name
        if os.stat(path)[0] & 0x4000:
            count += 1 + folders(path)
    return count


def fill():
    """(blocks reported free, blocks that a file then gets) on a flash with twenty folders."""
    mount()
    for number in range(20):
        write("folder%d/file" % number, b"x" * 100)
    told = BLOCKS - used()
    count = 0
    with open("/board/rest", "wb") as file:
        try:
            while True:
                file.write(bytes(BLOCK_BYTES - 8))
                file.flush()
                count += 1
        except OSError:
            return told, count


def mount():
    flash = Flash(BLOCKS)
    vfs.VfsLfs2.mkfs(flash, progsize=256)
    vfs.mount(vfs.VfsLfs2(flash, progsize=256), "/board")


def write(path, data):
    install.make_folders("/board/" + path)
    with open("/board/" + path, "wb") as file:
        file.write(data)


def blocks_of(files):
    mount()
    empty = used()
    for path, size in files:
        write(path, bytes(size))
    found = used() - empty
    vfs.umount("/board")
    return found


def copy(folder, to):
    for name in sorted(os.listdir(folder)):
        path = folder + "/" + name
        if os.stat(path)[0] & 0x4000:
            copy(path, to + name + "/")
        else:
            with open(path, "rb") as file:
                write(to + name, file.read())


def installed(old, new):
    """(blocks in use before, the most in use, those at the end) of an installation."""
    mount()
    copy(old, "")
    before = truly_used()
    most = [before]
    rename = install._rename

    def watched(one, other):
        most[0] = max(most[0], truly_used())
        rename(one, other)
        most[0] = max(most[0], truly_used())

    install._rename = watched
    copy(new, "new/")
    most[0] = max(most[0], truly_used())
    if install.apply("/board/") != "done":
        raise ValueError("not installed")
    return before, most[0], truly_used()


if len(sys.argv) > 2:
    print(*installed(*sys.argv[1:]))
elif len(sys.argv) == 2:
    print(*fill())
else:
    for one in json.loads(sys.stdin.readline()):
        print(blocks_of(one))
