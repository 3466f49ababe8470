"""Pace: movement is slowed, sped up and skipped; what the idle board shows; notices that are out of date."""

import shutil

from lights_script import Picture, bench, take
from script_hal import Script, ScriptHal

from glow.app import App
from glow.menu import choices


def race(root, *players, pace="normal"):
    plain = {"game": "moto_grand_prix", "track": "gp-ring", "laps": 1, "seed": "pace", "salt": "s",
             "players": [list(player) for player in players]}
    driver = Script(App(ScriptHal(root), pace=pace))
    driver.run(50)
    assert driver.app.start_race(plain) == ""
    driver.press(1, "OK")
    return driver


def length_of(speed):
    lights, _, _ = bench()
    lights.set_speed(speed)
    lights.show_race(1000)
    take(lights, Picture([[1, 30, "run"]], [["moved", 1, [0, 3, 6, 9, 12]], ["lap", 1, 2]]), 1000)
    now = 1000
    while lights.busy(now):
        lights.tick(now)
        now += 5
    return now - 1000


def test_animations_take_half_or_twice_their_time():
    usual = length_of(100)
    frames_ms = 3 * 33                             # each animation ends with a frame
    assert abs(length_of(200) * 2 - usual) < frames_ms and abs(length_of(50) - 2 * usual) < frames_ms


def test_the_pace_of_the_menu_reaches_the_lights_and_the_bots(root):
    driver = race(root, ["bot", "Bo"], ["bot", "Cy"])
    answers = {}
    for pace in ("slow", "fast"):
        driver.app.set("pace", pace)
        assert driver.app.pace == pace
        before = driver.app.race.lines
        driver.run(15000)
        answers[pace] = driver.app.race.lines - before
    assert answers["fast"] > 2 * answers["slow"] > 0


def test_ok_skips_what_moves_and_what_a_bot_thinks(root):
    driver = race(root, ["bot", "Bo"], ["bot", "Cy"], ["person", "Ann"], pace="slow")
    for _ in range(20):
        if not driver.until(lambda: not driver.app.table.answering.moving
                            and not driver.app.table.questions.waits_for_people(), 5000):
            driver.press(3, "OK")                  # Ann is asked first
    driver.run(30)
    before = driver.app.race.lines
    driver.press(3, "OK", 20)
    assert driver.app.race.lines == before + 1     # a bot would have thought longer
    assert driver.app.note == ""
    driver.until(lambda: driver.app.table.answering.moving)
    driver.press(3, "OK", 20)
    assert not driver.app.table.answering.moving or driver.app.race.lines > before + 1


def test_brightness_has_steps_up_to_what_the_board_may_have(root):
    app = App(ScriptHal(root))
    seen = []
    for _ in range(6):
        choices.turn(app, "brightness")
        seen.append(choices.value(app, "brightness"))
    assert seen == [12, 16, 24, 32, 48, 64]
    app.hal.board["brightness"] = 32
    app.set("brightness", 32)
    choices.turn(app, "brightness")
    assert choices.value(app, "brightness") == 12


def test_a_notice_goes_when_the_question_passes_on(root):
    driver = race(root, ["bot", "Bo"], ["person", "Ann"], ["person", "Cy"])
    app = driver.app
    people = {"2": "3", "3": "2"}
    for _ in range(400):
        if app.table.answering.moving or not app.race.prompts:
            driver.tick()
            continue
        open_seats = [prompt.seat for prompt in app.race.prompts]
        if len(open_seats) == 1 and open_seats[0] > 1:
            break
        for seat in open_seats:
            if seat > 1:
                driver.press(seat, "OK", 20)
        driver.run(500)
    seat = app.race.prompts[0].seat
    driver.run(300)
    driver.press(int(people[str(seat)]), "OK", 20)
    assert app.note and app.note == app.table.view.wrong_say
    driver.hal.say({"t": "answer", "seat": seat, "serial": app.race.prompts[0].serial,
                    "text": app.race.prompts[0].options()[0]})
    driver.run(30)
    driver.press(seat, "OK", 20)                   # skips the movement
    assert app.note == ""


def test_the_idle_board_is_lit_before_its_first_race(root):
    driver = Script(App(ScriptHal(root)))
    driver.run(3000)
    assert any(driver.hal.pixels[0].frame)


def test_the_idle_board_is_lit_without_any_track(root):
    shutil.rmtree(root + "/tracks")
    driver = Script(App(ScriptHal(root)))
    driver.run(1000)
    assert driver.app.state == "idle" and driver.hal.errors == [] and driver.shows("Press OK")


def test_the_idle_board_shows_the_first_track_where_the_last_one_is_gone(root):
    App(ScriptHal(root)).settings.put("track", "gone")
    driver = Script(App(ScriptHal(root)))
    driver.run(1000)
    assert any(driver.hal.pixels[0].frame) and driver.hal.errors == []
