"""Where things lie: the one place that knows, in a checkout as well as in an installed wheel.

The rules with their tracks and texts are the package ``shared_rules``. Firmware and board files lie in
``gridglow/_bundle`` of a wheel, or beside ``host/`` in a checkout. What an owner adds or replaces lies in the
user's data folder: ``tracks/*.toml`` and ``boards/*.toml`` in it are found by every command.
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
    """The packaged track sources, a folder a game."""
    return rules_folder() / "tracks"


def spec_folder() -> Path:
    """The clauses and vectors of the games."""
    return rules_folder() / "spec"


def text_folder() -> Path:
    """The sentences that players read."""
    return rules_folder() / "text"


def firmware_folder() -> Path:
    """The firmware: main.py, glow, hal. Raises GridglowError where the installation lacks it."""
    return _bundled("firmware", CHECKOUT / "firmware")


def boards_folder() -> Path:
    """The packaged board files. Raises GridglowError where the installation lacks them."""
    return _bundled("boards", CHECKOUT / "hardware" / "boards")


def page_folder() -> Path:
    """The page of the virtual board."""
    return PACKAGE / "virtual" / "page"


def choose_data_folder(folder: str | Path | None) -> None:
    """Use this data folder from now on (--data); None goes back to the usual one. Raises NoHome for a ~ that leads
    nowhere, GridglowError for a file."""
    global _chosen_data
    _chosen_data = _expanded(folder) if folder is not None else None
    if _chosen_data is not None and _chosen_data.is_file():
        raise GridglowError(f"Expected a folder with --data, {_chosen_data} is a file; name the folder that it lies in.")


def data_folder() -> Path:
    """The user's data folder: --data, else GRIDGLOW_DATA, else the platform's usual place. It need not
    exist. Raises NoHome where nothing says where it should be."""
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
    """The folder of this name in the user's data folder; none where it isn't there, or nobody could say where."""
    try:
        folder = data_folder() / name
    except NoHome:
        return []
    return [folder] if folder.is_dir() else []


def cache_folder() -> Path:
    """Where is kept what can be made anew: GRIDGLOW_CACHE, else the platform's usual place. It need not exist. Raises
    NoHome where nothing says where it should be."""
    if os.environ.get("GRIDGLOW_CACHE"):
        return _expanded(os.environ["GRIDGLOW_CACHE"])
    if sys.platform == "win32":
        return _usual("LOCALAPPDATA", "AppData", "Local") / "Gridglow" / "Cache"
    if sys.platform == "darwin":
        return _usual("", "Library", "Caches") / "Gridglow"
    return _usual("XDG_CACHE_HOME", ".cache") / "gridglow"


def _usual(variable: str, *in_home: str) -> Path:
    """The folder that a variable of the system names, else the one that lies in the home folder as a rule."""
    named = os.environ.get(variable) if variable else None
    return Path(named) if named else _expanded("~").joinpath(*in_home)


def _expanded(folder: str | Path) -> Path:
    """The folder, with ~ as the home folder."""
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
