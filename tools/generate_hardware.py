"""Makes the committed hardware files: hardware/generated, and the tables of hardware/docs/wiring.md and gates.md.

    python tools/generate_hardware.py            rewrites everything
    python tools/generate_hardware.py --check    says what is out of date (exit code 1 if anything is)
    python tools/generate_hardware.py --wiring   rewrites only the tables

hardware/generated/<board> has the output of ``gridglow hardware build`` for one track of each game on each board
that it fits: files that are the same for all tracks once, the rest in a folder for each track; with a single track,
everything is in its folder. WireViz's pictures differ with the version of Graphviz, so only their YAML is compared.
"""

from __future__ import annotations

import sys
from pathlib import Path

from gridglow.boards.boardfile import Board, load_board
from gridglow.hardware.build import LIST, MAKERS, make_files, plan_build, write_files
from gridglow.hardware.circuit import Circuit, End
from gridglow.hardware.gates import rows_of, table
from gridglow.hardware.nets import circuit_of
from gridglow.hardware.wireviz_yaml import diagrams_of

ROOT = Path(__file__).resolve().parent.parent
GENERATED = ROOT / "hardware" / "generated"
WIRING = ROOT / "hardware" / "docs" / "wiring.md"
GATES = ROOT / "hardware" / "docs" / "gates.md"
GATED = ("full", "mini")  # a mini-direct is fed like a mini
# One track of each game on each board that it fits; the House Board of Racing Rules needs more pixels than the mini has.
MODULES = {
    "full": ("gp-ring", "house-board", "track-a", "plattfuss-circuit", "brasil"),
    "mini": ("gp-ring", "track-a", "plattfuss-circuit", "brasil"),
    "mini-direct": ("track-a",),  # for building consoles: their drawings, and one track
}
PICTURES, PRINTED = "wireviz_svg", ("stl/", "previews/")
OTHER_PANELS = ("P2.", "P3.", "P4.", "P5.", "P6.")


def generate(board: str, pictures: bool = True) -> dict[str, bytes]:
    """All files of a board and its modules, by their paths below its folder; without ``pictures``,
    WireViz's files hold their YAML. Raises RuntimeError if a package is missing."""
    made: dict[str, dict[str, bytes]] = {}
    makers = [name for name in MAKERS if pictures or name != PICTURES]
    for track in MODULES[board]:
        # The 3D prints depend only on the board, and take the longest.
        made[track], notes = make_files(plan_build(board, track), [name for name in makers if not made or name != "stl"])
        if notes:
            raise RuntimeError(" ".join(notes))
        first = made[MODULES[board][0]]
        made[track].update({path: content for path, content in first.items() if path.startswith(PRINTED)})
        if not pictures:
            made[track].update({f"{path[:-3]}svg": text for path, text in made[track].items() if path.endswith(".yml")})
    first = made[MODULES[board][0]]
    same = {path: content for path, content in first.items()
            if len(made) > 1 and all(files.get(path) == content for files in made.values())}
    own = {f"{track}/{path}": content
           for track, files in made.items() for path, content in files.items() if path not in same}
    return same | own


def differences(board: str, folder: Path = GENERATED) -> list[str]:
    """The committed files of a board that differ from what is made now, a line each."""
    there = folder / board
    files = generate(board, pictures=False)
    files[LIST] = "".join(f"{path}\n" for path in sorted(files)).encode()
    found = {path.relative_to(there).as_posix() for path in there.rglob("*") if path.is_file()}
    wrong = [f"{board}/{path} is missing" for path in sorted(set(files) - found)]
    wrong += [f"{board}/{path} is not made any more" for path in sorted(found - set(files))]
    wrong += [f"{board}/{path} differs" for path in sorted(found & set(files))
              if not is_wireviz(path) and (there / path).read_bytes() != files[path]]
    return wrong


def is_wireviz(path: str) -> bool:
    """Whether a file is one of WireViz's pictures; their content is in the YAML beside each."""
    return "wiring/" in path and path.endswith(".svg")


def wiring_text(text: str) -> str:
    """The text of wiring.md with new tables: each is between two comments that name the board."""
    for name in MODULES:
        text = _put(text, name, wiring_tables(load_board(name)))
    return text


def gates_text(text: str) -> str:
    """The text of gates.md with its tables recalculated."""
    for name in GATED:
        board = load_board(name)
        text = _put(text, name, table(board, rows_of(board)) + "\n")
    return text


def _put(text: str, name: str, tables: str) -> str:
    begin, end = f"<!-- {name}: made by tools/generate_hardware.py -->\n", f"<!-- {name}: end -->\n"
    before, _, rest = text.partition(begin)
    _, there, after = rest.partition(end)
    if not there:
        raise ValueError(f"The page has no place for the tables of {name}.")
    return f"{before}{begin}\n{tables}{end}{after}"


def wiring_tables(board: Board) -> str:
    """Every wire of a board, a table for each diagram; the first panel of a chain stands for all of
    them, and so does a string of one piece for all track modules."""
    circuit = circuit_of(board, 1)
    chain = "keys" not in board.wiring.get("panels_on", {})
    out = []
    for module, title in circuit.titles.items():
        drawn = " and ".join(f"`wiring/{name}.svg`" for name in diagrams_of(circuit, module))
        out += [f"### {board.id}: {title.partition(':')[0]}", "", f"Drawn in {drawn}.", "",
                "| from | to | wire |", "|---|---|---|"]
        for wire in circuit.wires:
            others = OTHER_PANELS if chain or module != "panels" else ()
            if wire.module == module and not wire.a[0].startswith(others) and not wire.b[0].startswith(others):
                out.append(f"| {_end(circuit, wire.a)} | {_end(circuit, wire.b)} | {wire.net} |")
        out.append("")
    return "\n".join(out)


def _end(circuit: Circuit, end: End) -> str:
    ref, number = end
    label = dict(circuit.components[ref].pins)[number]
    value = f", {circuit.components[ref].value}" if ref[0] in "RF" and ref[1:].isdigit() else ""
    name = f"{ref}{value}"
    return f"{name}: {number}" if label == number else f"{name}: {number} ({label})"


def main(words: list[str]) -> int:
    text = WIRING.read_text("utf-8")
    if "--check" in words:
        wrong = [line for board in MODULES for line in differences(board)]
        if wiring_text(text) != text:
            wrong.append(f"The tables of {WIRING} differ")
        if gates_text(GATES.read_text("utf-8")) != GATES.read_text("utf-8"):
            wrong.append(f"The tables of {GATES} differ")
        for line in wrong:
            print(line)
        return bool(wrong)
    WIRING.write_text(wiring_text(text), encoding="utf-8")
    GATES.write_text(gates_text(GATES.read_text("utf-8")), encoding="utf-8")
    if "--wiring" in words:
        return 0
    for board in MODULES:
        files = generate(board)
        write_files(files, GENERATED / board)
        print(f"{board}: {len(files)} files, {sum(map(len, files.values())) / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except RuntimeError as error:
        sys.exit(str(error))
