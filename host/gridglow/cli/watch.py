"""``gridglow watch``: the race on a real board, live on the page of the virtual board."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
import webbrowser
from urllib.parse import urlsplit

import click

from gridglow.boards.boardfile import Board, load_board
from gridglow.cli.board_options import board_options, chosen
from gridglow.cli.common import json_option, print_json, say
from gridglow.cli.page import browser_here
from gridglow.cli.signals import setting
from gridglow.device.connect import GRIDGLOW, Found
from gridglow.tracks import load_track, page_geometry
from gridglow.virtual.access import lan_address
from gridglow.virtual.serial import SerialEngine
from gridglow.virtual.server import serve
from shared_rules.errors import GridglowError


@click.command()
@board_options
@click.option("--lan", is_flag=True, help="Serve the local network too: a page per seat for phones, and one to watch.")
@click.option("--page-port", metavar="N", type=click.IntRange(0, 65535),
              help="The page's port. Default: the usual one, or any free one.")
@json_option
def watch(board: str | None, port: str | None, lan: bool, page_port: int | None, as_json: bool) -> None:
    """Watch the race on a real board in the browser.

    The page is that of "gridglow play": the public view, and under Seats a page for each player, who alone sees the
    hand on it. Hands are neither logged nor stored here. The race belongs to the board: it goes on when this command ends,
    when the cable is pulled, and when the board restarts; plugged in again, the page continues.

    \b
    gridglow watch                    the one board that is connected
    gridglow watch --lan              with phones as seat pages
    gridglow watch --board Kitchen
    """
    found = chosen(board, port)
    if found.state != GRIDGLOW:
        raise GridglowError(found.say or f"Gridglow does not run on {found.title} ({found.doing}), so there is nothing to "
                                         "watch; reset it, or install it with: gridglow flash")
    file, note = file_of(found)
    if note:
        say(note)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(found, file, lan, page_port, as_json))
    say("Stopped; the race on the board goes on.")


def file_of(found: Found) -> tuple[Board, str]:
    """The board file that the board was installed with, and a note if this computer doesn't have it."""
    name = str(found.about.get("board") or "")
    with contextlib.suppress(GridglowError):
        return load_board(name or "full"), ""
    return load_board("full"), (f"The board file {name!r} of {found.title} isn't on this computer, so the page draws its "
                                "track as on the board full.")


async def _serve(found: Found, file: Board, lan: bool, page_port: int | None, as_json: bool) -> None:
    network = lan_address() if lan else ""
    stop = asyncio.Event()

    def ready(address: str) -> None:
        _tell(found, address, f"http://{network}:{urlsplit(address).port}/" if network else None, as_json)

    with setting(stop):
        await serve(SerialEngine(found.port), lambda track: page_geometry(load_track(track), file), port=page_port,
                    on_ready=ready, stop=stop, lan=network)


def _tell(found: Found, address: str, lan_address: str | None, as_json: bool) -> None:
    if as_json:
        print_json({"address": address, "lan_address": lan_address, "engine": "serial", "port": found.port.path,
                    "name": found.name or None, "serial": found.serial or None})
        return
    click.echo(address)
    sys.stdout.flush()
    others = f", and at {lan_address} for your network" if lan_address else ""
    who = found.title[:1].upper() + found.title[1:]
    say(f"{who} is shown at this address{others}. Ctrl-C ends the watching, not the race.")
    if browser_here():
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
