"""What can be made anew is kept in the user's cache, under a hash of all that went into it.

Commands may run side by side: each writes a file of its own and renames it, so that none ever reads half of one. A file
that was cut or changed tells so by its hash, and is made anew. A cache that can't be read or written, or that nobody could
say a place for, costs time and nothing else.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import secrets
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from gridglow import paths

#: Files of a kind; when there are more, those that were not used for longest go.
FILES_MOST = 4000
HASH_BYTES = 32


def key_of(*parts: bytes | str) -> str:
    """The hash under which what is made of these inputs is kept. Each part counts by itself: ab, c is not a, bc."""
    found = hashlib.sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        found.update(b"%d:" % len(content) + content)
    return found.hexdigest()


@lru_cache(maxsize=8)
def code_of(*modules: str) -> str:
    """The hash of the sources of these modules; of a package all that lies in its folder. Code that makes what is kept is an
    input like any other."""
    sources: list[bytes | str] = []
    for name in modules:
        spec = importlib.util.find_spec(name)
        assert spec is not None and spec.origin is not None, f"there is no module {name}"
        files = sorted(Path(spec.origin).parent.glob("*.py")) if spec.submodule_search_locations else [Path(spec.origin)]
        for file in files:
            sources += [name, file.name, file.read_bytes()]
    return key_of(*sources)


def kept(kind: str, key: str, make: Callable[[], bytes]) -> bytes:
    """What is kept of this kind under this key; made now, and kept from then on, where it isn't there. ``kind`` is a folder
    of the cache. Raises what ``make`` raises."""
    try:
        path = paths.cache_folder() / kind / key
    except paths.NoHome:
        return make()
    content = _read(path)
    if content is None:
        content = make()
        with contextlib.suppress(OSError):
            _write(path, content)
    return content


def _read(path: Path) -> bytes | None:
    """The content of a kept file; None where it isn't there or isn't whole."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    content = data[HASH_BYTES:]
    if data[:HASH_BYTES] != _hash(path, content):
        return None
    with contextlib.suppress(OSError):  # a cache that may only be read
        os.utime(path)
    return content


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{secrets.token_hex(6)}.new")
    try:
        new.write_bytes(_hash(path, content) + content)
        os.replace(new, path)
    except BaseException:
        with contextlib.suppress(OSError):
            new.unlink()
        raise
    _prune(path.parent)


def _hash(path: Path, content: bytes) -> bytes:
    """The first bytes of a kept file. Its name is in them: a file under another's name isn't whole either."""
    return hashlib.sha256(path.name.encode() + content).digest()


def _prune(folder: Path) -> None:
    """Drop what was not used for longest, where there is too much; another command may do so at the same time."""
    files = list(folder.iterdir())
    if len(files) <= FILES_MOST:
        return
    used = {}
    for file in files:
        with contextlib.suppress(FileNotFoundError):
            used[file] = file.stat().st_mtime_ns
    for old in sorted(used, key=lambda file: (used[file], file))[: len(files) - FILES_MOST // 2]:
        old.unlink(missing_ok=True)
