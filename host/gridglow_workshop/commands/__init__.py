"""The commands ``gridglow bench`` and ``gridglow torture``."""
