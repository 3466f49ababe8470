"""Service mode on the board: every part tried by itself, on both interpreters; no race is ended without consent."""

import io
import json
from contextlib import redirect_stdout
from pathlib import Path

import pytest
import service_script
from golden_frames.board_root import HELP, micropython_root, run_micropython
from service_script import attempt, say, service_board

from hal import CONSOLE


@pytest.fixture
def root(root_of):
    return root_of


@pytest.fixture
def driver(root):
    one = service_board(root())
    assert say(one, "service", on=1)[0] == "ok" and one.app.state == "service"
    return one


def racing(root):
    one = service_board(root)
    plain = {"game": "moto_grand_prix", "track": "gp-ring", "laps": 1, "players": [["person", "Ann"], ["bot", "Bo"]]}
    assert one.app.start_race(plain) == ""
    one.run(9000)
    assert one.app.state == "race"
    return one


def lit(strip):
    return [i // 3 for i in range(0, len(strip.frame), 3) if any(strip.frame[i:i + 3])]


def rgb(strip, pixel):
    return tuple(strip.frame[3 * pixel:3 * pixel + 3])


def test_a_race_that_runs_is_ended_by_force_only_and_stays_saved(root):
    one = racing(root())
    kind, message = say(one, "service", on=1)
    assert kind == "no" and message["say"].startswith("A race is under way") and one.app.state == "race"
    assert one.app.race is not None and one.hal.watchdogs[-1]
    assert say(one, "service", on=1, force=1)[0] == "ok"
    assert one.app.state == "service" and one.app.saved_race() and not one.hal.watchdogs[-1]
    assert say(one, "service", on=0)[0] == "ok" and one.app.state == "idle"
    assert one.app.resume_race() == "" and one.app.state == "race"
    one.run(500)
    assert not one.hal.errors and lit(one.hal.pixels[0]), "the race must have its lights again"


def test_nothing_is_tried_outside_of_service_mode(root):
    one = service_board(root())
    kind, message = say(one, "try", what="fill", a=0, b=255)
    assert kind == "no" and "service mode" in message["say"]


def test_colours_come_one_by_one_or_by_turns(driver):
    track = driver.hal.pixels[0]
    for number, shown in ((1, (1, 0, 0)), (2, (0, 1, 0)), (3, (0, 0, 1)), (4, (1, 1, 1))):
        assert attempt(driver, "colours", number) == {"state": "ok", "order": "GRB"}
        driver.run(400)                            # any quicker, and it would flash
        assert lit(track) == [0] and tuple(min(1, level) for level in rgb(track, 0)) == shown
    attempt(driver, "colours", 0, 1)
    seen = []
    for _ in range(60):
        driver.run(100)
        colour = tuple(min(1, level) for level in rgb(driver.hal.pixels[1], 0))
        if seen[-1:] != [colour]:
            seen.append(colour)
    assert seen[:4] == [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)] and lit(track) == []


def test_one_pixel_and_every_tenth(driver):
    track = driver.hal.pixels[0]
    assert attempt(driver, "pixel", 0, 7, 0x00FF00)["pixels"] == 420
    assert lit(track) == [7] and rgb(track, 7)[1] > 0 == rgb(track, 7)[0]
    assert attempt(driver, "pixel", 0, 420) == {"state": "missing", "pixels": 420}
    assert attempt(driver, "pixel", 7, 0)["state"] == "missing"
    assert attempt(driver, "colours", 1, 2)["state"] == "missing", "the spare output has no pixels"
    driver.run(50)
    assert attempt(driver, "count", 0, 44) == {"state": "ok", "pixels": 420, "lit": 4}
    driver.run(50)
    assert lit(track) == [9, 19, 29, 39, 43] and rgb(track, 43)[0] == 0


def test_all_at_once_goes_through_the_limits(driver):
    value = attempt(driver, "fill", 255, 255)
    assert value["state"] == "ok" and value["limit_ma"] == 3200 and value["ma"] <= 3200
    assert value["dimmed"] > 0, "full white would need more than the supply gives"
    assert max(driver.hal.pixels[0].frame) <= 64 and len(lit(driver.hal.pixels[1])) == 240
    attempt(driver, "dark")
    driver.run(50)
    assert not any(any(strip.frame) for strip in driver.hal.pixels)


def test_a_host_that_blinks_is_held_to_three_flashes(driver):
    """A host that keeps switching between light and dark gets no more flashes than anybody."""
    rises, before, pixels = 0, 0, driver.hal.pixels[0]
    for number in range(20):
        attempt(driver, "fill", 0, 255 * (number % 2))
        driver.run(40)
        now = sum(pixels.frame)
        rises += now > before + 420
        before = now
    assert 1 <= rises <= 3


def test_keys_are_reported_as_they_are_and_kept_for_whoever_asks(driver):
    assert attempt(driver, "keys", 1)["panels"] == 2
    for panel, key in ((1, "OK"), (6, "WHY"), (CONSOLE, "NEXT")):
        driver.press(panel, key)
    edges = driver.hal.kinds("edge")
    assert [(one["p"], one["k"], one["d"]) for one in edges][:3] == [(1, "OK", 1), (1, "OK", 0), (6, "WHY", 1)]
    value = attempt(driver, "keys", 2)
    assert [edge[:3] for edge in value["edges"]] == [[one["p"], one["k"], one["d"]] for one in edges]
    assert value["lost"] == 0 and attempt(driver, "keys", 2)["edges"] == []
    assert driver.app.state == "service", "a key being tried must do nothing else"
    attempt(driver, "keys", 0)
    driver.press(1, "OK")
    assert len(driver.hal.kinds("edge")) == len(edges)


def test_more_keys_than_anybody_asks_for_are_counted(driver):
    attempt(driver, "keys", 1)
    for _ in range(40):
        driver.press(1, "NEXT")
    value = attempt(driver, "keys", 2)
    assert len(value["edges"]) == 60 and value["lost"] == 20


def test_the_encoder_counts_both_ways(driver):
    attempt(driver, "encoder", 1)
    for _ in range(24):
        driver.press(CONSOLE, "NEXT")
    driver.press(CONSOLE, "PREV")
    assert attempt(driver, "encoder") == {"state": "ok", "back": 1, "forth": 24}


def test_a_card_that_lies_there_is_told_when_cards_begin_to_be_told(driver):
    driver.hal.reader.lying = "04112233445566"
    driver.run(300)
    assert driver.hal.kinds("card") == []
    attempt(driver, "reader", 1)
    driver.run(300)
    attempt(driver, "reader", 2)
    attempt(driver, "reader", 0)
    driver.run(300)
    assert driver.hal.kinds("card") == [{"t": "card", "uid": "04112233445566"}]


def test_cards_are_told_with_their_ids(driver):
    value = attempt(driver, "reader", 1)
    assert value["version"] == "0x92" and value["state"] == "ok"
    driver.hal.reader.waiting.append("04A1B2C3D4E5F6")
    driver.run(300)
    assert driver.hal.kinds("card") == [{"t": "card", "uid": "04A1B2C3D4E5F6"}]
    assert attempt(driver, "reader", 2)["card"] == "04A1B2C3D4E5F6"
    assert driver.shows("04A1B2C3D4E5F6")


def test_a_press_is_measured_until_its_frame(driver):
    attempt(driver, "latency", 1)
    driver.press(1, "OK")
    driver.hal.edge(2, "OK", 1)
    driver.hal.advance(70)                         # long work: the edge waits in the ring
    driver.run(200)
    value = attempt(driver, "latency", 2)
    assert value["presses"] == 2 and 70 <= value["most_ms"] <= 80 and value["last_ms"] == value["most_ms"]
    assert driver.hal.pixels[0].frames > 0


def test_frames_are_measured_and_the_answer_comes_later(driver):
    assert attempt(driver, "rate") == ""
    driver.run(2600)
    value = driver.hal.kinds("tried")[-1]["value"]
    assert 20 <= value["frames"] <= 40 and 20 <= value["per_s"] <= 31
    assert value["us"] == driver.hal.look_us, "the only time it takes here"
    assert value["show_frames"] >= 20 and not driver.hal.errors


def test_missing_parts_say_so(root):
    one = service_board(root(), without=("reader", "supply", "console", "buzzer"), gone=("display",))
    say(one, "service", on=1)
    for what in ("reader", "supply", "encoder", "sound", "display"):
        assert attempt(one, what, 1)["state"] == "missing", what
    assert attempt(one, "nonsense") == {"state": "unknown"}


def test_a_part_that_fails_while_it_is_tried_is_a_fault(driver):
    def fail():
        raise OSError(5)
    driver.hal.supply.millivolts = fail
    value = attempt(driver, "supply")
    assert value["state"] == "fault" and "OSError" in value["why"] and driver.app.state == "service"


def test_flash_is_written_read_and_cleaned_up(driver):
    value = attempt(driver, "flash")
    assert value["state"] == "ok" and value["bytes"] == 4096 and value["free"] > 0
    assert not (Path(driver.hal.flash) / "save" / "try.new").exists()


def test_a_flash_that_can_not_be_written_is_told(driver, monkeypatch):
    from glow.store import files

    def full(file, data):
        raise OSError(28)
    monkeypatch.setattr(files, "write_all", full)
    assert attempt(driver, "flash")["why"] == "full"
    assert attempt(driver, "leds gp-ring 0 1")["why"] == "full"


def test_display_shows_letters_and_what_the_host_says(driver):
    attempt(driver, "display", 1)
    driver.run(20)
    shown = "".join(driver.hal.display.shown)
    assert all(letter in shown for letter in "ABCXYZabcxyz0189äöüÄÖÜßé") and max(map(len, driver.hal.display.shown)) <= 21
    attempt(driver, "say LED 7|12b?")
    driver.run(20)
    assert driver.hal.display.shown[:2] == ["LED 7", "12b?"]
    attempt(driver, "say")
    driver.run(20)
    assert driver.hal.display.shown[0].strip() == "Service mode"


def test_sound_is_heard_on_a_muted_board_too(driver):
    driver.app.settings.put("mute", 1)
    driver.hal.sound.mute = True
    names = [attempt(driver, "sound", number)["name"] for number in range(7)]
    assert driver.hal.sound.played == names and len(set(names)) == 7 and names[0] == "scale"
    say(driver, "service", on=0)
    assert driver.hal.sound.mute, "it must be muted again"


def test_a_walked_map_holds_until_the_track_changes(driver):
    root = Path(driver.hal.flash)
    plain = json.loads((root / "tracks" / "gp-ring.leds").read_text())
    walked = [number + 1 for number in plain["leds"]]
    assert attempt(driver, "leds gp-ring " + " ".join(map(str, walked)))["spaces"] == len(walked)
    from glow.lights import leds_file
    assert leds_file.load(driver.hal, "gp-ring") == {**plain, "leds": walked}
    assert leds_file.load(driver.hal, "april-raceway")["leds"][0] == 0
    (root / "tracks" / "gp-ring.leds").write_text(json.dumps({**plain, "hash": "another"}, separators=(",", ":")))
    assert leds_file.load(driver.hal, "gp-ring")["leds"] == plain["leds"], "the track has changed: its own map applies"
    (root / "tracks" / "gp-ring.leds").write_text(json.dumps(plain, separators=(",", ":")))
    path = root / "save" / "leds-gp-ring"
    path.write_bytes(path.read_bytes()[:-20])
    assert leds_file.load(driver.hal, "gp-ring") == plain, "a damaged map must be ignored"
    assert attempt(driver, "leds gp-ring")["spaces"] == 0 and not path.exists()


@pytest.mark.parametrize("words", ["leds ../board 0", "leds gp-ring 0 -2", "leds no-such 0", "leds gp-ring 12345"])
def test_what_is_no_map_is_refused(driver, words):
    assert attempt(driver, words)["state"] == "fault"
    assert not [path for path in (Path(driver.hal.flash) / "save").iterdir() if "leds" in path.name]


def test_the_race_is_lit_by_the_walked_map(root):
    one = service_board(root())
    say(one, "service", on=1)
    leds = json.loads((Path(one.hal.flash) / "tracks" / "gp-ring.leds").read_text())["leds"]
    attempt(one, "leds gp-ring " + " ".join(str(number + 100) for number in leds))
    say(one, "service", on=0)
    plain = {"game": "moto_grand_prix", "track": "gp-ring", "laps": 1, "players": [["person", "Ann"], ["bot", "Bo"]]}
    assert one.app.start_race(plain) == ""
    one.run(9000)
    assert lit(one.hal.pixels[0]) and min(lit(one.hal.pixels[0])) >= 100


def test_without_a_host_the_keys_try_everything(root):
    one = service_board(root())
    one.app.go("service")
    one.run(50)
    assert one.shows("< Colours >") and one.shows("MENU held: leave")
    one.press(1, "OK")
    assert lit(one.hal.pixels[0]) == [0]
    for _ in range(2):
        one.press(2, "NEXT")
    one.press(2, "OK")
    assert one.shows("All pixels") and len(lit(one.hal.pixels[0])) == 420
    one.press(2, "UNDO")
    assert lit(one.hal.pixels[0]) == []
    one.hal.edge(1, "MENU", 1)
    one.run(2000)
    assert one.app.state == "service"
    one.run(1500)
    assert one.app.state == "idle"


def test_the_menu_leads_into_it(root):
    one = service_board(root())
    one.press(1, "OK")
    while one.app.screen.rows[one.app.screen.at][0] != "service":
        one.press(1, "NEXT")
    one.press(1, "OK")
    assert one.app.state == "service" and one.hal.kinds("race")[-1]["state"] == "service"


def test_a_board_without_lights_still_tries_the_rest(root, monkeypatch):
    one = service_board(root())
    one.app.lights = None
    say(one, "service", on=1)
    for what in ("colours", "pixel", "count", "rate", "latency"):
        assert attempt(one, what)["state"] == "missing"
    assert attempt(one, "supply")["mv"] == 5012 and say(one, "service", on=0)[0] == "ok"


def test_the_same_on_micropython(root, tmp_path):
    with redirect_stdout(io.StringIO()) as said:
        service_script.main([root()])
    device = micropython_root(tmp_path / "device")
    from gridglow.firmware.compiler import compile_mpy
    source = HELP / "in_memory" / "service_script.py"
    (device / "service_script.mpy").write_bytes(compile_mpy("service_script.py", source.read_bytes()))
    code = "import sys\nsys.path[:] = ['.frozen', '.']\nimport service_script\nservice_script.main(['.'])\n"
    output, errors = run_micropython(device, code)
    here, there = said.getvalue().splitlines(), output.splitlines()
    assert len(here) > 25 and here == there, errors
    assert "[]" in here[-2] and here[-1].startswith("ok idle"), here[-2:]


