"""The flash in memory that ``gridglow torture`` uses, for MicroPython scripts of the tests."""

import sys

sys.path.append(__file__.rsplit("/", 4)[0] + "/host/gridglow_workshop/torture/on_board")
from flash import BLOCK_BYTES, Flash, cuts  # noqa: F401 (its folder is no package)
