"""``gridglow boards``: which boards are connected, what they run and what's wrong with them."""

from __future__ import annotations

import click

from gridglow.cli.board_options import board_options
from gridglow.cli.common import Failed, json_option, print_json, print_table, say
from gridglow.device.connect import GRIDGLOW, NOT_ASKED, Found, no_board
from gridglow.device.connect import boards as ask_all
from gridglow.device.kept import waiting
from shared_rules.errors import GridglowError


@click.command()
@board_options
@click.option("--all", "rest", is_flag=True, help="Also list the serial ports that aren't asked, with the reason.")
@json_option
def boards(board: str | None, port: str | None, rest: bool, as_json: bool) -> None:
    """List the connected boards.

    Each board is asked what it runs, what it's doing and what's wrong with it. A running race goes on. A board is known
    by its name and its USB serial number, as port names change. The exit code is 1 if no board answers.

    \b
    gridglow boards
    gridglow boards --all         also ports that can't be a board
    gridglow boards --port PATH   only this port, whatever is there
    """
    found = ask_all([port] if port else None, rest)
    if board is not None:
        found = [one for one in found if board.casefold() in (one.name.casefold(), one.serial.casefold())]
        if not found:
            raise GridglowError(f"There is no board {board!r}; gridglow boards lists the connected ones.")
    asked = [one for one in found if one.state != NOT_ASKED]
    wrong = [] if any(one.answers for one in asked) else [one.say for one in asked] or [no_board()]
    if as_json:
        print_json({"boards": [board_json(one) for one in found],
                    **({"error": " ".join(wrong), "problems": wrong} if wrong else {})})
    elif found:
        print_table(["NAME", "SERIAL", "PORT", "RUNS", "CHIP", "STATE"], [_row(one) for one in found])
        for one in found:
            for sentence in one.problems() if one not in asked or not wrong else []:
                say(sentence if one.say else f"{one.name or one.port.path}: {sentence}")
            for sentence in notes_on(one):
                say(f"{one.name or one.port.path}: {sentence}")
    for sentence in wrong:
        say(f"gridglow: {sentence}")
    if wrong:
        raise Failed


def notes_on(found: Found) -> list[str]:
    """Remarks about a board that are no faults: replaced modules, an interrupted flash."""
    told = [found.changed] if found.changed else []
    if found.answers:
        told += [f"Flashing it was interrupted, and its saves are kept in {one.path}; to continue: gridglow flash"
                 for one in waiting(found)]
    return told


def runs(found: Found) -> str:
    """What runs on it, such as "Gridglow 1, MicroPython 1.26.1"."""
    words = []
    if found.state == GRIDGLOW:
        words.append(f"Gridglow {found.about.get('fw', '')}".strip())
    if found.version:
        kind = found.about.get("impl", "micropython")
        words.append(f"{'MicroPython' if kind == 'micropython' else kind} {found.version}")
    return ", ".join(words)


def _row(found: Found) -> list[str]:
    return [found.name or "-", found.serial or "-", found.port.path, runs(found) or "-", found.chip or "-", found.doing]


def board_json(found: Found) -> dict:
    """A board for scripts."""
    about = found.about
    return {
        "name": found.name or None, "serial": found.serial or None, "port": found.port.path, "state": found.state,
        "doing": found.doing, "gridglow": about.get("fw") if found.state == GRIDGLOW else None,
        "micropython": found.version or None, "chip": found.chip or None, "machine": about.get("machine") or None,
        "mpy": about.get("mpy"), "board": about.get("board") or None, "race": about.get("race"),
        "heap_free": about.get("heap_free"), "flash_free": about.get("flash_free"), "parts": about.get("parts") or [],
        "program": found.program or None, "changed": about.get("changed") or [], "left_out": about.get("left_out") or [],
        "fs": about.get("fs"), "problems": found.problems(), "notes": notes_on(found),
    }
