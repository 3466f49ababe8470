"""Almost valid files for a board's link, and the commands to install them: for the trial `link`."""

import binascii
import os

from hostile_lines import TEXTS, below, die, edited, framed, value

from shared_rules.link_lines import ascii_json

#: What may be sent over the link, as at the start.
KEPT = {}


def keep():
    """Remembers the files as they are."""
    names = ["tracks/" + name for name in os.listdir("tracks")] + ["text/" + name for name in os.listdir("text")]
    for name in sorted(names) + ["manifest.txt"]:
        KEPT[name] = read(name)


def read(name):
    try:
        with open(name, "rb") as file:
            return file.read()
    except OSError:
        return b""


def put_lines(name, data):
    parts = [data[at:at + 1024] for at in range(0, len(data), 1024)] or [b""]
    lines = []
    for k, part in enumerate(parts):
        d = binascii.b2a_base64(part).decode().strip()
        fields = (k + 1, ascii_json(name), k, len(parts), d)
        lines.append(framed('{"t":"put","n":%d,"name":%s,"k":%d,"of":%d,"d":"%s"}' % fields))
    return lines


def crc_of(data):
    return "%08x" % (binascii.crc32(data) & 0xFFFFFFFF)


def hostile_pack(data):
    """A track with a changed head, with its sizes and checksum correct again."""
    size = data[6] | data[7] << 8
    text = bytes(data[24:24 + size]).decode()
    if below(3) == 0:
        text = edited(text)
    else:
        key = die(("id", "id", "id", "id", "id", "name", "game", "level", "laps", "number", "marks", "sections", "roads",
                   "die", "cards", "limits"))
        at = text.find('"%s":' % key)
        if at >= 0:
            end = at + len(key) + 3
            deep = 0
            quoted = False
            while end < len(text) and (quoted or deep > 0 or text[end] not in ",}"):
                if text[end] == '"':
                    quoted = not quoted
                elif not quoted:
                    deep += (text[end] in "[{") - (text[end] in "]}")
                end += 1
            new = ascii_json(die(("../../x", "../../../etc/x", "/etc/x", "a" * 90))) if key == "id" and below(3) else value()
            text = text[:at] + '"%s":%s' % (key, new) + text[end:]
        else:
            text = text[:-1] + ',"%s":%s}' % (key, value())
    meta = text.encode()[:60000]
    data = bytearray(data[:24]) + meta + data[24 + size:]
    data[6:8] = bytes((len(meta) & 255, len(meta) >> 8))
    return data


def hostile_file(name):
    """A track or text of the board with a few bytes changed, with its own checksum correct again."""
    data = bytearray(KEPT[name])
    whole = name[-5:] == ".pack" and name[:7] == "tracks/" and below(4) > 0
    if whole:
        data = hostile_pack(data)
    for _ in range(0 if whole else 1 + below(4)):
        at = below(len(data))
        kind = below(4)
        if kind == 0:
            data[at] = below(256)
        elif kind == 1:
            data[at] = data[at] ^ (1 << below(8))
        elif kind == 2:
            data = data[:at] + data[at + 1 + below(20):]
        else:
            data = data[:at] + bytes([below(256) for _ in range(1 + below(8))]) + data[at:]
        if not data:
            data = bytearray(b"0")
    if name[:7] == "tracks/" and name[-5:] == ".pack" and len(data) > 40:
        if whole or below(2):
            size = len(data)
            data[20:24] = bytes((size & 255, size >> 8 & 255, size >> 16 & 255, 0))
        data[-4:] = (binascii.crc32(data[:-4]) & 0xFFFFFFFF).to_bytes(4, "little")
    elif name[:5] == "text/" and len(data) > 40:
        data[8:12] = (len(data) - 16).to_bytes(4, "big")
        data[12:16] = (binascii.crc32(data[16:]) & 0xFFFFFFFF).to_bytes(4, "big")
    return bytes(data)


def install_lines(track=""):
    """A set of files with a wrong manifest, and the command to install it. With `track` the manifest is
    correct, but a file of that track isn't."""
    lines = []
    rows = KEPT["manifest.txt"].decode().split("\n")
    if track or below(3):
        name = die([one for one in KEPT if one != "manifest.txt" and (not track or one == "tracks/%s.pack" % track or
                    one.startswith("tracks/" + track) and below(3) == 0)])
        data = hostile_file(name)
        lines += put_lines(name, data)
        for at in range(len(rows)):
            if rows[at].endswith(" " + name):
                rows[at] = "%s %d %s" % (crc_of(data), len(data), name)
    for _ in range(0 if track else below(3)):
        at = 1 + below(len(rows) - 1)
        kind = below(5)
        name = die(TEXTS)
        if kind == 0:
            data = read(die(("main.py", "board.json", "save/settings")))
            rows.insert(at, "%s %d %s" % (crc_of(data), len(data), die(("tracks/../main.py", "text/../board.json",
                        "tracks/../save/settings", "tracks/../../x", "tracks//main.py", "text/./../boot.py"))))
        elif kind == 1:
            rows[at] = edited(rows[at])
        elif kind == 2:
            rows.pop(at)
        elif kind == 3 and not [c for c in name if ord(c) > 126 or ord(c) < 32]:
            rows.insert(at, "%08x %d %s" % (below(65536), below(3), name))
        else:
            rows = rows[:at]
    data = "\n".join(rows).encode()
    lines += put_lines("manifest.txt", data)
    crc = crc_of(data) if below(8) else "00000000"
    lines.append(framed('{"t":"commit","n":9,"name":"manifest.txt","crc":"%s"}' % crc))
    return lines


def clear(folder):
    for name in os.listdir(folder):
        path = folder + "/" + name
        if os.stat(path)[0] & 0x4000:
            clear(path)
            os.rmdir(path)
        else:
            os.remove(path)


def restore():
    """Restores the files."""
    if "new" in os.listdir("."):
        clear("new")
    for name in os.listdir("tracks"):
        if "tracks/" + name not in KEPT:
            os.remove("tracks/" + name)
    for name in KEPT:
        if read(name) != KEPT[name]:
            with open(name, "wb") as file:
                file.write(KEPT[name])
