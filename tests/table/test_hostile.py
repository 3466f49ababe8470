"""What the trials `link`, `inputs` and `page` have found that needs a test of its own."""

import asyncio
import binascii
import json

import pytest
from golden_frames.board_root import synced
from script_hal import Script, ScriptHal

from glow.app import App
from gridglow.device.backup import read_file, write_file
from gridglow.seasons.pull import read_head
from gridglow.tracks import load_track
from gridglow.virtual.access import SeatKeys
from gridglow_workshop import torture
from gridglow_workshop.torture import chances, inputs, link_host
from gridglow_workshop.torture.trial import QUICK
from shared_rules.errors import BadSave, GridglowError
from shared_rules.journal_file import Journal
from shared_rules.link_table import FROM_BOARD, check
from shared_rules.race import Race
from shared_rules.saves import FIRST

SETUP = {"game": "moto_grand_prix", "variant": "basic", "track": "gp-ring", "laps": 1,
         "players": [["person", "Ann"], ["person", "Ben"]]}
DEEP = "[" * 100_000


@pytest.fixture(scope="module")
def flash(tmp_path_factory):
    return synced(tmp_path_factory.mktemp("flash"), ["gp-ring"], ["en"])


@pytest.fixture
def driver(flash):
    for path in (flash / "save").glob("*"):
        path.unlink()
    return Script(App(ScriptHal(str(flash)), pace="fast"))


def ask(driver, kind, **fields):
    """Sends something with its own number; returns the board's replies to it."""
    driver.hal.sent.clear()
    driver.asked = getattr(driver, "asked", 4) + 1
    driver.hal.say({"t": kind, "n": driver.asked, **fields})
    driver.run(40)
    return [one for one in driver.hal.sent if one["t"] not in ("stat", "sound", "px")]


def said(driver, kind, **fields):
    """The sentence of the refusal."""
    return [one["say"] for one in ask(driver, kind, **fields) if one["t"] == "no"]


# The link

@pytest.mark.parametrize("kind", ["start", "resume"])
def test_no_race_begins_in_service_mode(driver, kind):
    ask(driver, "start", setup=SETUP)
    ask(driver, "service", on=1, force=1)
    assert driver.app.state == "service"
    assert "service mode" in said(driver, kind, setup=SETUP)[0]
    assert driver.app.state == "service" and driver.app.race is None and driver.app.faults == []


@pytest.mark.parametrize("then", [{"t": "stop"}, {"t": "start", "setup": SETUP}])
def test_a_journal_that_is_being_sent_ends_with_its_race(driver, then):
    ask(driver, "start", setup=SETUP)
    driver.hal.say({"t": "journal", "n": 1})
    driver.hal.say({**then, "n": 2})
    driver.run(200)
    assert driver.app.faults == [] and not driver.app.link.file_waits()


@pytest.mark.parametrize("name", ["save/leds-\0", "save/leds-\ud83d", "save/leds-../race.a", "save/season-a/b",
                                  "save/race.a"])
def test_a_file_is_asked_for_by_a_plain_name(driver, name):
    assert len(said(driver, "read", name=name)) == 1
    assert driver.app.faults == []


def test_a_line_without_a_name_installs_no_other_code(driver, flash):
    """A manifest cut after such a line would have removed all code from the board."""
    good = (flash / "manifest.txt").read_bytes()
    head, first = good.split(b"\n")[:2]
    cut = b"\n".join([head, b"00000000 0 ", first, b""])
    for k in range(0, len(cut), 1024):
        said(driver, "put", name="manifest.txt", k=k // 1024, of=(len(cut) + 1023) // 1024,
             d=binascii.b2a_base64(cut[k:k + 1024]).decode().strip())
    assert "would change" in said(driver, "commit", name="manifest.txt", crc="%08x" % binascii.crc32(cut))[0]
    assert not (flash / "new" / "ready").exists() and (flash / "manifest.txt").read_bytes() == good


def test_a_track_is_the_one_that_its_file_is_called_by(driver, flash):
    good = (flash / "tracks" / "gp-ring.pack").read_bytes()
    pack = good[:-4].replace(b'"gp-ring"', b'"../ring"')
    (flash / "tracks" / "gp-ring.pack").write_bytes(pack + binascii.crc32(pack).to_bytes(4, "little"))
    try:
        assert "no track 'gp-ring'" in said(driver, "start", setup=SETUP)[0]
    finally:
        (flash / "tracks" / "gp-ring.pack").write_bytes(good)


def test_a_board_lights_no_track_whose_name_leads_elsewhere(driver, flash, monkeypatch):
    driver.app.settings.put("track", "../../secret")
    opened = []
    usual = open
    monkeypatch.setattr("builtins.open", lambda path, *more: opened.append(str(path)) or usual(path, *more))
    driver.app.go("idle")
    assert not [path for path in opened if "secret" in path] and driver.app.faults == []


@pytest.mark.parametrize("value", ['"../../x"', "[[]]", '"\\ud800"', "{}", "1e400", '"x"', "-1", "null", DEEP])
def test_a_board_starts_with_any_settings(flash, value, monkeypatch):
    """A setting can be anything once others have written the file; the board starts, greets, and begins a race."""
    opened = []
    usual = open
    names = ("language", "pace", "brightness", "mute", "calm", "left", "teach", "track", "panels", "name", "open", "season")
    body = ("[" + ", ".join(f'["{name}", {value}]' for name in names) + "]").encode()
    (flash / "save").mkdir(exist_ok=True)
    (flash / "save" / "settings").write_bytes(body + b" *%08x\n" % binascii.crc32(body))
    monkeypatch.setattr("builtins.open", lambda path, *more: opened.append(str(path)) or usual(path, *more))
    try:
        driver = Script(App(ScriptHal(str(flash)), pace=None))
        driver.run(100)
        hello = [one for one in driver.hal.sent if one["t"] == "hello"]
        assert hello and check("hello", hello[0], FROM_BOARD) is None and driver.app.lights
        assert [one for one in ask(driver, "start", setup=SETUP) if one["t"] == "ok"] and driver.app.race
        assert not [path for path in opened if ".." in path]
    finally:
        (flash / "save" / "settings").unlink()


# The host, which listens to its board

def test_a_host_goes_on_whatever_its_board_says():
    async def hear():
        engine, board, pages = await link_host.board_with_pages()
        keys = board.keys.links()
        for seats in ([[]], [["person"]], [["person", "A", 3], []]):
            await engine.say({**link_host.RACE, "seats": seats})
        await engine.say({"t": "prompts", "list": [{}, {"seat": "x"}]})
        await engine.say({"t": "px", "o": 1 << 30, "d": ""})
        scene = {"t": "scene", "cars": [], "lap": 0, "laps": 0, "lines": [], "dials": []}
        await engine.say({**scene, "events": [[{}], [[]], []]})
        await engine.say(link_host.RACE)
        for _ in range(20):
            await asyncio.sleep(0)
        alive = not board._reader.done()
        await board.take(pages[0], '{"t":"why","seat":1}')
        found = board.picture.race["seats"], board.keys.links() != keys
        assert len(board.picture._pixels) == 0
        await board.stop()
        return alive, found

    assert asyncio.run(hear()) == (True, (link_host.RACE["seats"], True))


def test_keys_of_players_that_are_none_open_nothing():
    keys = SeatKeys()
    keys.take([["person", "Ann"]])
    old = keys.links()[0][2].rpartition("/")[2]
    assert keys.take([[], ["person"], ["person", "Bo"]]) and keys.seat_of(old) == 0
    assert [(seat, name) for seat, name, _path in keys.links()] == [(3, "Bo")]


# Files

def test_brackets_that_are_too_deep_get_a_sentence():
    body = DEEP.encode()
    with pytest.raises(GridglowError, match="can't be read"):
        read_head(body + b" *%08x\n" % binascii.crc32(body))
    text = DEEP + "\n"
    with pytest.raises(BadSave, match="can't be read"):
        Race.load(f"{FIRST}1 {binascii.crc32(text.encode()):08x}\n{text}", load_track("gp-ring").track)
    with pytest.raises(BadSave, match="Line 2"):
        Journal.parse("gridglow journal 1\nstart: " + DEEP)


def test_a_backup_that_would_fill_the_memory_is_refused(tmp_path):
    names = [f"save/{number}" for number in range(6)]
    write_file(tmp_path / "x.zip", {name: bytes(1_900_000) for name in names})
    assert (tmp_path / "x.zip").stat().st_size < 20_000
    with pytest.raises(GridglowError, match="too large"):
        read_file(tmp_path / "x.zip")


def test_a_save_of_a_head_alone_gets_a_sentence():
    with pytest.raises(BadSave, match="can't be read"):
        Race.load(f"{FIRST}1 00000000\n", load_track("gp-ring").track)


# The trials themselves

def test_without_hypothesis_the_trial_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "hypothesis", None)
    outcome = torture.hold("inputs", QUICK, 1, lambda _: None)
    assert outcome.failed and 'pip install "gridglow[torture]"' in outcome.failures[0]


def test_a_file_that_is_written_elsewhere_is_noticed(tmp_path):
    class Kind:
        name, what = "x", "x"

        def samples(self):
            return [b"x"]

        def whole(self, data):
            return data

        def use(self, data, folder):
            (folder.parent / "elsewhere").write_bytes(data)

    with inputs.Watch() as watch:
        held = inputs.Held(Kind(), tmp_path / "x", watch)
        with pytest.raises(AssertionError, match="elsewhere"):
            held.one(b"x")


def test_the_chance_of_counts_is_that_of_the_tables():
    for freedom, statistic, chance in ((1, 3.841, 0.05), (5, 11.070, 0.05), (23, 41.638, 0.01), (63, 103.442, 0.001)):
        assert chances.upper_gamma(freedom / 2, statistic / 2) == pytest.approx(chance, rel=2e-3)
    assert chances.chi_square_chance([10, 10], [10, 10]) == 1
    assert json.loads(json.dumps(chances.chi_square_chance([9_000, 11_000], [10_000, 10_000]))) < 1e-9
