"""Files over the link: tracks and texts arrive complete, even during a race; secrets never leave."""

import base64
import binascii
import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from golden_frames.board_root import CODE, synced
from script_hal import Script, ScriptHal

from glow.app import App
from gridglow.device.manifest import of_files, parse

SETUP = {"game": "moto_grand_prix", "variant": "basic", "track": "gp-ring", "laps": 1,
         "players": [["person", "Ann"], ["person", "Ben"]]}
PIECE = 1024


@pytest.fixture
def root(tmp_path):
    return synced(tmp_path / "device", ["gp-ring"])


@pytest.fixture
def wanted(tmp_path):
    """The files of a set with one more track, another text and no English."""
    return files_of(synced(tmp_path / "wanted", ["gp-ring", "free-speedway"], ["de"]))


@pytest.fixture
def driver(root):
    return Script(App(ScriptHal(str(root)), pace="fast"))


def files_of(root):
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in Path(root).rglob("*") if path.is_file()}


def ask(driver, message):
    """Sends something; returns the next answer to it: "ok", or the sentence of a refusal."""
    driver.hal.sent.clear()
    message["n"] = 5
    driver.hal.say(message)
    driver.run(20)
    answers = [one for one in driver.hal.sent if one.get("re") == 5]
    assert len(answers) == 1, driver.hal.sent
    return "ok" if answers[0]["t"] == "ok" else answers[0]["say"]


def pieces(data):
    return [data[at:at + PIECE] for at in range(0, max(1, len(data)), PIECE)]


def put(driver, name, data, only=None):
    parts = pieces(data)
    for k, part in enumerate(parts):
        if only is None or k in only:
            said = ask(driver, {"t": "put", "name": name, "k": k, "of": len(parts),
                                "d": base64.b64encode(part).decode()})
            if said != "ok":
                return said
    return "ok"


def send(driver, root, wanted, but=()):
    """Puts everything that differs, and the manifest; returns the board's answer to its commit."""
    have = files_of(root)
    for name, data in wanted.items():
        if have.get(name) != data and name not in but:
            assert put(driver, name, data) == "ok", name
    return commit(driver, wanted["manifest.txt"])


def commit(driver, text, crc=None):
    return ask(driver, {"t": "commit", "name": "manifest.txt", "crc": crc or f"{binascii.crc32(text):08x}"})


def read(driver, name):
    driver.hal.sent.clear()
    driver.hal.say({"t": "read", "name": name, "n": 5})
    assert driver.until(lambda: any(one["t"] in ("file", "no") and (one["t"] == "no" or one["k"] + 1 == one["of"])
                                    for one in driver.hal.sent))
    parts = driver.hal.kinds("file")
    assert [one["k"] for one in parts] == list(range(len(parts)))
    return b"".join(base64.b64decode(one["d"]) for one in parts) if parts else driver.hal.kinds("no")[0]["say"]


def test_a_set_is_installed_at_once_where_no_race_runs(driver, root, wanted):
    code = {name: data for name, data in files_of(root).items() if name.startswith(("glow/", "shared_rules/", "code/"))}
    assert send(driver, root, wanted) == "ok"
    after = files_of(root)
    assert after["manifest.txt"] == wanted["manifest.txt"] and after["tracks/free-speedway.pack"]
    assert "text/en.pack" not in after and not [name for name in after if name.startswith("new/")]
    assert {name: data for name, data in after.items() if name in code} == code
    menu = [one for one in driver.hal.kinds("menu") if one["k"] == 0][-1]
    assert [one["id"] for one in menu["games"][0]["tracks"]] == ["gp-ring", "free-speedway"]
    assert driver.app.language == "de" and not driver.app.texts.fault
    assert not driver.hal.errors


def test_in_mid_race_it_waits_for_the_end_of_the_race(driver, root, wanted):
    assert driver.app.start_race(SETUP) == ""
    assert driver.until(lambda: driver.app.state == "race")
    before = driver.app.race.digest()
    assert send(driver, root, wanted) == "ok"
    driver.run(1000)
    assert driver.app.race.digest() == before and driver.app.state == "race"
    assert (root / "new/ready").exists() and not (root / "tracks/free-speedway.pack").exists()
    assert parse(read(driver, "new/manifest.txt")).choice("languages") == ["de"]
    driver.app.stop_race()
    assert (root / "tracks/free-speedway.pack").exists() and not (root / "new").exists()


def test_parts_may_come_twice_but_not_out_of_order(driver, root):
    data = os.urandom(2500)
    assert "missing or broken" in put(driver, "tracks/x.pack", data, only=[1])
    assert put(driver, "tracks/x.pack", data, only=[0, 1]) == "ok"
    assert put(driver, "tracks/x.pack", data, only=[1]) == "ok"  # the answer was lost
    assert put(driver, "tracks/x.pack", data, only=[2]) == "ok"
    assert (root / "new/tracks/x.pack").read_bytes() == data
    assert put(driver, "tracks/x.pack", data[:30]) == "ok"  # begun anew
    assert (root / "new/tracks/x.pack").read_bytes() == data[:30]
    assert put(driver, "tracks/x.pack", b"") == "ok"


@pytest.mark.parametrize("name", ["main.py", "glow/app.mpy", "save/race.log", "tracks/../main.py", "../x", "/etc/x",
                                  "tracks/a/b", "tracks/", "text/..", "new/ready", "tracks/.x", "tracks\\x", ""])
def test_nothing_but_tracks_and_texts_comes_in(driver, root, name):
    before = files_of(root)
    assert "can't be sent over the link" in put(driver, name, b"evil")
    assert files_of(root) == before


@pytest.mark.parametrize("message, said", [
    ({"k": 0, "of": 2, "d": "YQ=="}, "missing or broken"),  # a short part that isn't the last
    ({"k": 1, "of": 1, "d": "YQ=="}, "missing or broken"),
    ({"k": 0, "of": 1, "d": "YQ=!"}, "missing or broken"),
    ({"k": 0, "of": 1, "d": base64.b64encode(b"x" * 1025).decode()}, "missing or broken"),
])
def test_parts_that_are_none(driver, message, said):
    assert said in ask(driver, {"t": "put", "name": "tracks/x.pack", **message})


def test_a_set_that_is_not_whole_is_refused(driver, root, wanted):
    text = wanted["manifest.txt"]
    assert "is incomplete (manifest.txt)" in commit(driver, text)
    assert "is incomplete (tracks/free-speedway.leds)" in send(driver, root, wanted, but=["tracks/free-speedway.leds"])
    assert "is incomplete (manifest.txt)" in commit(driver, text, "00000000")
    put(driver, "tracks/free-speedway.leds", b"other")
    assert "is incomplete (tracks/free-speedway.leds)" in commit(driver, text)
    assert not (root / "new/ready").exists()
    assert send(driver, root, wanted) == "ok"


def test_a_set_that_changes_code_is_refused(driver, root, wanted):
    listed = {name: wanted[name] for name in parse(wanted["manifest.txt"]).files}
    for change in ({CODE: b"evil"}, {"evil.py": b"evil"}, {"glow/app.py": b"evil"}, {"board.json": None}):
        files = {name: data for name, data in {**listed, **change}.items() if data is not None}
        text = of_files(files, parse(wanted["manifest.txt"]).head).text()
        put(driver, "manifest.txt", text)
        said = commit(driver, text)
        assert f"More than tracks and texts would change ({next(iter(change))})" in said
    assert not (root / "new/ready").exists()


def test_what_is_no_secret_can_be_read(driver, root):
    assert read(driver, "manifest.txt") == (root / "manifest.txt").read_bytes()
    (root / "save/leds-gp-ring").write_bytes(b"x" * 1200)
    assert read(driver, "save/leds-gp-ring") == b"x" * 1200
    (root / "save/cards").write_bytes(b"")
    assert read(driver, "save/cards") == b""


@pytest.mark.parametrize("name", ["save/race.log", "save/race.a", "save/race.b", "save/race.new", "main.py", "save",
                                  "save/leds-/../race.log", "../x", "/etc/passwd", "", "new/ready"])
def test_secrets_never_leave(driver, root, name):
    assert driver.app.start_race(SETUP) == ""
    assert "can't be sent over the link" in read(driver, name)


def test_a_file_that_is_not_there(driver):
    assert read(driver, "save/cards") == "There is no file save/cards on this board."


def test_a_file_that_goes_while_the_listing_is_made_is_left_out(tmp_path):
    from glow.link.files import _walk
    for name in ("one", "two", "three"):
        (tmp_path / name).write_bytes(b"here")
    lines = _walk(SimpleNamespace(path=lambda name: f"{tmp_path}/{name}"), "")
    seen = [next(lines)]
    gone = next(name for name in ("one", "two", "three") if name not in seen[0])
    (tmp_path / gone).unlink()
    seen += lines
    assert len(seen) == 2 and not any(gone in line for line in seen)


def test_the_listing_has_all_but_saves(driver, root):
    assert driver.app.start_race(SETUP) == ""
    rows = [line.split(" ") for line in read(driver, "listing").decode().splitlines()]
    assert {name: int(size) for size, name in rows} == {
        name: len(data) for name, data in files_of(root).items() if not name.startswith("save/")}


def test_a_full_flash_keeps_room_for_saves(driver, root, monkeypatch):
    class Space:
        def __getitem__(self, at):
            return {0: 4096, 3: 16}[at]

    monkeypatch.setattr(os, "statvfs", lambda path: Space())
    assert "There is no room for tracks/x.pack" in put(driver, "tracks/x.pack", b"x")
    assert not (root / "new").exists()


def test_code_that_a_host_has_begun_to_send_makes_room_for_a_track(driver, root):
    (root / "new").mkdir()
    (root / "new/set").write_bytes(b"half of it")
    assert put(driver, "tracks/x.pack", b"a track") == "ok"
    assert not (root / "new/set").exists() and (root / "new/tracks/x.pack").read_bytes() == b"a track"
