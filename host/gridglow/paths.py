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
    """Use this data folder from now on (--data); None goes back to the usual one."""
    global _chosen_data
    _chosen_data = Path(folder).expanduser() if folder is not None else None


def data_folder() -> Path:
    """The user's data folder: --data, else GRIDGLOW_DATA, else the platform's usual place. It need not
    exist."""
    if _chosen_data is not None:
        return _chosen_data
    if os.environ.get("GRIDGLOW_DATA"):
        return Path(os.environ["GRIDGLOW_DATA"]).expanduser()
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or home / "AppData" / "Roaming") / "Gridglow"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Gridglow"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "gridglow"


def _bundled(name: str, in_checkout: Path) -> Path:
    for folder in (BUNDLE / name, in_checkout):
        if folder.is_dir():
            return folder
    raise GridglowError(
        f"This installation has no {name}: expected them in {BUNDLE / name} or {in_checkout}; "
        "install Gridglow again."
    )
