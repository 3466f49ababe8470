"""The panel drivers: the chain of 74HC165 with its plugs and broken wires, and keys with their own pins."""

import pico_bench
import pytest

#: A ring like the firmware's: of fixed size, counting what doesn't fit. `kept` are the edges without their times.
RING = """
from machine import Timer
class Ring:
    def __init__(self, size=64):
        self.size = size
        self.edges = []
        self.lost = 0
    def put(self, t_ms, panel, key, down):
        if len(self.edges) == self.size:
            self.lost += 1
            return
        self.edges.append((t_ms, panel, key, down))
    def take(self):
        kept = [edge[1:] for edge in self.edges]
        self.edges = []
        return kept
ring = Ring()
def chain_of(panels, pad=0, settle_ms=50):
    from drivers.hc165 import Chain
    board.setup({"panels": panels, "wiring": {"panels_on": {"clock": 10, "latch": 11, "data": 12}, "dice_pad": pad}})
    chain = Chain(10, 11, 12, panels + pad, ring, bool(pad), time.ticks_ms)
    timer = Timer(period=5, callback=chain.tick)
    board.advance(1000 * settle_ms)
    return chain
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("panels")


@pytest.fixture(params=("source", "mpy"))
def run(request, micropython, folder):
    def run(script, **more):
        text = RING + "\n" + "\n".join(line[8:] for line in script.splitlines())
        return pico_bench.run(micropython, folder, request.param, text, **more)

    return run


# The chain


def test_every_key_of_every_panel_comes_as_its_own(run):
    run("""
        from fake_pico import KEYS
        chain_of(6)
        assert ring.take() == []
        for panel in range(1, 7):
            for key in range(6):
                board.press(panel, KEYS[key])
                board.advance(10000)
                assert ring.take() == [(panel, key, 1)], (panel, key)
                board.release(panel, KEYS[key])
                board.advance(10000)
                assert ring.take() == [(panel, key, 0)]
    """)


def test_keys_of_all_panels_at_the_same_moment(run):
    run("""
        chain_of(6)
        for panel in range(1, 7):
            board.press(panel, "OK")
            board.press(panel, "MENU")
        board.advance(10000)
        found = ring.take()
        assert sorted(found) == sorted([(panel, key, 1) for panel in range(1, 7) for key in (2, 5)]), found
    """)


def test_an_edge_is_seen_within_two_scans_and_carries_the_time_at_which_the_keys_were_looked_at(run):
    run("""
        chain_of(2)
        board.advance(1700)
        pressed_ms = time.ticks_ms()
        board.press(1, "OK")
        begun = board.now_us()
        while not ring.edges:
            board.advance(100)
        assert board.now_us() - begun <= 10100, board.now_us() - begun
        t_ms = ring.edges[0][0]
        assert pressed_ms <= t_ms <= pressed_ms + 5, (pressed_ms, t_ms)
    """)


def test_bounce_is_handed_on_as_it_is(run):
    """glow.keys.panels debounces: it acts on the first edge, so the driver must not hold it back."""
    run("""
        chain_of(1)
        for _ in range(3):
            board.press(1, "OK")
            board.advance(5000)
            board.release(1, "OK")
            board.advance(5000)
        board.press(1, "OK")
        board.advance(10000)
        assert ring.take() == [(1, 2, down) for down in (1, 0, 1, 0, 1, 0, 1)]
    """)


def test_the_dice_pad_is_the_last_module(run):
    run("""
        chain = chain_of(2, pad=1)
        assert chain.states() == b"\\x01\\x01\\x01"
        for face in range(1, 7):
            board.press(200, str(face))
            board.advance(10000)
            board.release(200, str(face))
            board.advance(10000)
        assert ring.take() == [(200, face, down) for face in range(6) for down in (1, 0)]
        board.press(2, "PREV")
        board.advance(10000)
        assert ring.take() == [(2, 0, 1)]
    """)


def test_panels_are_found_by_their_id_bits(run):
    run("""
        chain = chain_of(6, settle_ms=0)
        board.unplug(4)
        assert chain.states() == bytes(6), "nothing is known yet"
        board.advance(30000)
        assert chain.states() == b"\\x01\\x01\\x01\\x00\\x00\\x00"
    """)


@pytest.mark.parametrize("byte", [0x00, 0x3F, 0x80, 0xBF, 0xC0, 0xFE])
def test_a_wrong_id_is_a_fault_and_its_keys_tell_nothing(run, byte):
    run(f"""
        chain = chain_of(3)
        board.module_bytes[1] = {byte}
        board.advance(30000)
        assert chain.states() == b"\\x01\\x02\\x01", chain.states()
        assert chain.raw(1) == {byte}
        board.press(3, "WHY")
        board.advance(10000)
        assert ring.take() == [(3, 4, 1)], "the others go on"
        board.module_bytes[1] = None
        board.advance(30000)
        assert chain.states() == b"\\x01\\x01\\x01"
        assert ring.take() == []
    """)


def test_a_data_line_that_is_shorted_from_the_start_is_a_fault_of_all(run):
    run("""
        for module in range(3):
            board.module_bytes[module] = 0
        chain = chain_of(3)
        assert chain.states() == b"\\x02\\x02\\x02"
    """)


def test_a_panel_pulled_out_lets_go_of_its_keys_and_comes_back(run):
    run("""
        chain = chain_of(3)
        board.press(2, "OK")
        board.press(3, "PREV")
        board.advance(10000)
        assert ring.take() == [(2, 2, 1), (3, 0, 1)]
        before = chain.states()
        board.unplug(2)
        board.advance(40000)
        assert before == b"\\x01\\x01\\x01", "what was asked before must not change"
        assert chain.states() == b"\\x01\\x00\\x00"
        assert ring.take() == [(2, 2, 0), (3, 0, 0)], "a key of a panel that has gone is not down for ever"
        board.press(1, "NEXT")
        board.advance(10000)
        assert ring.take() == [(1, 1, 1)]
        board.module_keys[1] = 0
        board.plug(2)
        board.advance(40000)
        assert chain.states() == b"\\x01\\x01\\x01"
        assert ring.take() == [(3, 0, 1)], "which is still held"
    """)


def test_what_a_plug_does_while_it_slides_in_presses_no_key(run):
    run("""
        chain = chain_of(3)
        board.unplug(3)
        board.advance(40000)
        ring.take()
        board.plug(3)
        for byte in (0x40, 0xFF, 0x41, 0x00, 0x6A, 0xC0, 0x7F, 0x00, 0x55, 0xFF):
            board.module_bytes[2] = byte
            board.advance(5000)
        board.module_bytes[2] = None
        board.advance(40000)
        assert chain.states() == b"\\x01\\x01\\x01"
        assert ring.take() == []
    """)


def test_one_scan_with_a_disturbance_changes_no_panel(run):
    run("""
        chain = chain_of(3)
        board.press(2, "OK")
        board.advance(10000)
        assert ring.take() == [(2, 2, 1)]
        for byte in (0xFF, 0x00, 0xC1):
            board.module_bytes[1] = byte
            board.advance(5000)
            board.module_bytes[1] = None
            board.advance(20000)
            assert chain.states() == b"\\x01\\x01\\x01"
            assert ring.take() == []
    """)


def test_a_full_ring_drops_and_counts_and_the_keys_are_right_afterwards(run):
    run("""
        ring.size = 4
        chain_of(1)
        for _ in range(3):
            board.press(1, "OK")
            board.advance(10000)
            board.release(1, "OK")
            board.advance(10000)
        assert len(ring.edges) == 4 and ring.lost == 2
        ring.take()
        board.press(1, "OK")
        board.advance(10000)
        assert ring.take() == [(1, 2, 1)]
    """)


def test_no_press_is_lost_in_work_that_holds_the_loop_up(run):
    """The loop takes nothing for two seconds; the timer goes on."""
    run("""
        chain_of(6)
        wanted = []
        for number in range(30):
            panel = number % 6 + 1
            board.press(panel, "OK")
            board.advance(33000)
            board.release(panel, "OK")
            board.advance(33000)
            wanted += [(panel, 2, 1), (panel, 2, 0)]
        assert ring.lost == 0
        assert ring.take() == wanted
    """)


def test_a_press_is_there_in_the_tick_that_scans_it(run):
    """The tick waits for the scan; a chain that was once slow is tried again after some scans."""
    run("""
        chain = chain_of(6)
        from fake_pico import board as bench
        del bench.timers[0]
        bench.look_us = 8
        def scan(key, down):
            if down: board.press(6, key)
            else: board.release(6, key)
            board.advance(5000)
            begun_us = board.now_us()
            chain.tick()
            return ring.take(), board.now_us() - begun_us
        for _ in range(80):
            scan("OK", False)
        edges, took_us = scan("OK", True)
        assert edges == [(6, 2, 1)] and 190 < took_us < 300, (edges, took_us)
        edges, took_us = scan("OK", False)
        assert edges == [(6, 2, 0)]
        bench.look_us = 1
        scan("OK", True)
        edges, took_us = scan("OK", True)
        assert edges == [(6, 2, 1)] and took_us < 10, "once it came late it isn't waited for"
        bench.look_us = 8
        for _ in range(70):
            scan("OK", True)
        edges, took_us = scan("OK", False)
        assert edges == [(6, 2, 0)] and took_us > 190
    """)


def test_timers_that_come_late_and_in_a_heap_lose_no_scan(run):
    """While flash is being written, no timer runs; then several callbacks come at once."""
    run("""
        chain = chain_of(3)
        from fake_pico import board as bench
        timer = bench.timers[0]
        board.press(1, "OK")
        bench.timers.remove(timer)
        board.advance(80000)
        for _ in range(3):
            chain.tick()
        assert ring.take() == [], "that scan was begun before the key was down"
        board.advance(5000)
        chain.tick()
        assert ring.take() == [(1, 2, 1)], "the two ticks that found no whole scan must leave it alone"
        bench.timers.append(timer)
        board.advance(100000)
        scans = chain.scans
        board.advance(100000)
        assert chain.scans == scans + 20
    """)


def test_a_scan_that_went_astray_is_begun_anew(run):
    """Ctrl-C inside the callback may leave a word in the FIFO; the modules must not change places."""
    run("""
        chain = chain_of(6)
        board.advance(1000)
        import rp2
        rp2._machines[4].get()
        board.press(6, "MENU")
        board.advance(50000)
        assert ring.take() == [(6, 5, 1)]
        rp2._machines[4]._ready.append((0, 0))
        rp2._machines[4].put = lambda order: None
        board.advance(7000)
        del rp2._machines[4].put
        board.advance(60000)
        board.press(1, "PREV")
        board.advance(20000)
        assert ring.take() == [(1, 0, 1)]
    """)


def test_the_radio_of_a_pico_w_may_have_the_first_state_machine(run):
    run("""
        import rp2
        real = rp2.StateMachine
        taken = []
        class Taken(real):
            def __init__(self, number, *more, **named):
                if number < 6:
                    taken.append(number)
                    raise ValueError("StateMachine(%d) claimed by external resource" % number)
                super().__init__(number, *more, **named)
        rp2.StateMachine = Taken
        chain = chain_of(2)
        board.press(2, "OK")
        board.advance(10000)
        assert ring.take() == [(2, 2, 1)] and taken == [4, 5]
    """)


def test_a_tick_takes_no_memory(run):
    run("""
        import rp2
        class Machine:
            def __init__(self, *_all, **_named):
                self.words = ((0x7F7F7F, 0x7F7F7F), (0x7B7F7F, 0x7F7F5F))
                self.turn = 0
            def active(self, on):
                pass
            def put(self, order):
                self.turn = (self.turn + 1) & 1
            def rx_fifo(self):
                return 2
            def get(self, buffer):
                buffer[0], buffer[1] = self.words[self.turn]
        rp2.StateMachine = Machine
        class Counter:
            count = 0
            def put(self, t_ms, panel, key, down):
                self.count += 1
        from drivers.hc165 import Chain
        counter = Counter()
        chain = Chain(10, 11, 12, 6, counter, False, time.ticks_ms)
        tick = chain.tick
        for _ in range(8):
            tick()
        counter.count = 0
        micropython.heap_lock()
        try:
            for _ in range(10):
                tick()
        finally:
            micropython.heap_unlock()
        assert counter.count == 20, counter.count
    """)


@pytest.mark.parametrize("arguments, sentence", [
    ("10, 12, 13, 3", "on the pin after the clock: 11, not 12"),
    ("10, 11, 12, 13", "1 to 12 modules, not 13"),
    ("10, 11, 12, 0", "1 to 12 modules, not 0"),
])
def test_a_chain_that_cannot_be_is_refused_with_a_sentence(run, arguments, sentence):
    said = run(f"""
        from drivers.hc165 import Chain
        try:
            Chain({arguments}, ring, False, time.ticks_ms)
        except ValueError as error:
            print(error)
    """)
    assert len(said) == 1 and sentence in said[0]


# Keys on pins


def test_plain_keys_are_pulled_up_and_closed_to_ground(run):
    run("""
        from drivers.plain_keys import Keys
        from fake_pico import KEYS
        from machine import Pin
        pins = [[16, 17, 18, 19, 20, 21], [10, 11, 12, 13, 14, 22]]
        board.setup({"wiring": {"panels_on": {"keys": pins}}})
        keys = Keys(pins, ring, time.ticks_ms)
        for number in pins[0] + pins[1]:
            assert board.pin(number).pull == Pin.PULL_UP and board.pin(number).mode == Pin.IN
        timer = Timer(period=5, callback=keys.tick)
        board.advance(20000)
        assert ring.take() == [] and keys.states() == b"\\x01\\x01"
        for panel in (1, 2):
            for key in range(6):
                board.press(panel, KEYS[key])
                board.advance(5000)
                assert ring.edges[0][0] == time.ticks_ms()
                assert ring.take() == [(panel, key, 1)]
                board.release(panel, KEYS[key])
                board.advance(5000)
                assert ring.take() == [(panel, key, 0)]
        for key in KEYS:
            board.press(1, key)
        board.advance(5000)
        assert ring.take() == [(1, key, 1) for key in range(6)], "no key hides another: there is no matrix"
    """)


def test_a_plain_key_that_is_down_at_the_start_is_told(run):
    run("""
        from drivers.plain_keys import Keys
        pins = [[16, 17, 18, 19, 20, 21]]
        board.setup({"wiring": {"panels_on": {"keys": pins}}})
        board.press(1, "OK")
        keys = Keys(pins, ring, time.ticks_ms)
        keys.tick()
        assert ring.take() == [(1, 2, 1)]
    """)


def test_a_chain_is_told_from_plain_keys_by_pulls_alone(run):
    """What hangs on the pins is recognised by its levels when pulled: nothing is driven, whoever holds a key."""
    run("""
        from drivers.plain_keys import chain_hangs
        from machine import Pin

        class Chip:
            # One 74HC165 whose H is 0 and G 1, moved by pulls as by levels.
            def __init__(self, pins):
                self.pins = pins
                self.at = 0
                self.clock = 0

            def see(self):
                clock, latch = [int(Pin(pin).pull == Pin.PULL_UP) for pin in self.pins]
                if not latch:
                    self.at = 0
                elif clock and not self.clock:
                    self.at += 1
                self.clock = clock
                return (0, 1, 1, 1, 1, 1, 1, 1)[self.at]

        down = set()
        chip = Chip((10, 11))

        def value(pin, level=None):
            assert pin.mode == Pin.IN, pin
            if pin.id == 12 and chip:
                return chip.see()
            return 0 if pin.id in down else int(pin.pull == Pin.PULL_UP)

        init = Pin.init

        def looked(pin, mode=-1, pull=-1, *, value=None):
            assert mode == Pin.IN and value is None
            init(pin, mode, pull)
            if chip:
                chip.see()

        Pin.value = value
        Pin.init = looked
        Pin.__call__ = value
        assert chain_hangs(10, 11, 12)
        chip = None
        assert not chain_hangs(10, 11, 12)
        for pins in ((10,), (11,), (12,), (10, 11, 12)):
            down = set(pins)
            assert not chain_hangs(10, 11, 12), pins
    """)


def test_a_tick_of_plain_keys_takes_no_memory(run):
    run("""
        from drivers.plain_keys import Keys
        class Counter:
            count = 0
            def put(self, t_ms, panel, key, down):
                self.count += 1
        counter = Counter()
        counter.count = 0
        keys = Keys([[16, 17, 18, 19, 20, 21]], counter, time.ticks_ms)
        tick = keys.tick
        pin = board.pin(18)
        micropython.heap_lock()
        try:
            for level in (0, 1, 0, 1):
                pin.driven = level
                tick()
        finally:
            micropython.heap_unlock()
        assert counter.count == 4
    """)
