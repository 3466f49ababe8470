"""What the firmware's build needs on this computer, and what to do if some of it is missing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from shared_rules.errors import GridglowError

COMPILER = "arm-none-eabi-gcc"
SYMBOLS = "arm-none-eabi-nm"
#: What to look for, and its Debian or Ubuntu package: programs, and files of the compiler.
PROGRAMS = (("cmake", "cmake"), ("make", "make"), ("gcc", "gcc"), ("g++", "g++"), (COMPILER, "gcc-arm-none-eabi"))
LIBRARIES = (("nosys.specs", "libnewlib-arm-none-eabi"), ("libstdc++.a", "libstdc++-arm-none-eabi-newlib"))
ON_MAC = "xcode-select --install, then brew install cmake, then brew install --cask gcc-arm-embedded"


def check(platform: str = sys.platform) -> None:
    """Raises GridglowError with everything that is missing, and what to do; on Windows always."""
    if platform == "win32":
        raise GridglowError("The firmware can't be built on Windows itself; run the same command in WSL (wsl --install "
                            "sets it up), which then says what it lacks.")
    lacks = missing()
    if not lacks:
        return
    listed = ", ".join(lacks)
    if platform == "darwin":
        raise GridglowError(f"The firmware's build needs {listed}; run {ON_MAC}.")
    raise GridglowError(f"The firmware's build needs {listed}; on Debian or Ubuntu run: sudo apt-get install "
                        f"{' '.join(dict.fromkeys(packages(lacks)))}")


def missing() -> list[str]:
    """The names of programs and libraries that this computer lacks."""
    lacks = [name for name, _ in PROGRAMS if shutil.which(name) is None]
    if COMPILER not in lacks:
        lacks += [name for name, _ in LIBRARIES if not _has_file(name)]
    else:
        lacks += [name for name, _ in LIBRARIES]
    return lacks


def packages(lacks: list[str]) -> list[str]:
    """The Debian packages that contain these."""
    return [package for name, package in PROGRAMS + LIBRARIES if name in lacks]


def compiler_version() -> str:
    """The compiler's version in one line."""
    return subprocess.run([COMPILER, "--version"], capture_output=True, text=True, check=False).stdout.split("\n")[0]


def functions(program: Path) -> dict[str, int]:
    """The names and addresses of the functions in a linked program."""
    done = subprocess.run([SYMBOLS, str(program)], capture_output=True, text=True, check=True)
    rows = (line.split() for line in done.stdout.splitlines())
    return {row[2]: int(row[0], 16) for row in rows if len(row) == 3 and row[1] in "tT"}


def _has_file(name: str) -> bool:
    """Whether the compiler finds one of its files: then it prints the whole path, else the bare name."""
    done = subprocess.run([COMPILER, f"-print-file-name={name}"], capture_output=True, text=True, check=False)
    return Path(done.stdout.strip()).is_absolute()
