"""Code that comes and goes: a board has no room for all of it at once."""

import gc
import sys


def pack_heap(on):
    """Has the heap tidied whenever so many bytes were taken: nothing is ever moved in it, and what stays must lie close
    together. While code is loaded that is more often; each time takes a Pico some 20 ms."""
    if hasattr(gc, "threshold"):
        gc.threshold(8192 if on else 12288)


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
    """Calls a function of one of glow's modules, whose code is in the heap for that only."""
    module = "glow." + module
    try:
        return getattr(__import__(module, None, None, (name,)), name)(*args)
    finally:
        forget(module)


def forget_seldom():
    """Drops the modules that say why something isn't allowed, and those of the rules that a race needs once: their names
    end in "_why" and "_once"."""
    for name in list(sys.modules):
        if name[-4:] == "_why" or name[-5:] == "_once":
            forget(name)
