"""The file system in a board's flash: 768 KiB of littlefs at its end.

MicroPython's own `_boot.py` formats anything it can't mount. Here only erased flash is formatted; other contents
stay untouched until somebody decides otherwise, and the board races from what is frozen into its firmware.
"""

#: littlefs programs this many bytes at a time; a board's flash needs that.
PROG_BYTES = 256
#: Written into the last block before a format, so that a format cut short by a power loss is completed later.
BEGUN = b"Gridglow formats this flash."
_COUNT, _SIZE, _ERASE = 4, 5, 6

#: "ok": mounted. "foreign": the flash holds something that can't be mounted. "none": it can't be written.
state = "none"


def mount():
    """Mounts the file system at "/", making one if the flash is erased. Returns the state."""
    global state
    import rp2
    flash = rp2.Flash()
    state = _mounted(flash)
    if state != "ok" and _is_erased(flash):
        _make(flash)
        state = _mounted(flash)
        if state != "ok":
            state = "none"
    return state


def make_file_system():
    """Makes a new file system and mounts it: everything on the flash is lost. Only with somebody's consent:
    the host tool calls this at the prompt, boot.py when MENU and UNDO are held. Returns the state."""
    global state
    import rp2
    import vfs
    try:
        vfs.umount("/")
    except OSError:                                # nothing was mounted
        pass
    flash = rp2.Flash()
    _make(flash)
    state = _mounted(flash)
    return state


def _mounted(flash):
    import vfs
    try:
        vfs.mount(vfs.VfsLfs2(flash, progsize=PROG_BYTES), "/")
    except OSError:
        return "foreign"
    return "ok"


def _make(flash):
    import vfs
    last = flash.ioctl(_COUNT, 0) - 1
    mark = bytearray(b"\xff" * flash.ioctl(_SIZE, 0))
    mark[:len(BEGUN)] = BEGUN
    try:
        flash.writeblocks(last, mark)
        vfs.VfsLfs2.mkfs(flash, progsize=PROG_BYTES)
        flash.ioctl(_ERASE, last)
    except OSError:                                # whoever mounts it will notice
        pass


def _is_erased(flash):
    """Whether the flash holds nothing, or only an unfinished format, which writes no more than the first two blocks."""
    count = flash.ioctl(_COUNT, 0)
    part = bytearray(flash.ioctl(_SIZE, 0))
    erased = b"\xff" * len(part)
    flash.readblocks(count - 1, part)
    begun = part[:len(BEGUN)] == BEGUN
    for block in range(2 if begun else 0, count - 1 if begun else count):
        flash.readblocks(block, part)
        if part != erased:
            return False
    return True
