"""Dials: what a bike has left, what an option would cost, a warning before the last points, and words for the rest."""


import pytest
from lights_script import BOARD, Picture, bench, take
from script_hal import Script, ScriptHal

from glow.app import App
from glow.lights.colours import WARNING
from glow.menu import choices

FRONT, REAR, ENGINE = ["moto_grand_prix.dial_" + name for name in ("front", "rear", "engine")]
LOW = (FRONT, REAR, ENGINE)


def dial_rows(seat, car, front, rear, engine):
    return [[seat, car, FRONT, front, 8], [seat, car, REAR, rear, 8], [seat, car, ENGINE, engine, 8]]


def raced(dials, calm=False, board=BOARD, cars=((1, 30), (2, 33))):
    lights, hal, _ = bench(board=board)
    lights.set_cars([[1, 1, "a", "blue", 0], [2, 1, "b", "green", 1], [3, 2, "c", "red", 2]], LOW)
    lights.set_calm(calm)
    lights.show_race(1000)
    take(lights, Picture([[car, space, "run"] for car, space in cars], dials=dials), 1000)
    return lights, hal


def levels(lights, hal, pixel, ms, begin=1000):
    """The brightest channel of a dial's pixel, frame by frame."""
    seen = []
    now = begin
    while now < begin + ms:
        if lights.tick(now):
            seen.append(max(hal.pixels[1].pixel(pixel)))
        now += 10
    return seen


def pairs(seen):
    """How often a light has gone on and off again."""
    middle = (max(seen) + min(seen)) // 2
    return sum(1 for before, after in zip(seen, seen[1:]) if before > middle >= after)


def test_three_characteristics_stand_on_three_dials():
    lights, hal = raced(dial_rows(1, 1, 8, 5, 7))
    lights.tick(1000)
    assert [n for n in hal.pixels[1].lit() if n < 40] == [*range(8), *range(8, 13), *range(16, 23)]


def test_points_that_would_go_blink_and_the_others_stay():
    lights, hal = raced(dial_rows(1, 1, 8, 5, 7))
    lights.acting([1], 1000, [1])
    lights.spend(1, [[ENGINE, 2], [REAR, 1]])
    for going in (21, 22, 12):
        seen = levels(lights, hal, going, 3000)
        assert min(seen) < max(seen) // 4 and 2 <= pairs(seen) <= 9, going
    for stays in (0, 7, 8, 11, 16, 20):
        seen = levels(lights, hal, stays, 3000)
        assert min(seen) == max(seen) > 0, stays
    lights.spend(1, ())
    seen = levels(lights, hal, 22, 3000)
    assert min(seen) > 0 and seen != [seen[0]] * len(seen)       # it breathes with the others again


def lit_on(hal, first):
    return len([n for n in hal.pixels[1].lit() if first <= n < first + 8])


def test_points_go_from_a_dial_as_the_car_comes_to_them():
    lights, hal = raced(dial_rows(1, 1, 8, 8, 7))
    events = [["moved", 1, [30, 33, 36]], ["spent", 1, REAR, 3], ["moved", 1, [36, 39]], ["spent", 1, REAR, 2],
              ["spent", 1, ENGINE, 1], ["moved", 1, [39, 42, 45]]]
    take(lights, Picture([[1, 45, "run"], [2, 33, "run"]], events, dial_rows(1, 1, 8, 3, 6)), 2000)
    seen = []
    for now in range(2000, 4000, 10):
        lights.tick(now)
        shown = (lit_on(hal, 8), lit_on(hal, 16))
        if [shown] != seen[-1:]:
            seen.append(shown)
    assert seen == [(8, 7), (5, 7), (3, 6)] and not lights.busy(4000)


def test_what_is_skipped_or_comes_without_a_move_goes_at_once():
    lights, hal = raced(dial_rows(1, 1, 8, 8, 7))
    events = [["moved", 1, [30, 33, 36]], ["spent", 1, REAR, 3]]
    take(lights, Picture([[1, 36, "run"]], events, dial_rows(1, 1, 8, 5, 7)), 2000)
    lights.tick(2000)
    assert lit_on(hal, 8) == 8
    lights.skip(2040)
    lights.tick(2080)
    assert lit_on(hal, 8) == 5
    take(lights, Picture([[1, 36, "run"]], [["spent", 1, REAR, 2]], dial_rows(1, 1, 8, 3, 7)), 3000)
    lights.tick(3000)
    assert lit_on(hal, 8) == 3


def test_in_calm_mode_nothing_goes_dark():
    lights, hal = raced(dial_rows(1, 1, 8, 5, 7), calm=True)
    lights.spend(1, [[ENGINE, 2]])
    seen = levels(lights, hal, 22, 4000)
    assert 0 < min(seen) < max(seen) and pairs(seen) <= 4


def test_little_left_breathes_red_slowly():
    lights, hal = raced(dial_rows(1, 1, 2, 3, 1))
    reds = []
    for _ in range(8):
        seen = levels(lights, hal, 0, 1000)
        reds += seen
    assert hal.pixels[1].pixel(0)[1:] == (0, 0) == tuple(WARNING[1:])
    seen = levels(lights, hal, 0, 9000)
    assert min(seen) > 0 and max(seen) > min(seen) and 2 <= pairs(seen) <= 4
    assert hal.pixels[1].pixel(8)[2] > 0                         # three Rear Tire points: no warning yet
    assert hal.pixels[1].pixel(16)[1:] == (0, 0)


def test_a_lap_counter_and_a_bike_that_is_out_do_not_warn():
    lights, hal = raced([[1, 1, "moto_grand_prix.dial_lap", 1, 3]])
    lights.tick(1000)
    assert hal.pixels[1].pixel(0)[2] > 0
    lights, hal = raced(dial_rows(1, 1, 1, 1, 1), cars=((1, -1),))
    lights.tick(1000)
    assert hal.pixels[1].pixel(0)[2] > 0


def test_of_two_bikes_the_one_that_is_asked_is_shown():
    dials = dial_rows(1, 1, 8, 8, 8) + dial_rows(1, 2, 3, 4, 5)
    lights, hal = raced(dials)
    lights.tick(1000)
    assert [n for n in hal.pixels[1].lit() if n < 40] == list(range(24))
    lights.acting([1], 2000, [2])
    lights.tick(2000)
    assert 4 not in hal.pixels[1].lit()[1:] or hal.pixels[1].pixel(4)[0] == hal.pixels[1].pixel(7)[0]
    assert [n for n in hal.pixels[1].lit() if 8 <= n < 40] == [*range(8, 12), *range(16, 21)]


def test_after_a_race_that_was_left_while_a_bike_was_asked_the_next_one_has_dials():
    dials = dial_rows(1, 1, 8, 8, 8) + dial_rows(1, 2, 1, 2, 3)
    lights, hal = raced(dials)
    lights.acting([1], 1000, [2])
    lights.show_menu(2000)
    lights.show_race(3000)
    take(lights, Picture([[1, 30, "run"], [2, 33, "run"]], dials=dials), 3000)
    lights.tick(3000)
    assert [n for n in hal.pixels[1].lit() if n < 40] == list(range(24))


# On the board

@pytest.fixture
def root(root_of):
    return root_of


def standard(root, bikes="1", **more):
    driver = Script(App(ScriptHal(root), pace="instant"))
    driver.run(50)
    plain = {"game": "moto_grand_prix", "variant": "standard", "track": "gp-ring", "laps": 1, "seed": "dials",
             "salt": "s", "players": [["person", "Ann"], ["bot", "Bo"]], "options": [["bikes", bikes]]}
    plain.update(more)
    assert driver.app.start_race(plain) == ""
    return driver


def ride_with_costs(driver):
    """Plays with the host's hands until a ride with something to spend is open; returns its index."""
    app = driver.app
    for _ in range(200):
        driver.run(60)
        prompt = app.race.prompt_of(1)
        if not prompt:
            continue
        place = app.table.questions.places[0]
        if prompt.costs and any(prompt.costs(at) for at in range(len(prompt.options()))) and place.prompt is prompt:
            return place
        driver.hal.say({"t": "answer", "seat": 1, "serial": prompt.serial, "text": prompt.options()[0]})
    raise AssertionError("No ride with costs was asked for.")


def test_costs_say_what_labels_say(root):
    prompt = ride_with_costs(standard(root())).prompt
    kinds = {"moto_grand_prix.spend_engine": [ENGINE], "moto_grand_prix.spend_engine_rear": [REAR, ENGINE],
             "moto_grand_prix.spend_front": [FRONT]}
    for at, label in enumerate(prompt.labels()):
        costs = dict(prompt.costs(at))
        assert sorted(costs) == sorted(kinds[label[0]] if label else [])
        if label:
            assert costs[kinds[label[0]][-1]] == label[1] and costs.get(REAR, 1) == 1


def test_the_cursor_shows_on_the_dials_what_it_would_spend(root):
    driver = standard(root())
    place = ride_with_costs(driver)
    shown = set()
    for _ in range(len(place.pick.rows)):
        costs = place.prompt.costs(place.pick.place())
        assert driver.app.lights.dials._panels[0].costs == costs
        shown.add(len(costs) > 0)
        driver.press(1, "NEXT")
    assert shown == {True, False} or shown == {True}
    driver.hal.say({"t": "answer", "seat": 1, "serial": place.serial, "text": place.prompt.options()[0]})
    driver.run(60)
    assert not driver.app.lights.dials._panels[0].costs or driver.app.race.prompt_of(1).costs


def test_the_display_warns_where_one_point_would_be_left(root):
    driver = standard(root())
    place = ride_with_costs(driver)
    at = [at for at in range(len(place.prompt.options())) if place.prompt.costs(at)][0]
    key, points = place.prompt.costs(at)[0]
    for row in driver.app.table.view.dials:
        if row[1] == place.prompt.car and row[2] == key:
            row[3] = points + 1
    for row_at, (_, ends) in enumerate(place.pick.rows):
        if at in ends:
            place.pick.at, place.pick.lane_at, place.pick.in_row = row_at, ends.index(at), True
    driver.app.table.dirty = True
    driver.run(20)
    assert driver.shows("-%d, leaves 1!" % points)


def test_the_other_bike_of_a_seat_stands_on_the_display(root):
    driver = standard(root(), bikes="2")
    place = ride_with_costs(driver)
    other = [car for car, seat, *_ in driver.app.cars if seat == 1 and car != place.prompt.car][0]
    name = driver.app.texts.get([row[2] for row in driver.app.cars if row[0] == other][0])
    assert driver.shows(name + ": F8 R8 E")


def test_a_board_without_dials_shows_them_on_the_display(root):
    folder = root("mini")
    driver = Script(App(ScriptHal(folder), pace="instant"))
    driver.run(20)
    driver = standard(folder)
    place = ride_with_costs(driver)
    assert not driver.shows("F8 R")                # three dials: all are lit
    driver.app.lights.dials._panels = []
    driver.app.table.dirty = True
    driver.run(20)
    values = [row[3] for row in driver.app.table.view.dials if row[1] == place.prompt.car]
    assert driver.shows("F%d R%d E%d" % tuple(values))


def test_the_race_menu_lists_the_dials_of_all(root):
    driver = standard(root())
    ride_with_costs(driver)
    driver.press(1, "MENU")
    from glow.menu.race import ITEMS
    assert set(choices.KEYS) < set(ITEMS)
    while ITEMS[driver.app.table.menu.at] != "dials":
        driver.press(1, "NEXT")
    driver.press(1, "OK")
    assert driver.shows("Blue 1") and driver.shows("Yellow 1") and driver.shows(" R8 ")
