"""UF2 files: faults are reported before anything on a board is changed."""

import json
import os
from pathlib import Path

import pytest
from uf2_blocks import ESP32, FLASH, RISCV, RP2040, RP2350_ABSOLUTE, RP2350_ARM, SAYS, block, blocks

from gridglow.firmware.uf2 import MARK, BadUf2, Mark, Uf2, check_chip, read_mark, read_uf2


def absolute():
    """The block that comes before those of an RP2350."""
    return block(0, 2, RP2350_ABSOLUTE, address=0x10FFFF00)


def mark(**more):
    """What a program of Gridglow says about itself."""
    about = {"firmware": "1", "rules": 1, "chip": "rp2040", "micropython": "1.28.0", "id": "0123456789ab",
             "fs_bytes": 786432, **more}
    return MARK + json.dumps(about, separators=(",", ":")).encode() + b"\n"


@pytest.fixture
def written(tmp_path):
    """A function that writes a UF2 and reads it: written(blocks)."""

    def make(parts, cut=None):
        path = tmp_path / "firmware.uf2"
        path.write_bytes(b"".join(parts)[:cut])
        return read_uf2(path)

    return make


def test_a_whole_one(written):
    uf2 = written(blocks())
    assert (uf2.chip, uf2.blocks, uf2.end) == ("rp2040", 4, FLASH + 4 * 256)
    assert (uf2.version, uf2.machine) == ("1.26.1", "Raspberry Pi Pico")
    assert uf2.title == "firmware.uf2 (MicroPython 1.26.1 for Raspberry Pi Pico)"


def test_one_that_says_nothing_of_itself(written):
    uf2 = written(blocks(says=b""))
    assert (uf2.version, uf2.machine, uf2.title) == ("", "", "firmware.uf2")


def test_one_of_gridglow_s_own(written):
    uf2 = written(blocks(says=SAYS[:40] + mark()))
    assert uf2.mark == Mark("1", 1, "rp2040", "1.28.0", "0123456789ab", 786432)
    assert uf2.title == "firmware.uf2 (Gridglow 1, program 0123456789ab)"
    assert uf2.fs_begin == 1_310_720
    assert written(blocks()).mark is None


def test_a_mark_may_go_over_the_end_of_a_block(written):
    text = mark()
    parts = [block(0, 2, payload=b"x" * 200 + text[:56]), block(1, 2, payload=text[56:])]
    assert written(parts).mark.id == "0123456789ab"


def test_what_only_looks_like_a_mark_is_passed_over():
    assert read_mark(MARK + b"\n" + MARK + b"{}\n" + MARK + b'{"id":1}\n') is None
    assert read_mark(MARK + b"{no}\n" + mark(id="x")).id == "x"


@pytest.mark.parametrize("first", [[], [absolute()]])
def test_one_for_an_rp2350(written, first):
    says = b"MicroPython v1.27.0-preview.12\0; Raspberry Pi Pico2 with RP2350\0"
    uf2 = written(first + blocks(family=RP2350_ARM, says=says))
    assert (uf2.chip, uf2.blocks, uf2.version, uf2.machine) == ("rp2350", 4, "1.27.0-preview.12", "Raspberry Pi Pico2")


def test_four_megabytes_are_an_rp2350s(written):
    high = FLASH + (3 << 20)
    assert written([block(0, 1, RP2350_ARM, high)]).end == high + 256
    with pytest.raises(BadUf2) as error:
        written([block(0, 1, RP2040, high)])
    assert "doesn't fit an RP2040 (Pico, Pico W) with its 2 MB of flash" in str(error.value)


def changed(parts, at, **more):
    return [*parts[:at], block(at, len(parts), **more), *parts[at + 1 :]]


@pytest.mark.parametrize("parts, cut, words", [
    ([b"", b""], None, "is no UF2: it doesn't begin like one"),
    ([b"PK\x03\x04" * 200], None, "is no UF2"),
    (blocks(), 700, "a UF2 has a multiple of 512 bytes, and this one has 700"),
    (blocks(), 1024, "it has 2 of 4 blocks"),
    (blocks()[:1] + blocks()[2:], None, "expected block 1 of 4, found 2 of 4"),
    ([blocks()[0], blocks()[2], blocks()[1], blocks()[3]], None, "expected block 1 of 4, found 2 of 4"),
    (blocks() + blocks(), None, "expected block 4 of 4, found 0 of 4"),
    (changed(blocks(), 2, marks=(0x0A324655, 0x9E5D5157, 1)), None, "its block 2 lacks its marks"),
    (changed(blocks(), 2, marks=(0x0A324655, 2, 0x0AB16F30)), None, "its block 2 lacks its marks"),
    (changed(blocks(), 2, flags=0), None, "doesn't say which chip it is for (block 2)"),
    (changed(blocks(), 2, flags=0x2001), None, "its block 2 carries 256 bytes for the flash"),
    (changed(blocks(), 2, size=500), None, "its block 2 carries 500 bytes"),
    (changed(blocks(), 2, size=0), None, "its block 2 carries 0 bytes"),
    (changed(blocks(), 2, address=0x20000000), None, "is a program for RAM (block 2 goes to 0x20000000)"),
    (changed(blocks(), 2, address=0x30000000), None, "block 2 goes to 0x30000000"),
    (changed(blocks(), 2, address=0), None, "block 2 goes to 0x0"),
    (changed(blocks(), 2, family=RP2350_ARM), None, "holds blocks for two chips (block 2)"),
    (blocks() + blocks(family=RP2350_ARM), None, "holds blocks for two chips (block 4)"),
    (blocks(family=RP2350_ARM) + blocks(), None, "holds blocks for two chips (block 4)"),
    (blocks() + [absolute()] + blocks(family=RP2350_ARM), None, "holds blocks for two chips (block 4)"),
    ([absolute()] + blocks(), None, "holds blocks for two chips (block 1)"),
    ([absolute()] + changed(blocks(family=RP2350_ARM), 2, family=RP2350_ABSOLUTE), None, "block 3 belongs at the beginning"),
    (blocks(family=ESP32), None, "is for an ESP32, not for an RP2040 (Pico, Pico W) or an RP2350 (Pico 2, Pico 2 W)"),
    (blocks(family=RISCV), None, "is for an RP2350's RISC-V cores"),
    (blocks(family=0x12345678), None, "another chip (family 12345678)"),
    ([absolute()], None, "holds no block for"),
    (blocks(says=mark(chip="rp2350")), None, "the program in them is for an RP2350 (Pico 2, Pico 2 W)"),
    (changed(blocks(says=mark()), 2, address=FLASH + (1 << 21) - 786432), None,
     "reaches into the file system: it ends at 1,310,976 bytes, expected at most 1,310,720"),
])
def test_what_is_wrong_with_one(written, parts, cut, words):
    with pytest.raises(BadUf2) as error:
        written(parts, cut)
    said = str(error.value)
    assert words in said
    assert "firmware.uf2" in said and "\n" not in said and said.endswith((".", "gridglow firmware build"))


def test_no_file_and_a_huge_one(tmp_path):
    with pytest.raises(BadUf2) as error:
        read_uf2(tmp_path / "none.uf2")
    assert "can't be read (No such file or directory)" in str(error.value)
    with open(tmp_path / "huge.uf2", "wb") as file:
        file.truncate(100 << 20)
    with pytest.raises(BadUf2) as error:
        read_uf2(tmp_path / "huge.uf2")
    assert "more than any UF2 of a Pico" in str(error.value)


def test_the_wrong_chip_is_refused():
    uf2 = Uf2(Path("pico2.uf2"), b"", "rp2350", 1, FLASH)
    check_chip(uf2, "rp2350")
    check_chip(uf2, "")
    with pytest.raises(BadUf2) as error:
        check_chip(uf2, "rp2040")
    assert str(error.value) == ("pico2.uf2 is for an RP2350 (Pico 2, Pico 2 W), but the board is an RP2040 (Pico, Pico W); "
                                "nothing was changed. Use the file for your board.")


def test_our_own_file():
    name = os.environ.get("GRIDGLOW_UF2")
    if not name:
        pytest.skip("GRIDGLOW_UF2 names no UF2 of Gridglow's.")
    uf2 = read_uf2(Path(name))
    assert uf2.version and uf2.machine.startswith("Raspberry Pi Pico")
    assert uf2.chip in ("rp2040", "rp2350")
