"""Kerbs of a module where a side road emerges: they end before its spaces, which have holes and names."""

from __future__ import annotations

from gridglow.hardware.hiding import Cover, Point

SHRINK = 0.15  # ignore the ends of each piece, as a kerb that only touches a space is beside it


def clear_kerbs(drawing: dict) -> list[dict]:
    """The kerbs of a drawing without the pieces on a space beside the rows; a kerb with a gap becomes two."""
    spaces = [Cover(space["polygon"]) for space in drawing["spaces"]
              if space["lane"] > drawing["lanes"] and not space["start"]]
    if not spaces:
        return drawing["kerbs"]
    found = []
    for kerb in drawing["kerbs"]:
        runs: list[list] = [[]]
        for stripe in kerb["stripes"]:
            if _lies_on(stripe, spaces):
                runs.append([])
            else:
                runs[-1].append(stripe)
        found += [{**kerb, "stripes": run} for run in runs if run]
    return found


def _lies_on(stripe: list[Point], spaces: list[Cover]) -> bool:
    x, y = (sum(point[axis] for point in stripe) / len(stripe) for axis in (0, 1))
    inner = [(px + (x - px) * SHRINK, py + (y - py) * SHRINK) for px, py in stripe]
    return any(space.holds(point) for space in spaces for point in inner)
