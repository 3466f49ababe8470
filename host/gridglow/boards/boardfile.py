"""Board files: what is connected to a console and how much current it may draw.

``load_board("mini")`` finds a packaged board or one in the user's data folder, ``load_board("my.toml")`` a
file; ``board_json`` makes what the firmware reads. The packaged files show the format, with a comment on every key.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from gridglow import paths
from gridglow.boards.building import Part, Wires, take_parts, take_wires
from gridglow.boards.pixelstring import PixelString, take_string
from gridglow.boards.prints import Prints, take_prints
from gridglow.boards.wiring import PANEL_PINS, PINS, WIRING_KEYS, check_pins, no_such_pin, take_wiring
from gridglow.tomlfile import NAME_FORM, Checker, FileProblems, Problem, Where, nearest, read_toml
from shared_rules.errors import GridglowError

USES = ("track", "dials", "spare")
ORDERS = ("RGB", "RBG", "GRB", "GBR", "BRG", "BGR", "GRBW", "RGBW")
KEYS = ("PREV", "NEXT", "OK", "UNDO", "WHY", "MENU")
SHAPES = ("ring", "bar")
LIGHTS = ("lane", "row")
PIXELS_MOST = 1000
PINOUTS = (1, 2)  # the numbers of the ribbons' pin-outs
NO_PIN = -1
HEAD_KEYS = ("id", "name", "display", "brightness_max", "output", "panels", "dials", "supply", "module", *WIRING_KEYS,
             "string", "prints", "wires", "parts")
OUTPUT_KEYS = ("number", "use", "pin", "after", "pixels_max", "order", "limit_ma", "fuse_ma", "skip")
MODULE_KEYS = ("track", "light", "skip", "jumps")
SUPPLY_KEYS = ("limit_ma", "base_ma", "red_ma", "green_ma", "blue_ma", "dark_ma")
SUPPLIES = ("usb", "psu")
USB_MOST_MA = 400


@dataclass(frozen=True)
class Output:
    """A wire of pixels. ``number`` counts from 1; ``after`` is the number of the output behind which this one is
    chained on the same pin, or 0; ``limit_ma`` its share of the supply, 0 if only the supply's
    limit counts; ``fuse_ma`` the rating of its own fuse, 0 if only the supply's guards it; ``skip`` its pixels (from 1)
    that are under no space and stay dark."""

    number: int
    use: str
    pin: int
    pixels_max: int
    order: str
    after: int = 0
    limit_ma: int = 0
    skip: tuple[int, ...] = ()
    fuse_ma: int = 0


@dataclass(frozen=True)
class Module:
    """A track module whose wire was walked: pixels ``skip`` (from 1) light nothing; at each (pixel, space or
    row) of ``jumps`` the wire goes on from there. This applies to the lighting ``light``, "lane" or "row"."""

    track: str
    light: str
    skip: tuple[int, ...]
    jumps: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Supply:
    """The current that everything together may draw, and what one channel of one pixel draws at 255 (mA).

    ``kind`` is "usb" or "psu" (a 5 V supply); ``psu_ma`` is what that supplies, ``fuse_ma`` the rating of the fuse after
    it. ``guard``: after the fuse is a circuit that blocks reversed polarity and more than 5.6 V."""

    limit_ma: int
    base_ma: int
    red_ma: int
    green_ma: int
    blue_ma: int
    dark_ma: int
    kind: str = "usb"
    psu_ma: int = 500
    fuse_ma: int = 500
    guard: bool = False


@dataclass(frozen=True)
class Board:
    """A console: outputs, panels with their keys, each seat's dials as (shape, pixels), display, supply.

    ``wiring`` says which part is on which GPIO, as in ``board.json``; ``string`` (what track modules
    are built from), ``prints``, ``wires`` and ``parts`` (by their key in the file) are for the builder; ``pinout`` is the
    number of its panel ribbons' pin-out, 1 for consoles from before there were two."""

    id: str
    name: str
    outputs: tuple[Output, ...]
    panels: int
    keys: tuple[str, ...]
    seats: int
    dials: tuple[tuple[str, int], ...]
    dials_output: int
    display: tuple[int, int]
    brightness_max: int
    supply: Supply
    path: Path | None = None
    wiring: dict = field(default_factory=dict)
    modules: tuple[Module, ...] = ()
    string: PixelString = PixelString()
    wires: Wires = Wires()
    parts: dict[str, Part] = field(default_factory=dict)
    prints: Prints = Prints()
    pinout: int = PINOUTS[0]

    @property
    def pixels(self) -> int:
        """The most pixels that all its outputs may have."""
        return sum(output.pixels_max for output in self.outputs)


def board_json(board: Board) -> dict:
    """What the firmware reads as ``board.json``: JSON-ready, whole numbers only.

    ``{"id", "name", "outputs": [{"pixels", "use": "track"|"dials"|"spare", "order": "GRB", "pin", "after": 0
    or the number of the output before it on the same pin, "limit_ma": 0 for none}], "panels": count, "keys":
    [six names], "dials": {"output": number from 0, "seats": count, "each": [["ring"|"bar", pixels], …]},
    "display": [21, 6], "brightness": 64, "supply": {"limit_ma", "base_ma", "red_ma", "green_ma", "blue_ma",
    "dark_ma"}, "wiring": {"chip": "rp2040"|"rp2350", "panels_on": {"clock", "latch", "data"} or {"keys": [[six
    pins], …]}, "dice_pad": 1, "console": {"a", "b", "push", "ok", "back"}, "display_on": {"kind", "sda", "scl",
    "address"}, "reader_on": {"miso", "cs", "sck", "mosi", "reset"}, "buzzer": pin, "sense": pin,
    "safe_key": pin}}``

    ``pixels`` is the most that an output can carry: a track uses the first of them. The dials of seat n begin
    at pixel (n - 1) times the sum of ``each``. A part that the board lacks is not in ``wiring``.
    """
    supply = board.supply
    return {
        "id": board.id,
        "name": board.name,
        "outputs": [
            {
                "pixels": output.pixels_max,
                "use": output.use,
                "order": output.order,
                "pin": output.pin,
                "after": output.after,
                "limit_ma": output.limit_ma,
            }
            for output in board.outputs
        ],
        "panels": board.panels,
        "keys": list(board.keys),
        "dials": {
            "output": board.dials_output - 1,
            "seats": board.seats,
            "each": [[shape, pixels] for shape, pixels in board.dials],
        },
        "display": list(board.display),
        "brightness": board.brightness_max,
        "supply": {key: getattr(supply, key) for key in SUPPLY_KEYS},
        "wiring": board.wiring,
    }


def list_boards() -> list[str]:
    """The ids that ``load_board`` knows: packaged boards and those in the user's data folder."""
    return sorted(_board_files())


def load_board(name: str | Path) -> Board:
    """A board by its id or by the path of its file.

    Raises GridglowError if there is none, FileProblems with every error in the file.
    """
    return read_board(board_path(name))


def board_path(name: str | Path) -> Path:
    """The file of a board, by its id or the file's path, which need not exist. Raises GridglowError for an unknown
    id."""
    files = _board_files()
    text = str(name)
    if text in files:
        return files[text]
    if isinstance(name, Path) or text.endswith(".toml") or "/" in text or "\\" in text or Path(text).is_file():
        return Path(text)
    raise GridglowError(
        f"There is no board {text!r}{nearest(text, tuple(sorted(files)))} For a file of your own, give "
        "its whole name, such as my-board.toml."
    )


def _board_files() -> dict[str, Path]:
    """Board files by name; the user's own replace packaged ones."""
    files = {}
    for folder in (paths.boards_folder(), *paths.own("boards")):
        files.update({path.stem: path for path in sorted(folder.glob("*.toml"))})
    return files


def read_board(path: Path) -> Board:
    """The board in a TOML file. Raises FileProblems with every error in it."""
    found = examine_board(path)
    if found.problems:
        raise FileProblems(found.problems)
    return found.board


@dataclass(frozen=True)
class Examined:
    """A board file as read: ``lines`` has the line of every key, ``problems`` every error in the order of lines.

    With errors, unknown parts of the board are None; an output with an unknown pin is a spare one on pin -1."""

    board: Board
    lines: dict[Where, int]
    problems: list[Problem]


def examine_board(path: Path) -> Examined:
    """Reads a board file, even one with errors, so that others can check further. Raises FileProblems if it isn't TOML."""
    table, lines = read_toml(path, "board file")
    check = Checker(path, lines)
    check.known(table, (), HEAD_KEYS)
    board_id = check.take_text(
        table, (), "id", r"[a-z0-9]+(-[a-z0-9]+){0,9}", "small letters, digits and hyphens"
    )
    name = check.take_text(table, (), "name", NAME_FORM, "a name of 1 to 40 characters")
    display = check.take_ints(table, (), "display", 2, 0, 40)
    if display is not None and display != [21, 6]:
        check.note(("display",), f"Expected [21, 6], the only display supported so far, found {display}.")
    brightness = check.take_int(table, (), "brightness_max", 1, 255)
    outputs = [
        _take_output(check, one, ("output", i))
        for i, one in enumerate(check.take_tables(table, (), "output", needed=True))
    ]
    panels, keys, pinout = _take_panels(check, table)
    dials_output, seats, dials = _take_dials(check, table)
    supply = _take_supply(check, table)
    wiring, pins = take_wiring(check, table, panels)
    check_pins(pins, table, wiring, outputs)
    modules = tuple(_take_module(check, one, ("module", i))
                    for i, one in enumerate(check.take_tables(table, (), "module", needed=False)))
    string, wires, parts = take_string(check, table), take_wires(check, table), take_parts(check, table)
    prints = take_prints(check, table)
    _check_outputs(check, outputs, dials_output, seats, dials)
    if supply is not None and outputs and None not in outputs:
        _check_power(check, outputs, supply)
    board = Board(
        board_id,
        name,
        tuple(output or Output(i, "spare", NO_PIN, 0, "GRB") for i, output in enumerate(outputs, 1)),
        panels,
        keys,
        seats,
        dials,
        dials_output,
        tuple(display or ()),
        brightness,
        supply,
        path,
        wiring,
        tuple(module for module in modules if module is not None),
        string,
        wires,
        parts,
        prints,
        pinout or PINOUTS[0],
    )
    return Examined(board, lines, sorted(check.problems, key=lambda problem: problem.line))


def _take_output(check: Checker, table: dict, where: tuple) -> Output | None:
    """An output; if only its pin is wrong, it is on NO_PIN; if more is wrong, None."""
    pin = check.take_int(table, where, "pin", 0, 28)
    if pin is not None and pin not in PINS:
        check.note(where + ("pin",), no_such_pin(pin))
        pin = None
    before = len(check.problems)
    check.known(table, where, OUTPUT_KEYS)
    number = check.take_int(table, where, "number", 1, 4)
    use = check.take_word(table, where, "use", USES)
    pixels = check.take_int(table, where, "pixels_max", 0, PIXELS_MOST)
    order = check.take_word(table, where, "order", ORDERS)
    after = check.take_int(table, where, "after", 1, 4, 0)
    limit = check.take_int(table, where, "limit_ma", 0, 20000, 0)
    fuse = check.take_int(table, where, "fuse_ma", 100, 20000, 0)
    skip = _take_skip(check, table, where)
    if skip and use is not None and use != "track":
        check.note(where + ("skip",), 'Expected dark pixels only with use = "track"; dials need every pixel.')
    if len(check.problems) > before:
        return None
    return Output(number, use, NO_PIN if pin is None else pin, pixels, order, after, limit, skip, fuse)


def _take_skip(check: Checker, table: dict, where: tuple) -> tuple[int, ...]:
    """Pixel numbers, each once."""
    skip = check.take(table, where, "skip", list, [])
    if skip is None:
        return ()
    if any(type(one) is not int or not 1 <= one <= PIXELS_MOST for one in skip) or len(set(skip)) < len(skip):
        say = f"Expected pixel numbers from 1 to {PIXELS_MOST}, each once, found {skip!r}."
        check.note(where + ("skip",), say)
        return ()
    return tuple(skip)


def _take_module(check: Checker, table: dict, where: tuple) -> Module | None:
    before = len(check.problems)
    check.known(table, where, MODULE_KEYS)
    track = check.take_text(table, where, "track", r"[a-z0-9]+(-[a-z0-9]+){0,9}", "the id of a track")
    light = check.take_word(table, where, "light", LIGHTS)
    skip = _take_skip(check, table, where)
    jumps = check.take(table, where, "jumps", list, [])
    for one in jumps or ():
        if not (isinstance(one, list) and len(one) == 2 and type(one[0]) is int and 1 <= one[0] <= PIXELS_MOST
                and isinstance(one[1], str)):
            check.note(where + ("jumps",), f'Expected pairs such as [40, "12c"], pixel and space, found {one!r}.')
            break
    if len(check.problems) > before:
        return None
    return Module(track, light, skip, tuple((pixel, name) for pixel, name in jumps))


def _take_table(check: Checker, table: dict, key: str) -> dict | None:
    if key not in table:
        check.note((), f"There is no [{key}] in the file; add one.")
        return None
    return check.take(table, (), key, dict)


def _take_panels(check: Checker, table: dict) -> tuple[int | None, tuple[str, ...], int | None]:
    panels = _take_table(check, table, "panels")
    if panels is None:
        return None, (), None
    where = ("panels",)
    check.known(panels, where, ("count", "keys", *PANEL_PINS, "pins", "dice_pad", "pinout"))
    pinout = check.take_int(panels, where, "pinout", PINOUTS[0], PINOUTS[-1], PINOUTS[0])
    count = check.take_int(panels, where, "count", 1, 6)
    keys = check.take(panels, where, "keys", list)
    if keys is not None and (len(keys) != len(KEYS) or sorted(map(str, keys)) != sorted(KEYS)):
        odd = next((str(key) for key in keys if key not in KEYS), None)
        more = f", found {odd!r}{nearest(odd, KEYS)}" if odd else ", each of them once."
        check.note(where + ("keys",), f"Expected the six keys {', '.join(KEYS)}{more}")
    return count, tuple(key for key in keys or () if isinstance(key, str)), pinout


def _take_dials(check: Checker, table: dict) -> tuple[int | None, int | None, tuple[tuple[str, int], ...]]:
    dials = _take_table(check, table, "dials")
    if dials is None:
        return None, None, ()
    where = ("dials",)
    check.known(dials, where, ("output", "seats", "shapes", "pixels"))
    output = check.take_int(dials, where, "output", 1, 4)
    seats = check.take_int(dials, where, "seats", 1, 6)
    shapes = check.take(dials, where, "shapes", list)
    if shapes is not None:
        odd = next((str(shape) for shape in shapes if shape not in SHAPES), None)
        if odd is not None:
            check.note(
                where + ("shapes",), f"Expected only 'ring' and 'bar', found {odd!r}{nearest(odd, SHAPES)}"
            )
            shapes = None
        elif not 1 <= len(shapes) <= 8:
            check.note(where + ("shapes",), f"Expected 1 to 8 dials per seat, found {len(shapes)}.")
            shapes = None
    pixels = None
    if shapes is not None:
        pixels = check.take_ints(dials, where, "pixels", len(shapes), 1, 24)
    return output, seats, tuple(zip(shapes or (), pixels or ()))


def _take_supply(check: Checker, table: dict) -> Supply | None:
    supply = _take_table(check, table, "supply")
    if supply is None:
        return None
    before, where = len(check.problems), ("supply",)
    check.known(supply, where, (*SUPPLY_KEYS, "kind", "psu_ma", "fuse_ma", "guard"))
    most = {"limit_ma": (50, 20000), "base_ma": (0, 5000), "dark_ma": (0, 5)}
    values = {key: check.take_int(supply, where, key, *most.get(key, (1, 60))) for key in SUPPLY_KEYS}
    limit = values["limit_ma"] or 0
    kind = check.take_word(supply, where, "kind", SUPPLIES, "usb" if limit <= USB_MOST_MA else "psu")
    psu = check.take_int(supply, where, "psu_ma", 500, 25000, 500 if kind == "usb" else -(-limit * 5 // 4))
    fuse = check.take_int(supply, where, "fuse_ma", 100, 20000, psu)
    guard = check.take(supply, where, "guard", bool, False)
    for key in ("psu_ma", "guard"):
        if kind == "usb" and key in supply:
            check.note(where + (key,), f'Expected {key} only with kind = "psu", found it with "usb"; remove it.')
    if len(check.problems) > before:
        return None
    return Supply(**values, kind=kind, psu_ma=psu, fuse_ma=fuse, guard=guard)


def _check_outputs(check: Checker, outputs: list[Output | None], dials_output, seats, dials) -> None:
    for i, output in enumerate(outputs):
        if output is None:
            continue
        where = ("output", i)
        if output.number != i + 1:
            say = f"Expected {i + 1}: outputs are numbered in order from 1, found {output.number}."
            check.note(where + ("number",), say)
        same_pin = [other.number for other in outputs[:i] if other and other.pin == output.pin != NO_PIN]
        if output.pin == NO_PIN:
            continue
        if output.after and (output.after >= output.number or output.after not in same_pin):
            check.note(
                where + ("after",),
                f"Expected an earlier output on pin {output.pin}, found {output.after}; "
                "chained outputs share a pin.",
            )
        elif same_pin and not output.after:
            check.note(
                where + ("pin",),
                f"Pin {output.pin} already belongs to output {same_pin[-1]}; use another or set "
                f"after = {same_pin[-1]}.",
            )
    if None in outputs:
        return  # the right value for this one isn't known
    numbers = [output.number for output in outputs]
    if outputs and sum(output.use == "track" for output in outputs) != 1:
        check.note(
            ("output", 0),
            'Expected exactly one output with use = "track", found '
            f"{sum(output.use == 'track' for output in outputs)}.",
        )
    if dials_output is None:
        return
    dial = outputs[dials_output - 1] if dials_output in numbers and dials_output <= len(outputs) else None
    if dial is None or dial.use != "dials":
        check.note(
            ("dials", "output"), f'Expected the number of an output with use = "dials", found {dials_output}.'
        )
    elif seats and dials and seats * sum(pixels for _, pixels in dials) > dial.pixels_max:
        needs = seats * sum(pixels for _, pixels in dials)
        check.note(
            ("dials", "pixels"),
            f"Expected at most {dial.pixels_max} pixels, the size of output {dials_output}, "
            f"found {needs} ({seats} seats of {needs // seats}).",
        )


def _check_power(check: Checker, outputs: list[Output], supply: Supply) -> None:
    """Every pixel draws its dark current: a supply that can't deliver even that lights nothing."""
    dark = supply.base_ma + supply.dark_ma * sum(output.pixels_max for output in outputs)
    if dark >= supply.limit_ma:
        check.note(
            ("supply", "limit_ma"),
            f"Expected more than {dark} mA, for the base and {dark - supply.base_ma} mA of "
            f"dark pixels, found {supply.limit_ma}; use fewer pixels or a larger supply.",
        )
    for i, output in enumerate(outputs):
        needs = output.pixels_max * supply.dark_ma
        if output.limit_ma and needs >= output.limit_ma:
            check.note(
                ("output", i, "limit_ma"),
                f"Expected more than {needs} mA, the draw of its dark pixels, found {output.limit_ma}.",
            )


__all__ = [
    "Board",
    "FileProblems",
    "Output",
    "Supply",
    "board_json",
    "list_boards",
    "load_board",
    "read_board",
]
