"""The doctor step by step: a scripted person in front of the real firmware, healthy and with each fault."""

import json

import pytest
from app_talk import ScriptedPerson
from doctor_room import (
    examine,
    home,  # noqa: F401
    lit,
    one,
    panel_board,
    press,
)
from service_script import service_board

from gridglow import paths
from gridglow.boards.boardfile import KEYS, load_board, read_board
from gridglow.device.doctor import hands as doctor_hands
from gridglow.device.doctor.lights import order_of
from hal import CONSOLE


def test_what_the_board_says_is_wrong_is_told(root):
    driver = service_board(root)
    result = examine(driver, "board", faults=["The save can't be written."], crash=1)["board"]
    assert result.state == "fail" and "can't be written" in result.say and "crash" in result.say
    result = examine(driver, "board", machine="Pico 2 with RP2350")["board"]
    assert result.state == "fail" and 'chip = "rp2350"' in result.say


def test_modules_of_one_s_own_are_told(root):
    driver = service_board(root)
    result = examine(driver, "board", changed=["glow.board.idle"])["board"]
    assert result.state == "ok" and result.say.endswith(". Changed here: glow.board.idle.")
    result = examine(driver, "board", left_out=[["glow.board.idle", "SyntaxError: x"]])["board"]
    assert result.state == "fail" and "Its module glow.board.idle was left out (SyntaxError: x)" in result.say


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
    """The person sees how a strip with this order shows the wire's bytes, which the board sends as GRB."""
    driver = service_board(root)

    def see(heard):
        if "Change that in" in heard:
            return "yes"
        output = 0 if "output 1" in heard else 1
        driver.run(400)                            # looking sooner shows what the flash limit does to it
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
    assert result.state == "fail" and f"the colour order {strip}, but the board file says GRB" in result.say
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
    assert "Tracks with more LEDs won't fit then." in person.talk
    assert result.say.endswith("The board file now says so for output 1; send it with: gridglow sync")
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
    assert result.state == "ok" and "is as usual" in result.say
    assert any("no-such" in said for said in person.heard)


def all_keys(driver, person_keys, without=()):
    """Presses all keys except those in `without`; those in it with "held" stay down."""
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
    assert result.state == "fail" and "Stuck" in result.say, "the board itself knows it too"


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
    assert result.state == "fail" and "read no card" in result.say and "0x92" in result.say

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
    assert result.state == "fail" and "doesn't answer" in result.say and "MISO GP16" in result.next


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


@pytest.mark.parametrize("counts, state, says", [
    ([7000, 3000], "ok", "10,000 saves (7,000 answers, 3,000 snapshots) took about 14,240 erasures, 1 % of what the free "
     "part of the flash can take; 9,985,760 are left."),
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
    ({"per_s": 12, "us": 80000, "frames": 12}, "fail", "12 frames per second"), ({"frames": 0}, "fail", "No frame"),
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
    result, person = one(driver, "power", "yes", *["yes"] * 13, "")
    assert result.state == "ok" and sum("VBUS" in said or "0 V" in said for said in person.heard) >= 1
    assert sum("battery" in said for said in person.heard) == 2 and sum("GP26" in said for said in person.heard) == 1
    result, _ = one(driver, "power", "yes", "no")
    assert result.state == "fail" and "short between 5 V and GND" in result.say and "Don't plug it in" in result.next
    result, person = one(driver, "power", "yes", *["yes"] * 6, "", board=load_board("mini"))
    assert result.state == "ok" and not any("VSYS" in said for said in person.heard), "that board is fed by USB"
