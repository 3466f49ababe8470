"""A socket for tests beside an emulated board: JSON lines that operate its parts and read them.

    {"do": "key", "panel": 1, "key": "OK", "down": 1}     {"do": "press", "panel": 1, "key": "OK"}
    {"do": "pixels", "output": 0}                          {"do": "display"}
    {"do": "card", "uid": "04A1B2C3D4E5F6"}                {"do": "card", "uid": ""}  takes all cards away
    {"do": "part", "name": "display", "present": 0}        {"do": "panels", "plugged": 4}
    {"do": "supply", "millivolts": 0}                      {"do": "reset"}
    {"do": "state"}

Each gets one line as an answer: {"ok": 1, …} or {"ok": 0, "say": sentence}.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
from pathlib import Path

from gridglow.virtual.pico.parts import Console
from shared_rules.errors import GridglowError


class Control:
    """The socket at `path`; call `exchange` from time to time, from the thread that runs the board."""

    def __init__(self, console: Console, path: Path) -> None:
        self.console = console
        self.path = path
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        with contextlib.suppress(FileNotFoundError):
            if path.is_socket():
                path.unlink()
        try:
            self._listening.bind(str(path))
        except OSError as error:
            raise GridglowError(f"The control socket {path} can't be made ({error.strerror or error}).") from None
        os.chmod(path, 0o600)
        self._listening.listen(4)
        self._listening.setblocking(False)
        self._open: dict[socket.socket, bytearray] = {}

    def exchange(self) -> None:
        """Does what has been requested."""
        self.console.settle()
        with contextlib.suppress(BlockingIOError):
            one, _ = self._listening.accept()
            one.setblocking(False)
            self._open[one] = bytearray()
        for one, part in list(self._open.items()):
            try:
                data = one.recv(4096)
            except BlockingIOError:
                continue
            except OSError:
                data = b""
            if not data:
                del self._open[one]
                one.close()
                continue
            part += data
            while (end := part.find(b"\n")) >= 0:
                line = bytes(part[:end])
                del part[:end + 1]
                with contextlib.suppress(OSError):
                    one.setblocking(True)
                    one.sendall(json.dumps(self.answer(line)).encode() + b"\n")
                one.setblocking(False)

    def answer(self, line: bytes) -> dict:
        """Does one thing and returns the result."""
        try:
            asked = json.loads(line)
            return {"ok": 1, **getattr(self, f"_do_{asked['do']}")(asked)}
        except GridglowError as error:
            return {"ok": 0, "say": str(error)}
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            return {"ok": 0, "say": f"This can't be done here ({type(error).__name__}: {error})."}

    def close(self) -> None:
        """Closes the socket."""
        for one in (self._listening, *self._open):
            one.close()
        with contextlib.suppress(OSError):
            self.path.unlink()

    def _do_key(self, asked: dict) -> dict:
        self.console.key(asked["panel"], asked["key"], bool(asked["down"]))
        return {}

    def _do_press(self, asked: dict) -> dict:
        self.console.press(asked["panel"], asked["key"], asked.get("held_us", 60_000))
        return {}

    def _do_pixels(self, asked: dict) -> dict:
        strip = self.console.output_strip(asked["output"])
        return {"pixels": self.console.output_pixels(asked["output"]).hex(), "frames": strip.frames if strip else 0,
                "bad": strip.bad if strip else 0}

    def _do_display(self, asked: dict) -> dict:
        glass = self._part(self.console.glass)
        return {"on": int(glass.on), "lines": glass.lines()}

    def _do_card(self, asked: dict) -> dict:
        reader = self._part(self.console.reader)
        if asked["uid"]:
            reader.put(bytes.fromhex(asked["uid"]))
        else:
            reader.take_away()
        return {}

    def _do_part(self, asked: dict) -> dict:
        part = self._part({"display": self.console.glass, "reader": self.console.reader}[asked["name"]])
        part.present = bool(asked["present"])
        if part.present:
            part.power_on()
        return {}

    def _do_panels(self, asked: dict) -> dict:
        self._part(self.console.chain).plugged = asked["plugged"]
        return {}

    def _do_supply(self, asked: dict) -> dict:
        self.console.supply_mv = asked["millivolts"]
        return {}

    def _do_reset(self, asked: dict) -> dict:
        self.console.pico.press_reset()
        return {}

    def _do_state(self, asked: dict) -> dict:
        pico = self.console.pico
        return {"state": pico.state, "us": round(pico.now_us), "resets": pico.resets,
                "tone_hz": self.console.buzzer.tone_hz() if self.console.buzzer else 0}

    @staticmethod
    def _part(part):
        if part is None:
            raise GridglowError("The board file has no such part; name one that it has.")
        return part
