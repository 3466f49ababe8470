"""A host tool and a board on a line that damages what passes over it."""

from fake_board import FakeBoard

from gridglow.device.port import Port
from gridglow.device.talk import Talk


def test_a_tool_has_broken_lines_sent_again(tmp_path, program):
    season = b"".join(b"%d 1 roll %d | aaaabbbb ccccdddd\n" % (line, line % 6 + 1) for line in range(120))
    with FakeBoard(tmp_path / "board", {"save/season-1": season}, faults=("damage",), program=program) as board:
        with Talk(Port(board.port)) as talk:
            talk.answer_s = talk.silence_s = 30.0
            talk.info(60)
            for _ in range(5):
                assert talk.read_file("save/season-1") == season
            assert board.damaged > 5 and talk.again > 0
