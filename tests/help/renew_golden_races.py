"""Plays the golden races that are missing: ``python tests/help/renew_golden_races.py [--all]``.

With ``--all`` it plays every one again. Do that after a change that is meant to change races, raise
RULES_VERSION if old journals no longer replay, and check git's diff before you commit.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: list[str]) -> int:
    """Writes the files; returns the exit code."""
    import golden_races

    if [argument for argument in arguments if argument != "--all"]:
        print("Expected nothing or --all; see the first lines of this file.", file=sys.stderr)
        return 2
    for race in golden_races.wanted():
        file = golden_races.file_of(*race)
        if file.exists() and "--all" not in arguments:
            print(f"{file.name}: is here")
            continue
        text = golden_races.played(*race)
        as_before = file.exists() and file.read_text(encoding="utf-8") == text
        file.write_text(text, encoding="utf-8")
        print(f"{file.name}: {text.count(chr(10))} lines, {'as before' if as_before else 'written'}")
    return 0


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "host"), str(ROOT / "tests" / "help")]
    sys.exit(main(sys.argv[1:]))
