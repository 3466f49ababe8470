"""The UF2 file: MicroPython's port for the Pico, built as `frozen` says, in a folder of the user's cache.

The folder's name is a hash of sources, compiler and board definition, so that a different one never meets old objects;
and a file is released only if the mark in it matches what was to be frozen. The same inputs and the same compiler give
the same bytes.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gridglow import paths
from gridglow.firmware import frozen, sources, toolchain, uf2
from gridglow.paths import cache_folder
from shared_rules.errors import GridglowError

CHIPS = ("rp2040", "rp2350")
#: Where the program may end at most; the gap to the file system is for future versions of MicroPython.
PROGRAM_MOST = 1_200_000
#: The date in the program's version: with the real one, no two days would give the same bytes.
DATE_EPOCH = "1767225600"  # 2026-01-01
TAG, COMMIT = f"v{frozen.MICROPYTHON}", sources.PINNED[0][2][:10]
#: Python calls take C stack. An RP2350's port has this many bytes more than the 8 kB of an RP2040's, with which taking up a
#: saved race from the link fails ("maximum recursion depth exceeded").
EXTRA_STACK = 4096
MEMORY_MAP = "memmap.ld"
#: The prefix of the names of functions in frozen machine code.
MACHINE_CODE = "fun_data_"
#: Environment variables of the user that must not affect our build.
LEFT_OUT = ("PICO_", "MICROPY_", "MAKE", "CMAKE_", "CROSS_COMPILE", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "ASMFLAGS", "LDFLAGS",
            "MFLAGS", "BOARD", "BUILD", "FROZEN_MANIFEST", "USER_C_MODULES")
LAST_LINES = 15


@dataclass(frozen=True)
class Built:
    """A UF2 file: its path, its chip, the id of what is frozen in (see `frozen.Frozen`), where the program ends."""

    path: Path
    chip: str
    id: str
    program_bytes: int
    uf2_bytes: int


def build(chip: str = "rp2040", given: Path | None = None, out: Path | None = None,
          tell: Callable[[str], None] = lambda _: None) -> Built:
    """Builds the UF2 of a chip. ``given``: the folder with the sources, see `sources.find`; ``out``: the file, by default
    build/gridglow-CHIP.uf2 of this folder; ``tell`` gets a line for each step. Raises GridglowError with one sentence."""
    toolchain.check()
    out = Path(out) if out is not None else Path("build") / f"gridglow-{chip}.uf2"
    cache = Path(os.environ.get("GRIDGLOW_FIRMWARE_CACHE") or cache_folder() / "firmware")
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with _alone(cache, tell):
            data, program_bytes, made = _made(chip, sources.find(given, cache, tell), cache, tell)
        _write(out, data)
        _write(out.with_suffix(".txt"), release_text())
    except OSError as error:
        raise GridglowError(f"{error.filename or out} can't be written ({error.strerror or error}); make room, or name "
                            "another file with --out.") from None
    return Built(out, chip, made.id, program_bytes, len(data))


def release_text() -> bytes:
    """A text to go with the file: what it does to a board, its parts' licences."""
    return (paths.firmware_folder() / "uf2" / "release.txt").read_bytes()


def _made(chip: str, found: sources.Sources, cache: Path,
          tell: Callable[[str], None]) -> tuple[bytes, int, frozen.Frozen]:
    """(the UF2 file, where its program ends, what is frozen in)"""
    compiler, picotool = _tools(found, cache, tell)
    made = frozen.freeze(chip)
    name = f"GRIDGLOW_{chip.upper()}"
    parts = frozen.board_definition(chip)
    if chip == "rp2040":
        parts[MEMORY_MAP] = memory_map((found.micropython / "ports" / "rp2" / "memmap_mp_rp2040.ld").read_bytes())
    key = _hash(found.id, toolchain.compiler_version(), frozen.RECIPE,
                *(f"{one}:{content!r}" for one, content in parts.items()))
    folder = cache / f"{chip}-{key}"
    board = folder / name
    _lay(board, parts | {"manifest.py": made.manifest} | {f"frozen/{one}": content for one, content in made.files().items()})
    tell(f"Building MicroPython {frozen.MICROPYTHON} for {chip} with {len(made.modules)} modules frozen in ...")
    environment = _environment() | {"MICROPY_MPYCROSS": str(compiler), "MICROPY_GIT_TAG": TAG, "MICROPY_GIT_HASH": COMMIT}
    objects = folder / "out"
    log = folder / "build.log"
    log.unlink(missing_ok=True)
    if not (objects / "Makefile").is_file():
        _run(["cmake", "-S", str(found.micropython / "ports" / "rp2"), "-B", str(objects), "-DPICO_BUILD_DOCS=0",
              f"-DMICROPY_BOARD={name}", f"-DMICROPY_BOARD_DIR={board}", f"-Dpicotool_DIR={picotool}",
              f"-DPython3_EXECUTABLE={sys.executable}"], environment, log, tell)
    _run(["make", "-C", str(objects), f"-j{os.cpu_count() or 1}"], environment, log, tell)
    if chip == "rp2040":
        check_machine_code(toolchain.functions(objects / "firmware.elf"))
    program = uf2.read_uf2(objects / "firmware.uf2")
    if program.mark is None or program.mark.id != made.id:
        found_id = program.mark.id if program.mark else "no Gridglow mark"
        raise GridglowError(f"The build left an old program behind: expected {made.id} in it, found {found_id}; remove "
                            f"{folder} and run the command again.")
    end = program.end - uf2.FLASH_BEGIN
    if end > PROGRAM_MOST:
        raise GridglowError(f"The program ends at {end:,} bytes, expected at most {PROGRAM_MOST:,}, as the file system "
                            "begins right after it; freeze less.")
    return program.data, end, made


def check_machine_code(functions: Mapping[str, int]) -> None:
    """Raises GridglowError if frozen machine code (these functions' addresses) isn't word-aligned: a
    Cortex-M0+ would then read wrong constants from it, see word_aligned.h of the board definition."""
    wrong = [name for name, address in functions.items() if name.startswith(MACHINE_CODE) and address % 4]
    if wrong:
        raise GridglowError(f"The machine code {wrong[0]} is at {functions[wrong[0]]:#x}, expected a multiple of 4; use "
                            f"the sources of MicroPython {frozen.MICROPYTHON}, whose build the board definition fits.")


def memory_map(of_port: bytes) -> bytes:
    """The port's memory map for an RP2040, with a C stack that is larger by EXTRA_STACK at the heap's expense. Raises
    GridglowError if the port has a different one."""
    made = of_port
    end = b"__GcHeapEnd = ORIGIN(RAM) + LENGTH(RAM)"
    for old, new in ((end + b";", end + b" - %d;" % EXTRA_STACK),
                     (b"__StackBottom = __StackTop - SIZEOF(.stack_dummy);", b"__StackBottom = __GcHeapEnd;")):
        if made.count(old) != 1:
            raise GridglowError(f"MicroPython's memory map has changed: expected {old.decode()!r} in it once; use the "
                                f"sources of MicroPython {frozen.MICROPYTHON}.")
        made = made.replace(old, new)
    return made


def _tools(found: sources.Sources, cache: Path, tell: Callable[[str], None]) -> tuple[Path, Path]:
    """MicroPython's cross compiler, and the folder with picotool's CMake package; built once for these sources."""
    folder = cache / f"tools-{found.id}"
    compiler, picotool = folder / "mpy-cross" / "mpy-cross", folder / "picotool" / "picotool"
    environment = _environment() | {"MICROPY_GIT_TAG": TAG, "MICROPY_GIT_HASH": COMMIT}
    log = folder / "build.log"
    jobs = f"-j{os.cpu_count() or 1}"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / sources.READY).is_file():
        log.unlink(missing_ok=True)
        tell("Building mpy-cross ...")
        _run(["make", "-C", str(found.micropython / "mpy-cross"), f"BUILD={compiler.parent}", jobs], environment, log, tell)
        tell("Building picotool ...")
        objects = folder / "picotool-objects"
        _run(["cmake", "-S", str(found.picotool), "-B", str(objects), "-DPICOTOOL_NO_LIBUSB=1", "-DPICOTOOL_FLAT_INSTALL=1",
              f"-DPICO_SDK_PATH={found.micropython / 'lib' / 'pico-sdk'}", f"-DCMAKE_INSTALL_PREFIX={folder / 'picotool'}"],
             environment, log, tell)
        _run(["make", "-C", str(objects), jobs, "install"], environment, log, tell)
        (folder / sources.READY).touch()
    return compiler, picotool


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(LEFT_OUT)}
    return {**kept, "SOURCE_DATE_EPOCH": DATE_EPOCH, "LC_ALL": "C", "PYTHONHASHSEED": "0"}


def _hash(*words: str) -> str:
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:12]


def _lay(folder: Path, files: dict[str, bytes]) -> None:
    """Makes a folder hold these files and no others; unchanged files keep their time."""
    for path in sorted(folder.rglob("*"), reverse=True) if folder.is_dir() else ():
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path.relative_to(folder).as_posix() not in files:
            path.unlink()
    for name, content in files.items():
        path = folder / name
        if not (path.is_file() and path.read_bytes() == content):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def _run(command: list[str], environment: dict[str, str], log: Path, tell: Callable[[str], None]) -> None:
    """Runs a command of the build; its output goes into the log, and each tenth of its progress is reported."""
    last: deque[str] = deque(maxlen=LAST_LINES)
    told = 0
    with log.open("a", encoding="utf-8") as file, \
            subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, errors="replace") as child:
        for line in child.stdout:
            file.write(line)
            last.append(line.rstrip())
            done = re.match(r"\[ *(\d+)%\]", line)
            if done and int(done.group(1)) >= told + 10:
                told = int(done.group(1)) // 10 * 10
                tell(f"  {told} %")
    if child.returncode:
        wrong = next((line for line in last if "rror" in line or "overflowed" in line), last[-1] if last else "")
        wrong = wrong.strip().rstrip(".")
        raise GridglowError(f"The build failed at {command[0]} ({wrong}); see {log} for its output.")


@contextlib.contextmanager
def _alone(cache: Path, tell: Callable[[str], None]) -> Iterator[None]:
    """Lets only one build at a time run in a cache: others wait."""
    import fcntl

    with (cache / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            tell("Waiting for another build to end ...")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    new.write_bytes(data)
    os.replace(new, path)
