"""The modules of a folder as one file on a Pico, NAME.code: ``firmware/code_files.py`` has its form and has them imported.

A file takes at least a block of 4,096 bytes of the flash, and most modules are much shorter.
"""

from __future__ import annotations

from collections.abc import Mapping

from shared_rules.errors import GridglowError

#: Where a board has its modules, see firmware/boot.py.
PLACE = "/c/"
END = ".code"
MODULE = ".mpy"


def grouped(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The same files with the modules of each folder in one; those in the root stay as they are."""
    folders: dict[str, dict[str, bytes]] = {}
    made = {}
    for name, content in files.items():
        folder, _, last = name.rpartition("/")
        if folder and name.endswith(MODULE):
            folders.setdefault(folder, {})[last.removesuffix(MODULE)] = content
        else:
            made[name] = content
    for folder, modules in folders.items():
        name = file_of(folder)
        if name in made or any(name == file_of(f"{other}/{module}") for other in folders for module in folders[other]):
            raise GridglowError(f"The board can't tell the folder {folder} from another folder or module of its name; "
                                "rename one of them.")
        if "__init__" not in modules:
            raise GridglowError(f"The folder {folder} has no __init__.py, which the board imports it by; add an empty one.")
        made[name] = _joined(modules)
    return made


def file_of(folder: str) -> str:
    """The name of the file with a folder's modules."""
    return folder.rpartition("/")[2] + END


def path_of(name: str) -> str:
    """Where a board's `import` finds a module of this name: the board keeps that text of each one anyway. Short it is, as
    each folder says of itself that it lies at the top (``path_line``): that saves a race half a kilobyte."""
    *folders, last = name.split("/")
    kept = folders[-2:] if last.startswith("__init__.") else folders[-1:]
    return PLACE + "/".join([*kept, last]) if folders else last


def path_line(name: str) -> bytes:
    """What is added to a module: that of a folder says where the others of that are."""
    folder, _, last = name.rpartition("/")
    return f'\n__path__ = "{PLACE}{folder.rpartition("/")[2]}"\n'.encode() if folder and last == "__init__.py" else b""


def modules_of(content: bytes) -> dict[str, bytes]:
    """The modules in such a file by their names, each with what follows it in the file cut off."""
    size = int(content[:4])
    rows = [line.split() for line in content[4:4 + size].decode("ascii").splitlines() if line]
    places = [int(place) for _, place in rows] + [len(content)]
    return {row[0]: content[begin:end] for row, begin, end in zip(rows, places, places[1:])}


def _joined(modules: Mapping[str, bytes]) -> bytes:
    """The file with these modules, by their names."""
    names = sorted(modules)
    size = sum(len(name) for name in names) + 8 * len(names) + 1
    index, at = b"\n", 4 + size
    for name in names:
        index += b"%b %06d\n" % (name.encode("ascii"), at)
        at += len(modules[name])
    return b"%04d" % size + index + b"".join(modules[name] for name in names)


__all__ = ["END", "MODULE", "PLACE", "file_of", "grouped", "modules_of", "path_line", "path_of"]
