"""Plays the scripted races again and keeps their frames: ``python tests/help/renew_goldens.py [NAME …]``.

Run it after a change that is meant to change the lights, and check git's diff before you commit.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main(names: list[str]) -> int:
    """Renews the goldens with these names, or all; returns the exit code."""
    from golden_frames import compare

    unknown = [name for name in names if name not in compare.GOLDENS]
    if unknown:
        print(f"Expected names of {', '.join(compare.GOLDENS)}, got {', '.join(unknown)}.", file=sys.stderr)
        return 2
    for name in names or compare.GOLDENS:
        lines = compare.played(name)
        changed = lines != compare.kept(name)
        (compare.FOLDER / (name + ".txt")).write_text("\n".join(lines) + "\n")
        print(f"{name}: {len(lines)} lines, {'renewed' if changed else 'as before'}")
    return 0


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "host"), str(ROOT / "firmware"), str(ROOT / "tests" / "help"),
                    str(ROOT / "tests" / "help" / "in_memory")]
    sys.exit(main(sys.argv[1:]))
