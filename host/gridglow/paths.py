"""Where files are: the one place that knows, both in a checkout and in an installed wheel.

The rules with their tracks and texts are the package ``shared_rules``. Firmware and board files are in
``gridglow/_bundle`` of a wheel, or beside ``host/`` in a checkout. What an owner adds or replaces is in the
user's data folder: every command finds ``tracks/*.toml`` and ``boards/*.toml`` there.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import shared_rules
from shared_rules.errors import GridglowError

PACKAGE = Path(__file__).resolve().parent
BUNDLE = PACKAGE / "_bundle"
CHECKOUT = PACKAGE.parent.parent

_chosen_data: Path | None = None


class NoHome(GridglowError):
    """This user has no home folder; one sentence with what to set."""


def rules_folder() -> Path:
    """The package shared_rules: engine, games, ``tracks``, ``spec``, ``text``."""
    return Path(shared_rules.__file__).resolve().parent


def tracks_folder() -> Path:
    """The packaged track sources, one folder per game."""
    return rules_folder() / "tracks"


def spec_folder() -> Path:
    """The clauses and vectors of the games."""
    return rules_folder() / "spec"


def text_folder() -> Path:
    """The sentences that players read."""
    return rules_folder() / "text"


def firmware_folder() -> Path:
    """The firmware: main.py, glow, hal. Raises GridglowError if the installation lacks it."""
    return _bundled("firmware", CHECKOUT / "firmware")


def boards_folder() -> Path:
    """The packaged board files. Raises GridglowError if the installation lacks them."""
    return _bundled("boards", CHECKOUT / "hardware" / "boards")


def page_folder() -> Path:
    """The page of the virtual board."""
    return PACKAGE / "virtual" / "page"


def choose_data_folder(folder: str | Path | None) -> None:
    """Uses this data folder from now on (--data); None returns to the usual one. Raises NoHome for a ~ that leads
    nowhere, GridglowError for a file."""
    global _chosen_data
    _chosen_data = _expanded(folder) if folder is not None else None
    if _chosen_data is not None and _chosen_data.is_file():
        raise GridglowError(f"Expected a folder with --data, {_chosen_data} is a file; name the folder that it lies in.")


def data_folder() -> Path:
    """The user's data folder: --data, else GRIDGLOW_DATA, else the platform's usual place. It need not
    exist. Raises NoHome if nothing says where it should be."""
    if _chosen_data is not None:
        return _chosen_data
    if os.environ.get("GRIDGLOW_DATA"):
        return _expanded(os.environ["GRIDGLOW_DATA"])
    if sys.platform == "win32":
        return _usual("APPDATA", "AppData", "Roaming") / "Gridglow"
    if sys.platform == "darwin":
        return _usual("", "Library", "Application Support") / "Gridglow"
    return _usual("XDG_DATA_HOME", ".local", "share") / "gridglow"


def own(name: str) -> list[Path]:
    """The folder of this name in the user's data folder; none if it doesn't exist, or has no place."""
    try:
        folder = data_folder() / name
    except NoHome:
        return []
    return [folder] if folder.is_dir() else []


def cache_folder() -> Path:
    """The folder for what can be rebuilt: GRIDGLOW_CACHE, else the platform's usual place. It needn't exist. Raises
    NoHome if nothing says where it should be."""
    if os.environ.get("GRIDGLOW_CACHE"):
        return _expanded(os.environ["GRIDGLOW_CACHE"])
    if sys.platform == "win32":
        return _usual("LOCALAPPDATA", "AppData", "Local") / "Gridglow" / "Cache"
    if sys.platform == "darwin":
        return _usual("", "Library", "Caches") / "Gridglow"
    return _usual("XDG_CACHE_HOME", ".cache") / "gridglow"


def _usual(variable: str, *in_home: str) -> Path:
    """The folder named by a system variable, else the usual one in the home folder."""
    named = os.environ.get(variable) if variable else None
    return Path(named) if named else _expanded("~").joinpath(*in_home)


def _expanded(folder: str | Path) -> Path:
    """The folder with ~ replaced by the home folder."""
    try:
        return Path(folder).expanduser()
    except RuntimeError:
        raise NoHome(f"{folder} leads nowhere, as this user has no home folder; set HOME, or name a folder of your own with "
                     "--data DIR or GRIDGLOW_DATA.") from None


def _bundled(name: str, in_checkout: Path) -> Path:
    for folder in (BUNDLE / name, in_checkout):
        if folder.is_dir():
            return folder
    raise GridglowError(
        f"This installation has no {name}: expected them in {BUNDLE / name} or {in_checkout}; "
        "install Gridglow again."
    )
