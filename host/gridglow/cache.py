"""A cache for everything that can be rebuilt, stored in the user's cache folder under a hash of all its inputs.

Commands may run side by side: each writes its own file and renames it, so that none ever reads half of one. A damaged
file is detected by its hash and rebuilt. A cache that can't be read or written, or has no place, costs time and nothing
else.
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

#: Files per kind; when there are more, the least recently used ones are deleted.
FILES_MOST = 4000
HASH_BYTES = 32


def key_of(*parts: bytes | str) -> str:
    """The key for whatever is made from these inputs. Each part counts separately: (ab, c) differs from (a, bc)."""
    found = hashlib.sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        found.update(b"%d:" % len(content) + content)
    return found.hexdigest()


@lru_cache(maxsize=8)
def code_of(*modules: str) -> str:
    """The hash of the sources of these modules; for a package, of all files in its folder. The code that makes a cached file
    is an input like any other."""
    sources: list[bytes | str] = []
    for name in modules:
        spec = importlib.util.find_spec(name)
        assert spec is not None and spec.origin is not None, f"there is no module {name}"
        files = sorted(Path(spec.origin).parent.glob("*.py")) if spec.submodule_search_locations else [Path(spec.origin)]
        for file in files:
            sources += [name, file.name, file.read_bytes()]
    return key_of(*sources)


def kept(kind: str, key: str, make: Callable[[], bytes]) -> bytes:
    """The cached content of this kind and key; if it's missing, makes it and caches it. ``kind`` is a folder
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
    """The content of a cached file; None if it's missing or damaged."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    content = data[HASH_BYTES:]
    if data[:HASH_BYTES] != _hash(path, content):
        return None
    with contextlib.suppress(OSError):  # a read-only cache
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
    """The first bytes of a cached file. They include its name: a file under another name counts as damaged, too."""
    return hashlib.sha256(path.name.encode() + content).digest()


def _prune(folder: Path) -> None:
    """Deletes the least recently used files if there are too many; other commands may do so at the same time."""
    files = list(folder.iterdir())
    if len(files) <= FILES_MOST:
        return
    used = {}
    for file in files:
        with contextlib.suppress(FileNotFoundError):
            used[file] = file.stat().st_mtime_ns
    for old in sorted(used, key=lambda file: (used[file], file))[: len(files) - FILES_MOST // 2]:
        old.unlink(missing_ok=True)
