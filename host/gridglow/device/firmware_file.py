"""Which UF2 to flash, and whether the user means it; decided before anything on a board is changed.

    uf2 = pick("rp2040", agree)       the one built here, or the one that came with this installation
    check(uf2, found, agree)          Gridglow's own, not older than this gridglow, and for this board
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gridglow import paths
from gridglow.device.connect import Found
from gridglow.firmware.frozen import freeze
from gridglow.firmware.image import firmware_version, source_modules
from gridglow.firmware.uf2 import CHIP_NAMES, RP2040, RP2350, Uf2, check_chip, read_uf2
from shared_rules import RULES_VERSION
from shared_rules.errors import GridglowError

CHIPS = (RP2040, RP2350)

Agree = Callable[[list[str]], bool] | None


def folders() -> list[Path]:
    """The folders to search for a UF2: the build folder of the checkout, and the one that came with an installation."""
    return list(dict.fromkeys([Path("build").absolute(), paths.CHECKOUT / "build", paths.BUNDLE]))


def pick(chip: str, agree: Agree = None) -> Uf2:
    """The UF2 of a chip, built here or part of this installation. If it was built from other modules than those
    here, the user must agree. Raises GridglowError if there is none, with how to make it."""
    name = f"gridglow-{chip}.uf2"
    path = next((folder / name for folder in folders() if (folder / name).is_file()), None)
    how = "gridglow firmware build" + (f" --chip {chip}" if chip != RP2040 else "")
    if path is None:
        raise GridglowError(f"There is no Gridglow program for {CHIP_NAMES[chip]}: expected {folders()[0] / name}; "
                            f"build it with {how}, or name a file with --uf2. Nothing was changed.")
    uf2 = read_uf2(path)
    if uf2.mark and uf2.chip == chip:
        here = id_of_here(chip)
        if uf2.mark.id != here:
            _need(agree, f"{path} was built from other modules than those here (program {uf2.mark.id}, expected {here}); "
                         f"rebuild it with: {how}.")
    return uf2


def id_of_here(chip: str) -> str:
    """The id of a program built from this checkout's modules and data."""
    return freeze(chip).id


def check(uf2: Uf2, found: Found | None, chip: str, agree: Agree = None) -> None:
    """Raises GridglowError for a file for another chip and, unless the user agrees, for one that isn't Gridglow's
    or is older."""
    check_chip(uf2, chip)
    if uf2.mark is None:
        _check_board(uf2, found, agree)
        _need(agree, f"{uf2.title} isn't Gridglow's: with it the Pico is no Gridglow board, and gets nothing else.")
        return
    here = firmware_version(source_modules())
    if _numbers(uf2.mark.firmware) < _numbers(here) or uf2.mark.rules < RULES_VERSION:
        _need(agree, f"{uf2.title} is older than this gridglow: it has rules version {uf2.mark.rules}, and this is Gridglow "
                     f"{here} with {RULES_VERSION}; tracks, texts and the board file from here won't be put on it.")


def is_of_here(uf2: Uf2) -> bool:
    """Whether the files that this gridglow makes (board files, tracks, texts) suit this program."""
    here = firmware_version(source_modules()), RULES_VERSION
    return uf2.mark is not None and (uf2.mark.firmware, uf2.mark.rules) == here


def _check_board(uf2: Uf2, found: Found | None, agree: Agree) -> None:
    machine = str((found.about if found else {}).get("machine") or "").partition(" with ")[0]
    if uf2.machine and machine.startswith("Raspberry Pi Pico") and machine != uf2.machine:
        _need(agree, f"{uf2.title} is for {uf2.machine}, but the board says it is a {machine}.")


def _need(agree: Agree, say: str) -> None:
    if not (agree and agree([say])):
        raise GridglowError(f"{say} Give --yes to use it anyway; nothing was changed.")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


__all__ = ["CHIPS", "check", "is_of_here", "pick", "folders"]
