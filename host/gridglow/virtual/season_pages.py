"""The page's requests about seasons: which next races can be started, and whether to count the podium's race.

All of it is for the person at the board's computer. ``seasons`` is what ``serve`` was given, or None: no seasons.
"""

import asyncio
from collections.abc import Callable

from aiohttp import web

from gridglow.virtual.access import Access
from gridglow.virtual.board import VirtualBoard
from gridglow.virtual.engine import EngineFault
from shared_rules.errors import GridglowError

NO_STORE = {"Cache-Control": "no-store"}


class SeasonPages:
    """The handlers. Those for GET change nothing."""

    def __init__(self, board: VirtualBoard, access: Access, seasons) -> None:
        self.board = board
        self.access = access
        self.seasons = seasons

    async def due(self, request: web.Request) -> web.StreamResponse:
        """The seasons under way, with their next race."""
        self._only_here(request)
        rows = await _asked(self.seasons.due, self.board.picture.lang) if self.seasons else []
        return web.json_response({"seasons": rows}, headers=NO_STORE)

    async def of_race(self, request: web.Request) -> web.StreamResponse:
        """The season of the finished race, or null."""
        self._only_here(request)
        found = None
        if self.seasons and await _asked(self.seasons.due, "en"):  # else the board needn't send its journal
            found = await _asked(self.seasons.of, await self._journal())
        return web.json_response({"season": found}, headers=NO_STORE)

    async def count(self, request: web.Request) -> web.StreamResponse:
        """Counts the finished race in its season; 409 and a sentence if that fails."""
        self.access.check_origin(request)
        self._only_here(request)
        if not self.seasons:
            raise web.HTTPConflict(text="No seasons are kept here.\n")
        return web.json_response(await _asked(self.seasons.count, await self._journal()), headers=NO_STORE)

    async def _journal(self) -> str:
        try:
            return (await self.board.journal())[1]
        except EngineFault as error:
            raise web.HTTPServiceUnavailable(text=f"{error}\n") from error

    def _only_here(self, request: web.Request) -> None:
        if not self.access.at_this_computer(request):
            raise web.HTTPForbidden(text="Seasons are available on the board's computer only.\n")


async def _asked(question: Callable, *words: str) -> object:
    """The result of a call in its own thread; 409 and its sentence if it fails."""
    try:
        return await asyncio.to_thread(question, *words)
    except GridglowError as error:
        raise web.HTTPConflict(text=f"{error}\n") from error
