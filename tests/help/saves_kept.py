"""Saves in every format that a board has written, kept in ``tests/saves``, and the form of each format.

``python tests/help/saves_kept.py`` writes what is missing for the current formats: a folder for each game
with a board's files, and the form in ``forms.json``. It never overwrites anything: when the form of saves
changes, raise a number (``RULES_VERSION`` for what a game or the engine keeps, ``FORMAT`` of
``shared_rules/saves.py`` or of ``firmware/glow/store/files.py`` for how it is written), and run this.
"""

import json
import shutil
import sys
import tempfile
from binascii import crc32
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT / name) for name in ("", "host", "firmware", "tests/help")]

from racing import new_race, play  # noqa: E402
from tiny_games import reactions  # noqa: E402

from glow.store import files  # noqa: E402
from glow.store.log import StoreLog  # noqa: E402
from glow.store.store import Store  # noqa: E402
from gridglow.tracks import load_track  # noqa: E402
from gridglow_workshop.torture.child import TRACKS, plain_setup  # noqa: E402
from shared_rules import RULES_VERSION, games, journal_file, saves  # noqa: E402
from shared_rules.chance import Chance  # noqa: E402
from shared_rules.race import Race  # noqa: E402
from shared_rules.setup import Setup  # noqa: E402
from shared_rules.track import Track  # noqa: E402

FOLDER = ROOT / "tests" / "saves"
FORMS = FOLDER / "forms.json"
#: A save's three numbers: of the files, of the text in them, of the rules.
NOW = "%d.%d.%d" % (files.FORMAT, saves.FORMAT, RULES_VERSION)
ANSWERS = 25


def write(folder):
    """A board's files with a race that was left in the middle of a turn; and what a test needs to check them."""
    game = folder.name
    pack = load_track(TRACKS[game]).pack
    track = Track.unpack(pack)
    setup = Setup.from_plain(plain_setup(game, "kept", variant=games.about(game).VARIANTS[0]), track)
    folder.mkdir(parents=True)
    (folder / "track.pack").write_bytes(pack)
    store = Store(str(folder))
    if store.begin(journal_file.header(setup, track, False)):
        raise OSError("the save can't be written")
    race = Race(setup, track, StoreLog(store, str(folder), print))
    store.snapshot(race.snapshot_pieces())
    chance = Chance("kept", "hands")
    turns = race.turns
    while race.lines < ANSWERS or race.pending_answers():
        prompt = chance.die(race.prompts)
        race.answer(prompt.seat or 1, prompt.sample(chance))
        if race.turns != turns or race.pending_answers():
            store.snapshot(race.snapshot_pieces())
            turns = race.turns
    (folder / "race.save").write_text(race.save(), "utf-8")
    (folder / "race.journal").write_text(race.journal(True), "utf-8")
    kept = {"lines": race.lines, "digest": race.digest(), "asks": [prompt.seat for prompt in race.prompts]}
    (folder / "kept.json").write_text(json.dumps(kept) + "\n", "utf-8")


def shape(value):
    """The structure of a value, without its contents: lists of one kind are the same at any length."""
    if isinstance(value, dict):
        return {key: shape(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        rows = [shape(one) for one in value]
        return ["many", rows[0]] if rows and all(row == rows[0] for row in rows) else rows
    return type(value).__name__


def forms():
    """The form of each part of a save, as a CRC: of the files, of the engine's text, of each game's state."""
    found = {"files": _files(), "engine": _engine()}
    for game in games.NAMES:
        rules = games.load(game)
        rows = [list(rules.fields)] + [[name, record.__name__, list(record.fields)] for name, record in rules.records]
        found[game] = rows
    return {name: "%08x" % crc32(json.dumps(rows).encode()) for name, rows in found.items()}


def _files():
    """The exact bytes of a save whose contents are always the same."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(folder)
        store.begin("head\nüber\n")
        for text in ("one", "two\nlines"):
            store.append(text)
        store.snapshot(["state ", "ü"])
        return [[path.name, path.read_bytes().hex()] for path in sorted(Path(folder).iterdir())]


def _engine():
    race = new_race(reactions.Game, "PBP")
    play(race, 25)
    head, plain, *lines = race.save().split("\n")
    plain = json.loads(plain)
    return [head.split(" ")[:3], shape(plain), shape(json.loads(plain[6])), len(lines)]


def main():
    """Writes what is missing; returns the exit code."""
    known = json.loads(FORMS.read_text("utf-8")) if FORMS.exists() else {}
    for game in games.NAMES:
        folder = FOLDER / NOW / game
        if not folder.exists():
            try:
                write(folder)
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
            print(f"{NOW}/{game}: written")
    if NOW not in known:
        known[NOW] = forms()
        FORMS.write_text(json.dumps(known, indent=1) + "\n", "utf-8")
        print(f"{NOW}: its form is kept")
    return 0


if __name__ == "__main__":
    sys.exit(main())
