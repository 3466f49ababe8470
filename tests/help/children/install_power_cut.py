"""Cuts the power at every block write of an installation, on MicroPython's own littlefs in memory. Runs there only.

Two runs are cut: copying a set into new/ (as the host tool does, up to new/ready) and `install.apply`. After each cut
the flash is mounted again and the board started: `apply` runs again. The board must then hold the old set or the new
one, complete, and the saves unchanged. Once new/ready was there, it must be the new one. Prints a JSON line of counts.

    install_power_cut.py single      the set as single files in new/, as they come over the link
    install_power_cut.py archive     the set as one file, as it comes over the raw REPL
"""

import binascii
import json
import os
import sys

import vfs
from flash_device import Flash, cuts

import install

BLOCKS = 56
OLD = {
    "board.json": b"old board", "safe_pin.txt": b"22", "gone.txt": b"root, old only",
    "code/glow/app.mpy": b"old app" * 300, "code/glow/left.mpy": b"old only", "code/hal/pico.mpy": b"stays" * 200,
    "code/shared_rules/games/old_game/rules.mpy": b"old game", "text/en.pack": b"old text" * 700,
}
NEW = {
    "board.json": b"new board!", "safe_pin.txt": b"2", "more.txt": b"root, new only",
    "code/glow/app.mpy": b"new app" * 900, "code/glow/added.mpy": b"new only", "code/hal/pico.mpy": b"stays" * 200,
    "code/shared_rules/games/new_game/rules.mpy": b"new game" * 100, "text/en.pack": b"new text" * 700,
    "tracks/one.pack": b"track",
}
SAVES = {"save/race.log": b"my race" * 90, "save/settings": b"[]", "mine.txt": b"not ours", "save/x/glow": b"deep"}
TWINS = {"code/glow/app.py": b"a twin", "tracks/stray.pack": b"listed nowhere"}
PACKED = sys.argv[1:] == ["archive"]


class Heap:
    """This heap is large enough for a whole start, and slow to tidy."""

    def collect(self):
        pass


install.gc = Heap()


def write(name, data, root="/board/"):
    install.make_folders(root + name)
    with open(root + name, "wb") as file:
        file.write(data)


def manifest(files):
    lines = ["gridglow manifest 1"]
    for name in sorted(files):
        lines.append("%08x %d %s" % (binascii.crc32(files[name]), len(files[name]), name))
    return ("\n".join(lines) + "\n").encode()


def stage():
    """What the host tool does before the set is ready."""
    changed = [name for name in sorted(NEW) if OLD.get(name) != NEW[name]]
    text = manifest(NEW)
    mark = "%08x" % binascii.crc32(text)
    if PACKED:
        data = pack(changed)
        write("new/set", data)
        mark += " %08x" % binascii.crc32(data)
    else:
        for name in changed:
            write("new/" + name, NEW[name])
    write("new/manifest.txt", text)
    write("new/ready.new", mark.encode())
    os.rename("/board/new/ready.new", "/board/new/ready")


def pack(names):
    """The archive of these files, as the host's archive.py makes it, but in uncompressed deflate blocks."""
    body = b"".join([("%08x %d %s\n" % (binascii.crc32(NEW[name]), len(NEW[name]), name)).encode() + NEW[name]
                     for name in names])
    out = b"gridglow set 1 deflate 10\n"
    for at in range(0, len(body), 3000):
        part = body[at : at + 3000]
        last = at + 3000 >= len(body)
        out += bytes([last]) + len(part).to_bytes(2, "little") + (65535 - len(part)).to_bytes(2, "little") + part
    return out


def found(root="/board"):
    """All files, as {name: content}."""
    out = {}
    for name in os.listdir(root):
        path = root + "/" + name
        if os.stat(path)[0] & 0x4000:
            out.update(found(path))
        else:
            with open(path, "rb") as file:
                out[path[len("/board/"):]] = file.read()
    return out


def expect(files):
    out = dict(files)
    out.update(SAVES)
    out["manifest.txt"] = manifest(files)
    return out


def which():
    """"old" or "new": what is on the board, ignoring leftovers in new/ (harmless while it isn't ready)."""
    now = found()
    now = {name: now[name] for name in now if not name.startswith("new/")}
    for name in TWINS:
        if expect(NEW) != now:
            now.pop(name, None)
    if now == expect(OLD):
        return "old"
    if now == expect(NEW):
        return "new"
    raise ValueError("a mix: " + ", ".join(sorted(now)))


def cut_everywhere(start, log, after, deep=0):
    """Starts the board after each cut of these writes; returns how many starts found the old and the new set. With
    `deep` the power is cut again in every `deep`-th of these starts, at each of its writes."""
    counts = {"old": 0, "new": 0}
    last = "old"
    for cut, torn, now in cuts(start, log):
        before = bytearray(now.data)
        now.log = []
        vfs.mount(vfs.VfsLfs2(now), "/board")
        try:
            answer = install.apply("/board/")
            set_now = which()
            if set_now not in after:
                raise ValueError(answer + " " + set_now)
            if last == "new" and set_now == "old" and not torn:
                raise ValueError("back to the old set")
            if answer != "nothing" and install.apply("/board/") != "nothing":
                raise ValueError("installed twice")
        except ValueError as error:
            raise ValueError("cut %d%s: %s" % (cut, " torn" if torn else "", error)) from error
        vfs.umount("/board")
        counts[set_now] += 1
        last = set_now
        if deep and cut % deep == 0:
            more = cut_everywhere(before, now.log, after)
            for name in ("old", "new"):
                counts[name] += more[name]
    return counts


def board():
    """A flash with the old set, saves and twins on it, mounted."""
    flash = Flash(BLOCKS)
    vfs.VfsLfs2.mkfs(flash)
    vfs.mount(vfs.VfsLfs2(flash), "/board")
    for files in (OLD, SAVES, TWINS):
        for name in sorted(files):
            write(name, files[name])
    write("manifest.txt", manifest(OLD))
    return flash


def broken(spoil):
    """A set damaged by `spoil` is discarded at every cut; returns the counts."""
    flash = board()
    stage()
    spoil()
    start = bytearray(flash.data)
    flash.log = []
    if install.apply("/board/") != "broken" or which() != "old" or "new" in os.listdir("/board"):
        raise ValueError("a broken set was not discarded")
    vfs.umount("/board")
    return cut_everywhere(start, flash.log, ("old",))


def same_size():
    """A file of the set that differs from what the manifest says; the old one has the manifest's size."""
    if PACKED:
        with open("/board/new/set", "rb") as file:
            data = bytearray(file.read())
        data[-60] ^= 16
        write("new/set", data)
    else:
        os.remove("/board/new/text/en.pack")       # the flash is too small for both
        write("new/text/en.pack", b"bad text" * 700)


def missing():
    """A file that the manifest lists but that is nowhere."""
    if PACKED:
        data = pack([name for name in sorted(NEW) if OLD.get(name) != NEW[name] and "one" not in name])
        write("new/set", data)
        write("new/ready", ("%08x %08x" % (binascii.crc32(manifest(NEW)), binascii.crc32(data))).encode())
    else:
        os.remove("/board/new/tracks/one.pack")


def main():
    flash = board()
    start = bytearray(flash.data)
    flash.log = []
    stage()
    copied = len(flash.log)
    ready = bytearray(flash.data)
    if install.apply("/board/") != "done":
        raise ValueError("not installed")
    if which() != "new" or "new" in os.listdir("/board"):
        raise ValueError("not whole")
    vfs.umount("/board")
    log = flash.log
    print(json.dumps({
        "copying": copied, "installing": len(log) - copied,
        "while_copying": cut_everywhere(start, log[:copied], ("old", "new")),
        "while_installing": cut_everywhere(ready, log[copied:], ("new",), 47 if PACKED else 3),
        "no_manifest": broken(lambda: os.remove("/board/new/manifest.txt")),
        "wrong_crc": broken(lambda: write("new/ready", b"00000000")),
        "empty_mark": broken(lambda: write("new/ready", b"")),
        "same_size": broken(same_size),
        "missing": broken(missing),
    }))


if __name__ == "__main__":
    main()
