"""What a sync would do to a board, worked out from what is on it before anything is sent.

``Seen``    what is on the board
``Choice``  which tracks and languages it gets; by default what it had before
``plan``    what to send and remove, which way, whether it fits, and what the user must agree to

Over the raw REPL all changes travel as one archive (``archive.py``), which waits on the board beside the old set;
over the link they travel as single files, which wait likewise.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gridglow.device import archive, manifest
from gridglow.device.board_data import BoardData
from gridglow.device.manifest import Manifest
from shared_rules.errors import GridglowError

#: A block of the flash.
BLOCK_BYTES = 4096
#: Blocks kept free for saves and for littlefs itself.
RESERVE_BLOCKS = 16
#: Nothing is saved while files are being installed: then fewer free blocks are enough.
INSTALL_RESERVE_BLOCKS = 4
#: littlefs keeps files up to this size in its directory.
INLINE_BYTES = 512
ENTRY_BYTES = 40  # the cost of a directory entry besides its name
#: A folder's pair of blocks splits when half full, and the new pairs end up about half full: one pair for this much.
PAIR_BYTES = 1200
#: MicroPython's free space counts a folder's first pair twice; it takes two blocks, which can be had.
FOLDER_BLOCKS = 4
TRUE_FOLDER_BLOCKS = 2
#: What may travel over the live link.
OPEN_FOLDERS = ("tracks/", "text/")
#: Folders that belong to Gridglow entirely; other files in a board's root are left alone.
OUR_FOLDERS = ("code", "text", "tracks")
CODE = "code/"
NOTHING, LINK, REPL = "nothing", "link", "repl"


@dataclass(frozen=True)
class Seen:
    """What is on a board. ``files``: (CRC-32, size) by path, without saves; CRC "" if unknown, which counts as different.
    ``frozen``: the CRC-32 of its program's files, by name. ``board_file``: its board.json, b"" if it has none of its own
    or doesn't say.

    ``waiting``: the manifest of a set that the board installs when its race ends. ``race``: a few words about the running
    race, or "". ``open_track``: the track of a saved or running race, or "". ``deflate``: whether it can decompress.
    """

    files: Mapping[str, tuple[str, int]]
    manifest: Manifest | None = None
    waiting: Manifest | None = None
    free_bytes: int = 0
    over_link: bool = False
    race: str = ""
    open_track: str = ""
    deflate: bool = True
    frozen: Mapping[str, str] = field(default_factory=dict)
    board_file: bytes = b""


@dataclass(frozen=True)
class Choice:
    """What a board gets: lists of ids, or None for all; ``board`` is a board file's id or path."""

    board: str
    tracks: list[str] | None = None
    languages: list[str] | None = None


@dataclass
class Plan:
    """What a sync does. ``agree``: sentences that the user must agree to first. ``waits``: all has arrived already, and is
    installed when the race is over. ``archive``: what is sent over the raw REPL, besides the manifest; ``came``: how many
    bytes of it are there already. ``blocks``: blocks of the flash needed
    at the worst moment, beside those in use now."""

    data: BoardData
    way: str
    send: list[str] = field(default_factory=list)
    remove: list[str] = field(default_factory=list)
    agree: list[str] = field(default_factory=list)
    blocks: int = 0
    free_blocks: int = 0
    waits: bool = False
    archive: bytes = field(default=b"", repr=False)
    came: int = 0

    @property
    def bytes_(self) -> int:
        """Bytes of the files to send."""
        return sum(len(self.data.contents[name]) for name in self.send)

    def plain(self) -> dict:
        """For --json."""
        return {"way": self.way, "send": [[name, len(self.data.contents[name])] for name in self.send],
                "remove": self.remove, "files": len(self.send), "bytes": self.bytes_,
                "unchanged": len(self.data.manifest.files) - len([one for one in self.send if one != manifest.NAME]),
                "packed": len(self.archive), "came": self.came, "blocks": self.blocks, "free_blocks": self.free_blocks,
                "agree": self.agree}


class NoRoom(GridglowError):
    """A board's new content doesn't fit its flash; nothing was sent."""


def words_of(text: str | None) -> list[str] | None | str:
    """The words of an option such as --games a,b: a list, None for "all", "" if the option wasn't given."""
    if text is None:
        return ""
    words = [word.strip() for word in text.split(",") if word.strip()]
    return None if words == ["all"] else words


def choose(have: Manifest | None, board_id: str, board_file: str | None = None, tracks: str | None = None,
           languages: str | None = None) -> Choice:
    """The choice for this sync: what was given, else what the board had, else everything.

    Raises GridglowError if nothing says which board it is.
    """
    board = board_file or (have.head.get("board") if have else "") or board_id
    if not board:
        raise GridglowError("This board can't say which board it is; choose with --board-file mini, --board-file full or "
                            "the name of a file of your own.")

    def one(key: str, said: str | None) -> list[str] | None:
        words = words_of(said)
        if words == "":
            return have.choice(key) if have else None
        if not words and words is not None:
            raise GridglowError(f"--{key} needs at least one name, or the word all.")
        return words

    return Choice(board, one("tracks", tracks), one("languages", languages))


def plan(seen: Seen, data: BoardData, title: str = "this board") -> Plan:
    """How to make the board hold this besides its program. Raises NoRoom if it doesn't fit."""
    wanted = data.manifest
    found = manifest.diff(_ours(seen), wanted)
    same_head = seen.manifest is not None and seen.manifest.text() == wanted.text()
    if not found and (same_head or seen.manifest is None and data.is_plain):
        return Plan(data, NOTHING)
    if seen.waiting is not None and seen.waiting.text() == wanted.text():
        return Plan(data, NOTHING, waits=True)
    by_link = seen.over_link and all(name.startswith(OPEN_FOLDERS) for name in (*found.changed, *found.removed))
    made = Plan(data, LINK if by_link else REPL, remove=list(found.removed))
    made.free_blocks = seen.free_bytes // BLOCK_BYTES + (FOLDER_BLOCKS - TRUE_FOLDER_BLOCKS) * len(folders_of(seen.files))
    if by_link:  # what arrived before the cable was pulled isn't sent again
        made.send = [name for name in found.changed if seen.files.get(manifest.NEW + name) != wanted.files[name]]
        made.blocks = _link_blocks(made, seen)
    else:
        made.send = sorted(found.changed)
        made.archive = archive.pack(made.send, data.contents, seen.deflate)
        made.came = _came(seen, made.archive)
        made.blocks = _repl_blocks(made, seen)
    made.send.append(manifest.NAME)
    reserve = RESERVE_BLOCKS if by_link else INSTALL_RESERVE_BLOCKS
    if made.blocks + reserve > made.free_blocks:
        raise NoRoom(f"The new files need {_kb(made.blocks)} kB beside those on {title} until they are installed, "
                     f"and {_kb(made.free_blocks - reserve)} kB are free for them; choose fewer "
                     "tracks or languages (--tracks, --languages), or remove your own files from it. "
                     "Nothing was sent.")
    made.agree = _to_agree(made, seen, title)
    return made


def blocks_of(size: int) -> int:
    """The littlefs blocks that a file's content takes, none if it fits in the directory."""
    if size <= INLINE_BYTES:
        return 0
    blocks = 0
    while size > 0:
        size -= BLOCK_BYTES - pointer_bytes(blocks)
        blocks += 1
    return blocks


def pointer_bytes(block: int) -> int:
    """The bytes of a file's block (by its number) that littlefs uses itself: one word more than the number of trailing
    zeros of the block's number, none in the first."""
    return 4 * (block & -block).bit_length()


def blocks_for(sizes: Mapping[str, int]) -> int:
    """The blocks that these files take, including folders; never fewer than the board then reports as used."""
    folders = {"": 0, **dict.fromkeys(folders_of(sizes), 0)}
    total = 0
    for name, size in sizes.items():
        total += blocks_of(size)
        folder, _, last = name.rpartition("/")
        folders[folder] += ENTRY_BYTES + len(last) + (size if size <= INLINE_BYTES else 0)
    for name in list(folders):
        if name:
            folders[name.rpartition("/")[0]] += ENTRY_BYTES + len(name)
    return total + sum((FOLDER_BLOCKS if name else 0) + 2 * (max(1, -(-used // PAIR_BYTES)) - 1)
                       for name, used in folders.items())


def folders_of(names: Iterable[str]) -> set[str]:
    """The folders that contain files of these names, and their parents; without the root."""
    found = set()
    for name in names:
        while "/" in name:
            name = name.rpartition("/")[0]
            found.add(name)
    return found


def saved_track(settings: bytes) -> str:
    """The track of a saved race, from the board's save/settings; "" if there is none."""
    line = settings.decode("utf-8", "replace").strip()
    try:
        values = dict(json.loads(line.rpartition(" *")[0]))
    except (ValueError, TypeError):
        return ""
    return str(values.get("track", "")) if values.get("open") == 1 else ""


def _ours(seen: Seen) -> dict[str, tuple[str, int]]:
    """The files of a board that may be removed or replaced."""
    return {name: found for name, found in seen.files.items() if _is_ours(name, seen.manifest)}


def _is_ours(name: str, have: Manifest | None) -> bool:
    """Whether a file of the board may be removed: it is in one of Gridglow's folders, or in its manifest."""
    if name.startswith(("save/", manifest.NEW)) or name == manifest.NAME:
        return False
    return name.split("/")[0] in OUR_FOLDERS if "/" in name else _in_root(name, have)


def _in_root(name: str, have: Manifest | None) -> bool:
    return name in ("board.json", "safe_pin.txt") or (have is not None and name in have.files)


def _link_blocks(made: Plan, seen: Seen) -> int:
    sizes = {manifest.NEW + name: len(made.data.contents[name]) for name in (*made.send, manifest.NAME)}
    sizes[manifest.READY] = 8
    gone = blocks_of(seen.files[archive.NAME][1]) if archive.NAME in seen.files else 0
    new_folders = folders_of(made.data.manifest.files) - folders_of(seen.files)
    return blocks_for(sizes) + FOLDER_BLOCKS * len(new_folders) - gone


def _repl_blocks(made: Plan, seen: Seen) -> int:
    """The blocks at the worst moment, beside those in use now: with the archive there, or part of it unpacked."""
    old = {name: size for name, (_, size) in seen.files.items()}
    new = {name: len(data) for name, data in made.data.contents.items()}
    waiting = {archive.NAME: len(made.archive), manifest.NEW + manifest.NAME: new[manifest.NAME], manifest.READY: 17}
    gone = sum(blocks_of(size) for name, size in old.items() if name.startswith(manifest.NEW))
    waits = blocks_for(waiting) - FOLDER_BLOCKS
    waits += 0 if any(name.startswith(manifest.NEW) for name in old) else TRUE_FOLDER_BLOCKS
    used = most = waits - gone
    stays = {name: size for name, size in old.items() if not name.startswith(manifest.NEW) and name not in made.remove}
    # Directory entries first: the extra they need while the old ones are there too.
    used += max(0, _name_blocks(stays | new) - _name_blocks(stays))
    used -= sum(blocks_of(old[name]) for name in made.remove)
    for name in made.send:
        used -= blocks_of(old.get(name, 0)) - blocks_of(new[name])
        most = max(most, used)
    after = used - waits + blocks_of(new[manifest.NAME])
    return max(most, after + RESERVE_BLOCKS - INSTALL_RESERVE_BLOCKS)  # from then on saves need their room again


def _name_blocks(sizes: Mapping[str, int]) -> int:
    """The blocks for directory entries and the small files in them."""
    told = blocks_for(sizes) - sum(map(blocks_of, sizes.values()))
    return told - (FOLDER_BLOCKS - TRUE_FOLDER_BLOCKS) * len(folders_of(sizes))


def _came(seen: Seen, data: bytes) -> int:
    """How many bytes of the archive are on the board, as far as known."""
    crc, size = seen.files.get(archive.NAME, ("", 0))
    return size if size <= len(data) and crc == manifest.crc_of(data[:size]) else 0


def _kb(blocks: int) -> int:
    return max(0, blocks) * BLOCK_BYTES // 1024


def _keys_by(board_file: bytes) -> str:
    """How a board.json connects its panels' keys: "keys" on their own pins, "clock" on a chain, or ""."""
    try:
        on = json.loads(board_file)["wiring"]["panels_on"]
        return "keys" if "keys" in on else "clock" if "clock" in on else ""
    except (ValueError, TypeError, KeyError):
        return ""


def _to_agree(made: Plan, seen: Seen, title: str) -> list[str]:
    """What the user must agree to: ending a race, keys that would short a pin, a saved race that couldn't go on."""
    told = []
    if seen.race and made.way == REPL:
        told.append(f"A race is running on {title} ({seen.race}); installing ends it, and it stays saved.")
    if "board.json" in made.send and _keys_by(seen.board_file) == "keys" and (
            _keys_by(made.data.contents["board.json"]) == "clock"):
        told.append(f"By its board file, the keys of {title} have their own pins, but the new one has a chain of 74HC165 "
                    "on them: a pressed key would short a pin of the Pico. Older panels need --board-file "
                    "mini-direct, or your own file with their pins.")
    if not seen.open_track:
        return told
    what = "The running race" if seen.race else "The saved race"
    track = f"tracks/{seen.open_track}.pack"
    after = made.data.manifest.files.get(track, (seen.frozen.get(track, ""), 0))[0]
    before = seen.files.get(track, (seen.frozen.get(track, ""), 0))[0]
    if before and (not after or f"tracks/{seen.open_track}.leds" in made.remove):
        told.append(f"{what} on {seen.open_track} would lose its track and could then only be looked at.")
    elif before and after != before:
        told.append(f"{what} on {seen.open_track} was begun on another shape of its track and could then only be looked at, "
                    "unless it ends before the board is switched off.")
    rules = sorted(name for name in {*made.send, *made.remove} if name.startswith(CODE + "shared_rules/"))
    if rules:
        told.append(f"{what} on {seen.open_track} was begun with other rules ({', '.join(rules[:3])}), and may "
                    "not go on with these.")
    return told


__all__ = ["LINK", "NOTHING", "REPL", "Choice", "Plan", "Seen", "blocks_for", "blocks_of", "choose", "plan",
           "saved_track"]
