"""``gridglow firmware``: the UF2 file that turns a Pico into a board."""

from __future__ import annotations

from pathlib import Path

import click

from gridglow.cli.common import json_option, print_json, say
from gridglow.cli.folder import folder
from gridglow.firmware import build as builder


@click.group(name="firmware")
def firmware_group() -> None:
    """Build MicroPython with Gridglow frozen in: one file turns a Pico into a board."""


firmware_group.add_command(folder)


@firmware_group.command()
@click.option("--chip", type=click.Choice(["rp2040", "rp2350"]), default="rp2040", show_default=True,
              help="The chip: rp2040 for Pico and Pico W, rp2350 for Pico 2 and Pico 2 W (no radio support).")
@click.option("--sources", metavar="DIR", type=click.Path(path_type=Path, file_okay=False),
              envvar="GRIDGLOW_FIRMWARE_SOURCES", show_envvar=True,
              help="A folder with the sources of MicroPython and picotool. Default: fetched by git, once.")
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
              help="The file to write. Default: build/gridglow-CHIP.uf2.")
@json_option
def build(chip: str, sources: Path | None, out: Path | None, as_json: bool) -> None:
    """Build the UF2 file of a chip: about five minutes the first time, half a minute after a change.

    It contains the board file mini, all texts and all tracks that come with Gridglow; your own go to the board with
    "gridglow flash" and "gridglow sync". A text with the licences is written beside the file.
    """
    built = builder.build(chip, sources, out, say)
    if as_json:
        print_json({"file": str(built.path), "chip": built.chip, "id": built.id, "program_bytes": built.program_bytes,
                    "program_most": builder.PROGRAM_MOST, "uf2_bytes": built.uf2_bytes})
    else:
        click.echo(f"Built {built.path}: {built.uf2_bytes:,} bytes for {built.chip}, program {built.id} with "
                   f"{built.program_bytes:,} of {builder.PROGRAM_MOST:,} bytes.")
