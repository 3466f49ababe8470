"""A copy of the checkout in which `gridglow new-game` has written a game."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: As long as an id may be, so that lines are as long as they can get.
GAME = "a_cup_of_twenty_long"
COPIED = ("shared_rules", "host", "tests", "tools", "docs/cheatsheets", "firmware", "hardware/boards", "pyproject.toml")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "saves", "golden_frames")
IMAGE = """
from gridglow.firmware.image import source_modules
from shared_rules import games
import binascii, json
print(json.dumps([games.NAMES, {name: binascii.crc32(text) for name, text in source_modules().items()}]))
"""


def copy_with_a_game(root):
    """A function that runs Python with these arguments in the copy and returns its output; its ``written`` is
    the command's report, ``before`` the image and ``texts`` the files from before."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, root / name, ignore=LEFT_OUT)
        else:
            shutil.copy(ROOT / name, root / name)
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1",
                   "PYTHONPATH": os.pathsep.join([str(root), str(root / "host")])}

    def run(*words):
        done = subprocess.run([sys.executable, *words], cwd=root, env=environment, capture_output=True, text=True,
                              timeout=600)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout

    run.root = root
    run.before = run("-c", IMAGE)
    run.texts = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    run.written = run("-m", "gridglow", "new-game", GAME)
    return run
