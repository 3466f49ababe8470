"""What the display shows in safe mode."""

import json

import machine
from drivers.oled import Oled

from hal.data_files import frozen

LINES = ("Gridglow: safe mode", "", "The race doesn't", "start. Plug in USB", "and run:", "gridglow doctor")


def show():
    """Write it on the display, if there is one. Raises whatever goes wrong."""
    try:
        with open("board.json") as file:
            board = json.load(file)
    except OSError:
        board = json.loads(frozen("board.json"))
    on = board["wiring"]["display_on"]
    bus = machine.I2C(on["sda"] // 2 % 2, sda=machine.Pin(on["sda"]), scl=machine.Pin(on["scl"]), freq=400000)
    screen = Oled(bus, on["kind"], on["address"])
    screen.start()
    screen.lines(LINES)
    for _ in range(40):
        if not screen.pump():
            return
