"""The page's statistics of a race's dice: how often each seat rolled which face, counted from the board's journal."""

import asyncio
import contextlib

from aiohttp import web

from gridglow.races.dice_counts import count_dice
from gridglow.virtual.board import VirtualBoard
from gridglow.virtual.engine import EngineFault
from shared_rules.errors import GridglowError


class DicePage:
    """The handler. It changes nothing; a journal is counted once, however often it's requested."""

    def __init__(self, board: VirtualBoard) -> None:
        self.board = board
        self._one = asyncio.Lock()
        self._counted: tuple[str, list[dict]] = ("", [])

    async def counts(self, request: web.Request) -> web.StreamResponse:
        """{"dice": [one row per seat and kind of die]}, best at the podium: a sealed journal ends at its first secret."""
        async with self._one:
            with contextlib.suppress(EngineFault, GridglowError):  # without a journal there are no rolls
                await self._count((await self.board.journal())[1])
                return web.json_response({"dice": self._counted[1]}, headers={"Cache-Control": "no-store"})
        return web.json_response({"dice": []}, headers={"Cache-Control": "no-store"})

    async def _count(self, text: str) -> None:
        if text != self._counted[0]:
            self._counted = (text, [one.plain() for one in await asyncio.to_thread(count_dice, text)])
