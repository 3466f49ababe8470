"""The part of ``gridglow play`` that serves the page until Ctrl-C."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click
from aiohttp import ClientError, ClientSession

from gridglow import scratch
from gridglow.boards.boardfile import Board
from gridglow.cli.common import print_json, say
from gridglow.cli.signals import setting
from gridglow.races.journal_files import write_journal
from gridglow.races.startup import RaceStart
from gridglow.seasons.offers import Offers
from gridglow.tracks import load_track, page_geometry
from gridglow.virtual.access import lan_address
from gridglow.virtual.bot_races import prepare
from gridglow.virtual.engines import engine_named
from gridglow.virtual.pico.engine import SLOW
from gridglow.virtual.server import serve
from gridglow.virtual.strip import open_strip
from shared_rules.errors import GridglowError

if TYPE_CHECKING:
    from gridglow.virtual.strip import HostStrip


def serve_board(start: RaceStart | None, board: Board, engine: str, port: int | None, journal: Path | None,
                as_json: bool, lan: bool = False, uf2: Path | None = None, strip: str | None = None) -> None:
    """Serves the virtual board; with ``start`` that race begins at once. Returns after Ctrl-C.

    With ``lan`` the local network may watch, and play on seats' own pages. ``uf2`` is for the engine pico; ``strip`` names
    pixels on this computer's own pins. Raises GridglowError if the engine can't start, the port is taken, there is no
    network, or no such strip.
    """
    lit = None
    if strip is not None:
        lit = open_strip(strip, board)
    address = ""
    if engine == "pico":
        say(SLOW)
    if lan:
        address = lan_address()
    with scratch.folder("board") as folder:
        for note in prepare(Path(folder), board, engine):
            say(note)
        try:
            with contextlib.suppress(KeyboardInterrupt):
                asyncio.run(_Serving(start, board, engine, Path(folder), journal, as_json, address, uf2, lit).run(port))
        finally:
            if lit is not None:
                lit.close()
    say("Stopped.")


class _Serving:
    """One run of the server, and what to do when it's ready and at the podium."""

    def __init__(self, start: RaceStart | None, board: Board, engine: str, folder: Path, journal: Path | None,
                 as_json: bool, lan: str = "", uf2: Path | None = None, strip: HostStrip | None = None) -> None:
        self.strip = strip
        self.start = start
        self.board = board
        self.engine = engine
        self.folder = folder
        self.journal = journal
        self.as_json = as_json
        self.lan = lan
        self.uf2 = uf2
        self.address = ""
        self._state = ""
        self._writing: asyncio.Task | None = None

    async def run(self, port: int | None) -> None:
        stop = asyncio.Event()
        with setting(stop):
            await serve(
                engine_named(self.engine, self.folder, uf2=self.uf2),
                lambda track: page_geometry(load_track(track), self.board),
                port=port,
                on_ready=self._ready,
                start=self.start.setup.plain() if self.start else None,
                stop=stop,
                on_message=self._message,
                lan=self.lan,
                seasons=Offers(self.board),
            )

    def _ready(self, address: str) -> None:
        self.address = address
        lan_address = f"http://{self.lan}:{urlsplit(address).port}/" if self.lan else None
        if self.as_json:
            setup = self.start.setup if self.start else None
            print_json({"address": address, "lan_address": lan_address, "engine": self.engine, "board": self.board.id,
                        "game": setup.game if setup else None, "variant": setup.variant if setup else None,
                        "track": setup.track if setup else None, "seed": setup.seed if setup else None})
            return
        click.echo(address)
        sys.stdout.flush()
        if lan_address:
            say(f"Gridglow is at this address for this computer, and at {lan_address} for your network, which may "
                "watch there. Seats, on the page, shows each player's own link. Ctrl-C ends it.")
        else:
            say("Gridglow is at this address, for this computer only. Ctrl-C ends it.")
        if browser_here():
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    def _message(self, message: dict) -> None:
        """Sends each frame to the strip, if there is one; writes the journal at each podium, if wanted."""
        if self.strip is not None and not self.strip.problem:
            self.strip.take(message)
            if self.strip.problem:
                say(f"gridglow: {self.strip.problem} The race goes on.")
        if message["t"] != "race" or message["state"] == self._state:
            return
        self._state = message["state"]
        if self._state == "podium" and self.journal is not None and not self.journal.exists():
            self._writing = asyncio.get_running_loop().create_task(self._write_journal(self.journal))

    async def _write_journal(self, path: Path) -> None:
        try:
            async with ClientSession() as session, session.get(self.address + "journal") as answer:
                text = await answer.text()
                if answer.status != 200:
                    raise GridglowError(f"Couldn't get the journal: {text.strip()}")
            write_journal(path, text)
            say(f"The journal is in {path}.")
        except (GridglowError, ClientError, OSError) as error:
            say(f"gridglow: {error}")


def browser_here() -> bool:
    """Whether somebody would see a browser: not in CI, not without a screen."""
    if os.environ.get("CI"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
