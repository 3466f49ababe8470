"""``gridglow hardware``: everything that a hobbyist needs to build a board, and checks of its board file."""

from __future__ import annotations

import re
from pathlib import Path

import click

from gridglow.cli.common import json_option, print_json, say
from gridglow.hardware import build as building
from gridglow.hardware.making import PAPERS
from gridglow.tracks.ledmap import LIGHTS

track_help = "The track of the module to build (\"gridglow track list\" names them)."


def _bed_of(context: click.Context, option: click.Parameter, text: str | None) -> tuple[float, float] | None:
    """Width and height of a laser cutter's bed."""
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]+)[x×]([0-9]+)", text.strip())
    if found is None:
        raise click.BadParameter(f"expected width and height in mm, such as 300x200, found {text!r}.", context, option)
    return float(found[1]), float(found[2])


@click.group(name="hardware")
def hardware_group() -> None:
    """Make drawings, parts lists and prints for a board, and check its file.

    BOARD is mini, full, mini-direct, or the name of a board file of your own.
    """


@hardware_group.command()
@click.argument("board", metavar="BOARD")
@click.option("--track", metavar="ID", required=True, help=track_help)
@click.option("--out", metavar="DIR", required=True, type=click.Path(path_type=Path, file_okay=False),
              help="The folder for the files. Files of an earlier build there are replaced, others left alone.")
@click.option("--paper", type=click.Choice(PAPERS), default=PAPERS[0], show_default=True,
              help="The paper for track.pdf.")
@click.option("--light", type=click.Choice(LIGHTS),
              help="One pixel per space (lane) or per row. Default: the board decides.")
@click.option("--bed", metavar="WxH", callback=_bed_of,
              help="Your laser cutter's bed in mm, such as 300x200: also cuts the track into panels that fit it.")
@json_option
def build(
    board: str, track: str, out: Path, paper: str, light: str | None, bed: tuple[float, float] | None, as_json: bool
) -> None:
    """Make everything needed to build a console and one track module.

    Everything is checked first: with a mistake in the board file nothing is written. The same input makes the same files.
    """
    plan = building.plan_build(board, track, paper, light, bed)
    files, notes = building.make_files(plan)
    gone = building.write_files(files, out)
    if as_json:
        print_json({
            "out": str(out), "board": plan.board.id, "track": plan.track.id, "paper": paper, "light": plan.light,
            "pixels": plan.led_map.pixels, "files": [{"path": path, "bytes": len(files[path])} for path in sorted(files)],
            "removed": gone, "notes": notes,
        })
    else:
        for path in sorted(files):
            click.echo(f"{len(files[path]):>9,}  {path}")
        lit = {"lane": "one pixel per space", "row": "one pixel per row"}[plan.light]
        click.echo(f"{len(files)} files in {out}: the board {plan.board.id} and the track {plan.track.id}, {lit}, "
                   f"{plan.led_map.pixels} pixels.")
    for note in notes:
        say(f"note: {note}")


@hardware_group.command()
@click.argument("board", metavar="BOARD")
@click.option("--track", metavar="ID", help="Check the holes and wires of this track's module too.")
@click.option("--light", type=click.Choice(LIGHTS), help="As for \"gridglow hardware build\".")
@json_option
def check(board: str, track: str | None, light: str | None, as_json: bool) -> None:
    """Check whether a board can be built: pins, supply, fuses, wires, parts.

    All mistakes are listed at once, each with its line and its key in the board file. The exit code is 1 if there are any.
    """
    if track is None:
        found = building.check_file(board).board
    else:
        found = building.plan_build(board, track, light=light).board
    if as_json:
        print_json({"ok": True, "board": found.id, "track": track, "file": str(found.path)})
    else:
        what = f"The board {found.id} ({found.path})" + (f" with the track {track}" if track else "")
        click.echo(f"{what} can be built.")
        if track is None:
            say("note: to check the holes and wires of a track's module, add --track ID.")
