"""What is at each port, asked gently: first over the link, then through MicroPython's prompt; a race is never ended.

``boards()``        asks every port that may be a board, all at once, within a few seconds
``one(name, ports)`` the board that is meant; refused with a list if that's unclear
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from gridglow.device.port import BUSY, FORBIDDEN, GONE, STUCK, Port, PortError
from gridglow.device.ports import PortInfo, list_ports, named_port
from gridglow.device.repl import BUSY_STATES, Repl, at_prompt, race_title
from gridglow.device.talk import NoAnswer, SaysNo, Talk
from gridglow.firmware.uf2 import read_mark
from shared_rules.errors import GridglowError
from shared_rules.link_table import PROTOCOL

#: States of a board besides those of PortError: it runs Gridglow; it is in safe mode; it shows MicroPython's prompt
#: without Gridglow; it speaks, but nothing we know; it is silent.
GRIDGLOW, SAFE, MICROPYTHON, STRANGE, SILENT = "gridglow", "safe", "micropython", "strange", "silent"
NOT_ASKED = "not asked"
#: States in which the board itself has answered.
ANSWERS = (GRIDGLOW, SAFE, MICROPYTHON)


@dataclass(frozen=True)
class Found:
    """A port and what is behind it. `about` is the board's account of itself, as in the message `info`; at
    MicroPython's prompt it has only "id", "version", "mpy", "machine", "impl", "safe", "name", "fw", "frozen", "fs",
    "changed", "left_out", "gridglow", "manifest" and "crash". `say` is the sentence for a state without an answer, or ""."""

    port: PortInfo
    state: str
    about: dict = field(default_factory=dict)
    say: str = ""

    @property
    def answers(self) -> bool:
        """Whether the board itself has answered."""
        return self.state in ANSWERS

    @property
    def name(self) -> str:
        """The board's own name, or ""."""
        return str(self.about.get("name") or "")

    @property
    def serial(self) -> str:
        """The USB serial number, or the chip's own id if the port has none."""
        return self.port.serial or str(self.about.get("id") or "")

    @property
    def title(self) -> str:
        """The board for a sentence: its name and its port."""
        return f"{self.name} at {self.port.path}" if self.name else f"the board at {self.port.title}"

    @property
    def version(self) -> str:
        """MicroPython's version, such as 1.26.1, or ""."""
        return ".".join(str(part) for part in (self.about.get("version") or ())[:3])

    @property
    def program(self) -> str:
        """The id of Gridglow's own program on it (see `uf2.Mark`), or ""."""
        return str(self.about.get("frozen") or "")

    @property
    def is_stock(self) -> bool:
        """Whether Gridglow is installed as files on a stock MicroPython, as before it had a program of its own."""
        return not self.program and bool(self.chip) and bool(self.about.get("fw") or self.about.get("gridglow"))

    @property
    def chip(self) -> str:
        """"rp2040", "rp2350" or ""."""
        found = re.search(r"RP2\d{3}", str(self.about.get("machine") or "").upper())
        return found.group(0).lower() if found else ""

    @property
    def race_runs(self) -> bool:
        """Whether interrupting the board would end a race."""
        return self.state == GRIDGLOW and bool(self.about.get("race")) and self.about.get("state") in BUSY_STATES

    @property
    def doing(self) -> str:
        """What it's doing now, in a few words."""
        if self.state == GRIDGLOW:
            if self.about.get("race") and self.about.get("state") in (*BUSY_STATES, "podium"):
                title = race_title(self.about)
                return f"podium of {title}" if self.about["state"] == "podium" else f"race of {title}"
            return str(self.about.get("state") or "idle")
        return {SAFE: "safe mode", MICROPYTHON: "MicroPython's prompt"}.get(self.state, self.state)

    @property
    def changed(self) -> str:
        """A sentence about modules that replace those of its program, or ""."""
        names = [str(name) for name in self.about.get("changed") or ()]
        return f"Changed here: {', '.join(names)}." if names else ""

    def problems(self) -> list[str]:
        """What's wrong with it: one sentence each, the gravest first."""
        return [self.say] if self.say else list(_problems(self))

    def talk(self) -> Talk:
        """The link to it. Raises GridglowError if Gridglow isn't running on it."""
        if self.state != GRIDGLOW:
            raise GridglowError(self.say or f"Gridglow isn't running on {self.title} ({self.doing}); reset it, or install "
                                            "Gridglow with: gridglow flash")
        return Talk(Port(self.port))

    def repl(self, end_race: bool = False) -> Repl:
        """Its raw REPL, entered. This ends whatever is running, a race only with `end_race`. Raises GridglowError."""
        with contextlib.ExitStack() as until_entered:
            repl = Repl(Port(self.port))
            until_entered.callback(repl.port.close)
            repl.enter(interrupt_race=end_race)
            until_entered.pop_all()
        return repl


def boards(ports: Sequence[str] | None = None, rest: bool = False) -> list[Found]:
    """What is at each port that may be a board (or at these), asked all at once. Never ends a race, never raises.

    `rest`: also lists the ports that aren't asked, each with the reason.
    """
    every = [named_port(path) for path in ports] if ports else list_ports()
    asked = [port for port in every if port.asked]
    found = []
    if asked:
        with ThreadPoolExecutor(max_workers=min(16, len(asked))) as pool:
            found = list(pool.map(ask_port, asked))
    if rest:
        found += [Found(port, NOT_ASKED, say=port.problem) for port in every if not port.asked]
    return found


def one(name: str | None = None, ports: Sequence[str] | None = None) -> Found:
    """The board that is meant: by its name, serial number or chip's id, or the only one that answers.

    Raises GridglowError with a list if that's unclear, and with what to check if there is none.
    """
    found = boards(ports)
    if name is not None:
        return _named(name, found)
    answering = [board for board in found if board.answers]
    if len(answering) == 1:
        return answering[0]
    if len(answering) > 1:
        raise GridglowError(f"There are {len(answering)} boards: {_list(answering)}; choose one with --board NAME.")
    if len(found) == 1:
        raise GridglowError(found[0].say)
    if found:
        raise GridglowError("No board answers. " + " ".join(board.say for board in found))
    raise GridglowError(no_board())


def no_board() -> str:
    """What to check if no port may be a board."""
    others = [port for port in list_ports() if not port.asked]
    names = ", ".join(port.path for port in others)
    more = f" Ports not asked: {names} (\"gridglow boards --all\" says why)." if others else ""
    return ("No board found: there is no USB port of a Pico. Check that the cable is plugged in and carries data (many "
            "only charge). If a drive RPI-RP2 or RP2350 has appeared, the Pico is waiting for a firmware, and "
            f"\"gridglow flash\" installs it.{more}")


def _named(name: str, found: list[Found]) -> Found:
    wanted = name.casefold()
    meant = [board for board in found
             if wanted in (board.name.casefold(), board.port.serial.casefold(), str(board.about.get("id") or "").casefold())]
    if len(meant) == 1 and meant[0].answers:
        return meant[0]
    if len(meant) == 1:
        raise GridglowError(meant[0].say)
    if meant:
        raise GridglowError(f"{len(meant)} boards are called {name!r}: {_list(meant)}; give the serial number of one with "
                            "--board, or its port with --port.")
    if not found:
        raise GridglowError(no_board())
    raise GridglowError(f"There is no board {name!r}; connected: {_list(found)}.")


def _list(found: Iterable[Found]) -> str:
    words = []
    for board in found:
        who = f"{board.name!r}" if board.name else "one without a name"
        serial = f", serial number {board.serial}" if board.serial else ""
        words.append(f"{who} at {board.port.path}{serial}{'' if board.answers else f' ({board.state})'}")
    return "; ".join(words)


# Asking

LINK_S = 4.0  # a board that has just been plugged in takes a few seconds to start
BUSY_S = 8.0  # loading a race keeps a board busy for seconds
HELLO_S = 1.5
PROMPT_S = 1.0


def ask_port(port: PortInfo) -> Found:
    """What is at one port: asked gently, within some seconds. Never raises for anything a board does."""
    try:
        with Port(port) as opened:
            return _ask(port, opened)
    except PortError as error:
        return Found(port, error.state, say=str(error))
    except GridglowError as error:
        return Found(port, STRANGE, say=str(error))


def _ask(port: PortInfo, opened: Port) -> Found:
    talk = Talk(opened)
    try:
        return Found(port, GRIDGLOW, talk.info(LINK_S))
    except SaysNo as error:
        return Found(port, GRIDGLOW, {}, f"The board at {port.path} doesn't report its state: {error}")
    except NoAnswer as error:
        told = error
    if talk.understood:  # it runs Gridglow, but is busy or doesn't know the question
        try:
            return Found(port, GRIDGLOW, talk.info(BUSY_S))
        except (NoAnswer, SaysNo):
            return _older(port, talk, told)
    if talk.prompt_seen or at_prompt(opened, PROMPT_S, talk.hear):
        return _at_prompt(port, opened)
    if talk.understood:  # its answer came late, or is on its way
        try:
            return Found(port, GRIDGLOW, talk.info(BUSY_S))
        except (NoAnswer, SaysNo) as error:
            told = error
    return Found(port, STRANGE if talk.came else SILENT, say=str(told))


def _older(port: PortInfo, talk: Talk, told: NoAnswer) -> Found:
    try:
        hello = talk.hello(HELLO_S)
    except GridglowError:
        return Found(port, STRANGE, say=str(told))
    about = {"name": hello["board"], "fw": hello["fw"], "impl": hello["impl"], "protocol": hello["v"]}
    say = "" if hello["v"] == PROTOCOL else f" and uses version {hello['v']} of the link, not {PROTOCOL}"
    return Found(port, GRIDGLOW, about, f"The board at {port.path} runs Gridglow {hello['fw']}, which doesn't report its "
                                        f"state{say}; update it with: gridglow flash")


#: Asked at MicroPython's prompt, where no race can run. No module of ours is imported.
_SCRIPT = """import sys,os
d={'impl':sys.implementation.name,'version':list(sys.implementation.version[:3]),'mpy':getattr(sys.implementation,'_mpy',0),
'machine':getattr(sys.implementation,'_machine',''),'safe':1 if globals().get('SAFE_MODE') else 0}
try:
 import machine
 d['id']=''.join('%02x'%b for b in machine.unique_id())
except Exception:pass
try:
 l=os.listdir()
 d['gridglow']=1 if 'main.py' in l and ('glow' in l or 'glow.code' in l) else 0
 d['manifest']=1 if 'manifest.txt' in l else 0
 d['crash']=1 if 'save' in l and 'crash' in os.listdir('save') else 0
except OSError as e:d['no_files']=str(e)
try:
 import frozen_data
 d['mark']=frozen_data.MARK
 d['board']='mini'
 from hal import file_system
 d['fs']=file_system.state
except Exception:pass
try:
 import json
 with open('board.json') as f:d['board']=json.load(f).get('id','')
except Exception:pass
try:
 with open('save/settings') as f:d['name']=dict(json.loads(f.read().rsplit(' *',1)[0])).get('name','')
except Exception:pass
print(repr(d))
del d"""


def _at_prompt(port: PortInfo, opened: Port) -> Found:
    repl = Repl(opened)
    try:
        repl.enter(interrupt_race=True, limit_s=4.0)  # at the prompt nothing runs
        about = ast.literal_eval(repl.run(_SCRIPT).strip())
    except GridglowError as error:
        return Found(port, MICROPYTHON, say=str(error))
    except (ValueError, SyntaxError):
        return Found(port, STRANGE, say=f"The board at {port.path} doesn't answer like MicroPython; reset it, and try "
                                        "again.")
    finally:
        repl.leave()
    mark = read_mark(about.pop("mark", b""))
    if mark:
        about |= {"frozen": mark.id, "fw": mark.firmware, "rules": mark.rules, "gridglow": 1}
    return Found(port, SAFE if about["safe"] else MICROPYTHON, about)


def _problems(board: Found):
    about = board.about
    if about.get("impl") not in (None, "micropython"):
        yield f"It runs {about['impl']}, but no Gridglow; turn it into a board with: gridglow flash"
    elif board.is_stock:
        yield ("Its Gridglow is installed as files on a stock MicroPython, which is no longer supported; "
               "\"gridglow flash\" puts one program in place of both, and keeps its saves.")
    if board.state == SAFE or about.get("safe"):
        yield ("It is in safe mode, as its safe-mode key was held or three starts in a row failed; \"gridglow logs "
               "--crash\" says why, \"gridglow sync\" repairs its files, and a reset starts it again.")
    elif board.state == MICROPYTHON and not about.get("gridglow"):
        yield "It has MicroPython, but no Gridglow; install it with: gridglow flash"
    elif board.state == MICROPYTHON:
        yield ("It has Gridglow, but somebody has stopped it; reset it (unplug it and plug it in again), "
               "and if that doesn't help: gridglow flash")
    if about.get("fs") == "foreign":
        yield ("Nothing is saved on it, as its memory doesn't hold a Gridglow file system; back it up with "
               "\"gridglow backup --raw FILE\" if it matters, and make a file system with: gridglow flash")
    elif about.get("fs") == "none":
        yield "Nothing is saved on it, as its flash can't be written; races still work, but it needs a new Pico."
    elif about.get("no_files"):
        yield f"Its flash has no file system ({about['no_files']}); make one with: gridglow flash"
    for name, reason in about.get("left_out") or ():
        yield f"Its module {name} was left out ({reason}), so it runs its program's own; fix the module, then: gridglow sync"
    for part in about.get("parts") or ():
        if len(part) >= 2 and part[1] in ("missing", "fault"):
            detail = f" ({part[2]})" if len(part) > 2 and part[2] else ""
            word = "is missing" if part[1] == "missing" else "has a fault"
            yield f"Its part {part[0]} {word}{detail}; \"gridglow doctor\" says what to check."
    for sentence in about.get("faults") or ():
        yield str(sentence)
    if about.get("crash"):
        yield "Its crash box holds a fault; \"gridglow logs --crash\" shows it."


__all__ = ["ANSWERS", "BUSY", "FORBIDDEN", "GONE", "GRIDGLOW", "MICROPYTHON", "SAFE", "SILENT", "STRANGE", "STUCK", "Found",
           "ask_port", "boards", "no_board", "one"]
