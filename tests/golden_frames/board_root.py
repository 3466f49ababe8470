"""Makes the folder that a board has as its flash, for tests: board file, texts, tracks, and the program for MicroPython."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]


def board_root(folder: Path, board_name: str = "full", layouts: dict[str, str] | None = None, light=None) -> Path:
    """A folder with board.json, texts, all MotoGrandPrix tracks that fit and tracks made of ``layouts`` (id: layout)."""
    from gridglow.hardware.boardfile import board_json, load_board
    from gridglow.texts import pack
    from gridglow.tracks.catalogue import list_tracks, load_track
    from gridglow.tracks.compiled import compile_source, device_files, index_json
    from gridglow.tracks.layout import parse_layout
    from gridglow.tracks.ledmap import DoesNotFit

    for name in ("text", "tracks", "save"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    board = load_board(board_name)
    (folder / "board.json").write_text(json.dumps(board_json(board)))
    (folder / "text" / "en.pack").write_bytes(pack(REPO / "shared_rules" / "text" / "en.toml"))
    tracks = [load_track(source.id) for source in list_tracks("moto_grand_prix")]
    for name, layout in (layouts or {}).items():
        tracks.append(compile_source(parse_layout(layout, track_id=name, name=name, game="moto_grand_prix",
                                                  level="basic")))
    kept = []
    for track in tracks:
        try:
            files = device_files(track, board, light)
        except DoesNotFit:
            continue
        kept.append(track)
        for name, data in files.items():
            (folder / name).write_bytes(data)
    (folder / "tracks" / "index.json").write_text(json.dumps(index_json(kept)))
    return folder


def add_program(root: Path) -> None:
    """Compiles rules, firmware and the frame player to .mpy files in the folder."""
    from gridglow.device import compile_mpy

    sources = [(REPO, "shared_rules"), (REPO / "firmware", "glow"), (REPO / "firmware", "hal")]
    files = []
    for base, package in sources:
        files += [(path, path.relative_to(base)) for path in sorted((base / package).rglob("*.py"))]
    files += [(REPO / "tests" / "script_hal.py", Path("script_hal.py")),
              (REPO / "tests" / "golden_frames" / "play.py", Path("play.py"))]
    for path, inside in files:
        target = root / inside.with_suffix(".mpy")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(compile_mpy(str(inside), path.read_bytes()))


def micropython() -> str:
    """MicroPython beside this interpreter, or on PATH."""
    there = Path(sys.executable).parent / "micropython"
    found = str(there) if there.exists() else shutil.which("micropython")
    if not found:
        raise FileNotFoundError("There is no micropython beside this Python nor on the PATH; run: make setup")
    return found


def run_micropython(root: Path, code: str, heap: str) -> tuple[str, str]:
    """Runs code on MicroPython in the folder with a heap such as "300k": (output, errors)."""
    done = subprocess.run([micropython(), "-X", "heapsize=" + heap, "-c", code], cwd=root, capture_output=True, text=True,
                          timeout=300, check=False)
    if done.returncode:
        raise AssertionError(f"MicroPython ended with {done.returncode}: {done.stderr[-2000:]}{done.stdout[-500:]}")
    return done.stdout, done.stderr
