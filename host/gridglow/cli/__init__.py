"""The commands: a thin skin over the API. ``main`` is the command ``gridglow``."""

from gridglow.cli.main import main

__all__ = ["main"]
