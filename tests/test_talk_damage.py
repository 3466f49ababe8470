"""A tool of the host at a board whose line damages what goes over it."""

from fake_board import FakeBoard, gridglow_files

from gridglow.device.port import Port
from gridglow.device.talk import Talk
from gridglow.tracks import load_track


def test_a_tool_has_broken_lines_sent_again(tmp_path):
    files = gridglow_files(tmp_path / "image", "mini", tracks=[load_track("gp-ring")], games=["moto_grand_prix"])
    track = files["tracks/gp-ring.pack"]
    with FakeBoard(tmp_path / "board", files, faults=("damage",)) as board, Talk(Port(board.port)) as talk:
        talk.info(60)
        for _ in range(5):
            assert talk.read_file("tracks/gp-ring.pack") == track
        assert board.damaged > 5 and talk.again > 0
