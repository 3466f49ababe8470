"""Saves in every format are loaded, or a sentence says why not; their form changes only with a number."""

import json
import shutil

import pytest
import saves_kept
from commands import call
from saves_kept import FOLDER, FORMS, NOW

from glow.store.log import StoreLog
from glow.store.store import Store
from shared_rules import RULES_VERSION, games
from shared_rules.errors import BadSave
from shared_rules.race import Race
from shared_rules.track import Track

KEPT = sorted(path.parent for path in FOLDER.glob("*/*/kept.json"))


@pytest.mark.parametrize("folder", KEPT, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_save_that_was_kept_is_taken_up(folder, tmp_path):
    kept = json.loads((folder / "kept.json").read_text("utf-8"))
    track = Track.unpack((folder / "track.pack").read_bytes())
    save = shutil.copytree(folder, tmp_path / "save")
    store = Store(str(save))
    header, snapshot, lines = store.load()
    assert header and store.notes == []
    log = StoreLog(store, str(save), pytest.fail, store.line_count)
    if int(folder.parent.name.split(".")[2]) != RULES_VERSION:
        with pytest.raises(BadSave, match="rules version"):
            Race.resume(snapshot, track, log)
        return
    for race in (Race.resume(snapshot, track, log), Race.load((folder / "race.save").read_text("utf-8"), track)):
        assert {"lines": race.lines, "digest": race.digest(), "asks": [prompt.seat for prompt in race.prompts]} == kept
        race.answer(race.prompts[0].seat or 1, race.prompts[0].options()[0])


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*/*/race.journal")),
                         ids=lambda path: f"{path.parent.parent.name}-{path.parent.name}")
def test_a_journal_that_was_kept_replays_or_says_why_not(path):
    result = call("replay", path, "--on", "cpython")
    rules = int(path.parent.parent.name.split(".")[2])
    if rules == RULES_VERSION:
        assert result.exit_code == 0, result.stderr
    else:
        assert result.exit_code == 1
        assert result.stderr == (f"gridglow: Expected a journal of rules version {RULES_VERSION}, got {rules}; use the "
                                 "version that wrote it.\n")


def test_there_is_a_save_of_each_game_for_every_format():
    for name in json.loads(FORMS.read_text("utf-8")):
        assert {path.name for path in KEPT if path.parent.name == name} >= {*games.NAMES}, (
            f"tests/saves/{name} lacks a game; run: python tests/help/saves_kept.py")


def test_the_form_of_saves_changes_with_a_number_only():
    known = json.loads(FORMS.read_text("utf-8"))
    assert NOW in known, f"No form is kept for the numbers {NOW}; run: python tests/help/saves_kept.py"
    now = saves_kept.forms()
    changed = [name for name in now if known[NOW].get(name) != now[name]]
    assert changed == [], (f"What a save holds has changed ({', '.join(changed)}), but none of its numbers; the first lines "
                           "of tests/help/saves_kept.py say what to do.")


@pytest.mark.parametrize("part", ["files", "engine", "full_throttle"])
def test_a_change_of_the_writer_is_seen(part, monkeypatch):
    before = saves_kept.forms()
    if part == "files":
        monkeypatch.setattr("glow.store.store.sealed", lambda body: body + b" *00000000\n")
    elif part == "engine":
        plain = saves_kept.saves._plain
        monkeypatch.setattr(saves_kept.saves, "_plain", lambda race: [*list(plain(race))[:-1], ", 1]"])
    else:
        rules = games.load(part)
        monkeypatch.setattr(rules, "fields", (*rules.fields[1:], rules.fields[0]))
    after = saves_kept.forms()
    assert [name for name in after if after[name] != before[name]] == [part]
