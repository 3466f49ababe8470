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
#: [a race runs, there is room, names of modules that the race has kept, tidyings until room is looked for, the whole heap].
_kept = [False, False, [], 0, 0]


def pack_heap(on):
    """Has the heap tidied whenever so many bytes were taken: nothing is ever moved in it, and what stays must lie close
    together. While code is loaded that is more often; each time takes a Pico some 20 ms."""
    if hasattr(gc, "threshold"):
        gc.threshold(8192 if on else RACE_BYTES if _kept[1] else 12288)


def race_runs(on):
    """Says whether a race runs (or begins), for which code stays; with its end that goes."""
    if on != _kept[0]:
        _kept[0] = on
        _kept[1] = False
        _kept[3] = 0
        drop_kept()


def tidy():
    """Tidies the heap and looks how much room there is; without it what the race keeps goes."""
    if not hasattr(gc, "mem_free"):                # CPython needs none of this
        _kept[1] = _kept[0]
        return
    gc.collect()
    _kept[3] -= 1
    if not _kept[0] or _kept[3] > 0:
        return
    _kept[3] = LOOK_EVERY
    if not _kept[4]:
        _kept[4] = gc.mem_free() + gc.mem_alloc()
    room = 100 * gc.mem_free() > (LEAST_PERCENT if _kept[1] else ROOM_PERCENT) * _kept[4]
    if room != _kept[1]:
        _kept[1] = room
        pack_heap(False)
        if not room:
            drop_kept()
            gc.collect()


def drop_kept():
    """Drops what a race has kept."""
    while _kept[2]:
        forget(_kept[2].pop())


def has_room():
    """Whether a race runs that needn't be sparing with memory."""
    return _kept[1]


def keeps(name):
    """Whether a module stays for the rest of the race; the race remembers to drop it then."""
    if not _kept[1]:
        return False
    if name in sys.modules and name not in _kept[2]:
        _kept[2].append(name)
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


def forget_seldom():
    """Drops the modules that say why something isn't allowed, and those of the rules that a race needs once: their names
    end in "_why" and "_once"."""
    for name in list(sys.modules):
        if (name[-4:] == "_why" or name[-5:] == "_once") and not keeps(name):
            forget(name)
