"""``gridglow build``: what a board's flash holds, with the size of each module."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from gridglow.device import LINES_BUDGET, Image
from gridglow.device import build as build_image
from shared_rules.errors import GridglowError


@click.command()
@click.option("--out", metavar="DIR", type=click.Path(path_type=Path, file_okay=False),
              help="Keep the device folder here. Without it, only the sizes are told.")
@click.option("--board-file", metavar="BOARD", default="full", show_default=True,
              help="The board it is for: full, mini, or the name of a board file of your own.")
@click.option("--source", is_flag=True, help="Leave the modules as .py, as CPython needs them.")
@click.option("--json", "json_", is_flag=True, help="Print one JSON object for scripts instead of text.")
def build(out: Path | None, board_file: str, source: bool, json_: bool) -> None:
    """Compile everything that a board gets, and tell the size of each module.

    Rules and firmware become .mpy files, the texts and tracks compact packs. A folder made with --out can be copied
    to a board as it is. Its folder "save" belongs to the board and is never touched.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="gridglow-build-") as scratch:
            image = build_image(out or Path(scratch) / "device", board_file, mpy=not source)
    except GridglowError as error:
        raise click.ClickException(str(error)) from None
    click.echo(json.dumps(plain(image, out))) if json_ else _print(image, out)


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
        "lines_at_once": image.lines_at_once(),
        "code_lines_at_once": image.lines_at_once(code=True),
        "lines_budget": LINES_BUDGET,
        "notes": image.notes,
    }


def _print(image: Image, out: Path | None) -> None:
    table = Table("module", box=None, pad_edge=False)
    for head in ("lines", "with code", "bytes"):
        table.add_column(head, justify="right")
    parts: dict[str, list] = {}
    for module in image.modules:
        parts.setdefault(module.part, []).append(module)
    for part, modules in parts.items():
        for module in modules:
            table.add_row(module.name, f"{module.lines}", f"{module.code_lines}", f"{module.bytes_}")
        sums = [sum(getattr(module, size) for module in modules) for size in ("lines", "code_lines", "bytes_")]
        table.add_row(f"= {part}", *[f"{size:,}" for size in sums], style="bold")
    Console(width=None if Console().is_terminal else 100).print(table)
    click.echo(f"\n{image.files} files, {image.bytes_:,} bytes, {len(image.tracks)} tracks for the board {image.board.id}"
               + (f" in {out}" if out else ""))
    click.echo(f"On a Pico at once: {image.lines_at_once(code=True):,} lines with code, the budget is {LINES_BUDGET:,} "
               f"({image.lines_at_once():,} with comments and blank lines)")
    for note in image.notes:
        click.echo(f"note: {note}", err=True)
