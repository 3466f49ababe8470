"""What tests do to a fake board in another process: lines of JSON in, lines of JSON out, between two ticks.

    {"press": [panel, key]}  {"release": [panel, key]}  {"turn": clicks}  {"plug": module}  {"unplug": module}
    {"module": [number, byte or null]}  {"supply_mv": 5000}  {"part": ["display" or "reader", 1 or 0]}
    {"card": "04A1…" or null}  {"show": 0}

Each line is answered: {"ok": 1}, or for show {"pixels": [hex of each output], "gap_us", "frames", "display": [rows of
"#" and "."], "tone", "heard"}.
"""

import json
import select

import parts
from fake_pico import board

EVERY_US = 5000


class BenchLine:
    """A timer of the bench that reads one line when it is due."""

    def __init__(self, folder):
        self.due_us = 0
        self._in = open(folder + "/control", "rb")
        self._out = open(folder + "/answers", "wb")
        self._poll = select.poll()
        self._poll.register(self._in, select.POLLIN)
        self._screen = None
        self._reader = None

    def fire(self, now_us):
        """Bench: it is due."""
        self.due_us = now_us + EVERY_US
        if self._poll.poll(0):
            row = json.loads(self._in.readline())
            self._out.write((json.dumps(self._do(row)) + "\n").encode())

    def setup(self, table):
        """Connect what the table of a board.json names."""
        board.setup(table)
        wiring = table.get("wiring", {})
        screen = wiring.get("display_on")
        if screen:
            self._screen = parts.Sh1106() if screen["kind"] == "sh1106" else parts.Ssd1306()
            board.i2c[screen["address"]] = self._screen
        reader = wiring.get("reader_on")
        if reader:
            self._reader = parts.Rc522()
            board.spi[reader["cs"]] = self._reader

    def _do(self, row):
        for name in ("press", "release"):
            if name in row:
                getattr(board, name)(*row[name])
        for name in ("turn", "plug", "unplug"):
            if name in row:
                getattr(board, name)(row[name])
        if "module" in row:
            board.module_bytes[row["module"][0] - 1] = row["module"][1]
        if "supply_mv" in row:
            board.supply_mv = row["supply_mv"]
        if "part" in row:
            part = self._screen if row["part"][0] == "display" else self._reader
            part.plug() if row["part"][1] else part.unplug()
        if "card" in row:
            self._card(row["card"])
        return self._shown() if "show" in row else {"ok": 1}

    def _card(self, uid):
        for card in list(self._reader.cards):
            self._reader.take_off(card)
        if uid:
            self._reader.put(parts.Card(uid))

    def _shown(self):
        gaps = [wire.gap_us for wire in board.wires.values()]
        return {
            "pixels": ["".join(["%02x" % byte for byte in board.shown(k)]) for k in range(len(board.outputs))],
            "gap_us": min(gaps) if gaps else 0,
            "frames": sum([wire.frames for wire in board.wires.values()]),
            "torn": sum([wire.torn + wire.overlaps + wire.short_gaps for wire in board.wires.values()]),
            "display": self._screen.rows() if self._screen else [],
            "tone": board.tone,
            "heard": len(board.heard),
        }
