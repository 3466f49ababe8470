"""``gridglow backup`` and ``gridglow restore``: a board's saves as one file, and back; or its flash, block by block."""

from __future__ import annotations

import re
import time
from pathlib import Path

import click

from gridglow.cli.board_options import board_options, chosen
from gridglow.cli.common import json_option, print_json, say
from gridglow.cli.sync import agree_by, progress_bar
from gridglow.device import backup as saves
from gridglow.device.connect import GRIDGLOW, Found
from gridglow.device.repl import Repl
from gridglow.device.sync import restart
from gridglow.device.sync_plan import saved_track
from gridglow.targets import check_target
from shared_rules.errors import GridglowError

yes_option = click.option("--yes", is_flag=True, help="Agree to end a running race (it stays saved), and to replace "
                          "files or saves.")


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--raw", is_flag=True, help="Copy the flash block by block, for when its files can't be read.")
@yes_option
@board_options
@json_option
def backup(file: Path | None, raw: bool, yes: bool, board: str | None, port: str | None, as_json: bool) -> None:
    """Save a board's data to FILE: the saved race, settings, cards, LED maps.

    The file of an unfinished race holds its seed and everybody's hand, so don't look into it before the podium.
    Without FILE, the file is named after the board and the date.

    With --raw, FILE is an image of the flash's whole file system area, whatever is in it: for a board whose memory
    can't be read, before "gridglow flash" makes a new file system.
    """
    found = chosen(board, port)
    end = "img" if raw else "zip"
    file = file or Path(f"gridglow-{_short(found.name or found.serial)}-{time.strftime('%Y-%m-%d-%H%M%S')}.{end}")
    agreed = agree_by(yes, as_json)
    if file.exists() and not agreed([f"{file} already exists and would be replaced."]):
        raise GridglowError(f"{file} already exists; choose another name, or give --yes to replace it.")
    check_target(file, "the backup")
    if raw:
        _keep_blocks(found, file, agreed, as_json)
        return
    repl = _enter(found, agreed)
    try:
        with progress_bar(as_json) as progress:
            files = saves.backup(repl, progress)
        if files:
            saves.write_file(file, files, {"board": found.name, "serial": found.serial, "kept": time.strftime("%Y-%m-%d")})
    finally:
        told = _leave(found, repl)
    if not files:
        raise GridglowError(f"{found.title} has no saves yet, so there is nothing to back up.")
    size = sum(map(len, files.values()))
    if as_json:
        print_json({"file": str(file), "files": len(files), "bytes": size, "board": found.title,
                    "saved_race": _offered(told)})
    else:
        click.echo(f"{file}: {len(files)} file{'s' if len(files) != 1 else ''} ({size / 1000:.1f} kB) of {found.title}.")
        _tell_start(told)


def _keep_blocks(found: Found, file: Path, agreed, as_json: bool) -> None:
    repl = _enter(found, agreed)
    try:
        with progress_bar(as_json) as progress:
            data = saves.read_blocks(repl, progress)
        saves.write_whole(file, data)
    finally:
        told = _leave(found, repl)
    if as_json:
        print_json({"file": str(file), "bytes": len(data), "board": found.title})
    else:
        click.echo(f"{file}: {len(data) // 1024} kB of the flash of {found.title}, block by block.")
        _tell_start(told)


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@yes_option
@board_options
@json_option
def restore(file: Path, yes: bool, board: str | None, port: str | None, as_json: bool) -> None:
    """Put the saves in FILE, made by "gridglow backup", back on a board.

    FILE is checked completely before anything is written. Other saves on the board stay.
    """
    files = saves.read_file(file)
    found = chosen(board, port)
    agreed = agree_by(yes, as_json)
    repl = _enter(found, agreed)
    try:
        track = saved_track(repl.get("save/settings")) if "save/settings" in repl.listing("save") else ""
        replaced = track and any(name in files for name in saves.RACE_FILES)
        say_so = f"The race on {track} that is saved on {found.title} would be replaced by the one in {file.name}."
        if replaced and not agreed([say_so]):
            raise GridglowError(f"{say_so} Give --yes to agree; nothing was written.")
        with progress_bar(as_json) as progress:
            count = saves.restore(repl, files, progress)
    finally:
        told = _leave(found, repl)
    if as_json:
        print_json({"file": str(file), "files": count, "board": found.title, "saved_race": _offered(told)})
    else:
        click.echo(f"{count} file{'s' if count != 1 else ''} of {file} put back on {found.title}.")
        _tell_start(told)


def _enter(found: Found, agreed) -> Repl:
    """Returns the raw REPL, after asking the user if a race is (or may be) running."""
    say_so = (f"A race is running on {found.title} ({found.doing.removeprefix('race of ')}); this ends it, and it stays "
              "saved.")
    ends = found.race_runs or (found.state == GRIDGLOW and not found.about.get("version"))
    if ends and not agreed([say_so]):
        raise GridglowError(f"{say_so} Give --yes to agree; nothing was done.")
    repl = found.repl(end_race=ends)
    repl.soft_reset()
    return repl


def _leave(found: Found, repl: Repl) -> dict:
    """Restarts the board and returns what it then says about itself; {} if it was at its prompt and stays there, or doesn't
    come back."""
    if found.state != GRIDGLOW:
        repl.close()
        return {}
    try:
        return restart(found, repl)
    except GridglowError as error:
        say(f"note: {error}")
        return {}


def _offered(told: dict) -> bool:
    """Whether the restarted board offers a saved race."""
    return bool(told.get("saved"))


def _tell_start(told: dict) -> None:
    """Says what the restarted board shows, which is not what it did before."""
    if told:
        offer = "; its race is saved; to go on, choose Resume saved race in its menu."
        say("The board has restarted" + (offer if _offered(told) else ", and shows its start screen."))


def _short(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower() or "board"
