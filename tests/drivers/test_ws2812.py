"""The driver of the LED wires, on a bench that records what a strip would show."""

import itertools

import pico_bench
import pytest

ORDERS = ["".join(order) for order in itertools.permutations("RGB")]
WHITE_ORDERS = ("GRBW", "RGBW", "WRGB", "GWRB")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("ws2812")


@pytest.fixture(params=pico_bench.FORMS)
def run(request, micropython, folder):
    def run(script, **more):
        return pico_bench.run(micropython, folder, request.param, script, **more)

    run.form = request.param
    return run


def test_native_code_is_used_where_it_is_there(run):
    names = run("""
        import drivers.ws2812_plain
        from drivers import ws2812
        print("plain" if ws2812.pack is drivers.ws2812_plain.pack else "native")
    """)
    native = run.form != "plain" and (pico_bench.HAS_NATIVE or run.form == "source")
    assert names == ["native" if native else "plain"]


@pytest.mark.skipif(not pico_bench.HAS_NATIVE, reason="MicroPython has no native code for this machine")
@pytest.mark.parametrize("form", ["source", "mpy"])
def test_native_and_plain_pack_give_the_same_words(micropython, folder, form):
    pico_bench.run(micropython, folder, form, f"""
        from array import array
        from drivers import ws2812_fast, ws2812_plain
        seed = 1
        def random(below):
            global seed
            seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
            return (seed >> 8) % below
        LEVELS = (0, 0, 1, 2, 127, 128, 254, 255)
        for order in {[*ORDERS, *WHITE_ORDERS]!r}:
            shifts = [8 * (3 - order.index(letter)) for letter in "RGB"]
            for trial in range(60):
                first = random(5)
                count = random(10)
                span = array("i", [first, count] + shifts)
                frame = bytearray([LEVELS[random(8)] for _ in range(3 * count)])
                plain = bytearray(4 * 14)
                fast = bytearray(plain)
                ws2812_plain.pack(memoryview(frame), plain, span)
                ws2812_fast.pack(memoryview(frame), fast, span)
                assert plain == fast, (order, trial, plain, fast)
                assert count == 0 or not any(frame) or any(plain)
    """)


@pytest.mark.parametrize("order", [*ORDERS, "GRBW", "RGBW"])
def test_colours_arrive_in_the_order_of_the_strip(micropython, folder, order):
    pico_bench.run(micropython, folder, "mpy", f"""
        from drivers.ws2812 import Wire
        wire = Wire(2, 0, [(5, {order!r})])
        frame = bytes([255, 0, 0, 0, 128, 0, 0, 0, 1, 90, 60, 70, 1, 2, 3])
        wire.outputs[0].show(frame)
        board.advance(400)
        assert wire.pump(time.ticks_us())
        shown = board.wires[2].pixels({order!r})
        if "W" in {order!r}:  # a white channel stays dark
            wanted = b"".join([frame[k:k + 3] + b"\\0" for k in range(0, 15, 3)])
        else:
            wanted = frame
        assert shown == wanted, shown
        assert board.wires[2].bits == 8 * len({order!r})
        assert board.faults == [], board.faults
    """)


def test_the_first_frame_is_dark_as_a_strip_keeps_its_light_over_a_reset(run):
    run("""
        from drivers.ws2812 import Wire
        wire = Wire(2, 0, [(3, "GRB")])
        assert not wire.pump(time.ticks_us()), "the wire must be low for a while before the first bit"
        board.advance(400)
        assert wire.pump(time.ticks_us())
        assert board.wires[2].pixels("GRB") == bytes(9)
        board.advance(5000)
        assert not wire.pump(time.ticks_us()), "nothing has changed"
        wire.outputs[0].show(bytes(9))
        assert not wire.pump(time.ticks_us()), "nor with the same frame again"
    """)


def test_a_module_that_was_without_power_has_its_picture_again_within_a_second(run):
    run("""
        from drivers.ws2812 import Wire
        wire = Wire(2, 0, [(3, "GRB")])
        frame = bytes(range(1, 10))
        wire.outputs[0].show(frame)
        board.advance(400)
        assert wire.pump(time.ticks_us())
        sent = []
        for tick in range(90):
            wire.outputs[0].show(frame)
            board.wires[2].words = []              # it was pulled out, and is dark
            board.advance(34000)
            if wire.pump(time.ticks_us()):
                sent.append(tick)
                assert board.wires[2].pixels("GRB") == frame
        assert sent == [29, 59, 89], sent
        assert board.wires[2].short_gaps == 0 and board.faults == []
    """, start_us=(1 << 30) - 1500000)


def test_outputs_chained_on_one_pin_are_told_apart(run):
    run("""
        from drivers.ws2812 import Wire
        wire = Wire(2, 0, [(3, "GRB"), (0, "GRB"), (2, "RGB")])
        first, none, last = wire.outputs
        assert (first.count, none.count, last.count) == (3, 0, 2)
        first.show(bytes(range(9)))
        none.show(b"")
        last.show(bytes(range(100, 106)))
        board.advance(400)
        wire.pump(time.ticks_us())
        assert board.wires[2].pixels("GRB", 0, 3) == bytes(range(9))
        assert board.wires[2].pixels("RGB", 3, 2) == bytes(range(100, 106))
        board.advance(1000)
        last.show(bytes(6))
        wire.pump(time.ticks_us())
        assert board.wires[2].pixels("GRB", 0, 3) == bytes(range(9)), "the other output keeps its light"
        assert board.wires[2].pixels("RGB", 3, 2) == bytes(6)
        assert len(board.wires[2].words) == 4 * 5
    """)


@pytest.mark.parametrize("order, bits", [("GRB", 24), ("GRBW", 32)])
@pytest.mark.parametrize("count", [1, 4, 9, 60, 420])
def test_frames_are_apart_by_more_than_any_chip_wants(micropython, folder, count, order, bits):
    """A pump every 37 µs with a new frame each time is the worst that a loop can do."""
    lines = pico_bench.run(micropython, folder, "mpy", f"""
        from drivers.ws2812 import Wire
        wire = Wire(2, 0, [({count}, "{order}")])
        frame = bytearray(3 * {count})
        frame_us = {count} * {bits} * 1250 // 1000
        begun = board.now_us()
        sent = 0
        while sent < 12:
            frame[sent % len(frame)] ^= 255
            wire.outputs[0].show(frame)
            before = board.now_us()
            sent += wire.pump(time.ticks_us())
            assert board.now_us() == before, "pump waited"
            board.advance(37)
        line = board.wires[2]
        assert line.frames == 12 and line.short_gaps == 0 and line.overlaps == 0, line.short_gaps
        assert line.torn == 0
        assert 300 <= line.gap_us <= 400, line.gap_us
        assert board.now_us() - begun < 13 * (frame_us + 400)
        assert board.faults == []
        print(line.gap_us)
    """)
    assert len(lines) == 1


def test_an_interrupt_between_asking_the_clock_and_starting_shortens_no_gap(run):
    """The start may come later than the caller's clock says: the frame's end must be counted from the start."""
    run("""
        import rp2
        config = rp2.DMA.config
        def late(self, **more):
            board.advance(700)
            config(self, **more)
        from drivers.ws2812 import Wire
        wire = Wire(2, 0, [(8, "GRB")])
        rp2.DMA.config = late
        board.advance(500)
        frame = bytearray(24)
        for number in range(60):
            frame[0] = number + 1
            wire.outputs[0].show(frame)
            wire.pump(time.ticks_us())
            board.advance(50)
        line = board.wires[2]
        assert line.frames > 3 and line.gap_us >= 300, (line.frames, line.gap_us)
    """)


def test_a_frame_that_comes_while_another_is_sent_waits_whole_and_the_latest_wins(run):
    run("""
        from drivers.ws2812 import Wire
        wire = Wire(2, 0, [(100, "GRB")])
        output = wire.outputs[0]
        board.advance(500)
        output.show(bytes([1] * 300))
        wire.pump(time.ticks_us())
        for level in (2, 3, 4):
            board.advance(500)
            output.show(bytes([level] * 300))
            assert not wire.pump(time.ticks_us()), "the wire is busy for 3 ms"
            assert board.wires[2].pixels("GRB") == bytes([1] * 300)
        board.advance(2000)
        assert wire.pump(time.ticks_us())
        assert board.wires[2].pixels("GRB") == bytes([4] * 300)
        assert board.wires[2].torn == 0 and board.wires[2].frames == 2
        assert wire.frames == 2 and output.frames == 4
    """)


def test_the_bench_sees_a_frame_that_is_torn(micropython, folder):
    """The check above means something only if the bench notices a buffer that changes under the DMA."""
    pico_bench.run(micropython, folder, "source", """
        from drivers.ws2812 import Wire
        wire = Wire(2, 0, [(100, "GRB")])
        board.advance(500)
        wire.outputs[0].show(bytes([1] * 300))
        wire.pump(time.ticks_us())
        wire.words[200] = 77
        board.advance(100)
        wire._dma.active()
        assert board.wires[2].torn == 1
        wire._dma.config(trigger=True)
        assert board.wires[2].overlaps == 1
    """)


def test_the_frame_that_is_shown_is_copied(run):
    run("""
        from drivers.ws2812 import Wire
        wire = Wire(2, 0, [(2, "GRB")])
        frame = bytearray([9] * 6)
        wire.outputs[0].show(frame)
        frame[0] = 200
        board.advance(500)
        wire.pump(time.ticks_us())
        assert board.wires[2].pixels("GRB") == bytes([9] * 6)
    """)


def test_four_wires_are_sent_at_the_same_time_and_a_fifth_is_refused(run):
    run("""
        from drivers.ws2812 import Wire
        wires = [Wire(2 + k, k, [(50, "GRB")]) for k in range(4)]
        board.advance(500)
        for k in range(4):
            wires[k].outputs[0].show(bytes([k + 1] * 150))
            assert wires[k].pump(time.ticks_us())
        for k in range(4):
            assert board.wires[2 + k].pixels("GRB") == bytes([k + 1] * 150)
            assert board.wires[2 + k].begun_us == board.now_us()
        assert board.faults == [], board.faults
        try:
            Wire(6, 4, [(1, "GRB")])
        except ValueError as error:
            assert "4 LED wires at most" in str(error), error
        else:
            raise AssertionError("a fifth wire")
        for wire in wires:
            wire.close()
        assert board.pin(2).mode == 1 and board.pin(2).value() == 0, "the line stays low"
        import rp2
        assert [rp2.DMA().channel for _ in range(12)] == list(range(12)), "a channel was kept"
    """)


def test_dark_waits_until_all_are_out(run):
    run("""
        from drivers.ws2812 import Wire
        wire = Wire(2, 0, [(100, "GRB")])
        board.advance(500)
        wire.outputs[0].show(bytes([50] * 300))
        wire.pump(time.ticks_us())
        board.advance(100)
        wire.dark()
        line = board.wires[2]
        assert line.pixels("GRB") == bytes(300)
        assert line.frames == 2 and line.short_gaps == 0 and line.overlaps == 0 and line.torn == 0
        assert board.now_us() >= line.ends_us + 300, "the strip hasn't shown it yet"
        wire.close()
    """)


def test_a_dma_that_never_ends_is_noticed_and_stops_nobody(run):
    run("""
        import rp2
        from drivers.ws2812 import Wire
        wire = Wire(2, 0, [(100, "GRB")])
        board.advance(500)
        wire.pump(time.ticks_us())
        rp2.DMA.active = lambda self, on=None: True
        wire.outputs[0].show(bytes([1] * 300))
        for _ in range(8):
            board.advance(1000)
            assert not wire.pump(time.ticks_us())
        assert not wire.stuck
        board.advance(30000)
        assert not wire.pump(time.ticks_us()) and wire.stuck
        begun = board.now_us()
        wire.dark()
        assert board.now_us() - begun < 100000, "dark waits for ever"
    """)


def test_the_clock_wraps(run):
    run("""
        from drivers.ws2812 import Wire
        wire = Wire(2, 0, [(10, "GRB")])
        sent = 0
        frame = bytearray(30)
        for number in range(100):
            frame[0] = number + 1
            wire.outputs[0].show(frame)
            sent += wire.pump(time.ticks_us())
            board.advance(100)
        assert board.now_us() > 1 << 30
        assert sent > 12 and board.wires[2].short_gaps == 0 and board.wires[2].gap_us >= 300
    """, start_us=(1 << 30) - 5000)


def test_no_frame_takes_memory(run):
    run("""
        import rp2
        class Channel:
            def __init__(self):
                self.started = 0
            def pack_ctrl(self, **more):
                return 0
            def config(self, read=None, write=None, count=None, ctrl=None, trigger=False):
                self.started += 1
            def active(self):
                return False
        rp2.DMA = Channel
        from drivers.ws2812 import Wire
        wire = Wire(2, 0, [(100, "GRB"), (20, "RGB")])
        frames = [bytes([1] * 300), bytes([2] * 300)]
        first, second = wire.outputs
        small = bytes(60)
        sent = 0
        micropython.heap_lock()
        try:
            for number in range(8):
                first.show(frames[number & 1])
                second.show(small)
                board._fake_us += 5000
                sent += wire.pump(time.ticks_us())
        finally:
            micropython.heap_unlock()
        assert sent == 8, sent
    """)


@pytest.mark.parametrize("arguments, sentence", [
    ('2, 0, [(4, "GRB"), (4, "GRBW")]', "pin 2 has both 3 and 4"),
    ('2, 0, [(4, "GBX")]', "colour order GBX"),
    ('2, 0, [(4, "GRB")], "esp32"', "no chip esp32"),
    ('2, -1, [(4, "GRB")]', "4 LED wires at most"),
])
def test_a_wire_that_cannot_be_is_refused_with_a_sentence(micropython, folder, arguments, sentence):
    said = pico_bench.run(micropython, folder, "mpy", f"""
        from drivers.ws2812 import Wire
        try:
            Wire({arguments})
        except ValueError as error:
            print(error)
    """)
    assert len(said) == 1 and sentence in said[0], said


@pytest.mark.parametrize("chip", ["rp2040", "rp2350"])
def test_both_chips_have_their_fifo_and_request_at_the_same_place(micropython, folder, chip):
    pico_bench.run(micropython, folder, "mpy", f"""
        from drivers.ws2812 import Wire
        for machine in range(4):
            wire = Wire(2 + machine, machine, [(2, "GRB")], "{chip}")
            board.advance(500)
            wire.outputs[0].show(bytes([7] * 6))
            wire.pump(time.ticks_us())
            assert board.wires[2 + machine].pixels("GRB") == bytes([7] * 6)
        assert board.faults == [], board.faults
    """)
