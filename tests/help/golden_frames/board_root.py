"""Makes the folder that a board has for its flash, for tests: board file, texts, tracks, and the program for MicroPython."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

HELP = Path(__file__).resolve().parents[1]
#: The module that `synced` brings.
CODE = "code/glow/board/idle.mpy"


def board_root(folder: Path, board_name: str = "full", game: str = "moto_grand_prix") -> Path:
    """A folder with board.json, texts, and those tracks of a game that fit the board."""
    from glow.store.store import Settings
    from gridglow import texts
    from gridglow.boards.boardfile import board_json, load_board
    from gridglow.firmware.image import default_tracks
    from gridglow.tracks import device_files, index_json

    for name in ("text", "tracks", "save"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    board = load_board(board_name)
    Settings(str(folder / "save")).put("teach", 0)  # the tests of teach mode turn it on
    (folder / "board.json").write_text(json.dumps(board_json(board)))
    for language in texts.known_languages():
        (folder / "text" / (language + ".pack")).write_bytes(texts.pack_language(language))
    tracks, _ = default_tracks(board, [game])
    for track in tracks:
        for name, data in device_files(track, board).items():
            (folder / name).write_bytes(data)
    (folder / "tracks" / "index.json").write_text(json.dumps(index_json(tracks)))
    return folder


def synced(folder, tracks, languages=None):
    """A device folder with what a sync brings: a changed module, and a manifest of everything but the program."""
    from gridglow.device.manifest import of_files
    from gridglow.firmware.image import build
    from gridglow.tracks import load_track

    image = build(folder, "full", [load_track(track) for track in tracks], mpy=False, languages=languages)
    data = {name: content for name, content in image.contents.items() if not name.endswith(".py")}
    data[CODE] = b"mine"
    head = {"fw": "1", "board": "full", "tracks": ",".join(tracks), "languages": ",".join(languages or ["all"])}
    for name, content in ((CODE, data[CODE]), ("manifest.txt", of_files(data, head).text())):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def micropython_root(folder: Path, board_name: str = "full") -> Path:
    """The device folder for MicroPython, with the frame player beside the firmware."""
    from gridglow.firmware.compiler import compile_mpy
    from gridglow.firmware.image import build

    build(folder, board_name, games=["moto_grand_prix"])
    (folder / "save").mkdir(exist_ok=True)
    for path in (HELP / "in_memory" / "script_hal.py", HELP / "golden_frames" / "play.py"):
        (folder / path.name).with_suffix(".mpy").write_bytes(compile_mpy(path.name, path.read_bytes()))
    return folder


def micropython() -> str:
    """MicroPython beside this interpreter, or on PATH."""
    there = Path(sys.executable).parent / "micropython"
    found = str(there) if there.exists() else shutil.which("micropython")
    if not found:
        raise FileNotFoundError("There is no micropython beside this Python nor on the PATH; run: make setup")
    return found


def run_micropython(root: Path, code: str) -> tuple[str, str]:
    """Runs code on MicroPython in the folder, with room for all firmware code: (output, errors)."""
    done = subprocess.run([micropython(), "-X", "heapsize=2m", "-c", code], cwd=root, capture_output=True, text=True,
                          timeout=300, check=False)
    if done.returncode:
        raise AssertionError(f"MicroPython ended with {done.returncode}: {done.stderr[-2000:]}{done.stdout[-500:]}")
    return done.stdout, done.stderr
