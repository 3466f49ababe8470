"""The small drivers: buzzer and supply."""

import ast
import re

import pico_bench
import pytest

BUZZER = """
from drivers.buzzer import Buzzer
NAMES = {names!r}
def listen(buzzer, ms, step_ms=5):
    for _ in range(ms // step_ms):
        buzzer.tick(time.ticks_ms())
        board.advance(1000 * step_ms)
"""


def sound_names():
    """The names in the driver's own table, which a compiled module hides."""
    for node in ast.parse((pico_bench.FIRMWARE / "drivers" / "buzzer.py").read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "SOUNDS":
            return sorted(ast.literal_eval(node.value))
    raise AssertionError("buzzer.py has no SOUNDS")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("small")


@pytest.fixture(params=("source", "mpy"))
def run(request, micropython, folder):
    def run(script, **more):
        text = BUZZER.replace("{names!r}", repr(sound_names())) + "\n" + "\n".join(line[8:] for line in script.splitlines())
        return pico_bench.run(micropython, folder, request.param, text, **more)

    return run


# Buzzer


def test_nothing_sounds_before_something_is_played(run):
    run("""
        buzzer = Buzzer(28)
        listen(buzzer, 500)
        assert board.heard == [] and board.tone == 0
    """)


def test_muted_from_the_start_it_never_sounds(run):
    run("""
        buzzer = Buzzer(28, mute=True)
        for name in NAMES:
            buzzer.play(name)
            listen(buzzer, 1000)
        assert board.heard == []
        buzzer.mute = False
        listen(buzzer, 100)
        assert board.heard == [], "what was played while muted is forgotten"
        buzzer.play("press")
        listen(buzzer, 100)
        assert board.heard != []
    """)


def test_mute_silences_at_once(run):
    run("""
        buzzer = Buzzer(28)
        buzzer.play("go")
        listen(buzzer, 100)
        assert board.tone == 2000
        buzzer.mute = True
        assert board.tone == 0 and buzzer.mute
        listen(buzzer, 1000)
        assert len(board.heard) == 2
    """)


def test_a_sound_is_its_tones_in_their_time(run):
    run("""
        buzzer = Buzzer(28)
        begun = time.ticks_ms()
        buzzer.play("lap")
        listen(buzzer, 400)
        assert [(t - begun, hertz) for t, hertz in board.heard] == [(0, 2000), (60, 2800), (180, 0)], board.heard
        del board.heard[:]
        begun = time.ticks_ms()
        buzzer.play("refused")
        listen(buzzer, 400)
        assert [(t - begun, hertz) for t, hertz in board.heard] == [(0, 800), (90, 0), (120, 600), (270, 0)]
    """)


def test_every_sound_ends_in_silence_and_is_none_that_hurts(run):
    run("""
        buzzer = Buzzer(28)
        for name in NAMES + ["of another game"]:
            del board.heard[:]
            buzzer.play(name)
            listen(buzzer, 2500)
            assert board.tone == 0 and len(board.heard) >= 2, name
            assert board.heard[-1][0] - board.heard[0][0] < 2000, name
            for _, hertz in board.heard:
                assert hertz == 0 or 300 <= hertz <= 5000
    """)


def test_a_newer_sound_ends_the_older(run):
    run("""
        buzzer = Buzzer(28)
        buzzer.play("podium")
        listen(buzzer, 100)
        buzzer.play("press")
        listen(buzzer, 1500)
        assert [hertz for _, hertz in board.heard] == [2000, 3000, 0], board.heard
    """)


def test_a_loop_that_comes_late_skips_no_tone(run):
    run("""
        buzzer = Buzzer(28)
        buzzer.play("lap")
        listen(buzzer, 1200, 300)
        assert [hertz for _, hertz in board.heard] == [2000, 2800, 0]
    """)


def test_neither_play_nor_tick_waits_or_takes_memory_and_the_clock_may_wrap(run):
    run("""
        class Tone:
            def __init__(self, pin, freq, duty_u16):
                self.notes = 0
            def freq(self, hertz):
                self.notes += 1
            def duty_u16(self, duty):
                pass
        from drivers import buzzer as module
        module.PWM = Tone
        buzzer = Buzzer(28)
        pwm = [value for value in buzzer.__dict__.values() if isinstance(value, Tone)][0]
        before = board.now_us()
        now = (1 << 30) - 100
        micropython.heap_lock()
        try:
            buzzer.play("podium")
            for _ in range(400):
                buzzer.tick(now)
                now = now + 5 & 0x3FFFFFFF
        finally:
            micropython.heap_unlock()
        assert board.now_us() == before
        assert pwm.notes == 5, pwm.notes
    """)


def test_close_is_silent(run):
    run("""
        buzzer = Buzzer(28)
        buzzer.play("go")
        listen(buzzer, 50)
        buzzer.close()
        assert board.tone == 0
    """)


def test_the_names_that_the_firmware_plays_have_sounds():
    """Read from the firmware's own source, so that a new one without a sound is noticed here."""
    names = set()
    for path in (pico_bench.FIRMWARE / "glow").rglob("*.py"):
        text = path.read_text("utf-8")
        names |= set(re.findall(r'\.sound\("(\w+)"', text))
        for first, second in re.findall(r'\.sound\("(\w+)" if [^)]* else "(\w+)"\)', text):
            names |= {first, second}
        for listed in re.findall(r'name in \(([^)]*)\):\n\s+self\.app\.sound\(name\)', text):
            names |= set(re.findall(r'"(\w+)"', listed))
    assert {"press", "refused", "roll", "lamp", "go", "podium", "lap", "finished", "out", "bumped"} <= names
    assert names <= set(sound_names())


# Supply


@pytest.mark.parametrize("rail_mv", [0, 100, 3700, 4500, 5000, 5250])
def test_millivolts_of_the_rail(run, rail_mv):
    run(f"""
        from drivers.sense import Supply
        board.supply_mv = {rail_mv}
        supply = Supply(26)
        assert abs(supply.millivolts() - {rail_mv}) <= 5, supply.millivolts()
    """)


def test_on_and_off_are_apart_so_that_a_load_switches_nothing(run):
    run("""
        from drivers.sense import Supply
        supply = Supply(26)
        seen = []
        for rail_mv in (0, 4200, 4400, 4200, 3900, 3700, 4200, 5000, 0):
            board.supply_mv = rail_mv
            seen.append(supply.on())
        assert seen == [False, False, True, True, True, False, False, True, False], seen
    """)
