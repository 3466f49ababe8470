"""The games that have a folder here, for programs that run from folders. A board has no folders to search: the build makes
its list, and this module is left out."""

import os  # subset: ok only the host has this module

#: The menu place of a game that names none.
LAST = 100


def found():
    """Ids in menu order: by ``MENU`` of each ``About``, then by id."""
    here = __file__.replace("\\", "/").rsplit("/", 1)[0]
    rows = []
    for name in os.listdir(here):
        try:
            inside = os.listdir(here + "/" + name)
        except OSError:
            continue                # a module beside the folders
        if "about.py" in inside or "about.mpy" in inside:
            about = __import__("shared_rules.games." + name + ".about", None, None, ("About",)).About
            rows.append((getattr(about, "MENU", 0) or LAST, name))
    rows.sort()
    return tuple([name for _, name in rows])
