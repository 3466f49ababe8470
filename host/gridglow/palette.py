"""The colours and rhythms of the board's lights, read from the firmware's own source, so that printed colours always match
the lights. The host never imports the firmware, so the literals are parsed from its text.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache

from gridglow import paths
from shared_rules.errors import GridglowError

STEPS = 32  # per rhythm


@dataclass(frozen=True)
class Palette:
    """``levels``: red, green and blue of an LED for each colour word (linear, of 255); ``rhythms``: 32 times bright or not;
    ``step_ms``: the length of a step."""

    levels: dict[str, tuple[int, int, int]]
    rhythms: tuple[tuple[bool, ...], ...]
    step_ms: int

    def screen_colour(self, word: str) -> str:
        """The colour for a page, "#rrggbb": as bright as the hue gets, as paper is white where an LED is dark."""
        levels = self.levels.get(word, (255, 240, 200))
        most = max(levels)
        return "#" + "".join(f"{_encoded(level / most):02x}" for level in levels)


@cache
def palette() -> Palette:
    """The palette of this installation's firmware. Raises GridglowError if its source isn't as expected."""
    colours = _constants("lights/colours.py")
    effects = _constants("lights/effects.py")
    try:
        words, levels = colours["WORDS"], colours["_LEVELS"]
        bits = "".join(f"{byte:08b}" for byte in effects["_PATTERNS"])
        return Palette(
            {word: tuple(levels[3 * at:3 * at + 3]) for at, word in enumerate(words)},
            tuple(tuple(bit == "1" for bit in bits[at:at + STEPS]) for at in range(0, len(bits), STEPS)),
            effects["STEP_MS"],
        )
    except (KeyError, TypeError):
        raise GridglowError("Couldn't read the firmware's colours: expected WORDS, _LEVELS, _PATTERNS and STEP_MS in "
                            "glow/lights/colours.py and glow/lights/effects.py; install Gridglow again.") from None


def _constants(name: str) -> dict:
    """The names in a module that stand for literals; ``bytes((…))`` is one too."""
    tree = ast.parse((paths.firmware_folder() / "glow" / name).read_text(encoding="utf-8"))
    found = {}
    for node in tree.body:
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        value = node.value
        if isinstance(value, ast.Call) and getattr(value.func, "id", "") == "bytes":
            value = value.args[0]
        try:
            found[node.targets[0].id] = ast.literal_eval(value)
        except ValueError:
            continue  # not a literal
    return found


def _encoded(light: float) -> int:
    """A linear value as an sRGB level."""
    return round(255 * (12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055))
