"""The encoder: clicks by a state table, whatever its contacts do in between."""

import pico_bench
import pytest

#: `jump(pin, times)`: a contact that bounces and ends at its other level; `steps(text)`: levels of A and B in turn.
BENCH = """
board.setup({"wiring": {"console": {"a": 6, "b": 7, "push": 13, "ok": 21, "back": 22}}})
from drivers.encoder import Encoder
encoder = Encoder(6, 7)
a, b = board.pin(6), board.pin(7)
seed = 1
def random(below):
    global seed
    seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
    return (seed >> 8) % below
def to(pin, level, bounces=0):
    for _ in range(bounces):
        pin.drive(level)
        pin.drive(1 - level)
    pin.drive(level)
def turn(clicks, bounces=0):
    one, other = (a, b) if clicks > 0 else (b, a)
    for _ in range(abs(clicks)):
        for pin, level in ((one, 0), (other, 0), (one, 1), (other, 1)):
            to(pin, level, random(bounces + 1))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("encoder")


@pytest.fixture(params=("source", "mpy"))
def run(request, micropython, folder):
    def run(script):
        text = BENCH + "\n" + "\n".join(line[8:] for line in script.splitlines())
        return pico_bench.run(micropython, folder, request.param, text)

    return run


def test_24_clicks_are_24_in_both_directions(run):
    run("""
        assert encoder.take() == 0
        turn(24)
        assert encoder.take() == 24
        assert encoder.take() == 0
        turn(-24)
        assert encoder.take() == -24
        board.turn(2)
        board.turn(-5)
        assert encoder.take() == -3
    """)


def test_bounce_makes_no_click_and_hides_none(run):
    run("""
        wanted = 0
        for _ in range(200):
            clicks = random(7) - 3
            turn(clicks, 6)
            wanted += clicks
            assert encoder.take() == clicks
        print(wanted)
    """)


def test_a_knob_that_trembles_at_any_place_and_goes_back_clicks_never(run):
    run("""
        states = ((1, 1), (0, 1), (0, 0), (1, 0))
        for far in range(1, 4):
            for direction in (1, -1):
                for _ in range(30):
                    place = 0
                    for step in list(range(far)) + list(range(far, 0, -1)):
                        place += 1 if step < far and place < far else -1
                        for bounce in range(random(3) + 1):
                            for level in (place, place - 1, place):
                                a.drive(states[direction * level % 4][0])
                                b.drive(states[direction * level % 4][1])
                    while place:
                        place -= 1
                        a.drive(states[direction * place % 4][0])
                        b.drive(states[direction * place % 4][1])
                    assert a.value() == b.value() == 1
        assert encoder.take() == 0
    """)


def test_one_contact_alone_clicks_never(run):
    """A cable that is loose at one end, or a knob that rests at the edge of a contact."""
    run("""
        for pin in (a, b):
            for _ in range(500):
                pin.drive(0)
                pin.drive(1)
        assert encoder.take() == 0
    """)


def test_a_lost_edge_makes_no_false_click_and_spoils_only_its_own(run):
    """Interrupts are off while flash is being written. Nobody then knows which way the knob was turned."""
    run("""
        forth = [(a, 0), (b, 0), (a, 1), (b, 1)]
        back = [(a, 0), (b, 0), (b, 1), (a, 1)]
        for moves, most in ((forth, 1), (back, 0)):
            for lost in range(4):
                for place in range(4):
                    pin, level = moves[place]
                    if place == lost:
                        pin.driven = level
                    else:
                        pin.drive(level)
                turn(2)
                clicks = encoder.take()
                assert 2 <= clicks <= 2 + most or lost == 3 and clicks == 1 + most, (moves is back, lost, clicks)
                turn(-2)
                assert encoder.take() == -2
    """)


def test_pins_are_pulled_up_and_both_edges_of_both_interrupt_hard(run):
    run("""
        from machine import Pin
        seen = []
        real = Pin.irq
        def irq(self, handler=None, trigger=12, hard=False):
            seen.append((self.id, trigger, hard))
            return real(self, handler, trigger, hard)
        Pin.irq = irq
        other = Encoder(2, 3)
        assert sorted(seen) == [(2, 12, True), (3, 12, True)], seen
        assert board.pin(2).pull == Pin.PULL_UP and board.pin(3).pull == Pin.PULL_UP
        other.close()
        Pin.irq = real
        encoder.close()
        turn(3)
        assert encoder.take() == 0
    """)


def test_interrupts_that_were_taken_away_are_asked_for_again(run):
    """MicroPython removes the handler of a hard interrupt that has raised: for example when no stack was left for it."""
    run("""
        turn(2)
        for pin in (a, b):
            pin._handler = None
        a.drive(0)
        assert encoder.take() == 2 and encoder.restarts == 0, "an edge may be on its way"
        assert encoder.take() == 0 and encoder.restarts == 1
        for pin, level in ((b, 0), (a, 1), (b, 1)):
            pin.drive(level)
        turn(3)
        assert encoder.take() == 3 and encoder.restarts == 1
    """)


def test_an_interrupt_takes_no_memory(run):
    """It runs hard: no memory can be allocated in it."""
    run("""
        micropython.heap_lock()
        try:
            for _ in range(3):
                a.drive(0)
                b.drive(0)
                a.drive(1)
                b.drive(1)
            clicks = encoder.take()
        finally:
            micropython.heap_unlock()
        assert clicks == 3
    """)
