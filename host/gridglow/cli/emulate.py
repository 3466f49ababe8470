"""``gridglow emulate``: an emulated board on a serial port, for the other commands."""

from __future__ import annotations

import contextlib
import signal
import time
from pathlib import Path

import click

from gridglow import scratch
from gridglow.boards.boardfile import board_json, load_board
from gridglow.cli.common import json_option, print_json, say
from gridglow.cli.signals import instead
from gridglow.device.board_clock import ToldClock
from gridglow.firmware import built
from gridglow.firmware.uf2 import RP2040, check_chip, read_uf2
from gridglow.virtual.pico.fitting import build_fitting


@click.command()
@click.option("--uf2", metavar="FILE", type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help="What to flash instead of build/gridglow-rp2040.uf2; any program for a Pico.")
@click.option("--board-file", metavar="BOARD", default="full", show_default=True,
              help="The board: full, mini, mini-direct, or the name of a board file of your own.")
@click.option("--bare", is_flag=True, help="A Pico with an empty file system: it is the board mini.")
@click.option("--flash", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
              help="Keep the flash in this file: read at the start if it exists, written at the end.")
@click.option("--seconds", metavar="N", type=click.FloatRange(min=0.1), help="End after this time. Default: at Ctrl-C.")
@click.option("--control", metavar="PATH", type=click.Path(path_type=Path),
              help="A socket for tests: JSON lines press keys, put cards down and read pixels.")
@click.option("--boot-drive", metavar="DIR", type=click.Path(path_type=Path),
              help="A folder that doesn't exist yet, where the board shows its drive while in its boot loader.")
@json_option
def emulate(uf2: Path | None, board_file: str, bare: bool, flash: Path | None, seconds: float | None, control: Path | None,
            boot_drive: Path | None, as_json: bool) -> None:
    """Offer an emulated board on a serial port.

    Gridglow's own firmware runs on a Pico that is emulated instruction by instruction. The command prints the port;
    every other command works on it with --port. It's slow: under load, a twentieth of a real Pico.

    \b
    gridglow emulate --bare
    gridglow boards --port PATH                  in another window

    With --boot-drive DIR, gridglow flash --uf2 FILE --port PATH --drive DIR works on it too.
    """
    # The emulator is an optional extra: without it, the command says here what to install, and --help still works.
    from gridglow.virtual.pico.bootdrive import BootDrive
    from gridglow.virtual.pico.machine import EmulatedPico
    from gridglow.virtual.pico.pty_port import PtyPort, serve_port

    board = load_board(board_file)
    if uf2 is not None:
        check_chip(read_uf2(uf2), RP2040)
    with contextlib.ExitStack() as at_end:
        pico = EmulatedPico(uf2 or built.find(), _flash(board, bare, flash))
        port = PtyPort()
        at_end.callback(port.close)
        clock = ToldClock(port.path)                   # the other commands' time limits use it
        at_end.callback(clock.close)
        door = _parts(pico, board, control)
        drive = BootDrive(pico, boot_drive) if boot_drive else None
        for one in (door, drive):
            if one is not None:
                at_end.callback(one.close)

        def each_step() -> None:
            clock.tell(pico.now_us)
            for one in (door, drive):
                if one is not None:
                    one.exchange()

        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
        if as_json:
            print_json({"port": port.path, "board": board.id, "control": str(control) if control else ""})
        else:
            click.echo(port.path)
            say("The emulated board is on this port until Ctrl-C; use it with --port. It's slow: under load, a "
                "twentieth of a real Pico.")
        end = time.monotonic() + seconds if seconds else None
        if flash is not None:
            at_end.callback(_keep, pico, flash)
        with contextlib.suppress(KeyboardInterrupt), instead(lambda number: signal.default_int_handler(number, None)):
            serve_port(pico, port, lambda: end is not None and time.monotonic() > end, each_step)


def _keep(pico, flash: Path) -> None:
    pico.get_flash().save(flash)
    say(f"The flash is kept in {flash}.")


def _flash(board, bare: bool, kept: Path | None):
    from gridglow.virtual.pico.flash import FlashImage

    if kept is not None and kept.exists():
        return FlashImage.load(kept)
    if bare:
        return FlashImage.bare()
    with scratch.folder("board") as folder:
        for note in build_fitting(folder, board).notes:
            say(note)
        return FlashImage.from_folder(folder)


def _parts(pico, board, control: Path | None):
    """The parts on the board; with a control socket also the object that operates them, else None."""
    from gridglow.virtual.pico.parts import Console

    console = Console(pico, board_json(board))
    if control is None:
        return None
    from gridglow.virtual.pico.control import Control

    return Control(console, control)
