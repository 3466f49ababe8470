"""The firmware's sources: MicroPython with what its port for the Pico needs, and picotool, which makes the UF2.

They are fetched by git into the user's cache, at the commits pinned here; or taken from a folder with two archives
(`micropython-1.28.0.tar.xz`, `picotool-2.2.0.tar.xz`) or two folders (`micropython`, `picotool`).
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gridglow.firmware.frozen import MICROPYTHON
from shared_rules.errors import GridglowError

PICOTOOL = "2.2.0"
#: What to fetch, and where it goes: (folder, repository, commit). MicroPython's own submodules go below it.
PINNED = (
    ("micropython", "https://github.com/micropython/micropython", "e0e9fbb17ed6fd06bb76e266ae554784c9c80804"),
    ("micropython/lib/pico-sdk", "https://github.com/raspberrypi/pico-sdk", "a1438dff1d38bd9c65dbd693f0e5db4b9ae91779"),
    ("micropython/lib/tinyusb", "https://github.com/hathach/tinyusb", "aa0fc2e08f1c2dd6f026a431e8989357fbb4c5bf"),
    ("micropython/lib/mbedtls", "https://github.com/ARMmbed/mbedtls", "107ea89daaefb9867ea9121002fbbdf926780e98"),
    ("micropython/lib/micropython-lib", "https://github.com/micropython/micropython-lib",
     "8380c7bb8f9e5e5260e9539156742925e00366b2"),
    ("picotool", "https://github.com/raspberrypi/picotool", "a7eb3988f0645239185fadb4e25d8279478c2dbb"),
)
ARCHIVES = {"micropython": f"micropython-{MICROPYTHON}.tar.xz", "picotool": f"picotool-{PICOTOOL}.tar.xz"}
#: A file that identifies a folder.
TOLD_BY = {"micropython": "ports/rp2/CMakeLists.txt", "picotool": "picoboot_connection/picoboot_connection.c"}
#: Marks a complete folder.
READY = "ready"


@dataclass(frozen=True)
class Sources:
    """The folder of the unpacked sources, and ``id``: different for different sources."""

    micropython: Path
    picotool: Path
    id: str


def find(given: Path | None, cache: Path, tell: Callable[[str], None]) -> Sources:
    """The sources from a folder, or by git if none is given; unpacked below ``cache`` once. Raises GridglowError with one
    sentence if they aren't available."""
    return _given(Path(given), cache, tell) if given is not None else _fetched(cache, tell)


def _given(folder: Path, cache: Path, tell: Callable[[str], None]) -> Sources:
    folder = folder.expanduser().resolve()
    if all((folder / name / TOLD_BY[name]).is_file() for name in ARCHIVES):
        return _sources(folder, "folder-" + hashlib.sha256(str(folder).encode()).hexdigest()[:12])
    missing = [name for name in ARCHIVES.values() if not (folder / name).is_file()]
    if missing:
        what = "" if folder.is_dir() else ", as there is no such folder"
        raise GridglowError(f"The sources in {folder} lack {' and '.join(missing)}{what}; name the folder that holds them, "
                            "or leave out --sources to fetch them by git.")
    digest = hashlib.sha256()
    for name in ARCHIVES.values():
        digest.update((folder / name).read_bytes())
    key = digest.hexdigest()[:12]
    target = cache / f"sources-{key}"
    if not (target / READY).is_file():
        shutil.rmtree(target, ignore_errors=True)
        for name, archive in ARCHIVES.items():
            tell(f"Unpacking {archive} ...")
            _unpack(folder / archive, target / name)
            if not (target / name / TOLD_BY[name]).is_file():
                raise GridglowError(f"The archive {folder / archive} lacks {TOLD_BY[name]}: expected the sources of {name}; "
                                    "use another archive.")
        (target / READY).touch()
    return _sources(target, key)


def _unpack(archive: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    try:
        with tarfile.open(archive) as tar:
            tar.extractall(target, filter="data")
    except (OSError, tarfile.TarError, EOFError) as error:
        raise GridglowError(f"The archive {archive} can't be unpacked ({error}); download it again.") from None


def _fetched(cache: Path, tell: Callable[[str], None]) -> Sources:
    key = hashlib.sha256(repr(PINNED).encode()).hexdigest()[:12]
    target = cache / f"sources-{key}"
    if not (target / READY).is_file():
        for folder, repository, commit in PINNED:
            tell(f"Fetching {repository} at {commit[:12]} ...")
            _fetch(target / folder, repository, commit)
        (target / READY).touch()
    return _sources(target, key)


def _fetch(folder: Path, repository: str, commit: str) -> None:
    """Fetches a commit without its history; what is already there stays."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / ".git").is_dir():
        _git(repository, "init", "--quiet", str(folder))
    _git(repository, "-C", str(folder), "fetch", "--quiet", "--depth", "1", repository, commit)
    _git(repository, "-C", str(folder), "checkout", "--quiet", "--force", "FETCH_HEAD")


def _git(repository: str, *words: str) -> None:
    try:
        done = subprocess.run(["git", *words], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                              env={**os.environ, "GIT_TERMINAL_PROMPT": "0"})
    except OSError:
        raise GridglowError("git, which fetches the sources, is missing; install it, or name a folder with the sources with "
                            "--sources.") from None
    if done.returncode:
        said = (done.stderr.strip().splitlines() or [f"it ended with code {done.returncode}"])[-1]
        raise GridglowError(f"git couldn't fetch {repository} ({said.rstrip('.')}); check your connection and run the "
                            "command again, or name a folder with the sources with --sources.")


def _sources(folder: Path, key: str) -> Sources:
    return Sources(folder / "micropython", folder / "picotool", key)
