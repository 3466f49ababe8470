"""Text files as editors on Windows save them, with a mark (BOM) in front and other line ends: every reader accepts them."""

import ast

import pytest

from gridglow import paths
from gridglow.boards.boardedit import set_order
from gridglow.boards.boardfile import read_board
from gridglow.plaintext import decoded
from gridglow.races.replays import read_journal
from gridglow.races.spec import read_spec
from gridglow.texts import known_languages, read_texts
from gridglow.tomlfile import FileProblems
from gridglow.tracks.source import read_source
from shared_rules.errors import BadSave
from shared_rules.journal_file import Journal

BOM = b"\xef\xbb\xbf"
JOURNAL = paths.CHECKOUT / "tests" / "help" / "golden_races" / "ausgebremst-family-bleifuss-drom.journal"
#: A kind of file that people edit: an example, and what is read from it.
KINDS = {
    "track": (paths.tracks_folder() / "moto_grand_prix" / "gp-ring.toml", lambda path: read_source(path).sections),
    "board": (paths.boards_folder() / "mini.toml", lambda path: read_board(path).outputs),
    "vectors": (paths.spec_folder() / "full_throttle.toml", lambda path: [one.table for one in read_spec(path).vectors]),
    "texts": (paths.text_folder() / f"{known_languages()[0]}.toml", read_texts),
    "journal": (JOURNAL, lambda path: Journal.parse(read_journal(path.read_bytes())).plain),
}


def as_notepad_saves(text: bytes) -> bytes:
    return BOM + text.replace(b"\n", b"\r\n")


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_of_notepad_reads_as_any_other(kind, tmp_path):
    packaged, read = KINDS[kind]
    path = tmp_path / packaged.name
    path.write_bytes(as_notepad_saves(packaged.read_bytes()))
    assert read(path) == read(packaged)


def test_a_board_file_of_notepad_can_be_changed_by_a_command(tmp_path):
    path = tmp_path / "mini.toml"
    path.write_bytes(as_notepad_saves((paths.boards_folder() / "mini.toml").read_bytes()))
    assert set_order(read_board(path), 1, "RGB") == path
    assert read_board(path).outputs[0].order == "RGB"


def test_the_line_of_a_mistake_is_counted_as_the_editor_counts(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes(BOM + b'idd = "mine"\r\n')
    with pytest.raises(FileProblems) as caught:
        read_source(path)
    assert [problem.line for problem in caught.value.problems if problem.key == "idd"] == [1]
    path.write_bytes(BOM + b'id = "mine"\r\nname = "\xff"\r\n')
    with pytest.raises(FileProblems) as caught:
        read_source(path)
    assert [problem.line for problem in caught.value.problems] == [2]


def test_a_mark_alone_is_an_empty_file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes(BOM)
    with pytest.raises(FileProblems, match="is empty"):
        read_source(path)
    with pytest.raises(BadSave, match="is empty"):
        read_journal(BOM + b"\r\n")


def test_only_one_mark_is_taken_off():
    assert decoded(BOM + BOM + b"x") == "\ufeffx"


def test_no_other_module_reads_toml_in_its_own_way():
    own = {path.name for path in paths.PACKAGE.rglob("*.py") for node in ast.walk(ast.parse(path.read_bytes()))
           if isinstance(node, ast.Import) and any(one.name == "tomllib" for one in node.names)}
    assert own == {"tomlfile.py"}
