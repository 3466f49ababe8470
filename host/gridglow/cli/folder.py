"""``gridglow firmware folder``: the device folder of the virtual board, with the size of each module."""

from __future__ import annotations

from pathlib import Path

import click

from gridglow import scratch
from gridglow.cli.common import json_option, print_json, print_table, say
from gridglow.firmware.image import Image
from gridglow.firmware.image import build as build_image


@click.command()
@click.option("--out", metavar="DIR", type=click.Path(path_type=Path, file_okay=False),
              help="Keep the device folder here. Default: only print the sizes.")
@click.option("--board-file", metavar="BOARD", default="full", show_default=True,
              help="The board it is for: full, mini, mini-direct, or the name of a board file of your own.")
@click.option("--source", is_flag=True, help="Keep the modules as .py, for CPython.")
@json_option
def folder(out: Path | None, board_file: str, source: bool, as_json: bool) -> None:
    """Prepare the folder on which the virtual board runs, and print the size of each module.

    Rules and firmware become .mpy files; texts and tracks become compact packs. The folder "save" in it belongs to the board
    and is never touched.
    """
    with scratch.folder("build") as folder:
        image = build_image(out or folder / "device", board_file, mpy=not source, target="virtual")
    if as_json:
        print_json(plain(image, out))
    else:
        _print(image, out)
    for note in image.notes:
        say(f"note: {note}")


def plain(image: Image, out: Path | None) -> dict:
    """The sizes as a dict for JSON: ``modules`` [{name, part, lines, code_lines, bytes}] and the sums."""
    return {
        "out": str(out) if out else None,
        "board": image.board.id,
        "mpy": image.mpy,
        "modules": [{"name": module.name, "part": module.part, "lines": module.lines, "code_lines": module.code_lines,
                     "bytes": module.bytes_} for module in image.modules],
        "tracks": image.tracks,
        "files": image.files,
        "bytes": image.bytes_,
        "notes": image.notes,
    }


def _print(image: Image, out: Path | None) -> None:
    rows: list[list] = []
    parts: dict[str, list] = {}
    for module in image.modules:
        parts.setdefault(module.part, []).append(module)
    for part, modules in parts.items():
        rows += [[module.name, module.lines, module.code_lines, module.bytes_] for module in modules]
        rows.append([f"= {part}", *[sum(row[at] for row in rows[-len(modules):]) for at in (1, 2, 3)]])
    print_table(["MODULE", "LINES", "WITH CODE", "BYTES"], rows)
    where = f" in {out}" if out else ""
    click.echo(f"\n{image.files} files, {image.bytes_:,} bytes, {len(image.tracks)} tracks for the board "
               f"{image.board.id}{where}.")
