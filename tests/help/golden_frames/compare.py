"""The golden frames: which races are played on which boards, where they are kept, and how they differ."""

import tempfile
from pathlib import Path

from golden_frames import play
from golden_frames.board_root import board_root, micropython_root, run_micropython

FOLDER = Path(__file__).parent
#: name of the golden: (script, board, track)
GOLDENS = {
    "two_bots": ("two_bots", "full", "gp-ring"),
    "two_people": ("two_people", "full", "fabulous-driving-park"),
    "dice_of_the_table": ("dice_of_the_table", "full", "supercircus-raceway"),
    "standard_dials": ("standard_dials", "full", "gp-ring"),
    "two_people_by_row": ("two_people", "mini", "gp-ring"),
}


def kept(name: str) -> list[str]:
    """The kept lines of a golden; [] if there are none yet."""
    path = FOLDER / (name + ".txt")
    return path.read_text().splitlines() if path.exists() else []


def played(name: str) -> list[str]:
    """The lines that this Python plays."""
    script, board, track = GOLDENS[name]
    with tempfile.TemporaryDirectory() as folder:
        root = board_root(Path(folder), board)
        lines: list[str] = []
        play.Player(str(root), script, lines.append).play(track)
        return lines


def played_on_micropython(name: str) -> list[str]:
    """The lines that MicroPython plays, as .mpy."""
    script, board, track = GOLDENS[name]
    with tempfile.TemporaryDirectory() as folder:
        root = micropython_root(Path(folder), board)
        code = "import sys; sys.path.insert(0, '.'); import play; play.main(['.', %r, %r])" % (script, track)
        return run_micropython(root, code)[0].splitlines()


def difference(name: str, lines: list[str]) -> str:
    """"" or a sentence about the first line that differs from the kept one."""
    golden = kept(name)
    for number, (expected, came) in enumerate(zip(golden, lines), 1):
        if expected != came:
            return (f"{name}: line {number} of {name}.txt is '{expected[:60]}', but '{came[:60]}' was played; "
                    "where the lights were meant to change, run tests/help/renew_goldens.py and look at the difference.")
    if len(golden) != len(lines):
        return f"{name}: expected {len(golden)} lines, got {len(lines)}; run tests/help/renew_goldens.py if that is meant."
    return ""
