"""A board's own copy of its code pool on littlefs in memory, and code that runs out of it; for MicroPython.

Arguments: "pool" or "heap". With "pool" functions are moved; both print the digests of the same random races, and how much
heap was free before them.
"""

import gc
import json
import os
import sys

import uctypes
import vfs
from flash_device import Flash

MOVE = sys.argv[1] == "pool"
sys.path.insert(0, "image")
from code_files import CodeFiles  # noqa: E402 found by the line above

vfs.mount(CodeFiles("image/"), "/c")
sys.path.insert(0, "/c")
BLOCKS = 128


def memory_of(thing):
    """The borders of the mapping that a thing of the heap lies in."""
    address = id(thing)
    with open("/proc/self/maps") as file:
        for line in file:
            start, end = [int(one, 16) for one in line.split(" ")[0].split("-")]
            if start <= address < end:
                return start, end
    raise SystemExit("the heap was not found")


def put_on_flash():
    """The pool copied to a littlefs that held two others before: the device, and what a second copy finds."""
    from hal import code_pool
    with open("image/code.pool", "rb") as file:
        content = file.read()
    device = Flash(BLOCKS)
    vfs.VfsLfs2.mkfs(device, progsize=256)
    vfs.mount(vfs.VfsLfs2(device, progsize=256), "/flash")
    assert not code_pool.ready("/flash/code.pool", "/flash/pool.live")
    for number in range(3):                        # each leaves blocks of the one before behind
        if number:
            os.remove("/flash/pool.live")
        with open("/flash/code.pool", "wb") as file:
            file.write(content)
        assert code_pool.ready("/flash/code.pool", "/flash/pool.live")
        assert code_pool.ready("/flash/code.pool", "/flash/pool.live")
        assert os.listdir("/flash") == ["pool.live"]
    del content
    return device, code_pool.find("/flash/pool.live", uctypes.addressof(device.data), BLOCKS)


def races():
    """The digests of random races of every level."""
    from shared_rules import proof
    from shared_rules.track import Track
    with open("image/tracks/gp-ring.pack", "rb") as file:
        track = Track.unpack(file.read())
    for variant in ("basic", "standard", "expert"):
        for seed in range(2):
            text = "%s%d" % (variant, seed)
            setup = proof.random_setup("moto_grand_prix", variant, track, text)
            yield [variant, proof.random_race(setup, track, text).digest()]


# most of what a race holds
for name in ("glow.limits", "glow.panels", "glow.table", "shared_rules.games.moto_grand_prix.expert", "shared_rules.proof"):
    __import__(name)

found = []
if MOVE:
    device, blocks = put_on_flash()
    assert blocks and len(blocks) > 10
    from hal.code_pool import Pool
    start, end = memory_of(device)
    pool = Pool(blocks, start, end)
    gc.collect()
    before = gc.mem_free()
    pool.settle()
    gc.collect()
    won = gc.mem_free() - before
    moved = pool.moved_bytes
    pool.settle()
    assert pool.moved_bytes == moved               # nothing was loaded since
for one in races():
    found.append(one)
    if MOVE:
        sys.modules["more%d" % len(found)] = sys   # as if a module had come
        pool.settle()                              # what was loaded in the race
        gc.collect()
if MOVE:
    assert pool.moved_bytes > moved
    print(json.dumps({"won": won, "moved": moved}))
print(json.dumps(found))
