"""The crash box: what it keeps of a failure, that it holds no secrets, and that it doesn't wear out the flash."""

import sys

import pytest
from golden_frames.board_root import board_root
from script_hal import Script, ScriptHal

from glow.app import App
from glow.board import crashbox
from shared_rules.link_table import PROTOCOL


@pytest.fixture
def root(tmp_path):
    return str(board_root(tmp_path))


def box(root):
    with open(root + "/save/crash") as file:
        return file.read()


def asked(driver):
    """What a host gets for `crash`."""
    import base64

    driver.hal.sent.clear()
    driver.hal.say({"t": "crash", "n": 5})
    driver.run(100)
    parts = driver.hal.kinds("file")
    assert [part["k"] for part in parts] == list(range(parts[0]["of"]))
    return b"".join(base64.b64decode(part["d"]) for part in parts).decode()


def test_a_part_that_fails_is_kept_with_the_events_before(root):
    driver = Script(App(ScriptHal(root)))
    driver.run(100)
    driver.hal.display.broken = True
    driver.app.tell("something")
    driver.run(100)
    text = box(root)
    assert text.startswith("A part failed: display OSError\nfirmware ") and "board full" in text
    assert "screen idle" in text and "failed display OSError" in text and "uptime" in text
    assert text in asked(driver) and "Now\n" in asked(driver)


def test_without_a_failure_it_tells_how_the_board_is(root):
    driver = Script(App(ScriptHal(root)))
    assert asked(driver).startswith("Nothing has failed.\n\nNow\n")


def test_nothing_of_names_and_hands_is_in_it(root):
    driver = Script(App(ScriptHal(root), pace="instant"))
    players = [["person", "Zwanzigruber"], ["bot", "Bo"]]
    driver.app.start_race({"game": "moto_grand_prix", "variant": "basic", "track": "fabulous-driving-park", "laps": 1,
                           "players": players, "seed": "00112233445566778899aabbccddeeff0123"})
    for _ in range(40):
        for prompt in driver.app.race.prompts:
            driver.app.table.answering.offer(prompt.seat, prompt.serial, (prompt.options() or ["roll"])[0])
        driver.run(50)
    driver.app.part_failed("sound", ValueError("x"))
    text = box(root)
    assert "Zwanzigruber" not in text and driver.app.race.setup.seed not in text
    answers = [line for line in text.split("\n") if " answer " in line]
    assert len(answers) == 1 and int(answers[0].split()[-1]) == driver.app.race.lines > 3
    for number in range(1, driver.app.race.lines + 1):
        assert driver.app.race.line(number).text not in text or " " not in driver.app.race.line(number).text


def test_a_fault_that_goes_on_is_written_a_few_times_only(root, monkeypatch):
    driver = Script(App(ScriptHal(root)))
    writes = []
    write = crashbox.files.write
    monkeypatch.setattr(crashbox.files, "write", lambda path, *more: writes.append(path) or write(path, *more))
    for number in range(50):
        driver.hal.advance(70000)
        driver.app.now = driver.hal.ticks_ms()
        driver.app.part_failed("sound", ValueError(number))
    assert sum(path.endswith("save/crash") for path in writes) == crashbox.WRITES_MOST


def test_a_full_flash_and_a_crash_without_an_app_do_no_harm(root, monkeypatch):
    hal = ScriptHal(root)

    def full(*_):
        raise OSError(28)

    monkeypatch.setattr(crashbox.files, "write", full)
    crashbox.crashed(hal, [], ValueError("x"))
    monkeypatch.undo()
    crashbox.crashed(hal, [(5, "screen idle")], MemoryError("allocating 99"))
    assert box(root).startswith("The board stopped: MemoryError\n") and "5 screen idle" in box(root)


def test_events_are_few_and_answers_in_a_row_count_once(root):
    app = App(ScriptHal(root))
    for number in range(100):
        app.event("part %d" % number)
        app.event("answer 1")
        app.event("answer 2")
    assert len(app.events) == 20 and [what for _, what in app.events[-2:]] == ["part 99", "answer 2"]


@pytest.mark.parametrize("ended", ["power", "watchdog", "crash"])
def test_how_the_last_race_ended_is_told(root, ended):
    hal = ScriptHal(root)
    hal.ended = ended
    app = App(hal)
    assert ("power" in app.faults[0]) == (ended == "power") and box(root).startswith("ended by " + ended)
    bright = app.lights.limits
    usual = App(ScriptHal(root)).lights.limits
    assert (bright._after_brown_out, usual._after_brown_out) == (True, False)
    hal.say({"t": "hi", "v": PROTOCOL, "n": 1})
    Script(app).run(20)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the fake board reads /proc, which only Linux has")
def test_an_error_that_leaves_the_loop_starts_the_board_anew_and_is_kept(tmp_path):
    import time

    from fake_board import FakeBoard, gridglow_files

    from gridglow.tracks import load_track

    files = gridglow_files(tmp_path / "image", tracks=[load_track("gp-ring")], games=["moto_grand_prix"], languages=["en"])
    fails = "            if ticks == 20:\n                raise KeyError('loop')\n            app.tick(now)\n"
    main = files["main.py"].decode().replace("            app.tick(now)\n", fails)
    assert main.count("KeyError('loop')") == 1
    with FakeBoard(tmp_path / "board", {**files, "main.py": main.encode()}) as board:
        end = time.monotonic() + 30
        while b"safe mode" not in board.said:
            assert time.monotonic() < end, board.said[-600:]
            time.sleep(0.05)
        assert board.starts == 4
        text = board.files()["save/crash"].decode()
    assert text.startswith("The board stopped: KeyError\n") and "Traceback" in text and "KeyError: loop" in text
    assert "screen idle" in text and " in run" in text and "ended by crash" in text
