"""The commands ``gridglow bench``, ``gridglow torture`` and ``gridglow new-game``."""
