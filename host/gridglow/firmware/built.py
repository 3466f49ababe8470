"""Finds the built UF2 file for the commands that need one."""

from __future__ import annotations

from pathlib import Path

from gridglow import paths
from gridglow.firmware import uf2
from shared_rules.errors import GridglowError


def find(named: Path | None = None, chip: str = uf2.RP2040) -> Path:
    """The UF2 file of a chip: the named one, else build/gridglow-CHIP.uf2 of this folder or of the checkout. Raises
    GridglowError if there is none, or if it isn't Gridglow's for this chip."""
    if named is not None:
        path = Path(named)
    else:
        name = f"gridglow-{chip}.uf2"
        candidates = (Path("build") / name, paths.BUNDLE / name, paths.CHECKOUT / "build" / name)
        path = next((one for one in candidates if one.is_file()), None)
        if path is None:
            raise GridglowError(f"There is no build/{name} here; build it with: gridglow firmware build --chip {chip}, or "
                                "name a file with --uf2.")
    file = uf2.read_uf2(path)
    if file.mark is None:
        raise GridglowError(f"{path.name} isn't Gridglow's: expected MicroPython with Gridglow frozen in; build it with: "
                            f"gridglow firmware build --chip {chip}")
    if file.chip != chip:
        raise GridglowError(f"{path.name} is for {uf2.CHIP_NAMES[file.chip]}, expected one for {uf2.CHIP_NAMES[chip]}; "
                            f"build it with: gridglow firmware build --chip {chip}")
    return path
