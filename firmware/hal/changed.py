"""The owner's modules in place of frozen ones: `code/glow/board/idle.mpy` replaces `glow.board.idle`.

`code/for.txt` holds the id of the firmware they were made for; with any other they are left out.
Each is replaced singly: a folder ahead of the frozen one would hide its whole package. So
`__import__` is ours while they are imported, all at the start: it looks for those modules in the
folder, and for all others among the frozen ones. If one raises, the frozen one is used instead.
"""

import builtins
import os
import sys

from hal.data_files import frozen

FOLDER = "code"
FROZEN = ".frozen/"
#: These have run before anything can be replaced.
TOO_LATE = ("_boot", "boot", "main", "frozen_data", "hal", "hal.changed", "hal.file_system", "hal.data_files")
REASON_LETTERS = 60

#: The names of the replaced modules, and of those left out: [name, why].
names = []
left_out = []
_import = builtins.__import__
#: Where a package's modules are looked for while one is being loaded from the folder.
_homes = {}


def put_in(frozen_id):
    """Replaces modules by those in the folder, and imports each once, so that one that raises is known at once."""
    found = sorted(_modules(FOLDER, ""))
    if not found:
        return
    wanted = _made_for()
    for name in found:
        if wanted != frozen_id:
            left_out.append([name, "made for another program"])
        elif name in TOO_LATE:
            left_out.append([name, "runs too early to be replaced"])
        else:
            names.append(name)
    if not names:
        return
    builtins.__import__ = _find
    for name in list(names):
        try:
            _find(name)
        except Exception as error:                 # there is no frozen module of that name, or it is too large
            _leave_out(name, error)
    builtins.__import__ = _import


def _modules(folder, package):
    """The names of the modules in a folder and below; a package has its __init__ for a name."""
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
    """`__import__` during that time: (name, globals, locals, fromlist, level)."""
    if name not in sys.modules and not (len(more) > 3 and more[3]):
        at = name.find(".")
        while at > 0:
            _load(name[:at])
            at = name.find(".", at + 1)
        _load(name)
    return _import(name, *more)


def _load(name):
    """Loads one module whose package is loaded: from the folder if it is replaced, else from its old place."""
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
    """Loads a module from the folder; False if it raises: then it is left out from now on."""
    here = _point(package, FOLDER + "/" + package.replace(".", "/") if package else [FOLDER])
    first = package not in _homes
    if first:
        _homes[package] = here
    if _is_frozen_package(name):
        _homes[name] = FROZEN + name.replace(".", "/")
    try:
        _import(name)
        if name in _homes:                         # its other modules are in their old place
            sys.modules[name].__path__ = _homes[name]
        return True
    except MemoryError:                            # which says nothing about the module
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
    """Redirects where a package's modules are looked for ("": modules in no package); returns the old place."""
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
