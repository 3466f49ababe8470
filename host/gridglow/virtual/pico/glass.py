"""A display of 128 x 64 dots on the emulated I2C: an SSD1306 or SH1106, with the picture that a person would see."""

from __future__ import annotations

import ast

from gridglow import paths

WIDTH, HEIGHT, PAGES = 128, 64, 8
# Commands followed by this many more bytes.
PARAMETERS = {0x81: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1, 0x8D: 1, 0xAD: 1}
SSD1306_ONLY = {0x20: 1, 0x21: 2, 0x22: 2}
COLUMNS = {"ssd1306": 128, "sh1106": 132}
SH1106_FIRST = 2  # its glass shows columns 2 to 129
# Where the firmware puts its six lines of 21 characters (drivers/oled.py).
LINE_TOPS = (0, 11, 21, 32, 43, 54)
LETTERS, LEFT, CELL = 21, 1, 6


class Glass:
    """`kind` is "ssd1306" or "sh1106". With `present` False it doesn't answer. `changes` counts changed bytes of the
    picture, `on` says whether it is lit."""

    def __init__(self, mcu, clock, bus: int, address: int, kind: str) -> None:
        self.kind = kind
        self.address = address
        self.present = True
        self.bytes = 0
        self.changes = 0
        self.changed_ns = 0.0
        self.commands: list[tuple[int, ...]] = []  # the last ones
        self._clock = clock
        self._i2c = i2c = mcu.i2c[bus]
        self._ack = clock.create_alarm(lambda: i2c.complete_write(True))
        i2c.on_connect = self._connect
        i2c.on_write_byte = self._write
        i2c.on_read_byte = self._read
        self._letters = _letters()
        self.power_on()

    def power_on(self) -> None:
        """Its state when power comes on: dark, with random memory."""
        self.on = False
        self.inverted = False
        self.memory = bytearray(b"\xa5" * (COLUMNS[self.kind] * PAGES))
        self._page = self._column = 0
        self._mode = 2
        self._columns, self._pages = (0, 127), (0, 7)
        self._waiting: list[int] = []
        self._wanted = 0
        self._control = True
        self._single = self._data = False

    # The bus

    def _byte_ns(self) -> float:
        return 9 * (self._i2c.scl_low_period + self._i2c.scl_high_period) * 8.0

    def _connect(self, address: int, mode) -> None:
        self._control = True
        self._i2c.complete_connect(self.present and address == self.address)

    def _read(self, ack: bool) -> None:
        self._i2c.complete_read(0x43 if self.on else 0x63)

    def _write(self, value: int) -> None:
        self.bytes += 1
        if self._control:
            self._single, self._data = bool(value & 0x80), bool(value & 0x40)
            self._control = False
        else:
            self._take_data(value) if self._data else self._take_command(value)
            self._control = self._single
        self._ack.schedule(self._byte_ns())

    # The commands' meanings

    def _take_data(self, value: int) -> None:
        width = COLUMNS[self.kind]
        if self._column < width:
            at = self._page * width + self._column
            if self.memory[at] != value:
                self.memory[at] = value
                self.changes += 1
                self.changed_ns = self._clock.nanos
        if self._mode == 2:  # page by page: it stays in the page, and stops or wraps at its end
            self._column = self._column + 1 if self.kind == "sh1106" else (self._column + 1) % width
            return
        first, last = self._columns
        self._column += 1
        if self._column > last:
            self._column = first
            self._page = self._page + 1 if self._page < self._pages[1] else self._pages[0]

    def _take_command(self, value: int) -> None:
        if not self._wanted:
            self._waiting = [value]
            self._wanted = PARAMETERS.get(value, SSD1306_ONLY.get(value, 0) if self.kind == "ssd1306" else 0)
        else:
            self._waiting.append(value)
            self._wanted -= 1
        if not self._wanted:
            self._do(*self._waiting)
            self.commands = [*self.commands[-63:], tuple(self._waiting)]

    def _do(self, command: int, first: int = 0, last: int = 0) -> None:
        if command < 0x10:
            self._column = self._column & 0xF0 | command
        elif command < 0x20:
            self._column = self._column & 0x0F | (command & 0x0F) << 4
        elif command == 0x20 and self.kind == "ssd1306":
            self._mode = first & 3
        elif command == 0x21 and self.kind == "ssd1306":
            self._columns, self._column = (first & 127, last & 127), first & 127
        elif command == 0x22 and self.kind == "ssd1306":
            self._pages, self._page = (first & 7, last & 7), first & 7
        elif command in (0xA6, 0xA7):
            self.inverted = command == 0xA7
        elif command in (0xAE, 0xAF):
            self.on = command == 0xAF
        elif 0xB0 <= command <= 0xB7:
            self._page = command & 7

    # What people see

    def pages(self) -> bytes:
        """The picture: 8 pages of 128 columns, lowest bit at the top; dark if the display is off."""
        if not (self.present and self.on):
            return bytes(WIDTH * PAGES)
        width = COLUMNS[self.kind]
        left = SH1106_FIRST if self.kind == "sh1106" else 0
        seen = b"".join(self.memory[page * width + left:page * width + left + WIDTH] for page in range(PAGES))
        return bytes(byte ^ 0xFF for byte in seen) if self.inverted else seen

    def picture(self) -> list[str]:
        """The picture as 64 lines of "#" and "."."""
        pages = self.pages()
        return ["".join("#" if pages[y // 8 * WIDTH + x] >> y % 8 & 1 else "." for x in range(WIDTH))
                for y in range(HEIGHT)]

    def lines(self) -> list[str]:
        """The six lines of text on it, as the firmware draws them; "?" for anything but its characters."""
        columns = _columns(self.pages())
        found = []
        for top in LINE_TOPS:
            line = ""
            for index in range(LETTERS):
                at = LEFT + index * CELL
                line += self._letters.get(tuple(column >> top & 0xFF for column in columns[at:at + 5]), "?")
            found.append(line.rstrip())
        return found


def _columns(pages: bytes) -> list[int]:
    """The 128 columns of a picture, 64 bits each, lowest bit at the top."""
    return [sum(pages[page * WIDTH + x] << 8 * page for page in range(PAGES)) for x in range(WIDTH)]


def _letters() -> dict[tuple[int, ...], str]:
    """The character for each drawing in the firmware's font. The file is read as data: host and firmware share no code."""
    values = {}
    for node in ast.parse((paths.firmware_folder() / "drivers" / "font.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign):
            values[node.targets[0].id] = ast.literal_eval(node.value)
    columns, box = values["COLUMNS"], values["BOX"]
    names = [chr(values["FIRST"] + index) for index in range(box)] + ["\N{WHITE SQUARE}", *values["MORE"]]
    letters: dict[tuple[int, ...], str] = {}
    for index, name in enumerate(names):
        letters.setdefault(tuple(columns[5 * index:5 * index + 5]), name)
    return letters
