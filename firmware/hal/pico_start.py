"""Makes the parts of a Pico's board, once."""

from time import ticks_us

from machine import I2C, SPI, Pin

FIRST_LIGHT = 8  # of 255


class Start:
    """Finds the parts that board.json names. `note(name, state, detail)` reports each one that can't be
    made; the others are made all the same, and a driver is loaded only if its part is there. `frozen_board`:
    nobody has sent a board file, so the wiring may differ: the chain is driven only if one answers."""

    def __init__(self, board, ring, ticks_ms, note, trace, frozen_board=False):
        self.board = board
        self.frozen_board = frozen_board
        self.wiring = board.get("wiring", {})
        self.ring = ring
        self.ticks_ms = ticks_ms
        self.wires = []
        self.outputs = [None for _ in board.get("outputs", ())]  # for each output: what lights it
        self.display = self.buzzer = self.panels = self.console = self.reader = self.supply = None
        for name, make in (("pixels", self.make_pixels), ("display", self.make_display), ("buzzer", self.make_buzzer),
                           ("panels", self.make_panels), ("console", self.make_console), ("reader", self.make_reader),
                           ("supply", self.make_supply)):
            try:
                make(note)
            except Exception as error:
                note(name, "fault", type(error).__name__)
                trace(error)

    def make_pixels(self, note):
        """The wires of the outputs, each with the outputs chained on its pin."""
        from drivers.ws2812 import Wire
        outputs = self.board.get("outputs", ())
        pins = []
        for one in outputs:
            if one["pixels"] and one["pin"] not in pins:
                pins.append(one["pin"])
        for number in range(len(pins)):
            places = [place for place in range(len(outputs))
                      if outputs[place]["pin"] == pins[number] and outputs[place]["pixels"]]
            parts = [(outputs[place]["pixels"], outputs[place]["order"]) for place in places]
            wire = Wire(pins[number], number, parts, self.wiring.get("chip", "rp2040"))
            self.wires.append(wire)
            for place, output in zip(places, wire.outputs):
                self.outputs[place] = output
        self._first_light()
        note("pixels", "ok" if pins else "off")

    def _first_light(self):
        """Shows that the board is alive, long before there is a picture: the first pixel of the first strip, dim
        enough for any supply and anybody's eyes. The limits, which every frame passes through, aren't there yet."""
        for output in self.outputs:
            if output:
                frame = bytearray(3 * output.count)
                frame[0] = frame[1] = frame[2] = FIRST_LIGHT
                output.show(frame)
                output.wire.pump(ticks_us())
                return

    def make_display(self, note):
        """The display; its start shows whether it is there."""
        on = self.wiring.get("display_on")
        if on:
            from drivers.oled import Oled
            bus = I2C(on["sda"] // 2 % 2, sda=Pin(on["sda"]), scl=Pin(on["scl"]), freq=400000,
                      timeout=10000)  # us: a page takes 3000; a bus that hangs costs no more than this a second
            self.display = Oled(bus, on["kind"], on["address"])

    def make_buzzer(self, note):
        """The buzzer."""
        if "buzzer" in self.wiring:
            from drivers.buzzer import Buzzer
            self.buzzer = Buzzer(self.wiring["buzzer"])
            note("buzzer", "ok")

    def make_panels(self, note):
        """Panels on a chain, or keys on pins."""
        on = self.wiring.get("panels_on")
        if on and "keys" in on:
            from drivers.plain_keys import Keys
            self.panels = Keys(on["keys"], self.ring, self.ticks_ms)
        elif on:
            from drivers.hc165 import Chain
            from drivers.plain_keys import chain_hangs
            if self.frozen_board and not chain_hangs(on["clock"], on["latch"], on["data"]):
                note("panels", "missing", "0/%d" % self.board.get("panels", 0))
                return
            pad = self.wiring.get("dice_pad", 0)
            self.panels = Chain(on["clock"], on["latch"], on["data"], self.board.get("panels", 0) + pad, self.ring, pad,
                                self.ticks_ms)

    def make_console(self, note):
        """The console's encoder and keys."""
        if "console" in self.wiring:
            from hal.console import Console
            self.console = Console(self.wiring["console"], self.ring, self.ticks_ms)
            note("console", "ok")

    def make_reader(self, note):
        """The reader, which is looked for at its first tick."""
        on = self.wiring.get("reader_on")
        if on:
            from drivers.cards import Presence
            from drivers.rc522 import Reader
            bus = SPI(on["sck"] // 8 % 2, baudrate=4000000, sck=Pin(on["sck"]), mosi=Pin(on["mosi"]), miso=Pin(on["miso"]))
            self.reader = Presence(Reader(bus, Pin(on["cs"], Pin.OUT, value=1), Pin(on["reset"], Pin.OUT, value=1)))
            self.reader.tick(self.ticks_ms())
            note("reader", self.reader.state)

    def make_supply(self, note):
        """The sensor of the 5 V supply."""
        if "sense" in self.wiring:
            from drivers.sense import Supply
            self.supply = Supply(self.wiring["sense"])
            note("supply", "ok" if self.supply.on() else "missing")
