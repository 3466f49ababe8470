"""What every board does with its link: a queue of outgoing lines, messages that have come, keys in a ring."""

import json
import os

from hal import ticks_diff
from hal.data_files import frozen, open_data
from shared_rules.link_lines import (
    FROM_BOARD,
    KEYS,
    NEVER_AGAIN,
    REPEATABLE,
    TO_BOARD,
    encode_bytes,
    following,
    session,
)

# The possible parts of a board; a new one comes last. A part is "ok", "missing" (it was there, or
# should be), "fault" or "off" (not in the board file).
PARTS = ("pixels", "panels", "console", "dice_pad", "display", "reader", "buzzer", "supply")
PANELS = PARTS.index("panels")
CONSOLE = PARTS.index("console")
DISPLAY = PARTS.index("display")
GREETINGS = ("hi", "start", "resume")  # a host that sends one of these wants to hear how the race goes
JOINED_BYTES = 512  # small lines are joined up to this size: a full heap may have no larger block
# For lines that arrive broken, see shared_rules.link_again: how much of what was last sent is kept, how
# many messages wait for a missing one, and how long it has to come again; the whole picture replaces
# lines at most once in PICTURE_MS. In a race the heap has room for less, and files are then seldom read.
KEPT_BYTES = 8192
KEPT_IN_RACE_BYTES = 2048
HELD_MOST = 16
AGAIN_MS = 300
PICTURE_MS = 5000


class Linked:
    """The part of a board's interface that is the same on a Pico and on the virtual board."""

    queue_bytes = 8192  # what may wait for a slow host
    waiting_messages = 128  # more than one chunk can hold
    left = 0  # one bit for each panel, from 1: its keys are in the left-hand order
    listened = True  # whether the course of the race is worth sending; a Pico sends it only to hosts that have greeted it

    file_system = "ok"  # otherwise nothing is saved, see hal.file_system
    bootsel = None  # a function that says whether the Pico's own button is down, on a board with nothing else

    def __init__(self, flash, far_keys):
        self.flash = flash
        self.frozen_board = True  # whether the board file is the frozen one
        self._far_keys = far_keys  # the ring for the host's keys; None until there is one
        self.fault = ""
        self.board = self._read_board()
        self.lost = False
        self.last_fault = ""
        self._decoder = self._order = self._kept = None  # made when a host sends something
        self._kept_bytes = KEPT_BYTES
        self._sessions = 0
        self._messages = []
        self._number = self._first_number()
        self._picture_ms = None
        self._queue = []
        self._queued_bytes = 0
        self._stalled = False  # the host wasn't reading when we last had something for it
        self._dropped = self._lost_count = self._bad = self._unread = 0
        self.parts = [[name, "off", ""] for name in PARTS]
        self.parts_serial = 0  # counts their changes
        self.panel_count = self.board.get("panels", 0)
        self.reader = None

    def _read_board(self):
        try:
            with open_data(self, "board.json") as file:
                text = file.read()
            self.frozen_board = text == frozen("board.json")
            board = json.loads(text)
            if isinstance(board, dict):
                return board
        except (OSError, ValueError):
            pass
        self.fault = "board.no_board_file"
        return {}

    def _note_part(self, name, state, detail=""):
        """Sets the state of a part; `detail` is a word or two for the display, such as "2 of 6"."""
        part = self.parts[PARTS.index(name)]
        if part[1] != state or part[2] != detail:
            part[1] = state
            part[2] = detail
            self.parts_serial += 1

    def path(self, name):
        """The path of a file or folder on the flash."""
        return self.flash + "/" + name if self.flash else name

    def ticks_diff(self, later, earlier):
        """See hal.ticks_diff."""
        return ticks_diff(later, earlier)

    def urandom(self, count):
        """Random bytes from the machine."""
        return os.urandom(count)

    def watchdog(self, on):
        """Whether a board that hangs should restart; only a Pico has a watchdog."""

    # In

    def _hear(self, data):
        """Take bytes from the host. Its keys become edges; the rest waits for `messages`."""
        if self._decoder is None:
            from shared_rules.link_read import Decoder  # these are loaded with a host's first byte
            self._decoder = Decoder(TO_BOARD)
            from shared_rules.link_again import Kept, Order
            self._order = Order(AGAIN_MS, HELD_MOST, REPEATABLE)
            self._kept = Kept(self._kept_bytes)
        self._decoder.feed(data, self._order, self.ticks_ms())
        if self._sessions != self._order.sessions:  # a new host: what was sent before isn't for it
            self._sessions = self._order.sessions
            self._kept.clear()
        self._take_ready()

    def _take_ready(self):
        ready = self._order.ready
        self._order.ready = []
        for message in ready:
            if message["t"] in GREETINGS:
                self.listened = True
            if message["t"] == "again":
                self._send_again(message["of"])
            elif message["t"] == "gone":
                self._unread += 1
            elif message["t"] != "key":
                if len(self._messages) < self.waiting_messages:
                    self._messages.append(message)
                else:
                    self._unread += 1
            elif 1 <= message["p"] <= 255 and message["d"] <= 1:
                if self._far_keys is None:
                    from hal.keyring import KeyRing  # loaded with the first key of a page
                    self._far_keys = KeyRing()
                self._far_keys.put(self.ticks_ms(), message["p"], KEYS.index(message["k"]), message["d"])
            else:
                self._bad += 1

    def messages(self):
        """The other messages since the last call, oldest first. Missing lines are asked for."""
        if self._order is not None and self._order.missing():
            number = self._order.ask(self.ticks_ms())
            if number >= 0:
                self._queue_line(encode_bytes(FROM_BOARD, {"t": "again", "of": number}, 0))
            self._take_ready()
        if not self._messages:
            return ()
        found = self._messages
        self._messages = []
        return found

    # Out

    def send(self, message, droppable=False):
        """Put a message in the queue; False if it is dropped, which is counted.

        A droppable message is dropped as soon as the host reads too slowly. If another one has to be dropped,
        `lost` is set: then the link sends its whole state again.
        """
        if droppable and self._stalled:
            self._dropped += 1
            return False
        try:
            line = encode_bytes(FROM_BOARD, message, self._number)
        except ValueError as error:
            self._bad += 1
            self.last_fault = str(error)
            return False
        if self._queued_bytes + len(line) > self.queue_bytes:
            self._lost_count += 1
            self.lost = True
            return False
        if self._kept is not None:
            self._kept.keep(self._number, b"" if message["t"] == NEVER_AGAIN else line)
        self._number = following(self._number)
        self._queue_line(line)
        return True

    def _queue_line(self, line, first=False):
        if first:
            self._queue.insert(0, line)
        else:
            self._queue.append(line)
        self._queued_bytes += len(line)

    def _send_again(self, number):
        """Send the line with this number once more; if it is no longer kept, say so and send the current state instead."""
        line, gone = self._kept.again(number, self._number)
        if gone:
            if line is not None:
                self.refresh()                     # a frame; or what only one seat may see, which is requested again
            elif self._picture_ms is None or not 0 <= ticks_diff(self.ticks_ms(), self._picture_ms) < PICTURE_MS:
                self._picture_ms = self.ticks_ms()
                self.lost = True
            line = encode_bytes(FROM_BOARD, {"t": "gone"}, number)
        if line and self._queued_bytes + len(line) <= self.queue_bytes:
            self._queue_line(line, True)

    def keep_lines(self, in_race):
        """Set how much of what was sent is kept from now on, to be sent again if it arrives broken."""
        self._kept_bytes = KEPT_IN_RACE_BYTES if in_race else KEPT_BYTES
        if self._kept is not None:
            self._kept.hold(self._kept_bytes)

    def behind(self):
        """Whether the host wasn't reading when there was last something for it."""
        return self._stalled

    def room(self):
        """Whether the queue has room for more that isn't urgent."""
        return self._queued_bytes < self.queue_bytes // 8

    def reset(self, how):
        """Restart: "run", "safe", "bootloader", or stop at the prompt: "repl". False if a board
        can't; it must be closed first."""
        return False

    def _next_lines(self):
        """The next bytes of the queue, which isn't empty: a line, or several small ones together."""
        lines = self._queue.pop(0)
        if self._queue and len(lines) < JOINED_BYTES:
            count = 0
            size = len(lines)
            while count < len(self._queue) and size + len(self._queue[count]) <= JOINED_BYTES:
                size += len(self._queue[count])
                count += 1
            lines = lines + b"".join(self._queue[:count])  # a new object: the line may be kept to be sent again
            del self._queue[:count]
        self._queued_bytes -= len(lines)
        return lines

    def _next_number(self):
        """The number of a frame, whose line isn't kept."""
        number = self._number
        if self._kept is not None:
            self._kept.keep(number, b"")
        self._number = following(number)
        return number

    def _first_number(self):
        """Numbers begin at random, so that a host that was there before can't take a new line for an old one."""
        chance = 0
        for byte in self.urandom(3):
            chance = chance << 8 | byte
        return following(session(chance ^ self.ticks_us()))
