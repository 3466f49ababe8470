"""Track files: every mistake is reported at once, with line and key; the short layout notation."""

import ast
from pathlib import Path

import pytest
from track_texts import HEAD, SQUARE

from gridglow.tomlfile import FileProblems, find_lines
from gridglow.tracks import compile_file, compile_layout, levels, load_track, parse_layout
from gridglow.tracks import source as source_module
from gridglow.tracks.layout import write_layout
from gridglow.tracks.levels import abouts
from gridglow.tracks.source import read_source
from shared_rules import games
from shared_rules.errors import BadTrack


def write(tmp_path, text):
    path = tmp_path / "try.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def problems(tmp_path, text):
    with pytest.raises(FileProblems) as caught:
        read_source(write(tmp_path, text))
    return [(one.line, one.key, one.say) for one in caught.value.problems]


def only(tmp_path, text):
    found = problems(tmp_path, text)
    assert len(found) == 1, found
    return found[0]


def test_good_file(tmp_path):
    source = read_source(write(tmp_path, HEAD + SQUARE))
    assert source.rows == 48 and source.closed and not source.reversible and source.board_cm == (60, 70)
    assert compile_file(source.path).geometry is not None


def test_every_mistake_is_told_at_once_in_the_order_of_the_file(tmp_path):
    text = """id = "Bad Id"
nmae = "y"
number = "one"
game = "moto_grand_pri"
level = "basic"
laps = 0
board_cm = [60]
lanes = true
closed = 1

[[section]]
kind = "straigth"
row = 8

[[section]] # corner
kind = "corner"
turn = "letf"
rows = 4
difficulty = 5
angle = 10.5
"""
    assert [(line, key) for line, key, _ in problems(tmp_path, text)] == [
        (1, "id"),
        (1, "name"),
        (2, "nmae"),
        (3, "number"),
        (4, "game"),
        (6, "laps"),
        (7, "board_cm"),
        (8, "lanes"),
        (9, "closed"),
        (11, "section 1 rows"),
        (12, "section 1 kind"),
        (13, "section 1 row"),
        (17, "section 2 turn"),
        (19, "section 2 difficulty"),
        (20, "section 2 angle"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "says"),
    [
        ("laps = 3", "lap = 3", 6, "lap", "did you mean 'laps'"),
        ('level = "basic"', 'level = "standart"', 5, "level", "did you mean 'standard'"),
        ('level = "basic"', "level = 1", 5, "level", "Expected text in quotes, found 1."),
        (
            'game = "moto_grand_prix"',
            'game = "chess"',
            4,
            "game",
            "found 'chess'.",
        ),
        ("number = 90", "number = 0", 3, "number", "Expected 1 to 999, found 0."),
        ("number = 90", "number = true", 3, "number", "Expected a whole number, found true."),
        ("laps = 3", "laps = -1", 6, "laps", "Expected 1 to 99, found -1."),
        ("lanes = 3", "lanes = 5", 8, "lanes", "Expected 1 to 4, found 5."),
        ("board_cm = [60, 70]", "board_cm = 60", 7, "board_cm", "Expected a list, found 60."),
        (
            "board_cm = [60, 70]",
            "board_cm = [60, 7000]",
            7,
            "board_cm",
            "Expected 2 whole numbers from 10 to 500",
        ),
        ('name = "Try"', 'name = ""', 2, "name", "found an empty text"),
        ('name = "Try"', 'name = "a\\u0007b"', 2, "name", "Expected a name"),
        ('id = "try"', 'id = "-try"', 1, "id", "small letters, digits and single hyphens"),
        ('id = "try"', f'id = "{"t" * 41}"', 1, "id", "at most 40 characters, found 41"),
    ],
)
def test_head(tmp_path, old, new, line, key, says):
    found = problems(tmp_path, HEAD.replace(old, new) + SQUARE)
    assert (line, key) in [(one[0], one[1]) for one in found]
    assert any(says in one[2] for one in found), found


@pytest.mark.parametrize(
    ("section", "key", "says"),
    [
        ('kind = "straight"', "section 1 rows", "the key 'rows' is missing"),
        ('kind = "straight"\nrows = 0', "section 1 rows", "Expected 1 to 99, found 0."),
        ('kind = "straight"\nrows = 3\nturn = "left"', "section 1 turn", "There is no key 'turn' here"),
        ('kind = "straight"\nrows = 3\nhill = "uphill"', "section 1 hill", "did you mean 'up'"),
        ('kind = "straight"\nrows = 3\ncounter = "straight"', "section 1 counter", "Expected 'corner'"),
        (
            'kind = "straight"\nrows = 3\ncounter = "corner"\nturn = "left"',
            "section 1 difficulty",
            "is missing",
        ),
        (
            'kind = "corner"\nrows = 3\nturn = "left"\nangle = 9\ncounter = "straight"\ndifficulty = 2',
            "section 1 difficulty",
            "There is no key 'difficulty' here",
        ),
        (
            'kind = "corner"\nrows = 3\nturn = "left"\nangle = 0\ndifficulty = 2',
            "section 1 angle",
            "Expected 1 to 300, found 0.",
        ),
        ("rows = 3", "section 1 kind", "the key 'kind' is missing"),
    ],
)
def test_section(tmp_path, section, key, says):
    _, found_key, say = only(tmp_path, HEAD + "[[section]]\n" + section + "\n" + SQUARE)
    assert found_key == key and says in say


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"", "is empty"),
        (b"  \n\n", "is empty"),
        (b"\x00\xff\xfe", "UTF-8"),
        (b"id = 'a'\nname = 'b\xe4'", "UTF-8"),
        (b"hello", "This is not TOML"),
        (b"id = 1\nid = 2\n", "This is not TOML"),
        (b"a = " + b"[" * 5000 + b"]" * 5000, "too deep"),
        (b"a = " + b"9" * 5000, "too long"),
    ],
)
def test_what_is_no_toml(tmp_path, text, says):
    _, _, say = only(tmp_path, text)
    assert says in say


def test_line_of_a_toml_error(tmp_path):
    assert only(tmp_path, HEAD + "\n[[section]\nrows = 1\n")[0] == 10


def test_missing_file_and_folder(tmp_path):
    for path, says in (
        (tmp_path / "none.toml", "There is no such track file"),
        (tmp_path, "this is a folder"),
    ):
        with pytest.raises(FileProblems, match=says):
            read_source(path)


def test_no_sections_and_only_straights(tmp_path):
    assert "There is no [[section]]" in only(tmp_path, HEAD)[2]
    assert "beginning with [[section]]" in only(tmp_path, HEAD + "[section]\nrows = 4\n")[2]
    assert "A loop needs corners" in only(tmp_path, HEAD + '[[section]]\nkind = "straight"\nrows = 9\n')[2]
    assert (
        "Expected 4 to 400 rows"
        in only(tmp_path, HEAD + "closed = false\n" + '[[section]]\nkind = "straight"\nrows = 3\n')[2]
    )


def test_marks(tmp_path):
    good = '\n[[mark]]\nspace = "12b"\nword = "oil"\n'
    assert read_source(write(tmp_path, HEAD + SQUARE + good)).marks == ((12, 2, "oil"),)
    assert compile_file(write(tmp_path, HEAD + SQUARE + good)).track.marks == [[34, "oil"]]
    assert "already marked 'oil'" in only(tmp_path, HEAD + SQUARE + good + good)[2]
    assert "up to row 48, lane c, found 49a" in only(tmp_path, HEAD + SQUARE + good.replace("12b", "49a"))[2]
    assert "up to row 48, lane c, found 1d" in only(tmp_path, HEAD + SQUARE + good.replace("12b", "1d"))[2]


def test_loop_that_does_not_close_is_a_problem_of_the_file(tmp_path):
    with pytest.raises(FileProblems, match="try.toml: The loop of try doesn't close"):
        compile_file(write(tmp_path, HEAD + SQUARE.replace("angle = 90", "angle = 70")))


def test_only_a_reversible_track_is_reversed(tmp_path):
    with pytest.raises(BadTrack, match="only be driven one way"):
        compile_file(write(tmp_path, HEAD + SQUARE), reverse=True)
    turned = compile_file(write(tmp_path, HEAD + "reversible = true\n" + SQUARE), reverse=True)
    assert [s.turn for s in turned.track.sections if s.kind == "corner"] == ["right"] * 4


def test_lines_are_found_in_all_of_toml(tmp_path):
    text = (
        'a = 1\r\n# b = 2\nlist = [\n  "x = 1",\n  { y = 2 },\n]\nlong = """\nz = 3\n[[no]]\n"""\n'
        '"q key" = 4\n'
        '[t.u]\nv.w = 5\n[[s]]\nk = \'#\' # c\n[[s]]\n[[s.deep]]\nm = "a\\"[" \nn = 6\n'
    )
    lines = find_lines(text)
    assert lines[("a",)] == 1 and lines[("list",)] == 3 and lines[("long",)] == 7 and lines[("q key",)] == 11
    assert lines[("t", "u")] == 12 and lines[("t", "u", "v", "w")] == 13 and lines[("s", 0, "k")] == 15
    assert (
        lines[("s", 1)] == 16
        and lines[("s", 1, "deep", 0, "m")] == 18
        and lines[("s", 1, "deep", 0, "n")] == 19
    )
    assert ("z",) not in lines and ("y",) not in lines and ("no",) not in lines


def test_every_game_has_levels():
    assert set(games.NAMES) <= set(abouts())


def test_the_host_knows_no_game_by_name():
    """What tracks need to know about their game is in its About. Examples in docstrings aren't code."""
    for path in Path(source_module.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert node.value not in abouts(), f"{path.name}, line {node.lineno}"


def test_a_game_says_what_its_tracks_are(tmp_path, monkeypatch):
    class About:
        LEVELS = ("creek", "river")

    class Hard(About):
        CORNERS_HAVE_DIFFICULTY = True

    for module in (levels, source_module):
        monkeypatch.setattr(module, "abouts", lambda: {"calm_run": About, "hard_run": Hard})
    text = (HEAD + SQUARE).replace('"basic"', '"river"').replace("difficulty = 1\n", "")
    source = read_source(write(tmp_path, text.replace("moto_grand_prix", "calm_run")))
    assert (source.game, source.level, source.start_rows) == ("calm_run", "river", 0)
    assert {one[1] for one in problems(tmp_path, text.replace("moto_grand_prix", "hard_run"))} == {
        f"section {at} difficulty" for at in (2, 4, 6, 8)}
    _, key, say = only(tmp_path, text.replace("moto_grand_prix", "calm_run").replace('"river"', '"lake"'))
    assert key == "level" and "creek" in say and "river" in say


@pytest.mark.parametrize(
    "layout", ["S8 L4d2@107 S6 L5d1@80 S5 L4d1@70 S6 L3d3@103 S3", "S6u L4d3d R4sf@20 S3cL2 S3d R4d2d@70"]
)
def test_layouts_are_written_as_they_are_read(layout):
    assert write_layout(parse_layout(layout)) == layout


def test_a_start_and_a_ramp_have_no_form_in_a_layout():
    source = load_track("house-board").source
    assert [road.kind for road in source.roads] == ["start", "side", "ramp"]
    assert [part for part in write_layout(source).split() if ">" in part] == ["38a>11>42a"]


@pytest.mark.parametrize(
    ("layout", "says"),
    [
        ("", "The layout is empty"),
        ("S8 X4", "found 'X4'"),
        ("S8 L4", "found 'L4'"),
        ("S8 L4d4", "found 'L4d4'"),
        ("S8 S3cL", "found 'S3cL'"),
        ("S0 L4d2", "found 'S0'"),
        ("S8,L4d2", "found 'S8,L4d2'"),
        ("S٣ L4d2", "found 'S٣'"),
        ("S100 L4d2", "1 to 99 rows"),
        ("S99 " * 5, "2 to 400 rows in all, the layout has 495"),
    ],
)
def test_bad_layouts(layout, says):
    with pytest.raises(BadTrack, match=says):
        compile_layout(layout)


def test_all_that_is_wrong_in_a_layout_is_told():
    with pytest.raises(BadTrack) as caught:
        compile_layout("S8 X4 L4d7", lanes=5, laps=0)
    for part in ("'X4'", "'L4d7'", "1 to 4 lanes, found 5", "1 to 99 laps, found 0"):
        assert part in str(caught.value)
