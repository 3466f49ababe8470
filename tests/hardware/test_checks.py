"""Messages about a board file that can't be built: every mistake at once, with file, line and key, and no crash."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from gridglow import paths
from gridglow.boards.boardfile import examine_board, load_board
from gridglow.boards.wiring import PINS
from gridglow.cli.main import main
from gridglow.hardware.build import check_file, examine_build, plan_build
from gridglow.hardware.checks import check_board
from gridglow.tomlfile import FileProblems
from gridglow.tracks.catalogue import load_track
from shared_rules.errors import BadTrack, GridglowError

# From the data sheets of both chips, for the GPIOs that a Pico has on a pad; the rows are the tables' columns.
I2C = {
    "sda": {0: (0, 4, 8, 12, 16, 20, 28), 1: (2, 6, 10, 14, 18, 22, 26)},
    "scl": {0: (1, 5, 9, 13, 17, 21), 1: (3, 7, 11, 15, 19, 27)},
}
SPI = {
    "miso": {0: (0, 4, 16, 20), 1: (8, 12, 28)},
    "sck": {0: (2, 6, 18, 22), 1: (10, 14, 26)},
    "mosi": {0: (3, 7, 19), 1: (11, 15, 27)},
}


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDGLOW_DATA", str(tmp_path / "data"))


def text_of(board):
    return (paths.boards_folder() / f"{board}.toml").read_text("utf-8")


def changed(text, *changes):
    for old, new in changes:
        assert len(re.findall(old, text, re.MULTILINE)) >= 1, old
        text = re.sub(old, new, text, count=1, flags=re.MULTILINE)
    return text


def found(tmp_path, text, track=None):
    path = tmp_path / "board.toml"
    path.write_text(text, "utf-8")
    try:
        plan_build(path, track) if track else check_file(path)
    except FileProblems as error:
        return [(one.line, one.key, one.say) for one in error.problems]
    return []


TEN = (
    (r"^pin = 2$", "pin = 15"),
    (r"^latch = 11 ", "latch = 27 "),
    (r'^kind = "sh1106"', 'kind = "sh1107"'),
    (r"^sck = 18", "sck = 1"),
    (r"^pin = 28$", "pin = 8"),
    (r"^pin = 26$", "pin = 14"),
    (r"^pixels = \[8, 8, 8, 8, 8\]", "pixels = [8, 8, 8, 8, 9]"),
    (r"^pixel_mm = 12 ", "pixel_mm = 38 "),
    (r"^limit_ma = 3200 ", "limit_ma = 3900 "),
    (r"^encoder = ", "encodr = "),
)
TEN_KEYS = ["output 1 pin", "panels latch", "screen kind", "reader sck", "buzzer pin", "sense pin", "dials pixels",
            "string pixel_mm", "supply limit_ma", "parts encodr"]


def test_a_board_file_with_ten_mistakes_reports_ten(tmp_path):
    text = changed(text_of("full"), *TEN)
    problems = found(tmp_path, text, "gp-ring")
    assert [key for _, key, _ in problems] == TEN_KEYS
    wrong = [number for number, (old, new) in enumerate(zip(text_of("full").split("\n"), text.split("\n")), 1) if old != new]
    assert [line for line, _, _ in problems] == wrong and len(wrong) == 10
    out = tmp_path / "out"
    told = CliRunner().invoke(main, ["hardware", "build", str(tmp_path / "board.toml"), "--track", "gp-ring", "--out",
                                     str(out), "--json"])
    assert told.exit_code == 1 and not out.exists()
    sentences = json.loads(told.stdout)["problems"]
    assert len(sentences) == 10
    for line, key, sentence in zip(wrong, TEN_KEYS, sentences):
        assert sentence.startswith(f"{tmp_path / 'board.toml'}:{line}: {key}: ")


@pytest.mark.parametrize(("board", "change", "key", "says"), [
    ("mini", (r"^limit_ma = 250 ", "limit_ma = 401 "), "supply limit_ma", "at most 400 mA from USB, found 401"),
    ("mini", (r"^fuse_ma = 500 ", "fuse_ma = 200 "), "supply fuse_ma", "at least 313 mA, as a resettable fuse"),
    ("mini", (r'^kind = "usb"', 'kind = "usb"\npsu_ma = 1000'), "supply psu_ma", 'only with kind = "psu"'),
    ("mini", (r"^power_awg = 22 ", "power_awg = 23 "), "wires power_awg", "a wire gauge in AWG"),
    ("full", (r"^limit_ma = 3200 ", "limit_ma = 3201 "), "supply limit_ma", "at most 3200 mA, 80 % of the 4000"),
    ("full", (r"^fuse_ma = 4000 ", "fuse_ma = 3900 "), "supply fuse_ma", "Expected 4000 mA"),
    ("full", (r"^fuse_ma = 4000 ", "fuse_ma = 4100 "), "supply fuse_ma", "Expected 4000 mA"),
    ("full", (r"^power_awg = 18 ", "power_awg = 20 "), "wires power_awg", "found AWG 20, which carries 3500"),
    ("full", (r"^string_awg = 20 ", "string_awg = 22 "), "wires string_awg", "the 3000 mA of the fuse (AWG 20 or thicker)"),
    ("full", (r"^fuse_ma = 3000 ", "fuse_ma = 2800 "), "output 1 fuse_ma", "at least 3000 mA"),
    ("full", (r"^fuse_ma = 1350 ", "fuse_ma = 1500 "), "output 2 fuse_ma", "at most 1400 mA, what 2 ribbon wires of AWG 28"),
    ("full", (r"^fuse_ma = 1350 ", "fuse_ma = 1100 "), "output 2 fuse_ma", "at least 1250 mA"),
    ("full", (r"^limit_ma = 1000 ", "limit_ma = 3300 "), "output 2 limit_ma", "at most the 3200 mA of the whole supply"),
    ("full", (r"^pin = 4$", "pin = 3\nafter = 2"), "output 3 after", "no output behind the dials of output 2"),
    ("full", (r"^knob = .*\n", ""), "parts knob", "the part to order for 'knob'"),
    ("full", (r"^knob = .*", 'knob = "Knob"'), "parts knob", 'Expected a part such as { part = '),
    ("full", (r"^knob = .*", 'knob = { prt = "Knob", part = "x" }'), "parts knob prt", "did you mean 'part'?"),
    ("full", (r"^base_ma = 150 ", "base_ma = 2600 "), "supply limit_ma", "Expected more than 3260 mA"),
])
def test_single_mistakes(tmp_path, board, change, key, says):
    problems = found(tmp_path, changed(text_of(board), change))
    assert key in [one for _, one, _ in problems], problems
    assert says in next(say for _, one, say in problems if one == key)
    assert len(problems) == 1 or board == "full" and key in ("output 2 limit_ma", "supply limit_ma"), problems


def test_power_is_told_once_where_one_number_is_wrong(tmp_path):
    """A limit beyond the supply makes fuses and wires too weak as well; nobody needs to read that too."""
    problems = found(tmp_path, changed(text_of("full"), (r"^limit_ma = 3200 ", "limit_ma = 9000 ")))
    assert [key for _, key, _ in problems] == ["supply limit_ma"]


def test_a_board_without_parts_is_told_so_once(tmp_path):
    text = text_of("mini").split("[parts]")[0]
    assert load_board_text(tmp_path, text).parts == {}
    problems = found(tmp_path, text)
    assert [key for _, key, _ in problems] == ["parts"] and "copy [parts] from" in problems[0][2]


def load_board_text(tmp_path, text):
    path = tmp_path / "other.toml"
    path.write_text(text, "utf-8")
    return load_board(path)


def test_a_chained_track_must_have_all_pixels(tmp_path):
    text = changed(text_of("mini"), (r"^pin = 3 ", "after = 1\npin = 2 "))
    problems = found(tmp_path, text, "track-a")
    assert [key for _, key, _ in problems] == ["output 2 after"]
    assert "exactly the 64 pixels" in problems[0][2] and "has 27" in problems[0][2]
    assert found(tmp_path, changed(text, (r"^pixels_max = 64", "pixels_max = 27")), "track-a") == []


def test_the_packaged_boards_are_right(tmp_path):
    for board in ("mini", "full"):
        assert check_file(board).board.id == board
    assert check_file("full").board.parts["level_shifter"].confirmed


def odd_pins(tmp_path, *changes):
    """The keys whose GPIO is reported as unsuitable in a file with these changes."""
    path = tmp_path / "pins.toml"
    path.write_text(changed(text_of("full"), *changes), "utf-8")
    return {one.key for one in examine_board(path).problems if "Expected a GPIO with" in one.say}


@pytest.mark.parametrize(("bus", "leader", "followers", "table"), [
    ("screen", ("sda", 8), [("scl", 9)], I2C), ("reader", ("sck", 18), [("miso", 16), ("mosi", 19)], SPI),
])
def test_pins_of_i2c_and_spi_as_in_the_data_sheet(tmp_path, bus, leader, followers, table):
    lead, usual = leader
    for first in PINS:
        fits = any(first in pins for pins in table[lead].values())
        assert (f"{bus} {lead}" in odd_pins(tmp_path, (rf"^{lead} = {usual}", f"{lead} = {first}"))) == (not fits), first
    for block in (0, 1):
        first = table[lead][block][1]
        for key, before in followers:
            for pin in PINS:
                odd = odd_pins(tmp_path, (rf"^{lead} = {usual}", f"{lead} = {first}"),
                               (rf"^{key} = {before}", f"{key} = {pin}"))
                assert (f"{bus} {key}" in odd) == (pin not in table[key][block]), (first, key, pin)


def test_a_pico_2_has_the_same_pins(tmp_path):
    text = changed(text_of("full"), (r'^chip = "rp2040"', 'chip = "rp2350"'))
    assert found(tmp_path, text) == []
    assert [key for _, key, _ in found(tmp_path, changed(text, (r"^scl = 9", "scl = 27")))] == ["screen scl"]


@pytest.mark.parametrize("board", ["mini", "full"])
def test_no_mistake_makes_the_checks_fail(tmp_path, board):
    """Each line left out, and each value replaced: the only result may be problems."""
    lines = text_of(board).split("\n")
    lines = lines[: lines.index(next(line for line in lines if line.startswith("level_shifter")))]  # others alike
    track = load_track("track-a")
    path = tmp_path / "odd.toml"
    told = 0
    for at, line in enumerate(lines):
        key = re.match(r"\w+ *= *", line)
        values = ("-1", "[[1]]", "'x'") if key else ()
        for other in ("", *[f"{key[0]}{value}" for value in values]):
            path.write_text("\n".join([*lines[:at], other, *lines[at + 1:]]), "utf-8")
            try:
                examined = examine_board(path)
            except FileProblems:
                continue  # it is no longer TOML
            told += bool(examined.problems + check_board(examined))
            if at % 25 == 0:
                examine_build(path, track, "A4", None)
    assert told > 2 * len(lines)


def test_what_there_is_not_is_told(tmp_path):
    with pytest.raises(GridglowError, match="There is no board 'fool'; did you mean 'full'?"):
        check_file("fool")
    with pytest.raises(BadTrack, match="There is no track 'gp-rink'; did you mean 'gp-ring'?"):
        plan_build("full", "gp-rink")
    with pytest.raises(GridglowError, match="There is no board 'fool.json'"):
        check_file("fool.json")
    problems = found(tmp_path, text_of("mini"), "grand-prix-of-japan")
    assert [key for _, key, _ in problems] == ["output 1 pixels_max"] and "output 1 carries 64" in problems[0][2]
    told = CliRunner().invoke(main, ["hardware", "check", "mini"])
    assert told.exit_code == 0 and "The board mini" in told.stdout and "can be built" in told.stdout
    told = CliRunner().invoke(main, ["hardware", "check", "full", "--track", "gp-ring", "--json"])
    assert json.loads(told.stdout)["ok"] is True


def test_a_file_that_lies_there_is_read_whatever_it_is_called(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.txt").write_text(text_of("mini"), "utf-8")
    assert check_file("mine.txt").board.id == "mini"
    Path("mine.json").write_text('{"id": "mini"}', "utf-8")
    for words in (["hardware", "check", "mine.json"], ["play", "--board-file", "mine.json"], ["track", "show", "mine.json"]):
        told = CliRunner().invoke(main, words)
        assert told.exit_code == 1 and "mine.json:1: This is not TOML" in told.stderr
    told = CliRunner().invoke(main, ["play", "--track", "mine.json", "--headless", "--bots", "all"])
    assert told.exit_code == 2 and "Expected the id of a track, but mine.json is a file; put it into " in told.stderr


@pytest.mark.parametrize("limit", [500, 1999, 3201])
def test_a_file_that_says_nothing_of_its_supply_is_taken_at_its_word(tmp_path, limit):
    """Older files have only a limit: a supply and a fuse that are just large enough are assumed."""
    text = changed(text_of("full"), (r'^kind = "psu".*\n', ""), (r"^psu_ma = .*\n", ""), (r"^fuse_ma = 4000.*\n", ""),
                   (r"^limit_ma = 3200 .*", f"limit_ma = {limit}"), (r"^limit_ma = 1000 ", "limit_ma = 400 "),
                   (r"^limit_ma = 2400 ", "limit_ma = 400 "), (r"^pixels_max = 420", "pixels_max = 100"),
                   (r"^guard = .*\n", ""))
    assert found(tmp_path, text) == []
    supply = load_board_text(tmp_path, text).supply
    assert supply.kind == "psu" and limit * 10 <= supply.psu_ma * 8 < limit * 10 + 8
    usb = load_board_text(tmp_path, changed(text_of("mini"), (r'^kind = "usb"\n', ""), (r"^fuse_ma = .*\n", "")))
    assert usb.supply.kind == "usb"
