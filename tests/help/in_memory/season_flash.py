"""What a board keeps of a season on its flash, read as a host reads it."""

import os

from gridglow.seasons.pull import read_head


def kept(root):
    """The season in a board's file."""
    with open(root + "/save/season", "rb") as file:
        return read_head(file.read())


def journals(root):
    """The names of the kept journals."""
    return sorted(name for name in os.listdir(root + "/save") if name.startswith("season-"))
