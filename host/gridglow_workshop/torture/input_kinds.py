"""The kinds of files that the trial `inputs` changes: valid ones to start with, and how each is used.

A kind has ``samples()``, ``whole(data)``, which corrects the checksum of a changed file if it has one, so that the code
behind it is reached, and ``use(data, folder)``, which reads a file like the commands.
"""

from __future__ import annotations

import binascii
import io
import json
import sqlite3
import zipfile
from functools import cache
from pathlib import Path

from gridglow import paths, scratch, texts
from gridglow.boards.boardfile import board_json, examine_board, read_board
from gridglow.device.backup import FOLDER, read_file
from gridglow.device.cards import check_meaning, check_uid, parse
from gridglow.races.replays import read_journal, spoken
from gridglow.races.startup import race_setup
from gridglow.seasons.beginning import new_season
from gridglow.seasons.database import FILE, opened
from gridglow.seasons.page import page
from gridglow.seasons.pull import read_head
from gridglow.seasons.tables import Tables, Words, as_csv, plain
from gridglow.tracks import compile_file, draw_svg, load_track, page_geometry
from shared_rules import games
from shared_rules.errors import BadSave
from shared_rules.journal_file import Journal
from shared_rules.proof import replay
from shared_rules.race import Race
from shared_rules.restore import track_of
from shared_rules.track import Track

TRACKS = ("gp-ring", "track-a", "house-board", "bleifuss-drom", "main-event")


class Kind:
    """The interface of all kinds; most have no checksum."""

    name = ""
    what = ""

    def samples(self) -> list[bytes]:
        """Valid files."""
        raise NotImplementedError

    def whole(self, data: bytes) -> bytes:
        """The file with a correct checksum."""
        return data

    def use(self, data: bytes, folder: Path) -> None:
        """Reads it; raises GridglowError if it can't be used."""
        raise NotImplementedError


class TrackSources(Kind):
    """TOML that people edit: read, compiled, drawn, advised on."""

    name, what = "sources", "track sources"

    def samples(self) -> list[bytes]:
        return [path.read_bytes() for path in sorted(paths.tracks_folder().rglob("*.toml")) if path.stem in TRACKS]

    def use(self, data: bytes, folder: Path) -> None:
        path = folder / "x.toml"
        path.write_bytes(data)
        compiled = compile_file(path)
        if compiled.geometry is not None:
            page_geometry(compiled)
            clean(draw_svg(compiled))


class TrackPacks(Kind):
    """The packs that a board and a replay read."""

    name, what = "packs", "track packs"

    def samples(self) -> list[bytes]:
        return [compiled(track).pack for track in TRACKS]

    def whole(self, data: bytes) -> bytes:
        if len(data) < 30:
            return data
        data = data[:20] + len(data).to_bytes(4, "little") + data[24:]
        return data[:-4] + binascii.crc32(data[:-4]).to_bytes(4, "little")

    def use(self, data: bytes, folder: Path) -> None:
        track = Track.unpack(data)
        for space in range(0, track.count, 7):
            track.space_name(space)


class PackHeads(TrackPacks):
    """Packs with a changed head, and a correct length."""

    name, what = "heads", "heads of track packs"

    def samples(self) -> list[bytes]:
        return [pack[24:24 + int.from_bytes(pack[6:8], "little")] for pack in super().samples()]

    def whole(self, data: bytes) -> bytes:
        pack = next((one for one in super().samples() if one[24:60] == data[:36]), super().samples()[0])
        meta = int.from_bytes(pack[6:8], "little")
        data = data[:60_000]
        pack = pack[:6] + len(data).to_bytes(2, "little") + pack[8:24] + data + pack[24 + meta:]
        return super().whole(pack)


class Journals(Kind):
    """Races to replay, with their dice counted."""

    name, what = "journals", "journals"

    def samples(self) -> list[bytes]:
        return [journal(track).encode() for track in TRACKS]

    def use(self, data: bytes, folder: Path) -> None:
        text = read_journal(data)
        read = Journal.parse(text)
        if read.plain["game"] not in games.NAMES:
            raise BadSave("The journal is for an unknown game.")
        found = replay(text, load_track(read.track, read.plain["game"]).track)
        if found["problem"]:
            raise BadSave(spoken(found["problem"]))


class Saves(Kind):
    """Races to continue, as a host puts them back on a board."""

    name, what = "saves", "saved races"

    def samples(self) -> list[bytes]:
        return [saved(track).encode() for track in TRACKS]

    def whole(self, data: bytes) -> bytes:
        head, newline, body = data.partition(b"\n")
        words = head.split(b" ")
        if newline and len(words) == 4:
            words[3] = b"%08x" % binascii.crc32(body)
        return b" ".join(words) + newline + body

    def use(self, data: bytes, folder: Path) -> None:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            raise BadSave("No text.") from None
        track = track_of(text)[0]
        if track not in TRACKS:
            raise BadSave("An unknown track.")
        Race.load(text, compiled(track).track).journal()


class Boards(Kind):
    """Board files: read, checked, and turned into a board's files."""

    name, what = "boards", "board files"

    def samples(self) -> list[bytes]:
        return [path.read_bytes() for path in sorted(paths.boards_folder().glob("*.toml"))]

    def use(self, data: bytes, folder: Path) -> None:
        path = folder / "x.toml"
        path.write_bytes(data)
        examine_board(path)
        board_json(read_board(path))


class Texts(Kind):
    """The sentences of a language."""

    name, what = "texts", "text files"

    def samples(self) -> list[bytes]:
        text = (paths.text_folder() / "en.toml").read_bytes()
        at = text.find(b"\n[", len(text) // 3)
        return [text[:text.find(b"\n[", 4000) + 1], text[at + 1:text.find(b"\n[", at + 3000) + 1]]

    def use(self, data: bytes, folder: Path) -> None:
        path = folder / "en.toml"
        path.write_bytes(data)
        texts.pack(path)


class Seasons(Kind):
    """The database of seasons, byte by byte."""

    name, what = "seasons", "season databases"

    def samples(self) -> list[bytes]:
        return [database()]

    def use(self, data: bytes, folder: Path) -> None:
        for path in folder.iterdir():
            path.unlink()
        (folder / FILE).write_bytes(data)
        show_seasons(folder)


class SeasonRows(Kind):
    """The content of the rows of an intact database."""

    name, what = "rows", "seasons in a sound database"

    def samples(self) -> list[bytes]:
        return [HEAD_OF_SEASON.encode()]

    def use(self, data: bytes, folder: Path) -> None:
        for path in folder.iterdir():
            path.unlink()
        (folder / FILE).write_bytes(database())
        with sqlite3.connect(folder / FILE) as kept:
            kept.execute("UPDATE season SET head = ?", (data.decode("utf-8", "replace"),))
        kept.close()
        show_seasons(folder)


class SeasonHeads(Kind):
    """A board's season, as it comes over the link."""

    name, what = "pulled", "seasons of a board"

    def samples(self) -> list[bytes]:
        return [HEAD_OF_SEASON.encode() + b" *00000000\n"]

    def whole(self, data: bytes) -> bytes:
        body = data[:-11]
        return body + b" *%08x\n" % binascii.crc32(body)

    def use(self, data: bytes, folder: Path) -> None:
        read_head(data)


class Backups(Kind):
    """A board's saves to put back."""

    name, what = "backups", "backups"

    def samples(self) -> list[bytes]:
        return [_zip({"save/settings": b"[]", "save/race.log": b"gridglow log"}), _zip({"save/../main.py": b"x"}),
                _zip({"/etc/x": b"x"})]

    def use(self, data: bytes, folder: Path) -> None:
        path = folder / "x.zip"
        path.write_bytes(data)
        for name in read_file(path):
            if not name.startswith(FOLDER) or ".." in name.split("/"):
                raise AssertionError(f"a backup may write {name}")


class BackupLists(Backups):
    """The list in a backup whose zip is intact."""

    name, what = "lists", "lists of backups"

    def samples(self) -> list[bytes]:
        return [_list({"save/settings": b"[]", "save/race.log": b"gridglow log"})]

    def whole(self, data: bytes) -> bytes:
        return _zip({"save/settings": b"[]", "save/race.log": b"gridglow log"}, data)


class Cards(Kind):
    """The cards that a board has learnt."""

    name, what = "cards", "lists of cards"

    def samples(self) -> list[bytes]:
        lines = [b"04A1B2C3 roll 3", b"04A1B2C4D5E6F7 red 3"]
        return [b"".join(b"%b *%08x\n" % (line, binascii.crc32(line)) for line in lines)]

    def use(self, data: bytes, folder: Path) -> None:
        for uid, meaning in parse(data).items():
            check_uid(uid)
            check_meaning(meaning)


KINDS: tuple[Kind, ...] = (TrackSources(), TrackPacks(), PackHeads(), Journals(), Saves(), Boards(), Texts(), Seasons(),
                           SeasonRows(), SeasonHeads(), Backups(), BackupLists(), Cards())


# Valid files

HEAD_OF_SEASON = json.dumps({
    "format": 1, "id": "1a2b3c4d", "name": "Winter", "game": "moto_grand_prix", "variant": "basic",
    "tracks": ["gp-ring", "supercircus-raceway"], "laps": 1, "players": [["person", "Ann"], ["bot", "Bo"]], "options": [],
})


@cache
def compiled(track: str):
    """A CompiledTrack."""
    return load_track(track)


@cache
def race_of(track: str):
    """A race of bots after some answers."""
    start = race_setup(track=track, seats=3, bots="all", seed="inputs")
    race = Race(start.setup, start.track.track)
    while not race.over and race.lines < 24:
        seat = race.prompts[0].seat or 1
        race.answer(seat, race.bot_answer(seat))
    return race


@cache
def journal(track: str) -> str:
    """Its journal, unsealed."""
    return race_of(track).journal(True)


@cache
def saved(track: str) -> str:
    """Its save."""
    return race_of(track).save()


@cache
def database() -> bytes:
    """A file with a season that has just begun."""

    before = paths._chosen_data
    with scratch.folder("inputs") as folder:
        paths.choose_data_folder(folder)
        try:
            with opened(True) as kept:
                kept.begin(new_season("Winter", "moto_grand_prix", None, ["gp-ring"], [["person", "Ann"], ["bot", "Bo"]], 1,
                                      []), "2026-01-01")
            return (Path(folder) / FILE).read_bytes()
        finally:
            paths.choose_data_folder(before)


def show_seasons(folder: Path) -> None:
    """Everything shown of the seasons in a data folder."""
    before = paths._chosen_data
    paths.choose_data_folder(folder)
    try:
        with opened() as kept:
            for one in kept.all():
                tables = Tables(one, Words())
                json.dumps(plain(tables))
                as_csv(tables)
                clean(page(tables))
    finally:
        paths.choose_data_folder(before)


def clean(page: str) -> None:
    """Raises AssertionError if a word of a file has become an element of the page."""
    if "<script>alert" in page:
        raise AssertionError("a name became code on a page")


def _list(files: dict[str, bytes]) -> bytes:
    told = {"format": 1, "about": {}, "files": {name: ["%08x" % binascii.crc32(data), len(data)]
                                                for name, data in files.items()}}
    return json.dumps(told).encode()


def _zip(files: dict[str, bytes], told: bytes | None = None) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("gridglow-backup.json", _list(files) if told is None else told)
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


__all__ = ["KINDS", "Kind"]
