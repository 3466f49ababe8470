"""Modules of a board's owner in the place of frozen ones: `code/glow/board/idle.mpy` is put in for `glow.board.idle`.

`code/for.txt` says which program they were made for, by its id; for another one they are left out. Each is put in singly:
a folder before the frozen one would hide its whole package. So `__import__` is ours while they are imported, all of them at
the start: it has the one module looked for in the folder, all others where they are frozen. One that raises is left out for
the frozen one.
"""

import builtins
import os
import sys

from hal.data_files import frozen

FOLDER = "code"
FROZEN = ".frozen/"
#: These have run before anything can be put in.
TOO_LATE = ("_boot", "boot", "main", "frozen_data", "hal", "hal.changed", "hal.file_system", "hal.data_files")
REASON_LETTERS = 60

#: The modules that are put in, by their names, and those that are left out: [name, why].
names = []
left_out = []
_import = builtins.__import__
#: Where the modules of a package are looked for, while one is being loaded from the folder.
_homes = {}


def put_in(frozen_id):
    """Puts in what lies in the folder, and imports each once, so that one that raises is known at once."""
    found = sorted(_modules(FOLDER, ""))
    if not found:
        return
    wanted = _made_for()
    for name in found:
        if wanted != frozen_id:
            left_out.append([name, "made for another program"])
        elif name in TOO_LATE:
            left_out.append([name, "runs before it could be put in"])
        else:
            names.append(name)
    if not names:
        return
    builtins.__import__ = _find
    for name in list(names):
        try:
            _find(name)
        except Exception as error:                 # nothing is frozen of that name, or it is too large
            _leave_out(name, error)
    builtins.__import__ = _import


def _modules(folder, package):
    """The names of the modules in a folder and below; a package is named by its __init__."""
    try:
        entries = list(os.ilistdir(folder))
    except OSError:
        return
    for entry in entries:
        name = entry[0]
        if entry[1] & 0x4000:
            for one in _modules(folder + "/" + name, package + name + "."):
                yield one
        elif name == "__init__.mpy":
            yield package[:-1]
        elif name[-4:] == ".mpy":
            yield package + name[:-4]


def _made_for():
    try:
        with open(FOLDER + "/for.txt") as file:
            return file.read(16).strip()
    except (OSError, ValueError):
        return ""


def _find(name, *more):
    """`__import__` for that while: (name, globals, locals, fromlist, level)."""
    if name not in sys.modules and not (len(more) > 3 and more[3]):
        at = name.find(".")
        while at > 0:
            _load(name[:at])
            at = name.find(".", at + 1)
        _load(name)
    return _import(name, *more)


def _load(name):
    """Loads one module whose package is loaded: from the folder where it is put in, else from where it was all the time."""
    if name in sys.modules:
        return
    package = name.rpartition(".")[0]
    if name in names and _from_folder(package, name):
        return
    home = _homes.get(package)
    here = _point(package, home) if home else None
    try:
        _import(name)
    finally:
        if here:
            _point(package, here)


def _from_folder(package, name):
    """Loads a module from the folder; False where it raises: then it is left out from now on."""
    here = _point(package, FOLDER + "/" + package.replace(".", "/") if package else [FOLDER])
    first = package not in _homes
    if first:
        _homes[package] = here
    if _is_frozen_package(name):
        _homes[name] = FROZEN + name.replace(".", "/")
    try:
        _import(name)
        if name in _homes:                         # what it has besides is where it was all the time
            sys.modules[name].__path__ = _homes[name]
        return True
    except MemoryError:                            # that says nothing of the module
        raise
    except Exception as error:
        _leave_out(name, error)
        return False
    finally:
        _homes.pop(name, None)
        _point(package, here)
        if first:
            del _homes[package]


def _leave_out(name, error):
    if name in names:
        names.remove(name)
        left_out.append([name, (type(error).__name__ + ": " + str(error))[:REASON_LETTERS]])
    sys.modules.pop(name, None)


def _point(package, path):
    """Has the modules of a package ("": those of none) looked for elsewhere; returns where they were."""
    if not package:
        here = list(sys.path)
        sys.path[:] = path
        return here
    package = sys.modules[package]
    here = package.__path__
    package.__path__ = path
    return here


def _is_frozen_package(name):
    listed = frozen("modules.txt") or b""
    return (" " + name.replace(".", "/") + "/__init__.py\n").encode() in listed
