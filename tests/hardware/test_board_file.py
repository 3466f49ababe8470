"""Board files: the content of the packaged boards, and the messages about broken ones."""

import json

import pytest

from gridglow import paths
from gridglow.boards.boardfile import board_json, list_boards, load_board
from gridglow.tomlfile import FileProblems
from shared_rules.errors import GridglowError


def text_of(board):
    return (paths.boards_folder() / f"{board}.toml").read_text()


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDGLOW_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def problems(tmp_path, text):
    path = tmp_path / "board.toml"
    path.write_text(text)
    with pytest.raises(FileProblems) as caught:
        load_board(path)
    return [(one.line, one.key, one.say) for one in caught.value.problems]


def test_full_board():
    plain = board_json(load_board("full"))
    assert [(one["pixels"], one["use"]) for one in plain["outputs"]] == [
        (420, "track"),
        (240, "dials"),
        (0, "spare"),
        (0, "spare"),
    ]
    assert plain["panels"] == 6 and plain["keys"] == ["PREV", "NEXT", "OK", "UNDO", "WHY", "MENU"]
    assert plain["dials"] == {"output": 1, "seats": 6, "each": [["ring", 8]] * 3 + [["bar", 8]] * 2}
    assert plain["display"] == [21, 6] and plain["brightness"] == 64
    assert plain["supply"] == {
        "limit_ma": 3200,
        "base_ma": 150,
        "red_ma": 16,
        "green_ma": 16,
        "blue_ma": 16,
        "dark_ma": 1,
    }


def test_mini_board():
    plain = board_json(load_board("mini"))
    assert [(one["pixels"], one["use"], one["pin"], one["after"]) for one in plain["outputs"][:2]] == [
        (64, "track", 2, 0),
        (48, "dials", 3, 0),
    ]
    assert plain["panels"] == 2 and plain["supply"]["limit_ma"] == 250
    assert plain["dials"] == {"output": 1, "seats": 2, "each": [["ring", 8]] * 3}


@pytest.mark.parametrize("board", ["mini", "full"])
def test_board_json_is_json_of_whole_numbers_and_text(board):
    plain = board_json(load_board(board))

    def walk(value):
        if isinstance(value, dict):
            return all(walk(one) for one in value.values())
        if isinstance(value, list):
            return all(walk(one) for one in value)
        return type(value) in (int, str)

    assert walk(plain) and json.loads(json.dumps(plain)) == plain
    model, pixels = plain["supply"], sum(one["pixels"] for one in plain["outputs"])
    assert model["base_ma"] + pixels * model["dark_ma"] < model["limit_ma"]
    assert (
        sum(size for _, size in plain["dials"]["each"]) * plain["dials"]["seats"]
        == plain["outputs"][1]["pixels"]
    )


def test_boards_by_name_and_by_file(tmp_path, data):
    assert list_boards() == ["full", "mini", "mini-direct"]
    (data / "boards").mkdir(parents=True)
    (data / "boards" / "mine.toml").write_text(
        text_of("mini").replace('"mini"', '"mine"').replace("250", "400")
    )
    assert list_boards() == ["full", "mine", "mini", "mini-direct"] and load_board("mine").supply.limit_ma == 400
    other = tmp_path / "other.toml"
    other.write_text(text_of("mini"))
    assert load_board(str(other)).id == "mini"
    with pytest.raises(GridglowError, match="There is no board 'ful'; did you mean 'full'?"):
        load_board("ful")
    with pytest.raises(FileProblems, match="There is no such board file"):
        load_board("none.toml")


def test_every_mistake_is_told_at_once(tmp_path):
    text = (
        text_of("mini")
        .replace("pixels_max = 64", "pixel_max = 64")
        .replace('use = "dials"', 'use = "dial"')
        .replace("count = 2", 'count = "2"')
        .replace("red_ma = 16", "red_ma = 1.6")
        .replace('"WHY"', '"WHO"')
        .replace("display = [21, 6]", "display = [16, 2]")
        .replace('"ring", "ring"]', '"ring", "rng"]')
        .replace("seats = 2", "seats = 9")
    )
    lines = text.split("\n")
    found = problems(tmp_path, text)
    assert [line for line, _, _ in found] == sorted(line for line, _, _ in found)
    by_key = {key: (line, say) for line, key, say in found}
    assert set(by_key) == {
        "display",
        "output 1 pixels_max",
        "output 1 pixel_max",
        "output 2 use",
        "panels count",
        "panels keys",
        "dials seats",
        "dials shapes",
        "supply red_ma",
    }
    for key, (line, _) in by_key.items():
        if key != "output 1 pixels_max":  # missing: reported at the head of its table
            assert key.split()[-1] in lines[line - 1], key
    assert "did you mean 'pixels_max'" in by_key["output 1 pixel_max"][1]
    assert "'WHO'; did you mean 'WHY'?" in by_key["panels keys"][1]
    assert "Expected 1 to 6, found 9." in by_key["dials seats"][1]
    assert "'rng'; did you mean 'ring'?" in by_key["dials shapes"][1]


@pytest.mark.parametrize(
    ("old", "new", "key", "says"),
    [
        (
            "pixels_max = 48",
            "pixels_max = 40",
            "dials pixels",
            "at most 40 pixels, the size of output 2, found 48 (2 seats of 24)",
        ),
        ("pixels = [8, 8, 8]", "pixels = [8, 8]", "dials pixels", "Expected 3 whole numbers"),
        ("pin = 3 ", "pin = 2 ", "output 2 pin", "Pin 2 already belongs to output 1"),
        ("pin = 3 ", "after = 3\npin = 3 ", "output 2 after", "Expected an earlier output on pin 3, found 3"),
        ("pin = 5", "pin = 15", "output 4 pin", "found 15"),
        ("number = 4", "number = 1", "output 4 number", "Expected 4"),
        ('use = "track"', 'use = "spare"', "output 1", 'exactly one output with use = "track", found 0'),
        (
            "output = 2",
            "output = 3",
            "dials output",
            'Expected the number of an output with use = "dials", found 3.',
        ),
        (
            "limit_ma = 250",
            "limit_ma = 200",
            "supply limit_ma",
            "more than 202 mA, for the base and 112 mA of dark pixels",
        ),
        ("limit_ma = 250", "limit_ma = 0", "supply limit_ma", "Expected 50 to 20000, found 0."),
        ("dark_ma = 1", "dark_ma = true", "supply dark_ma", "found true"),
        ("brightness_max = 64", "brightness_max = 300", "brightness_max", "Expected 1 to 255, found 300."),
        ("pinout = 2", "pinout = 3", "panels pinout", "Expected 1 to 2, found 3."),
        ("[supply]", "[suply]", "suply", "did you mean 'supply'"),
        ('order = "GRB"', 'order = "GRBX"', "output 1 order", "found 'GRBX'; did you mean 'GRB'?"),
    ],
)
def test_single_mistakes(tmp_path, old, new, key, says):
    text = text_of("mini")
    assert old in text
    found = problems(tmp_path, text.replace(old, new, 1))
    assert any(one[1] == key and says in one[2] for one in found), found


def test_empty_and_broken_files(tmp_path):
    assert "is empty" in problems(tmp_path, "")[0][2]
    assert problems(tmp_path, "id = 'x'\nname = \n")[0][0] == 2
    missing = problems(tmp_path, "id = 'x'\n")
    assert {say for _, key, say in missing if not key} == {
        "There is no [[output]] in the file; add one.",
        "There is no [panels] in the file; add one.",
        "There is no [dials] in the file; add one.",
        "There is no [supply] in the file; add one.",
    }


def test_wiring_of_the_packaged_boards():
    full, mini = board_json(load_board("full"))["wiring"], board_json(load_board("mini"))["wiring"]
    assert full == {
        "chip": "rp2040",
        "panels_on": {"clock": 10, "latch": 11, "data": 12},
        "console": {"a": 6, "b": 7, "push": 13, "ok": 21, "back": 22},
        "display_on": {"kind": "sh1106", "sda": 8, "scl": 9, "address": 60},
        "reader_on": {"miso": 16, "cs": 17, "sck": 18, "mosi": 19, "reset": 20},
        "buzzer": 28,
        "sense": 26,
        "safe_key": 22,
    }
    assert mini == {
        "chip": "rp2040",
        "panels_on": {"clock": 10, "latch": 11, "data": 12},
        "display_on": {"kind": "sh1106", "sda": 8, "scl": 9, "address": 60},
        "buzzer": 28,
        "safe_key": 22,
    }
    direct = board_json(load_board("mini-direct"))["wiring"]
    assert direct == {**mini, "panels_on": {"keys": [[16, 17, 18, 19, 20, 21], [10, 11, 12, 13, 14, 22]]}, "safe_key": 21}


def test_a_board_without_parts_and_one_with_all_of_them(tmp_path):
    bare = text_of("mini").replace("safe_key = 22", "")
    bare = "\n".join(line for line in bare.split("\n") if not line.startswith(("clock = ", "latch = ", "data = ")))
    bare = bare[: bare.index("[screen]")] + bare[bare.index("[dials]") :]
    path = tmp_path / "board.toml"
    path.write_text(bare)
    assert load_board(path).wiring == {"chip": "rp2040"}
    text = text_of("full").replace("dice_pad = false", "dice_pad = true").replace('"rp2040"  ', '"rp2350"  ')
    path.write_text(text.replace('order = "GRB"', 'order = "GRBW"', 1).replace("address = 0x3C", ""))
    board = load_board(path)
    assert board.wiring["chip"] == "rp2350" and board.wiring["dice_pad"] == 1
    assert board.outputs[0].order == "GRBW" and board.wiring["display_on"]["address"] == 0x3C


@pytest.mark.parametrize(
    ("old", "new", "key", "says"),
    [
        ("data = 12", "data = 13", "console push", "GPIO 13 already belongs to [panels] data"),
        ("latch = 11", "latch = 12", "panels latch", "Expected 11, the GPIO after the clock's, found 12."),
        ("latch = 11", "letch = 11", "panels letch", "did you mean 'latch'"),
        ("sda = 8", "sda = 15", "screen sda", "found 15"),
        ("sda = 8", "sda = 1", "screen sda", "Expected a GPIO with SDA (0, 2, 4"),
        ("scl = 9", "scl = 27", "screen scl", "SCL on the same I2C as SDA 8 (1, 5, 9, 13, 17, 21), found 27."),
        ("kind = \"sh1106\"", "kind = \"sh1107\"", "screen kind", "found 'sh1107'"),
        ("address = 0x3C", "address = 0x99", "screen address", "Expected 0x08 to 0x77, found 0x99."),
        ("miso = 16", "miso = 14", "reader miso", "MISO on the same SPI as SCK 18 (0, 4, 16, 20), found 14."),
        ("sck = 18", "sck = 1", "reader sck", "Expected a GPIO with SCK"),
        ("mosi = 19", "", "reader mosi", "the key 'mosi' is missing"),
        ("pin = 26", "pin = 1", "sense pin", "Expected a GPIO that measures (26, 27 or 28), found 1."),
        ("pin = 28", "pin = 2", "buzzer pin", "GPIO 2 already belongs to output 1"),
        ("safe_key = 22", "safe_key = 8", "safe_key", "GPIO 8 belongs to [screen] sda"),
        ("safe_key = 22", "safe_key = 23", "safe_key", "found 23"),
        ('chip = "rp2040"', 'chip = "rp2041"', "chip", "Expected 'rp2040' or 'rp2350', found 'rp2041'."),
        ("[reader]", "[readr]", "readr", "did you mean 'reader'"),
        ("clock = 10", "pins = [[0, 1, 2, 3, 4, 5]]\nclock = 10", "panels pins", "keep one"),
    ],
)
def test_mistakes_in_the_wiring(tmp_path, old, new, key, says):
    text = text_of("full")
    assert old in text
    found = problems(tmp_path, text.replace(old, new, 1))
    assert any(one[1] == key and says in one[2] for one in found), found
    assert all(line > 0 for line, _, _ in found)


@pytest.mark.parametrize(
    ("old", "new", "key", "says"),
    [
        ("[10, 11, 12, 13, 14, 22]", "[10, 11, 12, 13, 14, 16]", "panels pins", "GPIO 16 already belongs to [panels] pins"),
        (", [10, 11, 12, 13, 14, 22]]", "]", "panels pins", "one list for each of the 2 panels, found 1"),
        ("[10, 11, 12, 13, 14, 22]", "[10, 11, 12]", "panels pins", "Expected 6 GPIOs for each panel, found [10, 11, 12]."),
        ("22]]", "15]]", "panels pins", "found 15"),
        ("pins = [[", "dice_pad = true\npins = [[", "panels dice_pad", "Expected a chain"),
        ("safe_key = 21", "safe_key = 2", "safe_key", "GPIO 2 belongs to output 1"),
    ],
)
def test_mistakes_in_the_wiring_of_plain_pins(tmp_path, old, new, key, says):
    text = text_of("mini-direct")
    assert old in text
    found = problems(tmp_path, text.replace(old, new, 1))
    assert any(one[1] == key and says in one[2] for one in found), found


def test_every_mistake_in_the_wiring_is_told_at_once(tmp_path):
    text = text_of("full").replace("data = 12", "data = 15").replace("sda = 8", "sda = 3").replace("mosi = 19", "mosi = 6")
    assert {key for _, key, _ in problems(tmp_path, text)} >= {"panels data", "screen sda", "reader mosi"}


@pytest.mark.parametrize(("address", "says"), [
    ("0x78", "found 0x78; some makers include the read/write bit: use 0x3C."),
    ("0x7A", "use 0x3D."), ("0x07", "Expected 0x08 to 0x77, found 0x07."), ("0xFF", "Expected 0x08 to 0x77, found 0xFF."),
])
def test_an_address_of_eight_bits_gets_the_one_of_seven(tmp_path, address, says):
    text = text_of("mini").replace("address = 0x3C", f"address = {address}")
    assert [say for _, key, say in problems(tmp_path, text) if key == "screen address" and say.endswith(says)]
