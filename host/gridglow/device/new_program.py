"""A board that has just received a program: awaited, asked what it runs, and given a file system if it has none.

    found = verify(uf2, wait_for_port(found, ports, clock), clock)
    found = make_file_system(found)
"""

from __future__ import annotations

from gridglow.device.board_clock import Clock
from gridglow.device.connect import Found, ask_port
from gridglow.device.ports import PortInfo, find_again, list_ports
from gridglow.device.sync import restarted
from gridglow.firmware.uf2 import Uf2
from shared_rules.errors import GridglowError

#: How long a board may take to come back with a new program.
BACK_S = 40.0
#: To make the file system: two blocks are erased and written.
MAKE_S = 60.0
AGAIN = "unplug it, plug it in again and run: gridglow flash"


def wait_for_port(found: Found | None, before: set[str], clock=Clock) -> PortInfo:
    """The port of the flashed board: the one with its serial number, or the new one. Raises
    GridglowError."""
    until = clock.now() + BACK_S
    while clock.now() < until:
        if found is not None:
            try:
                return find_again(found.port, 0)
            except GridglowError:
                pass
        else:
            new = [port for port in list_ports() if port.asked and port.path not in before]
            if len(new) == 1:
                return new[0]
            if len(new) > 1:
                raise GridglowError("The program was copied, but several new boards have appeared; choose one: "
                                    "gridglow flash --port PATH")
        clock.rest(0.2)
    raise GridglowError(f"The program was copied, but the board didn't appear as a serial port within {BACK_S:g} s; "
                        f"{AGAIN}")


def verify(uf2: Uf2, port: PortInfo, clock=Clock) -> Found:
    """The board with its new program, as it reports itself. Raises GridglowError if it runs something else."""
    until = clock.now() + BACK_S
    while True:
        found = ask_port(port)
        if found.version or clock.now() >= until:
            break
        clock.rest(0.5)
    if not found.version:
        raise GridglowError(f"The program was copied, but the board doesn't answer now ({found.doing}); {AGAIN}")
    short = uf2.version.split("-")[0]
    if uf2.mark and found.program != uf2.mark.id:
        runs = f"program {found.program}" if found.program else "a program that isn't Gridglow's own"
        raise GridglowError(f"The board runs {runs} after {uf2.title} was copied, so it didn't accept it; repeat the "
                            "command, and hold BOOTSEL while you plug the board in.")
    if not uf2.mark and short and found.version != short:
        raise GridglowError(f"The board runs MicroPython {found.version} after {uf2.title} was copied, so it didn't accept "
                            "it; repeat the command, and hold BOOTSEL while you plug the board in.")
    return found


def make_file_system(found: Found) -> Found:
    """Has the board make a new file system and restart; everything in its flash except the program is lost.
    Returns the board afterwards. Raises GridglowError."""
    with found.repl(end_race=True) as repl:
        said = repl.run("from hal import file_system\nprint(file_system.make_file_system())", MAKE_S).strip()
        if said != "ok":
            raise GridglowError(f"{found.title[:1].upper()}{found.title[1:]} couldn't make its file system ({said}): its "
                                "flash can't be written. Races work, but nothing is saved; replace the Pico.")
        return restarted(found, repl)


__all__ = ["BACK_S", "make_file_system", "verify", "wait_for_port"]
