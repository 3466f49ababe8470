"""The host side of Gridglow: commands, tracks, board files, the virtual board, and the link to real ones."""

__version__ = "0.1.0"
