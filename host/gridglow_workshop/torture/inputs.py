"""Files are hostile input: track sources and packs, journals, saves, boards, seasons, backups, cards and texts, each with a
few things changed.

hypothesis makes the changes from the seed, and finds the smallest that breaks anything. A file either gets a GridglowError
with a sentence, or is accepted; nothing else is raised, nothing is written outside the trial's own folder, no code runs.
"""

from __future__ import annotations

import contextlib
import os.path
import sys
from pathlib import Path

from gridglow import scratch
from gridglow_workshop.torture.input_kinds import KINDS
from gridglow_workshop.torture.trial import LONG, Outcome, Say
from shared_rules.errors import GridglowError

NAME = "inputs"
WHAT = "Files with a few changes: a sentence, never an exception, nothing written elsewhere, no code run."

#: Changed files of each kind.
AMOUNTS = {"quick": 25, LONG: 4_000}
MISSING = ("gridglow torture --only inputs needs hypothesis, which makes its files; install it with: pip install "
           '"gridglow[torture]"')
#: Replacements for a few characters of a file.
PIECES = (
    b"", b"0", b"-1", b"1e999", b"nan", b"99999999999999999999", b"true", b"null", b"[]", b"{}", b'""', b"'''", b'"',
    b"[", b"]", b"\n", b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"..", b"../../../x", b"/etc/passwd", b"C:\\x", b"%s",
    b"<script>alert(1)</script>", b"{0.__class__}", b"$(id)", b"`id`", b"__import__('os').system('id')", b"= 1", b"id",
    b"x" * 5000, b"[" * 5000, b"1" * 5000, b"\xe2\x80\xae", b"lanes = 0", b"lanes = 99", b"rows = 100000", b"roll",
    b"undo", b"leave", b"seed: a b", b"sealed: " + b"0" * 64, b"start: [[[", b"start: " + b"[" * 3000, b"person", b"bot",
    b"| 00000000", b"option", b"grid: 1 1 1", b"season: 00000000/1", b"laps: 99", b"[[section]]\n", b"[[mark]]\n",
    b"[[road]]\n", b"[output]\n",
)


class Watch:
    """Notes what this process opens for writing outside one folder, and any foreign code that it runs."""

    _there: list[Watch] = []

    def __init__(self) -> None:
        self.folder = ""
        self.said: list[str] = []
        if not Watch._there:  # an audit hook stays until the process ends
            sys.addaudithook(_heard)
        Watch._there.append(self)

    def __enter__(self) -> Watch:
        self.said = []
        return self

    def begin(self, folder: Path) -> None:
        """Starts noting."""
        self.folder = str(folder)

    def end(self) -> None:
        """Stops noting."""
        self.folder = ""

    def take(self) -> list[str]:
        """Returns what was noted, once."""
        said, self.said = self.said, []
        return said

    def __exit__(self, *_) -> None:
        self.end()
        Watch._there.remove(self)


def _heard(event: str, arguments: tuple) -> None:
    for one in Watch._there:
        if one.folder:
            _note(one, event, arguments)


def _note(one: Watch, event: str, arguments: tuple) -> None:
    if event == "open":
        path, mode, flags = arguments
        writes = bool(flags & 3) if mode is None else any(letter in mode for letter in "wax+")
        if writes and isinstance(path, (str, bytes)):
            _path(one, event, path)
    elif event in ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.truncate", "os.symlink", "os.link"):
        for path in arguments[:2]:
            if isinstance(path, (str, bytes)):
                _path(one, event, path)
    elif event.startswith(("subprocess", "os.system", "os.exec", "os.posix_spawn", "socket.connect", "ctypes.dlopen")):
        one.said.append(f"{event} was called")
    elif event == "compile" and arguments[1] in ("<string>", "<stdin>"):
        one.said.append("a text was compiled to code")


def _path(one: Watch, event: str, path: str | bytes) -> None:
    name = os.path.realpath(os.fsdecode(path))
    if not name.startswith(os.path.realpath(one.folder)) and "__pycache__" not in name and name != os.devnull:
        one.said.append(f"{event} would write {name}")


def run(amount: str, seed: int, say: Say) -> Outcome:
    """See `trial`. Raises GridglowError if hypothesis is missing."""
    try:
        import hypothesis
    except ImportError:
        raise GridglowError(MISSING) from None
    failures: list[str] = []
    tried = refused = 0
    with scratch.folder("inputs") as folder, Watch() as watch:
        for kind in KINDS:
            held = Held(kind, Path(folder) / kind.name, watch)
            try:
                held.hold(AMOUNTS[amount], seed)
            except Exception as error:
                again = f"gridglow torture --only {NAME} --seed {seed}{'' if amount == LONG else ' --quick'}"
                failures.append(f"{kind.what}: {held.why or _where(error)}, with {held.last[:200]!r} "
                                f"(hypothesis {hypothesis.__version__}, seed {seed}; run it again with: {again}).")
            tried += held.tried
            refused += held.refused
            say(f"inputs: {held.tried} {kind.what}, {held.refused} of them refused.")
    facts = [f"Kinds of files: {', '.join(kind.what for kind in KINDS)}.",
             f"{refused} were refused with a sentence, {tried - refused} could be used anyway."]
    return Outcome(NAME, tried, tried - len(failures), "changed files", facts, failures)


class Held:
    """One kind of file, changed again and again."""

    def __init__(self, kind, folder: Path, watch: Watch) -> None:
        self.kind = kind
        self.folder = folder
        self.watch = watch
        self.tried = self.refused = 0
        self.last = b""
        self.why = ""
        folder.mkdir()

    def hold(self, count: int, seed: int) -> None:
        """Tries this many; raises what the smallest failing one raises."""
        from hypothesis import HealthCheck, Phase, Verbosity, given, settings
        from hypothesis import seed as seeded
        from hypothesis import strategies as some

        samples = self.kind.samples()
        for sample in samples:  # so that modules and packaged files are read beforehand
            with contextlib.suppress(GridglowError):
                self.kind.use(self.kind.whole(sample), self.folder)
        piece = some.one_of(some.sampled_from(PIECES), some.sampled_from(PIECES), some.binary(max_size=6))
        edit = some.tuples(some.integers(0, 4), some.integers(0, 10_000), piece)
        changes = some.lists(edit, min_size=1, max_size=4)

        @seeded(seed)
        @settings(max_examples=count, database=None, deadline=None, phases=(Phase.generate, Phase.shrink),
                  suppress_health_check=list(HealthCheck), report_multiple_bugs=False, verbosity=Verbosity.quiet)
        @given(some.integers(0, len(samples) - 1), changes)
        def each(which, edits):
            self.one(changed(samples[which], edits))

        each()

    def one(self, data: bytes) -> None:
        """Tries one changed file. Raises AssertionError for anything that must not happen."""
        data = self.kind.whole(data)
        self.tried += 1
        self.last = data
        self.why = ""
        self.watch.begin(self.folder)
        try:
            self.kind.use(data, self.folder)
        except GridglowError as error:
            self.refused += 1
            self.why = no_sentence(str(error))
        except Exception as error:
            self.why = _where(error)
            raise
        finally:
            self.watch.end()
        broken = self.watch.take()
        if broken or self.why:
            self.why = self.why or broken[0]
            raise AssertionError(self.why)


def changed(data: bytes, edits: list[tuple[int, int, bytes]]) -> bytes:
    """The bytes with each of these edits: (what to do, where in ten-thousandths, with what)."""
    for how, spot, piece in edits:
        at = spot * len(data) // 10_000
        if how == 0:
            data = data[:at] + piece + data[at:]
        elif how == 1:
            data = data[:at] + piece + data[at + max(1, len(piece)):]
        elif how == 2:
            data = data[:at]
        elif how == 3:
            data = data[:at] + data[at + 1 + len(piece) * 4:]
        else:  # replace the word there
            end = begin = at
            while begin > 0 and data[begin - 1:begin] not in (b" ", b"\n", b'"', b"=", b",", b"[", b":"):
                begin -= 1
            while end < len(data) and data[end:end + 1] not in (b" ", b"\n", b'"', b",", b"]", b":"):
                end += 1
            data = data[:begin] + piece + data[end:]
    return data


def no_sentence(text: str) -> str:
    """Why an error isn't fit to be shown, or ""."""
    if not text.strip() or "Traceback" in text or not text.strip().endswith((".", "!", "?", ")")):
        return f"the error isn't a sentence: {text[:200]!r}"
    return ""


def _where(error: Exception) -> str:
    """An exception with the line that raised it."""
    back = error.__traceback__
    while back is not None and back.tb_next is not None:
        back = back.tb_next
    spot = f"{Path(back.tb_frame.f_code.co_filename).name}:{back.tb_lineno}" if back else "?"
    return " ".join(f"{type(error).__name__} at {spot}: {error}".split())[:300]
