"""A proxy between browser and board that can fall silent: its sockets stay open, but nothing passes any more."""

import asyncio
import threading

UP, DOWN = "up", "down"  # to the board, and from it


class SilentProxy:
    """Forwards one of its own ports to that of `address` (http://127.0.0.1:port/), in its own thread.

    `sockets` are the paths of the websockets that were opened, oldest first.
    """

    def __init__(self, address):
        self._target = int(address.rstrip("/").rsplit(":", 1)[1])
        self.sockets = []
        self.address = ""
        self._silent = set()  # directions in which no connection passes anything, future ones included
        self._lines = []
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def silence(self, *ways):
        """From now on nothing passes on existing connections, in these directions (in both if none is given)."""
        for line in list(self._lines):
            line.silent |= set(ways or (UP, DOWN))

    def silence_all(self):
        """Nothing passes, on future connections either."""
        self._silent |= {UP, DOWN}
        self.silence()

    def speak(self):
        """Future connections pass data again; earlier ones stay silent."""
        self._silent.clear()

    def __enter__(self):
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_):
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self):
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        self._ready.set()
        self._loop.run_forever()
        server.close()
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self._loop.close()

    async def _serve(self, reader, writer):
        line = _Line(set(self._silent))
        self._lines.append(line)
        try:
            there = await asyncio.open_connection("127.0.0.1", self._target)
            ways = asyncio.gather(self._pass(reader, there[1], line, UP), self._pass(there[0], writer, line, DOWN))
            await ways
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._lines.remove(line)
            writer.close()

    async def _pass(self, reader, writer, line, way):
        try:
            while data := await reader.read(65536):
                if way == UP and b"Upgrade: websocket" in data:
                    self.sockets.append(data.split(b" ")[1].decode())
                if way not in line.silent:
                    writer.write(data)
                    await writer.drain()
        finally:
            if way not in line.silent:  # a silent line doesn't report that the other end has gone either
                writer.close()


class _Line:
    """One connection, and the directions in which it passes nothing any more."""

    def __init__(self, silent):
        self.silent = silent
