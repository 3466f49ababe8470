"""The UF2 file that was built, found for the commands that need one."""

from __future__ import annotations

from pathlib import Path

from gridglow import paths
from gridglow.device import uf2
from gridglow.firmware import frozen
from shared_rules.errors import GridglowError


def find(named: Path | None = None, chip: str = uf2.RP2040) -> Path:
    """The UF2 file of a chip: as named, else build/gridglow-CHIP.uf2 of this folder or of the checkout. Raises GridglowError
    where there is none, or where it isn't Gridglow's for this chip."""
    if named is not None:
        path = Path(named)
    else:
        name = f"gridglow-{chip}.uf2"
        places = (Path("build") / name, paths.BUNDLE / name, paths.CHECKOUT / "build" / name)
        path = next((one for one in places if one.is_file()), None)
        if path is None:
            raise GridglowError(f"There is no build/{name} here; build it with: gridglow firmware build --chip {chip}, or "
                                "name a file by --uf2.")
    about = frozen.read_mark(flash_of(uf2.read_uf2(path).data))
    if about is None:
        raise GridglowError(f"{path.name} isn't Gridglow's: expected MicroPython with Gridglow frozen in; build it with: "
                            f"gridglow firmware build --chip {chip}")
    if about.get("chip") != chip:
        raise GridglowError(f"{path.name} is for {uf2.CHIP_NAMES.get(about.get('chip'), 'another chip')}, expected one for "
                            f"{uf2.CHIP_NAMES[chip]}; build it with: gridglow firmware build --chip {chip}")
    return path


def flash_of(data: bytes) -> bytes:
    """The bytes that a UF2 file brings into the flash, one block behind the other."""
    blocks = [data[at:at + uf2.BLOCK] for at in range(0, len(data), uf2.BLOCK)]
    return b"".join(block[32:32 + int.from_bytes(block[16:20], "little")] for block in blocks)
