"""The rules on a connected board: ``shared_rules.proof.serve`` there, fed through its raw REPL.

    with Board(found) as board:
        board.on_track(pack).ask({"job": "vector", "vector": …})

The code for proofs is in the board's program; its owner's replacement modules are loaded here, too. A long track is on the
board's flash meanwhile: it is removed at the end, even after a fault, and the board restarts. A job that doesn't fit the
board's memory, or ends in an error, is an InterpreterFault; the next job gets a fresh interpreter.
"""

from __future__ import annotations

import contextlib
import json

from gridglow.device import manifest
from gridglow.device.changed_code import FOLDER, differing
from gridglow.device.connect import GRIDGLOW, Found
from gridglow.device.port import PortError
from gridglow.device.repl import Repl
from gridglow.device.sync import look_by_repl, restart
from gridglow.device.sync_plan import Seen
from gridglow.firmware.compiler import ARCHES, compile_mpy
from gridglow.races.interpreters import InterpreterFault
from shared_rules.errors import GridglowError

PACK = "proof.pack"
#: Modules of shared_rules that don't affect the course of a race.
NO_RULES = ("link_lines.py", "link_read.py", "link_table.py", "proof.py", "journal_file.py", "advice.py", "scene.py")
#: … and how the names of other such modules begin: bots.
NO_RULES_BEGIN = "bots"
#: A pack of up to this many bytes is sent as a line; a longer one goes to the flash, as the line wouldn't fit in memory.
LINE_PACK_BYTES = 1200
#: A race of a hundred answers takes a Pico a minute.
JOB_S = 900.0
TRACK_S = 300.0
END = b"\x04"
#: A board's heap is a fraction of a PC's, and is never defragmented.
COLLECT_BYTES = 8192
START = f"""import gc
gc.threshold({COLLECT_BYTES})
try:
 from hal import changed, data_files
 if not changed.names:changed.put_in(data_files.frozen_id())
except ImportError:pass
gc.collect()
from shared_rules.proof import serve
serve()
"""


class Board:
    """One board, with the interface of ``interpreters.Interpreter``."""

    name = "serial"
    title = "the board"

    def __init__(self, found: Found, end_race: bool = False, job_s: float = JOB_S):
        self.found = found
        self.job_s = job_s
        self._end_race = end_race
        self._repl: Repl | None = None
        self._serving = False
        self._pack = b""

    def __enter__(self) -> Board:
        self._repl = self.found.repl(end_race=self._end_race)
        with contextlib.ExitStack() as until_entered:
            until_entered.push(self.__exit__)
            self._repl.soft_reset()
            check_rules(look_by_repl(self._repl), self.found)
            until_entered.pop_all()
        return self

    def __exit__(self, *_) -> None:
        repl, self._repl = self._repl, None
        if repl is None:
            return
        with contextlib.suppress(GridglowError):
            if self._serving:
                self._serving = False
                repl.enter(interrupt_race=True, limit_s=TRACK_S)
            repl.remove(PACK)
        try:
            if self.found.state == GRIDGLOW:
                restart(self.found, repl)
            else:
                repl.soft_reset()
        except GridglowError:
            pass  # its job is done; "gridglow boards" reports its state
        finally:
            repl.close()

    def on_track(self, pack: bytes) -> Board:
        """Gives this track to the board; the following jobs are on it. Returns itself."""
        if pack != self._pack or not self._serving:
            job = {"job": "track", "hex": pack.hex()}
            if len(pack) > LINE_PACK_BYTES:
                self._stop()
                self._repl.put(PACK, pack)
                job = {"job": "track", "file": PACK}
            self._pack = b""
            self.ask(job, "reading a track", TRACK_S)
            self._pack = pack
        return self

    def ask(self, job: dict, what: str = "a job", limit_s: float | None = None) -> dict:
        """The result of a job. ``what`` names it in messages. Raises InterpreterFault, and PortError if the board
        is gone."""
        if not self._serving:
            self._repl.begin(START, TRACK_S)
            self._serving = True
        self._repl.port.write(json.dumps(job, separators=(",", ":")).encode("ascii") + b"\n")
        noise: list[str] = []
        while True:
            line = self._line(self.job_s if limit_s is None else limit_s, what)
            if line is None:
                raise InterpreterFault(self._last_words(noise, what))
            try:
                return json.loads(line)
            except ValueError:
                noise.append(line.decode("utf-8", "replace").strip())

    def _line(self, limit_s: float, what: str) -> bytes | None:
        """The next line printed by the board, or None at the end of its program."""
        port = self._repl.port
        until = port.now() + limit_s
        line = b""
        while not line.endswith(b"\n"):
            line += port.take(b"\n", 1.0) if END not in line else b""
            if END in line:
                self._rest = line.partition(END)[2]
                return None
            if port.now() > until:
                self._serving = True
                raise InterpreterFault(f"The board didn't finish {what} within {limit_s:g} s; it was stopped.")
        return line.strip() or self._line(limit_s, what)

    def _last_words(self, noise: list[str], what: str) -> str:
        """Why the program on the board ended; the board is then ready for a new one."""
        self._serving = False
        port = self._repl.port
        said = self._rest
        until = port.now() + 30
        while END not in said and port.now() < until:
            said += port.take(END, 1.0)
        traceback = said.partition(END)[0].decode("utf-8", "replace")
        words = [line.strip() for line in (*noise, *traceback.splitlines()) if line.strip()]
        last = words[-1] if words else "no message"
        with contextlib.suppress(PortError):
            self._repl.enter(interrupt_race=True)
            self._repl.soft_reset()
        if last.startswith("MemoryError"):
            return f"The board ran out of memory in {what} ({last})."
        return f"The board stopped in {what}: {last[:300]}."

    def _stop(self) -> None:
        """Ends the program on the board and returns to the raw REPL."""
        if self._serving:
            self._serving = False
            self._repl.port.write(b"\n")
            self._repl.end(TRACK_S)


def check_rules(seen: Seen, found: Found) -> None:
    """Raises GridglowError if a board's rules differ from those here: in its program, without replacement modules."""
    say = "Update it with: gridglow sync"
    if not found.program:
        raise GridglowError(f"{found.title[:1].upper()}{found.title[1:]} has no Gridglow program, so it has no rules "
                            "to prove; install one with: gridglow flash")
    differ = {name: text for name, text in differing(seen.frozen).items() if _is_rule(name)}
    there = {name: crc for name, (crc, _) in seen.files.items() if name.startswith(FOLDER)}
    put_in = {name for name in there if name.startswith(FOLDER + "shared_rules/") and name.endswith(".mpy")}
    for name, text in differ.items():
        compiled = compile_mpy(name, text, ARCHES.get(found.chip))
        placed = FOLDER + name.removesuffix(".py") + ".mpy"
        if there.get(placed) != manifest.crc_of(compiled):
            raise GridglowError(f"The rules on {found.title} differ from those here ({name}), so there is nothing to "
                                f"compare. {say}")
        put_in.discard(placed)
    if put_in:
        raise GridglowError(f"The rules on {found.title} differ from those here ({min(put_in)}), so there is nothing to "
                            f"compare. {say}")


def _is_rule(name: str) -> bool:
    """Whether a module affects the course of a race."""
    last = name.rpartition("/")[2]
    return (name.startswith("shared_rules/") and last not in NO_RULES
            and not last.startswith(NO_RULES_BEGIN))
