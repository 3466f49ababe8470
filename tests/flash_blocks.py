"""How many blocks files really take in MicroPython's own littlefs, on a flash as a Pico has it. Runs there only.

    flash_blocks.py             reads a line of JSON from its input: a list of sets, each a list of (path, size) in the
                                order in which they are written; prints a line for each: the blocks that it takes
    flash_blocks.py OLD NEW     installs what lies in the folder NEW as new/ on a flash with the files of the folder OLD;
                                prints the blocks in use before, and the most that were in use

Blocks in use are those that the file system tells of.
"""

import json
import os
import sys

import vfs

import install

BLOCKS = 352
BLOCK_BYTES = 4096


class Flash:
    """A block device in memory."""

    def __init__(self):
        self.data = bytearray(BLOCKS * BLOCK_BYTES)

    def readblocks(self, number, buf, offset=0):
        at = number * BLOCK_BYTES + offset
        buf[:] = memoryview(self.data)[at : at + len(buf)]

    def writeblocks(self, number, buf, offset=0):
        at = number * BLOCK_BYTES + (offset or 0)
        self.data[at : at + len(buf)] = buf

    def ioctl(self, op, _arg):
        return {4: BLOCKS, 5: BLOCK_BYTES}.get(op, 0)


def used():
    found = os.statvfs("/board")
    return found[2] - found[3]


def mount():
    flash = Flash()
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
    """(blocks in use before, the most in use) of an installation."""
    mount()
    copy(old, "")
    before = used()
    most = [before]
    rename = install._rename

    def watched(one, other):
        most[0] = max(most[0], used())
        rename(one, other)
        most[0] = max(most[0], used())

    install._rename = watched
    copy(new, "new/")
    most[0] = max(most[0], used())
    if install.apply("/board/") != "done":
        raise ValueError("not installed")
    return before, most[0]


if len(sys.argv) > 1:
    print(*installed(sys.argv[1], sys.argv[2]))
else:
    for one in json.loads(sys.stdin.readline()):
        print(blocks_of(one))
