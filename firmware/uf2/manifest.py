# ruff: noqa: F821 MicroPython's build gives these names
"""What is frozen into Gridglow's MicroPython: all that a stock one has, but for its `_boot.py`, and the folder `frozen`
beside this file, which `gridglow firmware build` makes. Line numbers stay, so that a traceback names file and line."""

module("rp2.py", base_path="$(PORT_DIR)/modules", opt=3)
include("$(MPY_DIR)/extmod/asyncio")
require("onewire")
require("ds18x20")
require("dht")
require("neopixel")
freeze("$(BOARD_DIR)/frozen", opt=2)
