"""Bytecode that runs out of the flash: the pool's file, a board's copy on littlefs, and functions that do the same after
their code was moved."""

import json
import subprocess

import pytest
from test_lights import CHECKOUT

from gridglow.device import build, code_pool
from gridglow.device.code_files import modules_of
from gridglow.device.code_pool import BLOCK_BYTES, ENTRY, HEAD, Function, functions_of, pointer_bytes
from gridglow.device.compiler import compile_mpy, host_arch
from gridglow.device.manifest import POOL
from gridglow.tracks import load_track

SOURCE = b"""
NAMES = (1, "two", (b"three", 4.5, None))

def plain(one, two=2):
    return one + two

class Car:
    def __init__(self, speed):
        self.speed = speed

    def laps(self):
        return [lap for lap in range(self.speed)]

def outer(x):
    def inner(y):
        return lambda z: x + y + z
    return inner

def counting():
    yield from range(3)
"""


def blocks_of(pool):
    """The data of each block of a pool."""
    at, block = 0, 0
    while at < len(pool):
        size = BLOCK_BYTES - pointer_bytes(block)
        yield pool[at:at + size]
        at, block = at + size, block + 1


def functions_in(pool):
    """The functions of a pool, as a board finds them."""
    for number, data in enumerate(blocks_of(pool)):
        magic, _, nonce, block, count = HEAD.unpack_from(data)
        assert (magic, nonce, block) == (b"GGcp", 0, number)
        for place in range(count):
            at = HEAD.size + place * ENTRY.size
            key, way, length, inner = ENTRY.unpack_from(data, at)
            assert at + way + length <= len(data)
            yield key, Function(data[at + way:at + way + length], inner)


def test_every_function_of_a_module_is_found_and_none_twice():
    found = functions_of(compile_mpy("glow/mine.py", SOURCE))
    # plain, __init__, the comprehension, laps, the class, lambda, inner, outer, counting
    assert len(found) == 9
    assert sorted(one.inner for one in found) == [0, 0, 0, 0, 0, 1, 1, 1, 2]


def test_machine_code_and_what_follows_it_is_passed_over():
    text = (b"import micropython\ndef first(one):\n    return one\n"
            b"@micropython.viper\ndef fast(x: int) -> int:\n    return x\n")
    assert len(functions_of(compile_mpy("glow/mine.py", text, "armv6m"))) == 1


def test_a_pool_holds_every_function_once_by_rising_keys(tmp_path):
    image = build(tmp_path, "full", [load_track("gp-ring")], target="pico")
    pool = image.contents[POOL]
    assert image.manifest.files[POOL][1] == len(pool)
    found = list(functions_in(pool))
    assert [key for key, _ in found] == sorted(key for key, _ in found)
    assert all(key == one.key for key, one in found)
    assert len({one for _, one in found}) == len(found)
    table = modules_of(image.contents["glow.code"])["table"]
    wanted = {one for one in functions_of(table) if len(one.code) >= code_pool.KEY_BYTES}
    assert len(wanted) > 40
    assert wanted <= {one for _, one in found}
    hal = modules_of(image.contents["hal.code"])
    stays = {one.code for name in code_pool.STAYS for one in functions_of(hal[name[4:-4]])}
    assert not {one.code for _, one in found} & {code for code in stays if len(code) > 30}


def test_the_number_of_a_pool_is_that_of_its_functions():
    one = code_pool.build({"glow/a.mpy": compile_mpy("glow/a.py", SOURCE)})
    same = code_pool.build({"glow/b.mpy": compile_mpy("glow/b.py", SOURCE)})
    other = code_pool.build({"glow/a.mpy": compile_mpy("glow/a.py", SOURCE.replace(b"one + two", b"one - two"))})
    assert one[:8] == same[:8] != other[:8]
    assert code_pool.build({"main.py": b"print()"}) == b""


@pytest.mark.parametrize(("block", "size"), [(0, 0), (1, 4), (2, 8), (3, 4), (4, 12), (8, 16), (96, 24)])
def test_littlefs_takes_the_head_of_a_block(block, size):
    assert pointer_bytes(block) == size


def test_only_a_pico_with_machine_code_gets_a_pool(tmp_path):
    for number, options in enumerate(({"target": "virtual"}, {"target": "pico", "native": None}, {})):
        assert POOL not in build(tmp_path / str(number), "full", [], **options).contents


def run(micropython, folder, how):
    ran = subprocess.run([micropython, "-X", "heapsize=4m", str(CHECKOUT / "tests" / "code_pool_script.py"), how],
                         cwd=folder, capture_output=True, text=True, timeout=240)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.mark.skipif(host_arch() is None, reason="MicroPython runs no machine code on this computer")
def test_races_out_of_the_flash_are_the_same(micropython, tmp_path):
    build(tmp_path / "image", "full", [load_track("gp-ring")], target="pico", native=host_arch(), proof=True,
          rom_names=False)
    in_heap, = run(micropython, tmp_path, "heap")
    figures, in_flash = run(micropython, tmp_path, "pool")
    assert in_flash == in_heap
    assert len({digest for _, digest in in_heap}) == len(in_heap) == 6
    assert figures["moved"] > 15000
    # functions that nobody holds any more are moved, too, and win nothing
    assert figures["won"] > 0.6 * figures["moved"]
