"""The doctor: every step with a scripted person in front of the real firmware, healthy and with each fault."""

import json
import zipfile
from pathlib import Path

import pytest
from app_talk import AppTalk, ScriptedPerson
from click.testing import CliRunner
from service_script import service_board

from gridglow import paths
from gridglow.cli import doctor as cli_doctor
from gridglow.device import doctor_bundle, doctor_hands, doctor_lights
from gridglow.device.connect import GRIDGLOW, MICROPYTHON, Found
from gridglow.device.doctor import Doctor, all_steps, choose
from gridglow.device.doctor_lights import order_of
from gridglow.device.ports import PortInfo
from gridglow.device.service import Service
from gridglow.device.talk import NoAnswer
from gridglow.hardware.boardfile import KEYS, load_board, read_board
from hal import CONSOLE, DICE_PAD
from shared_rules.errors import GridglowError

NOBODY = {"board", "supply", "panels", "display", "reader", "memory", "flash", "rate"}


@pytest.fixture(autouse=True)
def home(tmp_path):
    paths.choose_data_folder(tmp_path / "data")
    yield tmp_path / "data"
    paths.choose_data_folder(None)


class FakeFound(Found):
    """A board as `connect` finds it, with a link to the firmware in this process."""

    def talk(self):
        if self.state != GRIDGLOW:
            return super().talk()
        talk = AppTalk(self.about["driver"], self.about, self.about["gone_after"], self.about["deaf"])
        talk.files = self.about["files"]
        return talk


def found_of(driver, gone_after=None, deaf=(), state=GRIDGLOW, **about):
    """What `connect` finds at the port of this board."""
    app = driver.app
    race = {"game": "moto_grand_prix", "variant": "basic", "track": "gp-ring", "answers": 3} if app.race else None
    told = {"driver": driver, "gone_after": gone_after, "deaf": deaf, "files": {}, "name": "Attic", "board": "full",
            "fw": "1", "state": app.state, "impl": "micropython", "version": [1, 26, 1], "mpy": 6, "faults": [], "crash": 0,
            "machine": "Pico with RP2040", "parts": driver.hal.parts, "race": race, "counts": {"keys_lost": 0, "lost": 0}}
    return FakeFound(PortInfo("/dev/ttyACM0"), state, {**told, **about})


def examine(driver, *names, person=None, board=None, end_race=False, **more):
    """The results of these steps by their names, all where none are named."""
    doctor = Doctor(found_of(driver, **more), board or load_board("full"), person, end_race)
    return {result.step: result for result in doctor.run(names or None)}


def one(driver, step, *answers, **more):
    """The result of one step, and the person of it."""
    person = ScriptedPerson(*answers)
    result = examine(driver, step, person=person, **more)[step]
    assert result.state == "ok" or result.say.endswith((".", "!")) and (result.next == "" or result.next[-1] in ".…" or
                                                                        "gridglow" in result.next), result
    return result, person


def lit(strip):
    return [i // 3 for i in range(0, len(strip.frame), 3) if any(strip.frame[i:i + 3])]


# The run as a whole

def test_without_a_person_only_what_needs_nobody_is_examined(root):
    driver = service_board(root)
    results = examine(driver)
    assert list(results) == [step.name for step in all_steps()]
    assert {name for name, result in results.items() if result.state != "skipped"} == NOBODY - {"memory"}
    assert all(result.state != "fail" for name, result in results.items() if name != "panels"), results
    assert "somebody" in results["colours"].say
    assert driver.app.state == "idle", "the board is left as it was found"


def test_a_healthy_board_passes_every_step(root, monkeypatch):
    driver = service_board(root)
    driver.hal.panel_count = 6
    driver.run(50)
    driver.hal.sound.play = lambda name: None
    monkeypatch.setattr(doctor_lights, "FULL_LOOKS", 3)

    def answer(heard):
        if heard.startswith("Press each of"):
            for panel, keys in [(panel, KEYS) for panel in range(1, 7)] + [(CONSOLE, ("OK", "UNDO")),
                                                                          (DICE_PAD, "123456")]:
                for key in keys:
                    driver.hal.edge(panel, key, 1)
                    driver.run(30)
                    driver.hal.edge(panel, key, 0)
                    driver.run(30)
            return None
        if heard.startswith("Turn the encoder"):
            press(driver, CONSOLE, "NEXT", 24)
        if heard.startswith("Press OK on any panel"):
            press(driver, 1, "OK", 10)
        if heard.startswith("Lay a card"):
            driver.hal.reader.waiting.append("04A1B2C3D4E5F6")
            driver.run(300)
            return None
        return "no" if "[yes/NO" in heard else ""
    results = examine(driver, person=ScriptedPerson(always=answer))
    bad = [result for result in results.values() if result.state == "fail"]
    assert not bad and {name for name, one in results.items() if one.state == "skipped"} == {"power", "walk", "memory"}
    assert results["panels"].data["panels"] == 6 and results["encoder"].say == "24 clicks."


def press(driver, panel, key, times):
    for _ in range(times):
        driver.hal.edge(panel, key, 1)
        driver.run(60)
        driver.hal.edge(panel, key, 0)
        driver.run(60)


def test_a_race_that_runs_goes_on_unless_somebody_agrees(root):
    driver = service_board(root)
    plain = {"game": "moto_grand_prix", "track": "gp-ring", "laps": 1, "players": [["person", "Ann"], ["bot", "Bo"]]}
    assert driver.app.start_race(plain) == ""
    driver.run(9000)
    results = examine(driver)
    assert results["board"].state == "ok" and driver.app.state == "race"
    assert {results[name].state for name in results if name != "board"} == {"skipped"}
    assert "--yes" in results["supply"].next and "race" in results["flash"].say
    result, person = one(driver, "supply", "no")
    assert result.state == "skipped" and driver.app.race is not None
    assert any("May it be ended?" in said for said in person.heard)
    assert examine(driver, "supply", end_race=True)["supply"].state == "ok"
    assert driver.app.race is None and driver.app.saved_race()


@pytest.mark.parametrize("gone_after", range(1, 8))
def test_a_board_that_vanishes_ends_the_run_with_a_sentence(root, gone_after):
    results = examine(panel_board(root), gone_after=gone_after)
    failed = [result for result in results.values() if result.state == "fail"]
    assert len(failed) == 1 and "has gone in the middle" in failed[0].say and "Plug it in" in failed[0].next
    after = list(results)[list(results).index(failed[0].step) + 1:]
    assert {results[name].state for name in after} == {"skipped"}


def test_a_board_that_does_not_answer_is_given_up_after_two_questions(root):
    driver = service_board(root)
    results = examine(driver, deaf=("supply", "keys", "display", "reader", "flash", "rate", "memory"))
    states = [result.state for result in results.values() if result.step in NOBODY]
    assert states == ["ok", "fail", "fail"] + ["skipped"] * 5
    assert "has not answered" in results["supply"].say and "Reset the board" in results["supply"].next


def test_a_board_without_gridglow_is_told_and_nothing_is_tried(root):
    driver = service_board(root)
    results = examine(driver, state=MICROPYTHON)
    assert results["board"].state == "fail" and "gridglow flash" in results["board"].say + results["board"].next
    assert {result.state for name, result in results.items() if name != "board"} == {"skipped"}


def test_a_person_who_leaves_ends_the_run(root):
    driver = service_board(root)
    results = examine(driver, "board", "colours", "encoder", "flash", person=ScriptedPerson("red", "q"))
    assert [result.state for result in results.values()] == ["ok", "skipped", "skipped", "skipped"]
    assert results["flash"].say == "Stopped, as you asked." and driver.app.state == "idle"
    results = examine(driver, "sound", "flash", person=ScriptedPerson())
    assert "standard input has ended" in results["sound"].say


def test_steps_are_chosen_by_name():
    assert [step.name for step in choose(["flash", "colours"])] == ["colours", "flash"]
    with pytest.raises(GridglowError, match="no step 'colors'; did you mean 'colours'"):
        choose(["colors"])


def test_what_is_no_answer_is_asked_again(root):
    result, person = one(service_board(root), "sound", "perhaps", "y")
    assert result.state == "ok" and "Expected yes or no or again, got 'perhaps'." in person.heard


# Step by step

def test_what_the_board_says_is_wrong_is_told(root):
    driver = service_board(root)
    result = examine(driver, "board", faults=["The save can't be written."], crash=1)["board"]
    assert result.state == "fail" and "can't be written" in result.say and "crash" in result.say
    result = examine(driver, "board", machine="Pico 2 with RP2350")["board"]
    assert result.state == "fail" and 'chip = "rp2350"' in result.say


@pytest.mark.parametrize("mv, state, says", [
    (5012, "ok", "5.01 V"), (12, "fail", "supply is off"), (4600, "fail", "weak"), (5600, "fail", "damaged")])
def test_the_supply(root, mv, state, says):
    driver = service_board(root)
    driver.hal.supply.mv = mv
    result, _ = one(driver, "supply")
    assert (result.state, says in result.say) == (state, True)


def test_missing_parts_are_skipped_and_not_wrong(root):
    driver = service_board(root, without=("reader", "supply", "console", "buzzer", "display"))
    for step in ("reader", "supply", "encoder", "sound", "display"):
        assert one(driver, step)[0].state == "skipped", step


@pytest.mark.parametrize("strip", ["GRB", "RGB", "BRG"])
def test_a_wrong_order_of_colours_is_named_and_changed_where_the_person_wants(root, home, strip):
    """The person sees what a strip of this order makes of the wire's bytes, which the board sends as GRB."""
    driver = service_board(root)

    def see(heard):
        if "Shall I change" in heard:
            return "yes"
        output = 0 if "output 1" in heard else 1
        driver.run(400)                            # whoever answers quicker sees what the flash limit makes of it
        red, green, blue = driver.hal.pixels[output].frame[:3]
        wire = dict(zip(strip if output == 0 else "GRB", (green, red, blue)))
        shown = [name for name, letter in (("red", "R"), ("green", "G"), ("blue", "B")) if wire[letter]]
        return shown[0] if len(shown) == 1 else "white"
    person = ScriptedPerson(always=see)
    result = examine(driver, "colours", person=person)["colours"]
    if strip == "GRB":
        assert result.state == "ok" and not home.exists()
        return
    path = home / "boards" / "full.toml"
    assert result.state == "fail" and f"in the order {strip}, and the board file says GRB" in result.say
    assert str(path) in result.next and "gridglow sync" in result.next
    board = read_board(path)
    assert [output.order for output in board.outputs] == [strip, "GRB", "GRB", "GRB"]
    assert "# the track module plugs in here" in path.read_text()


def test_an_order_that_stays_as_it_is_has_its_line_told(root, home):
    result, _ = one(service_board(root), "colours", "green", "red", "blue", "white", "no")
    assert result.state == "fail" and 'at [[output]] number = 1: order = "RGB"' in result.next and not home.exists()


def test_orders():
    assert order_of("GRB", {"red": "red", "green": "green", "blue": "blue"}) == "GRB"
    assert order_of("GRB", {"red": "green", "green": "red", "blue": "blue"}) == "RGB"
    assert order_of("GRBW", {"red": "green", "green": "red", "blue": "blue"}) == "RGBW"
    assert order_of("RGB", {"red": "red", "green": "red", "blue": "blue"}) == ""
    assert order_of("RGB", {"red": "dark", "green": "other", "blue": "blue"}) == ""


def test_a_dark_strip_and_damaged_data_have_their_causes(root):
    result, _ = one(service_board(root), "colours", "dark")
    assert result.state == "fail" and "GP2" in result.say and "DIN" in result.next
    result, _ = one(service_board(root), "colours", "red", "other", "blue", "white")
    assert result.state == "fail" and "damaged" in result.say and "74AHCT" in result.next


def test_leds_are_counted_until_the_green_one_is_the_last(root, home):
    driver = service_board(root)
    seen = []

    def look(answer):
        def looked(_heard):
            seen.append((len(lit(driver.hal.pixels[0])), max(lit(driver.hal.pixels[0]))))
            return answer
        return looked
    result, _ = one(driver, "count", look("no"), "132", look("yes"), "no", "yes")
    assert seen == [(42, 419), (14, 131)]
    assert result.state == "ok" and result.data == {"leds": {"1": 132, "2": 240}, "dark_ma": 372}
    result, _ = one(driver, "count", "yes", "no", "40", "yes")
    assert result.state == "fail" and "only 40 of 240" in result.say and "DOUT" in result.next
    assert not (home / "boards").exists()
    result, person = one(driver, "count", "no", "132", "yes", "yes", "yes")
    own = home / "boards" / "full.toml"
    assert "Tracks with more LEDs don't fit it then." in person.talk
    assert result.say.endswith("The board file says so now of output 1; send it with: gridglow sync")
    assert [output.pixels_max for output in read_board(own).outputs[:2]] == [132, 240]
    comments = [line for line in (paths.boards_folder() / "full.toml").read_text().splitlines()
                if line.startswith("#")]
    assert comments and all(line in own.read_text().splitlines() for line in comments)


def test_the_walk_is_part_of_it_where_the_person_wants(root, home):
    driver = service_board(root)
    result, _ = one(driver, "walk", "no")
    assert result.state == "skipped" and "gridglow walk" in result.next
    person = ScriptedPerson("yes", "no-such", "gp-ring", "yes", "+", always=None)
    person.always = lambda heard: "yes" if "Did the dot" in heard else None
    result = examine(driver, "walk", person=person)["walk"]
    assert result.state == "ok" and "goes as usual" in result.say
    assert any("no-such" in said for said in person.heard)


def all_keys(driver, person_keys, without=()):
    """Presses all keys but some; those in `without` with a "held" stay down."""
    def pressed(_heard):
        for panel, key in person_keys:
            if (panel, key) in without:
                continue
            driver.hal.edge(panel, key, 1)
            driver.run(30)
            driver.hal.edge(panel, key, 0)
            driver.run(30)
        return None
    return pressed


KEYS_OF_TWO = [(panel, key) for panel in (1, 2) for key in KEYS]


def panel_board(root):
    driver = service_board(root, without=("console", "dice_pad"))
    driver.hal.board["panels"] = 2
    return driver


def test_all_keys_of_two_panels(root):
    driver = panel_board(root)
    result, person = one(driver, "panels", all_keys(driver, KEYS_OF_TWO), None)
    assert result.state == "ok" and result.say == "2 panels, 12 keys."
    assert sum("right." in said for said in person.heard) == 12


def test_missing_keys_are_listed(root):
    driver = panel_board(root)
    pressed = all_keys(driver, KEYS_OF_TWO, {(2, "WHY"), (1, "UNDO")})
    result, _ = one(driver, "panels", pressed, None, "")
    assert result.state == "fail" and result.data["missing"] == ["UNDO of panel 1", "WHY of panel 2"]
    assert "tweezers" in result.next


def test_a_key_that_does_not_come_up_is_stuck(root):
    driver = panel_board(root)

    def pressed(heard):
        driver.hal.edge(2, "PREV", 1)
        return all_keys(driver, KEYS_OF_TWO, {(2, "PREV")})(heard)
    result, _ = one(driver, "panels", pressed, None)
    assert result.state == "fail" and result.data["stuck"] == ["PREV of panel 2"]
    result = examine(driver, "panels")["panels"]
    driver.run(11000)
    result = examine(driver, "panels")["panels"]
    assert result.state == "fail" and "Stuck" in result.say, "the board knows it by itself too"


def test_panels_that_do_not_answer_and_wrong_wires(root):
    driver = service_board(root)
    result = examine(driver, "panels")["panels"]
    assert result.state == "fail" and "2 of 6 panels answer: the chain ends between panel 2 and panel 3" in result.say
    assert "ribbon" in result.next
    driver.hal.parts[1][1:] = ["fault", "3"]
    result = examine(driver, "panels")["panels"]
    assert result.state == "fail" and "Panel 3" in result.say and "H must be on GND" in result.next


@pytest.mark.parametrize("forth, back, state, says", [
    (24, 0, "ok", "24 clicks."), (0, 24, "fail", "wrong way"), (0, 0, "fail", "No click"), (48, 0, "fail", "two steps"),
    (20, 3, "fail", "bounces")])
def test_the_encoder(root, forth, back, state, says):
    driver = service_board(root)

    def turn(_heard):
        press(driver, CONSOLE, "NEXT", forth)
        press(driver, CONSOLE, "PREV", back)
        return ""
    result, _ = one(driver, "encoder", turn)
    assert (result.state, says in result.say) == (state, True)


def test_sound(root):
    driver = service_board(root)
    assert one(driver, "sound", "again", "yes")[0].state == "ok" and driver.hal.sound.played == ["scale", "scale"]
    result, _ = one(driver, "sound", "no")
    assert result.state == "fail" and "passive" in result.next and "GP28" in result.next


def test_display(root):
    driver = service_board(root, gone=("display",))
    result, _ = one(driver, "display")
    assert result.state == "fail" and "0x3C" in result.say and "SDA GP8" in result.say and "0x3D" in result.next
    driver = service_board(root)
    result, _ = one(driver, "display", "shifted")
    assert result.state == "fail" and 'kind = "ssd1306"' in result.next
    assert one(driver, "display", "no")[0].state == "fail" and one(driver, "display", "yes")[0].state == "ok"


def test_reader(root, monkeypatch):
    monkeypatch.setattr(doctor_hands, "CARD_LOOKS", 5)
    driver = service_board(root)
    result, _ = one(driver, "reader", "")
    assert result.state == "fail" and "no card came" in result.say and "0x92" in result.say

    def two_cards(_heard):
        driver.hal.reader.reason = "board.card_several"
    result, _ = one(driver, "reader", two_cards, *[None] * 9)
    assert result.state == "fail" and "refused" in result.say
    for uid, says in (("04A1B2C3D4E5F6", "7 bytes."), ("A1B2C3D4", "try one of these too.")):
        driver.hal.reader.waiting.append(uid)
        result, _ = one(driver, "reader", *[None] * 9)
        assert result.state == "ok" and result.say.endswith(says) and uid not in json.dumps(result.plain())
    driver.hal.reader.version = lambda: 0xFF
    result, _ = one(driver, "reader")
    assert result.state == "fail" and "does not answer" in result.say and "MISO GP16" in result.next


def test_memory_and_flash(root, monkeypatch):
    driver = service_board(root)
    for value, state, says in (
            ({"state": "ok", "free": 90000, "used": 140000, "largest": 50000}, "ok", "87 kB of 224 kB"),
            ({"state": "ok", "free": 30000, "used": 200000, "largest": 5000}, "fail", "30 %"),
            ({"state": "ok", "free": 9000, "size": 1441792, "bytes": 4096, "write_ms": 40, "read_ms": 2}, "fail", "8 kB"),
            ({"state": "fault", "why": "full"}, "fail", "full"), ({"state": "fault", "why": "differs"}, "fail", "worn"),
            ({"state": "fault", "why": "OSError 5"}, "fail", "OSError 5")):
        from gridglow.device.service import Service
        monkeypatch.setattr(Service, "attempt", lambda self, what, *more, value=value, **rest: value)
        result, _ = one(driver, "memory" if "used" in value else "flash")
        assert (result.state, says in result.say) == (state, True), result


def test_memory_that_a_missing_copy_of_the_code_takes(root, monkeypatch):
    from gridglow.device.service import Service
    value = {"state": "ok", "free": 90000, "used": 140000, "largest": 50000}
    monkeypatch.setattr(Service, "attempt", lambda self, what, *more, **rest: value)
    for names, state in ((["code.pool"], "fail"), (["code.pool", "pool.live"], "ok"), (["pool.live"], "ok"), ([], "ok")):
        monkeypatch.setattr("gridglow.device.doctor_steps.listing", lambda talk, names=names: dict.fromkeys(names, 1))
        result, _ = one(service_board(root), "memory")
        assert (result.state, "could not make its copy of the code" in result.say) == (state, state == "fail"), result


@pytest.mark.parametrize("counts, state, says", [
    ([7000, 3000], "ok", "10,000 saves (7,000 answers, 3,000 snapshots) took about 14,240 erasures, 1 % of what the free "
     "part of the flash bears; 9,985,760 are left."),
    ([5_000_000, 2_000_000], "fail", "99 % of what"), ([0, 0], "ok", "0 saves"), (None, "ok", "read in 2 ms."),
    (["x", 1], "ok", "read in 2 ms.")])
def test_what_saves_have_worn_off_the_flash(root, monkeypatch, counts, state, says):
    from gridglow.device.service import Service
    value = {"state": "ok", "free": 100 * 4096, "size": 1441792, "bytes": 4096, "write_ms": 40, "read_ms": 2}
    monkeypatch.setattr(Service, "attempt", lambda self, what, *more, **rest: value)
    result, _ = one(service_board(root), "flash", wear=counts)
    assert result.state == state and says in result.say
    assert ("wear" in result.data) == (says != "read in 2 ms.")


@pytest.mark.parametrize("value, state, says", [
    ({"per_s": 30, "us": 9000, "frames": 30, "show_per_s": 30, "show_us": 6000, "show_frames": 30}, "ok", "6000 µs"),
    ({"per_s": 12, "us": 80000, "frames": 12}, "fail", "12 frames a second"), ({"frames": 0}, "fail", "No frame"),
    ({"per_s": 30, "us": 20000, "frames": 30}, "ok", "60 % of the time")])
def test_frames(root, monkeypatch, value, state, says):
    from gridglow.device.service import Service
    monkeypatch.setattr(Service, "attempt", lambda self, what, *more, **rest: {"state": "ok", **value})
    result, _ = one(service_board(root), "rate")
    assert (result.state, says in result.say) == (state, True), result


def test_press_to_light(root):
    driver = service_board(root)

    def tap(_heard):
        press(driver, 1, "OK", 3)
        return ""
    result, _ = one(driver, "latency", tap)
    assert result.state == "ok" and "of 3 presses" in result.say
    assert one(driver, "latency", "")[0].state == "skipped"

    def slow(_heard):
        driver.hal.edge(1, "OK", 1)
        driver.hal.advance(80)
        driver.run(100)
        return ""
    result, _ = one(driver, "latency", slow)
    assert result.state == "fail" and "expected at most 50 ms" in result.say


def test_all_leds_at_the_cap(root):
    driver = service_board(root)
    seen = []

    def look(_heard):
        seen.append((len(lit(driver.hal.pixels[0])), max(driver.hal.pixels[0].frame)))
        return None
    result, _ = one(driver, "full", "yes", look, "", "yes", "yes")
    assert result.state == "ok" and seen[0][0] == 420 and seen[0][1] <= 64
    assert result.data["ma"] <= result.data["limit_ma"] == 3200 and result.data["low_mv"] == 5012
    driver.hal.supply.mv = 4400
    result, _ = one(driver, "full", "yes", "")
    assert result.state == "fail" and "4400 mV" in result.say
    driver.hal.supply.mv = 5000
    assert "along the wire" in one(driver, "full", "yes", "", "no")[0].say
    assert "too thin" in one(driver, "full", "yes", "", "yes", "no")[0].say
    assert one(driver, "full", "no")[0].state == "skipped"


def test_the_supply_with_a_meter(root):
    driver = service_board(root)
    assert one(driver, "power", "no")[0].state == "skipped"
    result, person = one(driver, "power", "yes", *["yes"] * 7, "")
    assert result.state == "ok" and sum("VBUS" in said or "0 V" in said for said in person.heard) >= 1
    result, _ = one(driver, "power", "yes", "no")
    assert result.state == "fail" and "short between 5 V and GND" in result.say and "Don't plug it in" in result.next
    result, person = one(driver, "power", "yes", *["yes"] * 4, "", board=load_board("mini"))
    assert result.state == "ok" and not any("VSYS" in said for said in person.heard), "that board is fed by USB"


# The command and its bundle

def command(monkeypatch, driver, *words, person=None, **more):
    monkeypatch.setattr(cli_doctor, "chosen", lambda board, port: found_of(driver, **more))
    monkeypatch.setattr(cli_doctor, "somebody", lambda: person)
    return CliRunner().invoke(cli_doctor.doctor, list(words))


def test_the_command_prints_each_step_and_a_verdict(root, monkeypatch):
    driver = panel_board(root)
    result = command(monkeypatch, driver, "--steps", "board, supply,flash")
    assert result.exit_code == 0 and [line.split()[:2] for line in result.stdout.splitlines()] == [
        ["ok", "board"], ["ok", "supply"], ["ok", "flash"]]
    assert "3 steps are fine." in result.stderr
    driver.hal.supply.mv = 0
    result = command(monkeypatch, driver, "--steps", "supply,flash")
    assert result.exit_code == 1 and "FAIL    supply" in result.stdout and "→ Switch the supply on" in result.stdout
    assert "1 of 2 steps failed; begin with supply." in result.stderr


def test_json_asks_nobody_and_has_everything(root, monkeypatch):
    driver = panel_board(root)
    result = command(monkeypatch, driver, "--json", person=ScriptedPerson())
    told = json.loads(result.stdout)
    assert result.exit_code == 0 and told["ok"] and told["board"] == "Attic"
    assert [step["step"] for step in told["steps"]] == [step.name for step in all_steps()]
    assert set(told["steps"][0]) == {"step", "title", "state", "say", "next", "data"}
    driver.hal.supply.mv = 0
    told = json.loads(command(monkeypatch, driver, "--json").stdout)
    assert not told["ok"] and told["problems"][0].startswith("supply: There is no voltage")


def test_an_unknown_board_file_is_told_and_the_rest_is_examined(root, monkeypatch):
    result = command(monkeypatch, panel_board(root), "--steps", "flash,colours", board="atic")
    assert result.exit_code == 0 and "There is no board 'atic'" in result.stderr and "--board-file" in result.stderr
    result = command(monkeypatch, panel_board(root), "--board-file", "atic")
    assert isinstance(result.exception, GridglowError)


def test_the_bundle_has_what_a_report_needs_and_no_secrets(root, monkeypatch, tmp_path):
    driver = panel_board(root)
    plain = {"game": "moto_grand_prix", "track": "gp-ring", "laps": 1, "seed": "verysecretseed", "salt": "saltysalt",
             "players": [["person", "Annegret"], ["bot", "Bo"]]}
    assert driver.app.start_race(plain) == ""
    driver.run(12000)
    files = {"manifest.txt": b"gridglow manifest 1 fw=1\n", "crash": b"Traceback\nValueError: Annegret\n12 screen race\n"}
    race = {"game": "moto_grand_prix", "variant": "basic", "track": "gp-ring", "answers": 2, "seed": "verysecretseed"}
    more = {"files": files, "faults": ["A part has failed: Annegret."], "race": race}
    path = tmp_path / "report.zip"
    result = command(monkeypatch, driver, "--bundle", str(path), **more)
    assert result.exit_code == 1 and "begin with board" in result.output, "a fault is a fault"
    with zipfile.ZipFile(path) as bundle:
        held = {name: bundle.read(name) for name in bundle.namelist()}
    assert set(held) == {"board.toml", "crash.txt", "doctor.json", "host.json", "info.json", "manifest.txt"}
    whole = b"".join(held.values())
    saved = b"".join(one.read_bytes() for one in (Path(root) / "save").iterdir())
    assert b"verysecretseed" in saved and b"Annegret" in saved, "the board itself has them"
    for secret in (b"verysecretseed", b"saltysalt", b"Annegret", b"Attic", str(Path.home()).encode() + b"/"):
        assert secret not in whole, secret
    assert b"(a player)" in held["crash.txt"] and json.loads(held["host.json"])["pyserial"]
    assert driver.app.state == "race", "it goes on"


def test_a_bundle_of_a_board_that_has_gone_has_what_was_found(root, monkeypatch, tmp_path):
    path = tmp_path / "report.zip"
    result = command(monkeypatch, panel_board(root), "--bundle", str(path), gone_after=3)
    assert result.exit_code == 1
    with zipfile.ZipFile(path) as bundle:
        assert set(bundle.namelist()) == {"board.toml", "doctor.json", "host.json", "info.json"}
        assert "has gone" in bundle.read("doctor.json").decode()


def test_a_bundle_that_can_not_be_written_is_told_before_anything_is_done(root, monkeypatch, tmp_path):
    result = command(monkeypatch, panel_board(root), "--bundle", str(tmp_path / "no" / "report.zip"))
    assert isinstance(result.exception, GridglowError) and "no folder" in str(result.exception)
    with pytest.raises(GridglowError, match="can't be written"):
        doctor_bundle.write(tmp_path, {})


# A board that is busy

class Busy(AppTalk):
    """It doesn't answer the first question."""

    def ask(self, message, want="ok", limit_s=5.0):
        self.limits = [*getattr(self, "limits", ()), limit_s]
        if len(self.limits) == 1:
            raise NoAnswer("The board at /dev/ttyACM0 has not answered 'service' within 15 s; try again.", self.at_prompt)
        return super().ask(message, want, limit_s)


def test_a_busy_board_is_asked_for_service_mode_once_more(root):
    talk, told = Busy(service_board(root)), []
    talk.at_prompt = False
    with Service(talk, say=told.append) as service:
        assert service.attempt("dark") == {"state": "ok"}
    assert talk.limits[:3] == [15, 30, 15]
    assert told == ["The board has not gone into service mode within 15 s, as it is busy; it is asked once more, and "
                    "waited for up to 30 s."]


def test_a_board_at_its_prompt_is_not_asked_again(root):
    talk = Busy(service_board(root))
    talk.at_prompt = True
    with pytest.raises(NoAnswer), Service(talk):
        pass
    assert len(talk.limits) == 1
