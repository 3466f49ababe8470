"""Code that comes and goes: a board has no room for all of it at once.

Loading takes a Pico some 25 ms a module, and what is pressed meanwhile waits for its light. So while a race runs, what
was loaded for one call stays, as long as there is room; it goes when the race ends, or when memory is short.
"""

import gc
import sys

#: So much of the heap (in percent) must be free after a tidying for a race to keep code that it could load again …
ROOM_PERCENT = 32
#: … and so much for it to go on keeping it.
LEAST_PERCENT = 31
#: A race's heap is tidied where nobody waits for it (`tidy`), and else when so many bytes were taken since.
RACE_BYTES = 32768
#: To look how much is free takes a Pico 7 ms: it is done once in so many tidyings.
LOOK_EVERY = 8

#: What a board needs of the rules while no race runs.
IDLE = ("chance", "errors", "games", "link_lines", "link_read", "notation")
#: Modules of a race that most of the rules can do without while an answer is worked out.
AGAIN = ("link_race", "prompts_cards")


class _Kept:
    """What a race keeps loaded."""

    race_runs = False
    has_room = False
    tidyings = 0  # until room is looked for again
    heap_bytes = 0  # in all, once known

    def __init__(self):
        self.names = []


_kept = _Kept()


def pack_heap(on, brief=False):
    """Has the heap tidied whenever so many bytes were taken: nothing is ever moved in it, and what stays must lie close
    together. While code is loaded that is more often, in work of which nothing stays (``brief``) more seldom: each time
    takes a Pico some 25 ms."""
    if hasattr(gc, "threshold"):
        most = 8192 if on else RACE_BYTES if _kept.has_room else 12288
        if brief:                                  # a third of what is free, as what stays may come to lie behind it
            most = max(most, min(RACE_BYTES, gc.mem_free() // 3))
        gc.threshold(most)


def race_runs(on):
    """Says whether a race runs (or begins), for which code stays; with its end that goes."""
    if on != _kept.race_runs:
        _kept.race_runs = on
        _kept.has_room = False
        _kept.tidyings = 0
        drop_kept()


def tidy():
    """Tidies the heap and looks how much room there is; without it what the race keeps goes."""
    if not hasattr(gc, "mem_free"):                # CPython needs none of this
        _kept.has_room = _kept.race_runs
        return
    gc.collect()
    _kept.tidyings -= 1
    if not _kept.race_runs or _kept.tidyings > 0:
        return
    _kept.tidyings = LOOK_EVERY
    if not _kept.heap_bytes:
        _kept.heap_bytes = gc.mem_free() + gc.mem_alloc()
    room = 100 * gc.mem_free() > (LEAST_PERCENT if _kept.has_room else ROOM_PERCENT) * _kept.heap_bytes
    if room != _kept.has_room:
        _kept.has_room = room
        pack_heap(False)
        if not room:
            drop_kept()
            gc.collect()


def drop_kept():
    """Drops what a race has kept."""
    while _kept.names:
        forget(_kept.names.pop())


def has_room():
    """Whether a race runs that needn't be sparing with memory."""
    return _kept.has_room


def keeps(name):
    """Whether a module stays for the rest of the race; the race remembers to drop it then."""
    if not _kept.has_room:
        return False
    if name in sys.modules and name not in _kept.names:
        _kept.names.append(name)
    return True


def forget(name):
    """Drops a module that isn't needed for now, so that its memory comes back."""
    if name in sys.modules:
        del sys.modules[name]
    package, short = name.rsplit(".", 1)
    parent = sys.modules.get(package)
    if parent and hasattr(parent, short):
        try:
            delattr(parent, short)
        except (AttributeError, TypeError):
            pass


def once(module, name, *args):
    """Calls a function of one of glow's modules, whose code is in the heap for that only (see `keeps`)."""
    module = "glow." + module
    try:
        return getattr(__import__(module, None, None, (name,)), name)(*args)
    finally:
        if not keeps(module):
            forget(module)


def forget_seldom(more=False):
    """Drops the modules that say why something isn't allowed, and those of the rules that a race needs once: their names
    end in "_why" and "_once". ``more``: and what the next question is going to load again."""
    for name in list(sys.modules):
        if (name[-4:] == "_why" or name[-5:] == "_once" or more and name.rsplit(".", 1)[-1] in AGAIN) and not keeps(name):
            forget(name)


def forget_table():
    """Drops the code of the table, which only a race needs."""
    for module in list(sys.modules):
        if module == "glow.link_race" or module[:10] == "glow.table" and module != "glow.table_say":
            forget(module)


def forget_games(name=""):
    """Drops the code of all games, but for the one of this name; with none that of races and of the table goes too."""
    for module in list(sys.modules):
        if module[:19] == "shared_rules.games.":
            if module[19:].split(".")[0] != name:
                forget(module)
        elif not name and module[:13] == "shared_rules." and module[13:] not in IDLE and hasattr(gc, "mem_free"):
            forget(module)                         # CPython needs none of this, and a test beside it has them, too
    if not name:
        forget_table()
