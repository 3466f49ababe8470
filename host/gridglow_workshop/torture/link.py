"""The link is hostile input: mutated lines, files and commands for a board, which must go on as if nothing had happened.

A board in a device folder on this computer gets them in one process (`on_board/hostile_link.py`): most of them on CPython,
where the interpreter reports every file that is opened and all code that is run, and a sample on MicroPython. Then a virtual
board hears hostile messages from a board.
"""

from __future__ import annotations

import compileall
import hashlib
import json
import shutil
from pathlib import Path

from gridglow import scratch
from gridglow.device import manifest
from gridglow.firmware.image import build
from gridglow.races.startup import race_setup
from gridglow.tracks import load_track
from gridglow.virtual.script import run_once
from gridglow_workshop.torture.link_host import hear
from gridglow_workshop.torture.trial import LONG, Outcome, Say

NAME = "link"
WHAT = "Mutated lines on the link: no crash, no foreign file touched, no code run, no secret sent."

#: Lines for a board on CPython, on MicroPython, and a board's messages for its host.
AMOUNTS = {"quick": (2_000, 150, 300), LONG: (1_000_000, 30_000, 20_000)}
#: A board gets this many, then a new one continues: so a failure can soon be repeated.
LINES_A_BOARD = 50_000
#: A track of each game.
TRACKS = ("gp-ring", "track-a", "house-board", "bleifuss-drom", "main-event")
SEATS = 3
SCRIPTS = ("hostile_link.py", "hostile_lines.py", "hostile_files.py", "link_watch.py")
HEAP_KB = 4096
BOARD_S = 3600
#: What may change during the trial.
BOARDS_OWN = ("save", "new", "tracks", "text", "manifest.txt", "starts.txt", "__pycache__")


def run(amount: str, seed: int, say: Say) -> Outcome:
    """See `trial`."""
    lines, sample, messages = AMOUNTS[amount]
    failures: list[str] = []
    sums: dict[str, int] = {}
    for interpreter, count in (("cpython", lines), ("micropython", sample)):
        done = 0
        with scratch.folder("link") as folder:
            image = _image(Path(folder) / "image")
            if count > LINES_A_BOARD:  # otherwise a board compiles only what it needs
                compileall.compile_dir(image, quiet=2)
            while done < count and not failures:
                part = min(LINES_A_BOARD, count - done)
                found = _on_board(interpreter, image, Path(folder) / "board", part, f"{seed}/{interpreter}/{done}")
                again = (f"{interpreter}, seed {seed}, lines from {done} on; run it again with: gridglow torture --only "
                         f"{NAME} --seed {seed}{'' if amount == LONG else ' --quick'}")
                failures += [f"The board of the link: {one} ({again})." for one in found.pop("failures")]
                done += found.get("tried", part)
                for key, value in found.items():
                    sums[key] = sums.get(key, 0) + value
                say(f"link: {done} of {count} lines on {interpreter}.")
        sums[interpreter] = done
    heard, broken = hear(messages, seed)
    failures += broken
    tried = sums["cpython"] + sums["micropython"] + heard
    facts = [
        f"{sums['cpython']} lines for a board on CPython, {sums['micropython']} on MicroPython, {heard} messages of a board "
        "for a host.",
        f"{sums['races']} running races were disturbed, {sums['installs']} sets of files were sent, and races begun on "
        f"{sums['packs']} hostile tracks; a valid question was answered {sums['pings']} times.",
        f"{sums['read']} lines of the board were searched for secrets, {sums['looked']} of its file calls checked.",
    ]
    return Outcome(NAME, tried, tried - len(failures), "mutated lines", facts, failures)


def set_ups() -> list[dict]:
    """A plain set-up for each game, people at all seats."""
    return [race_setup(track=track, seats=SEATS, seed="torture").setup.plain() for track in TRACKS]


def _image(root: Path) -> Path:
    """A device folder of sources with a manifest, like that of a synced board, and the scripts that run there."""
    image = build(root, "full", [load_track(track) for track in TRACKS], mpy=False, target="virtual")
    data = {name: content for name, content in image.contents.items() if not name.endswith(".py")}
    head = {"fw": "1", "board": "full", "tracks": ",".join(image.tracks), "languages": "all"}
    (root / manifest.NAME).write_bytes(manifest.of_files(data, head).text())
    for name in SCRIPTS:
        shutil.copyfile(Path(__file__).parent / "on_board" / name, root / name)
    return root


def _on_board(interpreter: str, image: Path, root: Path, lines: int, seed: str) -> dict:
    """The script's result. Raises GridglowError if there is none."""
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(image, root)
    (root / "link.json").write_text(json.dumps([lines, seed, set_ups()]), "utf-8")
    before = _tree(root)
    told = run_once([SCRIPTS[0]], root, BOARD_S, HEAP_KB if interpreter == "micropython" else None)
    found = told.row("LINK ")
    if found is None:
        return {"failures": [f"it failed: {told.why}"]}
    after = _tree(root)
    found["failures"] += [f"{name} was changed" for name in sorted(before.keys() | after.keys())
                          if before.get(name) != after.get(name)]
    return found


def _tree(root: Path) -> dict[str, str]:
    """The files that no host may change over the link, each with a digest, and what is beside the folder."""
    found = {"../" + path.name: "" for path in root.parent.iterdir()}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        if name.parts[0] not in BOARDS_OWN and "__pycache__" not in name.parts and path.is_file():
            found[name.as_posix()] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found
