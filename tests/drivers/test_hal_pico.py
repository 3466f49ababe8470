"""The whole firmware on the bench's Pico: a race by its keys, and parts that are missing, vanish and come back."""

import json
import subprocess
import textwrap

import pytest
from pico_bench import LIB, ROOT

from shared_rules.link_table import FROM_BOARD, Decoder

BEGIN = """
import sys
sys.path[:] = [{lib!r}, {root!r}, {tests!r}, ".frozen"]
from pico_board import PicoBoard, board, say
ROOT = {root!r}
"""


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    from gridglow.firmware.image import build
    from gridglow.tracks import load_track

    found = {}
    for name in ("full", "mini"):
        found[name] = tmp_path_factory.mktemp(name)
        track = load_track("fabulous-driving-park")
        build(found[name], name, tracks=[track], games=["moto_grand_prix"], target="pico", mpy=False)
        (found[name] / "manifest.txt").write_text("gridglow manifest 1 fw=1\n")
    return found


@pytest.fixture
def run(micropython, folders, tmp_path):
    """Runs a script on a board: returns ([what it told the test], [messages of its link], its errors)."""

    def run(script, name="full", heap_kb=900):
        root = tmp_path / "flash"
        subprocess.run(["cp", "-r", str(folders[name]), str(root)], check=True)
        text = BEGIN.format(lib=str(LIB), root=str(root), tests=str(ROOT / "tests/help/children"))
        file = tmp_path / "script.py"
        file.write_text(text + textwrap.dedent(script), "utf-8")
        done = subprocess.run([micropython, "-X", f"heapsize={heap_kb}k", str(file)], stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=300, cwd=tmp_path)
        assert done.returncode == 0, (done.stderr + done.stdout[-1500:]).decode()
        return done.stderr.decode().splitlines(), Decoder(FROM_BOARD).feed(done.stdout)

    return run


def faults(messages):
    return [message["say"] for message in messages if message["t"] == "fault"]


def test_a_race_by_the_keys_of_the_chain(run):
    said, messages = run("""
        here = PicoBoard(ROOT)
        assert here.hal.panel_count == 6 and [part[1] for part in here.hal.parts].count("ok") == 7, here.hal.parts
        here.start("Ann", "Bob")
        while here.app.state != "podium":
            panel = here.asked()
            if panel:
                here.press(panel, "OK", 40)
            else:
                here.tick()
        here.run(2000)
        assert not board.faults, board.faults
        for wire in board.wires.values():
            assert wire.frames > 100 and not wire.torn and not wire.overlaps and not wire.short_gaps
        assert any(board.shown(0)) and any(board.shown(1))
        assert "1" in here.text(), here.text()
        assert board.heard
        say(here.app.race.lines, here.hal.counts())
        here.hal.close()
        assert here.dark()
    """)
    assert int(said[0].split()[0]) > 20
    kinds = [message["t"] for message in messages]
    assert kinds.count("line") == int(said[0].split()[0]) and kinds[0] == "hello" and not faults(messages)


def test_the_mini_board_sets_a_race_up_and_plays_on_plain_pins(run):
    run("""
        here = PicoBoard(ROOT)
        assert here.hal.panel_count == 2 and here.hal.reader is None
        here.press(1, "OK")
        assert here.app.state == "menu"
        here.until(lambda: False, 200)
        for _ in range(40):
            if here.app.screen.rows[here.app.screen.at][0] == "start":
                break
            here.press(2, "NEXT")
        here.press(1, "OK")
        assert here.until(lambda: here.app.state == "race"), here.text()
        assert here.until(lambda: here.asked())
        here.play(4)
        assert any(board.shown(0)) and any(board.shown(1)) and sorted(board.wires) == [2, 3]
        assert not board.faults and not any(board.wires[pin].short_gaps for pin in (2, 3))
    """, "mini")


def test_the_display_vanishes_and_comes_back(run):
    _said, messages = run("""
        here = PicoBoard(ROOT)
        here.start("Ann", "Bob")
        before = here.text()
        device = board.i2c.pop(0x3C)
        assert here.until(lambda: here.part("display")[0] == "missing", 1000)
        here.play(3)
        device.power_up()
        board.i2c[0x3C] = device
        assert here.until(lambda: here.part("display")[0] == "ok", 3000)
        here.run(1000)
        assert any(["#" in row for row in device.rows()])
    """)
    assert faults(messages)[0].startswith("Display: lost.") and "Display: back again." in faults(messages)


def test_a_board_without_display_reader_and_supply(run):
    _said, messages = run("""
        board.supply_mv = 0
        here = PicoBoard(ROOT, without=("screen", "reader"))
        here.run(500)
        assert [here.part(name)[0] for name in ("display", "reader", "supply")] == ["missing"] * 3
        here.start("Ann", "Bob")
        here.play(3)
        board.supply_mv = 5000
        board.spi[17] = here.reader
        assert here.until(lambda: here.part("reader")[0] == "ok" and here.part("supply")[0] == "ok", 5000)
        here.run(100)
    """)
    assert {words.split(":")[0] for words in faults(messages)} == {"Display", "Card reader", "5 V supply"}
    assert "Card reader: back again." in faults(messages)


def test_fewer_panels_than_seats_and_one_pulled_out_and_put_back_in_mid_race(run):
    _said, messages = run("""
        here = PicoBoard(ROOT, panels=3)
        assert here.hal.panel_count == 3 and here.part("panels") == ("missing", "3/6")
        here.start("Ann", "Bob", "Cid", "Dot")
        assert [here.app.panels.seats(panel) for panel in (1, 2, 3)] == [[1, 4], [2], [3]]
        board.unplug(2)
        assert here.until(lambda: here.app.panel_count == 1, 1000)
        assert here.app.panels.seats(1) == [1, 2, 3, 4] and len(here.app.table.questions.places) == 1
        here.play(10, 1)
        board.plug(2)
        assert here.until(lambda: here.app.panel_count == 3, 4000)
        here.play(14)
    """)
    assert any(words.startswith("Panels that answer: 1.") for words in faults(messages))


def test_no_panel_at_all_and_the_console_alone_plays(run):
    run("""
        here = PicoBoard(ROOT, panels=0)
        assert here.hal.panel_count == 0 and here.app.panel_count == 1
        here.press(201, "OK")
        assert here.app.state == "menu"
        at = here.app.screen.at
        board.turn(3)
        here.run(50)
        assert here.app.screen.at == at + 3
        board.turn(-3)
        here.run(50)
        assert here.app.screen.at == at
        here.app.go("idle")
        here.start("Ann", "Bob")
        here.play(6, 201, "PUSH")
        here.until(lambda: here.asked() > 0)
        here.press(201, "BACK")
        here.run(500)
        here.press(201, "BACK", 1000)
        assert here.app.table.menu
    """)


def test_a_panel_that_is_wired_wrongly_is_named(run):
    _said, messages = run("""
        here = PicoBoard(ROOT)
        board.module_bytes[3] = 0xC0
        assert here.until(lambda: here.part("panels") == ("fault", "4"), 3000)
        here.run(100)
        board.module_bytes[3] = None
        assert here.until(lambda: here.part("panels")[0] == "ok", 3000)
    """)
    assert "Key panels: wired wrongly (4)." in faults(messages)[0]


def test_a_press_is_lit_by_the_timer_while_the_loop_is_busy(run):
    said, _ = run("""
        here = PicoBoard(ROOT)
        here.start("Ann", "Bob")
        here.until(lambda: here.asked())
        here.run(500)
        panel = here.asked()
        dial = here.app.hal.board["dials"]["each"]
        first = (panel - 1) * sum([one[1] for one in dial])
        from glow.lights.colours import WHITE
        white = [here.app.lights.limits.bright[level] for level in WHITE]

        def lit():
            shown = board.shown(1)
            return [place for place in range(dial[0][1])
                    if list(shown[3 * (first + place):3 * (first + place) + 3]) == white]
        assert lit() == []
        board.press(panel, "WHY")
        board.advance(40000)                       # the loop does something else for so long
        once = lit()
        assert len(once) == 1, once
        here.tick()
        board.advance(20000)
        here.tick()
        assert lit() == once, (lit(), once)        # the same pixel, by the frame
        board.release(panel, "WHY")
        here.run(1500)
        assert lit() == []
        board.press(panel, "WHY")
        board.advance(40000)
        assert len(lit()) == 1 and lit() != once
        board.release(panel, "WHY")
        board.advance(30000)
        board.press(panel, "NEXT")                 # once more, and the loop is still busy
        board.advance(40000)
        assert len(lit()) == 2
        for wire in board.wires.values():
            assert not wire.torn and not wire.overlaps and not wire.short_gaps
        say("done")
        here.hal.close()
    """)
    assert said[-1] == "done"


def test_a_stuck_key_answers_once_and_is_found(run):
    run("""
        here = PicoBoard(ROOT)
        here.start("Ann", "Bob")
        panel = here.asked()
        board.press(panel, "OK")
        here.run(11000)
        assert here.app.panels.stuck() == [(panel, "OK")]
        assert len(here.app.race.prompts) == 1         # the other one's roll is open still
    """)


def test_keys_of_the_host_and_of_the_wires_come_to_the_same(run):
    run("""
        from shared_rules.link_table import TO_BOARD, encode
        here = PicoBoard(ROOT, panels_on=None)
        assert here.part("panels")[0] == "off"
        here.hal._hear(encode(TO_BOARD, {"t": "key", "p": 1, "k": "OK", "d": 1}, 1).encode())
        assert here.hal.keys() == [(here.hal.ticks_ms(), 1, "OK", 1)]
    """)


def test_dice_of_the_table_by_the_dice_pad(run):
    run("""
        here = PicoBoard(ROOT, dice_pad=1)
        assert here.part("dice_pad")[0] == "ok"
        here.start("Ann", "Bob", dice="table")
        prompt = here.app.race.prompts[0]
        assert prompt.kind == "roll" and prompt.source == "table"
        for faces in ("33", "65"):
            for face in faces:
                here.until(lambda: here.asked() > 0)
                here.press(200, face)
        assert here.until(lambda: here.app.race.lines == 2, 500)
        assert sorted([here.app.race.line(number).text for number in (1, 2)]) == ["roll 3 3", "roll 6 5"]
    """)


def test_pixels_and_display_are_mirrored_only_when_asked_for(run):
    _said, messages = run("""
        here = PicoBoard(ROOT)
        here.run(300)
        here.hal.mirror(True)
        here.run(3000)
        here.hal.mirror(False)
        here.run(2000)
    """)
    frames = [message for message in messages if message["t"] == "px"]
    assert 2 <= len(frames) <= 14 and {message["o"] for message in frames} == {0, 1}
    assert {len(message["d"]) for message in frames} == {6 * 420, 6 * 240}
    assert [message for message in messages if message["t"] == "show"]


def test_what_a_host_asks(run):
    _said, messages = run("""
        from shared_rules.link_table import TO_BOARD, encode
        here = PicoBoard(ROOT)
        for message in ({"t": "info"}, {"t": "mirror", "on": 1}, {"t": "crash"}, {"t": "reset", "how": "nonsense"}):
            here.hal._hear(encode(TO_BOARD, message, 7).encode())
        here.run(300)
        here.app.part_failed("display", ValueError("boom"))
        here.hal._hear(encode(TO_BOARD, {"t": "crash"}, 8).encode())
        here.run(300)
        resets = []
        board.on_reset = resets.append
        here.hal._hear(encode(TO_BOARD, {"t": "reset", "how": "safe"}, 9).encode())
        here.run(50)
        assert resets == ["hard"] and here.dark() and here.app.stopped
        open("safe_once").close()
    """)
    about = next(message["about"] for message in messages if message["t"] == "info")
    assert about["id"] == "e661640843123456" and about["board"] == "full" and about["state"] == "idle"
    assert ["display", "ok", ""] in about["parts"] and about["panels"] == 6 and about["crash"] == 0
    assert about["heap_free"] > 0 and about["race"] is None and about["manifest"] > 0
    assert any(message["t"] == "no" and message["re"] == 7 for message in messages)
    boxes = [message for message in messages if message["t"] == "file" and message["name"] == "crash"]
    import base64
    text = b"".join(base64.b64decode(message["d"]) for message in boxes).decode()
    assert text.startswith("Nothing has failed.") and "A part failed: display ValueError" in text
    assert "ValueError: boom" in text and "screen idle" in text and json.dumps(about)


def test_what_a_scan_raises_is_told_by_the_loop_and_loses_no_press(run):
    """A timer's callback may come when no stack is left. MicroPython prints what it raises into the middle of
    whatever line is on its way."""
    said, messages = run("""
        here = PicoBoard(ROOT)
        here.start("Ann", "Bob")
        panel = here.asked()
        put = here.hal._ring.put
        left = [3]
        def fails(*edge):
            if left[0]:
                left[0] -= 1
                raise RuntimeError("maximum recursion depth exceeded")
            put(*edge)
        here.hal._ring.put = fails
        lines = here.app.race.lines
        waits = len(here.app.race.pending_answers())
        here.press(panel, "OK", 60)
        here.run(300)
        race = here.app.race
        say(here.hal.counts()["scans"], race.lines - lines + len(race.pending_answers()) - waits)
        here.run(200)
    """)
    assert said[-1] == "3 1"
    told = [say for say in faults(messages) if "maximum recursion depth exceeded" in say]
    assert len(told) == 1 and "RuntimeError" in told[0]


def test_a_scan_does_not_begin_within_a_scan(run):
    said, _messages = run("""
        here = PicoBoard(ROOT)
        here.run(100)
        scans = []
        put = here.hal._ring.put
        def within(*edge):
            before = here.hal._chain.scans
            here.hal._scan(None)
            scans.append(here.hal._chain.scans - before)
            put(*edge)
        here.hal._ring.put = within
        here.press(1, "OK", 60)
        say(scans)
    """)
    assert said[-1] == "[0, 0]"


@pytest.mark.parametrize("name", ["full", "mini"])
def test_a_scan_lies_flat_on_the_stack(run, name):
    """The number of calls on the stack below the callback, for the ring and for a press's light."""
    said, _messages = run("""
        import micropython
        here = PicoBoard(ROOT)
        def leaf():
            return micropython.stack_use()
        base = micropython.stack_use()
        call = leaf() - base
        deep = [0]
        put = here.hal._ring.put
        def deeper(*edge):
            deep[0] = micropython.stack_use()
            put(*edge)
        here.hal._ring.put = deeper
        here.hal._timer.deinit()
        for change in (board.press, board.release):
            change(1, "OK")
            deep[0] = 0
            for _ in range(20):
                base = micropython.stack_use()
                here.hal._scan(None)
                if deep[0]:
                    break
                board.advance(5000)
            assert deep[0]
        say((deep[0] - base) // call)
    """, name)
    assert int(said[-1]) <= 4
