"""The requirements for building a board, beyond those for reading its file: supply, fuses, wires, parts.

Pins are checked where they are read (``wiring.py``). Each error has the line and the key that it concerns.
"""

from __future__ import annotations

import difflib

from gridglow.boards.boardfile import KEYS, NO_PIN, USB_MOST_MA, Board, Examined, Output, Supply
from gridglow.boards.building import ROLES, WIRE_MA
from gridglow.boards.pinouts import bus_box, keys_box
from gridglow.hardware.bom import roles_needed
from gridglow.hardware.making import Build
from gridglow.hardware.panel_plan import print_faults
from gridglow.tomlfile import Problem, Where, find_line, spell

# Power supplies and fuses are used to 80 %: both get warm, and both are rated at 25 °C.
USED_PERCENT = 80
# Resettable fuses hold some 0.83 of their rated current at 40 °C, as in a case; this assumes a little less.
HOLD_PERCENT = 80


def check_board(found: Examined) -> list[Problem]:
    """Every error in how a board is powered and built. Unreadable values are skipped."""
    return _Check(found).run()


def check_chain(build: Build) -> list[Problem]:
    """If something is chained behind the track, its pixels come right after the module's, so the module must have all pixels
    that the firmware counts."""
    track = next((one for one in build.board.outputs if one.use == "track"), None)
    return [
        build.problem(("output", i, "after"), f"Expected exactly the {track.pixels_max} pixels of output {track.number} "
                      f"before this one, but {build.track.id} has {build.led_map.pixels}; give this output its own pin.")
        for i, output in enumerate(build.board.outputs)
        if track is not None and output.after == track.number and build.led_map.pixels != track.pixels_max
    ]


def output_draws_ma(board: Board, output: Output) -> int:
    """The most that the firmware lets an output draw, in mA: its own limit, else the whole supply while the
    rest of the board is dark."""
    supply = board.supply
    others = sum(one.pixels_max for one in board.outputs if one is not output) * supply.dark_ma
    return output.limit_ma or supply.limit_ma - supply.base_ma - others


def ribbon_bears(board: Board) -> tuple[int, int]:
    """(number of ribbon wires to the panels that carry 5 V, mA that they can carry together)."""
    box = keys_box(board.pinout, KEYS) if "keys" in board.wiring.get("panels_on", {}) else bus_box(board.pinout)
    count = sum(label == "5V" for _, label in box)
    return count, count * WIRE_MA[board.wires.ribbon_awg]


class _Check:
    def __init__(self, found: Examined):
        self.found = found
        self.board: Board = found.board
        self.problems: list[Problem] = []

    def note(self, where: Where, say: str) -> None:
        path = str(self.board.path)
        self.problems.append(Problem(path, find_line(self.found.lines, where), spell(where), say))

    def run(self) -> list[Problem]:
        supply = self.board.supply
        if supply is not None:
            self.check_supply(supply)
            if not self.problems:  # else every consequence of a wrong number would be reported too
                self.check_main_wire(supply)
                for i, output in enumerate(self.board.outputs):
                    self.check_output(("output", i), output, supply)
        for i, output in enumerate(self.board.outputs):
            self.check_chained(("output", i), output)
        self.check_parts()
        for where, say in print_faults(self.board):
            self.note(where, say)
        return self.problems

    def check_supply(self, supply: Supply) -> None:
        """USB supplies little current; a supply and a fuse should keep some in reserve."""
        limit, most = supply.limit_ma, _used(supply.psu_ma)
        if supply.kind == "usb":
            if limit > USB_MOST_MA:
                self.note(("supply", "limit_ma"), f"Expected at most {USB_MOST_MA} mA from USB, found {limit}; lower it, or "
                          'use a 5 V supply and set kind = "psu".')
            elif limit > _held(supply.fuse_ma):
                self.note(("supply", "fuse_ma"), f"Expected at least {_needed(limit)} mA, as a resettable fuse holds "
                          f"{HOLD_PERCENT} % of it at 40 °C and limit_ma is {limit}, found {supply.fuse_ma}.")
        elif limit > most:
            self.note(("supply", "limit_ma"), f"Expected at most {most} mA, {USED_PERCENT} % of the {supply.psu_ma} that "
                      f"the supply gives, found {limit}; lower it or use a larger supply.")
        elif limit > _used(supply.fuse_ma) or supply.fuse_ma > supply.psu_ma:
            least = -(-limit * 100 // USED_PERCENT)
            fits = f"{least} to {supply.psu_ma}" if least < supply.psu_ma else least
            self.note(("supply", "fuse_ma"), f"Expected {fits} mA, so that {limit} mA don't blow it and the supply can, "
                      f"found {supply.fuse_ma}.")

    def check_main_wire(self, supply: Supply) -> None:
        """Checks that the wires between supply and rail can carry what the fuse allows."""
        wires = self.board.wires
        if wires is not None and WIRE_MA[wires.power_awg] < supply.fuse_ma:
            self.note(("wires", "power_awg"), f"Expected a wire for the {supply.fuse_ma} mA of the fuse "
                      f"({_gauges(supply.fuse_ma)}), found AWG {wires.power_awg}, which carries {WIRE_MA[wires.power_awg]}.")

    def check_output(self, where: Where, output: Output, supply: Supply) -> None:
        """Checks that an output's fuse carries what the firmware lets it draw, and its wires what the fuse allows."""
        wires, board = self.board.wires, self.board
        if output.use == "spare" or output.pin == NO_PIN:
            return
        if output.limit_ma > supply.limit_ma:
            self.note(where + ("limit_ma",), f"Expected at most the {supply.limit_ma} mA of the whole supply, found "
                      f"{output.limit_ma}.")
        draws = output_draws_ma(board, output)
        if output.fuse_ma and _held(output.fuse_ma) < draws:
            self.note(where + ("fuse_ma",), f"Expected at least {_needed(draws)} mA, as a resettable fuse holds "
                      f"{HOLD_PERCENT} % of it at 40 °C and this output may draw {draws}, found {output.fuse_ma}; a "
                      "use a stronger fuse or lower its limit_ma.")
        if wires is None:
            return
        fuse = output.fuse_ma or supply.fuse_ma
        if output.use == "track" and WIRE_MA[wires.string_awg] < fuse:
            self.note(("wires", "string_awg"), f"Expected string wires for the {fuse} mA of the fuse "
                      f"({_gauges(fuse)}), found AWG {wires.string_awg}, which carries {WIRE_MA[wires.string_awg]}; a "
                      f"weaker fuse (fuse_ma of output {output.number}) works as well.")
        if output.use == "dials":
            count, bears = ribbon_bears(board)
            if bears < fuse:
                self.note(where + ("fuse_ma",), f"Expected at most {bears} mA, what {count} ribbon wires of AWG "
                          f"{wires.ribbon_awg} bear, found {fuse}.")

    def check_chained(self, where: Where, output: Output) -> None:
        """Dials can be chained behind the track, but nothing behind the dials: panels have no return wire."""
        before = next((one for one in self.board.outputs if one.number == output.after), None)
        if output.after and before is not None and before.use == "dials":
            self.note(where + ("after",), f"Expected no output behind the dials of output {before.number}, as panels have "
                      "no return wire; give it its own pin.")

    def check_parts(self) -> None:
        """Checks that every part of this board is in [parts]."""
        lines = self.found.lines
        missing = [role for role in roles_needed(self.board) if ("parts", role) not in lines]
        if missing and ("parts",) not in lines:
            self.note(("parts",), "Expected the parts to order here, found none; copy [parts] from full.toml or "
                      "mini.toml.")
            return
        odd = [where[1] for where in lines if where[:1] == ("parts",) and len(where) == 2 and where[1] not in ROLES]
        meant = [role for one in odd for role in difflib.get_close_matches(one, ROLES, 1, 0.5)]
        for role in [role for role in missing if role not in meant]:
            self.note(("parts", role), f"Expected the part to order for {role!r}, but it is missing; add it, or copy its "
                      "line from full.toml or mini.toml.")


def _used(ma: int) -> int:
    return ma * USED_PERCENT // 100


def _held(ma: int) -> int:
    return ma * HOLD_PERCENT // 100


def _needed(ma: int) -> int:
    return -(-ma * 100 // HOLD_PERCENT)


def _gauges(ma: int) -> str:
    fit = [gauge for gauge, bears in WIRE_MA.items() if bears >= ma]
    return f"AWG {fit[-1]} or thicker" if fit else "thicker than any listed; draw less current"
