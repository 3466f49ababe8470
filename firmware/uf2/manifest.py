# ruff: noqa: F821 MicroPython's build provides these names
"""What is frozen into Gridglow's MicroPython: everything in a stock one except its `_boot.py`, and the folder
`frozen` beside this file, which `gridglow firmware build` makes. Line numbers are kept, so that a traceback
names file and line."""

module("rp2.py", base_path="$(PORT_DIR)/modules", opt=3)
include("$(MPY_DIR)/extmod/asyncio")
require("onewire")
require("ds18x20")
require("dht")
require("neopixel")
freeze("$(BOARD_DIR)/frozen", opt=2)
