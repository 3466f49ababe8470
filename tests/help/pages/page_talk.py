"""A browser without a page: requests to the pages' server, and their websocket."""

import asyncio
import contextlib
import http.client
import json
import time

import aiohttp

PLAYERS = [["person", "Ann"], ["bot", "Bo"]]
SETUP = {"game": "ring_game", "track": "fabulous-driving-park", "laps": 1, "players": PLAYERS}


def get(board, path, headers=None, method="GET"):
    """The server's response: (status, text, headers)."""
    host, port = board.address.split("/")[2].split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=20)
    connection.request(method, path, headers=headers or {})
    answer = connection.getresponse()
    return answer.status, answer.read().decode(), answer.headers


def links(board):
    """The path of each seat's page, by seat, once the race has announced its players."""
    for _ in range(100):
        rows = json.loads(get(board, "/seats.json")[1])["seats"]
        if rows:
            return {row["seat"]: "/seat/" + row["link"].rsplit("/", 1)[1] for row in rows}
        time.sleep(0.05)
    raise AssertionError("no links")


class Talk:
    """A browser without a page: everything received, and waiting for a wanted message."""

    def __init__(self, socket):
        self.socket = socket
        self.seen = []

    async def until(self, wanted, limit_s=15):
        async def wait():
            while True:
                for message in self.seen:
                    if wanted(message):
                        return message
                frame = await self.socket.receive()
                assert frame.type == aiohttp.WSMsgType.TEXT, frame
                for message in json.loads(frame.data):
                    self.seen.extend(message["list"] if message["t"] == "snapshot" else [])
                    self.seen.append(message)

        return await asyncio.wait_for(wait(), limit_s)

    async def kind(self, kind):
        return await self.until(lambda message: message["t"] == kind)

    async def send(self, message, count=[0]):
        count[0] += 1
        await self.socket.send_str(message if isinstance(message, str) else json.dumps({**message, "id": count[0]}))
        return count[0]

    async def reply(self, message):
        number = await self.send(message)
        return await self.until(lambda one: one["t"] in ("ok", "no") and one["re"] == number)


@contextlib.asynccontextmanager
async def talk(board, path="", **headers):
    """A browser without a page, for the table or with the path of a seat's page."""
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(board.address.rstrip("/") + path + "/ws", headers=headers, max_msg_size=0) as socket:
            yield Talk(socket)
