"""The host side of Gridglow: commands, tracks, board files, the virtual board and what talks to a real one."""

__version__ = "0.1.0"
