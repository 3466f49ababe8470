"""People's mistakes are put right with the keys, in every game: a die or card typed wrongly, a key pressed at
the wrong seat, a player who has to go, cars that are in the wrong place."""

from pathlib import Path

import pytest
from script_hal import Script, ScriptHal

from glow.app import App
from gridglow.boards.boardfile import load_board
from gridglow.races.startup import race_setup
from gridglow.races.trials import trials
from gridglow.tracks import device_files
from shared_rules import games
from shared_rules.chance import Chance
from shared_rules.marks import seat_of, words_of


class Table(Script):
    """Three people at a board, and hands that answer anything."""

    def __init__(self, root, game, board="full", seats=3, **more):
        start = race_setup(game, seats=seats, seed="mend", **(more or trials(game).TABLE))
        for name, data in device_files(start.track, load_board(board)).items():
            Path(root, name).write_bytes(data)
        super().__init__(App(ScriptHal(root), pace="fast"))
        self.chance = Chance(game, "hands")
        self.run(50)
        assert self.app.start_race(start.setup.plain()) == ""
        self.press(1, "OK")
        self.settle()

    @property
    def race(self):
        return self.app.race

    def settle(self):
        """Waits until nothing moves."""
        assert self.until(lambda: self.app.table and not self.app.table.answering.moving
                          and not self.app.table.answering.offers, 200_000)
        self.run(200)

    def step(self):
        """Somebody who is asked answers."""
        prompt = self.race.prompts[0]
        self.app.table.answering.offer(prompt.seat or 1, prompt.serial, prompt.sample(self.chance))
        self.settle()

    def step_until(self, reached):
        for _ in range(400):
            if reached():
                return
            self.step()
        raise AssertionError("it never came to that")

    def typed(self):
        """Whether somebody is entering the table's dice or cards."""
        prompt = self.race.prompts[0]
        waits = self.race.pending_answers()
        return prompt.kind in ("roll", "draw") and prompt.source == "table" and not prompt.secret and not waits

    def last(self):
        """The words of the last answer."""
        waiting = self.race.pending_answers()
        return waiting[-1][1].split(" ") if waiting else words_of(self.race, self.race.taken[-1])

    def type(self, seat):
        """Accepts what the wheels show."""
        lines, waiting = self.race.lines, len(self.race.pending_answers())
        for _ in range(12):
            self.press(seat, "OK")
            self.settle()
            if (self.race.lines, len(self.race.pending_answers())) != (lines, waiting):
                return
        raise AssertionError("the wheels never end")

    def agree(self):
        """Everybody asked for an OK gives it, at their panel."""
        asked = [prompt.seat for prompt in self.race.prompts] if self.race.asking else []
        for seat in asked:
            while self.race.prompt_of(seat) and self.race.asking:
                self.press(seat, "OK")
            self.settle()
        return asked

    def texts(self, count):
        return [self.race.line(number).text for number in range(max(0, self.race.lines - count) + 1, self.race.lines + 1)]

    def choose(self, panel, item):
        """Takes an item of the race menu."""
        self.press(panel, "MENU")
        menu = self.app.table.menu
        while menu.items[menu.at] != item:
            self.press(panel, "NEXT")
        self.press(panel, "OK")


@pytest.fixture(params=games.NAMES)
def game(request):
    return request.param


def test_what_was_typed_wrongly_is_taken_back_and_typed_anew(root, game):
    table = Table(root, game)
    table.step_until(table.typed)
    seat, digest, count = table.race.prompts[0].seat or 1, table.race.digest(), table.race.taken_count()
    together = len(table.race.prompts) > 1
    table.type(seat)
    wrong = table.last()
    table.press(seat, "UNDO")
    table.settle()
    if together:                                   # it was waiting for the others', and nobody has seen anything
        assert not table.race.asking and not table.race.pending_answers()
    else:
        assert table.race.asking and table.agree() == [other for other in (1, 2, 3) if other != seat]
        assert table.texts(3) == ["undo 1", "ok", "ok"]
    assert table.race.digest() == digest and table.race.taken_count() == count
    table.press(seat, "NEXT")
    table.type(seat)
    assert table.last() != wrong


def test_an_answer_is_corrected_and_what_came_since_stays(root, game):
    table = Table(root, game)
    table.step_until(table.typed)
    count = table.race.taken_count()
    seat = table.race.prompts[0].seat or 1
    table.type(seat)
    wrong = table.last()
    table.step()
    while table.race.pending_answers():
        table.step()
    # A sealed answer in the journal may only be corrected by its own seat.
    panel = seat if table.race.line(table.race.taken[count - table.race.base] >> 4).secret else 2
    table.choose(panel, "correct")
    page = table.app.table.menu.hand
    while page.rows[page.at][0] != count + 1:
        table.press(panel, "NEXT")
    assert table.shows(table.app.speech.names.card(wrong[1])) or table.shows(wrong[1])
    before = table.race.taken_count()
    table.press(panel, "OK")
    assert table.shows("[")
    table.press(panel, "PREV")
    for _ in range(12):
        if table.app.table.menu:
            table.press(panel, "OK")
    table.settle()
    assert table.agree() == [other for other in (1, 2, 3) if other != panel]
    text = table.texts(3)[0]
    assert text.startswith("correct %d " % (before - count)) and table.texts(2) == ["ok", "ok"]
    assert words_of(table.race, table.race.taken[count - table.race.base]) == text.split(" ")[2:] != wrong
    assert count < table.race.taken_count() <= before


def test_a_page_that_lies_open_follows_what_others_answer_meanwhile(root, game):
    table = Table(root, game)
    table.step_until(lambda: table.race.taken_count() > 3 and not table.race.pending_answers())
    seat = seat_of(table.race.taken[-1])
    panel = seat % 3 + 1
    table.choose(panel, "correct")
    assert table.app.table.menu.hand.rows
    table.app.table.answering.offer(seat, 0, "undo 1")  # on a page
    table.run(500)
    page = table.app.table.menu.hand
    if table.race.asking:                          # if the others have to agree
        asked = [prompt.seat for prompt in table.race.prompts]
        assert table.shows("until the others have") and not page.rows
        table.press(panel, "OK")
        assert table.race.asking and [prompt.seat for prompt in table.race.prompts] == asked
    else:
        assert page.rows[0][0] == table.race.taken_count(), "the last answer that counts must be first in the list"


def test_one_leaves_whoever_is_asked_and_the_others_race_on(root, game):
    table = Table(root, game)
    leaves = [lambda: True, lambda: len(table.race.left) == 1 and table.race.turns > 1]
    for reached, panel in zip(leaves, (3, 1), strict=True):
        table.step_until(reached)
        table.choose(panel, "leave")
        assert table.shows("Really?") and panel not in table.race.left
        table.press(panel, "OK")
        table.settle()
        assert "leave" in table.texts(4) and panel in table.race.left and table.app.table.menu is None
    table.step()
    table.choose(3, "leave")                       # a player who has left has nobody to remove
    assert table.shows("No player sits")
    table.press(3, "UNDO")
    table.press(2, "MENU")
    for _ in range(30):
        if not table.race.over:
            assert table.race.prompts[0].seat in (0, 2)
            table.step()


def test_who_has_left_by_mistake_takes_it_back(root, game):
    table = Table(root, game)
    digest = table.race.digest()
    table.choose(3, "leave")
    table.press(3, "OK")
    table.settle()
    assert table.race.left == [3]
    table.press(3, "UNDO")
    table.settle()
    table.agree()
    assert table.race.left == [] and table.race.digest() == digest


def stands(table):
    return {car: light.space for car, light in table.app.lights._cars.items()}


def test_lights_lead_the_cars_back_after_an_undo_and_a_resume(root, game):
    table = Table(root, game)
    before, seat = {}, 0

    def moved():
        """Somebody moves a car."""
        nonlocal before, seat
        prompt = table.race.prompts[0]
        before, seat = stands(table), prompt.seat or 1
        table.step()
        return any(before[car] >= 0 and space not in (before[car], -1) for car, space in stands(table).items())

    while not moved():                             # it answers by itself
        pass
    after = stands(table)
    car = [car for car, space in after.items() if before[car] >= 0 and space not in (before[car], -1)][0]
    table.press(seat, "UNDO")
    table.settle()
    table.agree()
    assert stands(table) == before
    name = table.race.track.space_name
    table.until(lambda: table.shows(f"back from {name(after[car])} to {name(before[car])}"), 20_000)
    assert table.shows(f"back from {name(after[car])} to {name(before[car])}")
    way = [row[2] for row in table.app.lights._moves._waiting if row[1] == car]
    assert way == [[before[car], after[car]]]
    table.run(400)
    pixel = table.app.lights._track.pixel(after[car])
    assert any(table.hal.pixels[0].frame[3 * pixel:3 * pixel + 3])
    table.press(seat, "PREV")
    assert not table.shows("back from") and not table.app.table.leader.rows

    table = Script(App(ScriptHal(root), pace="fast"))
    table.run(50)
    assert table.app.resume_race() == ""
    seen = set()
    for _ in range(4000):
        table.tick()
        if table.app.table:
            seen |= {car for car, space in stands(table).items() if table.shows(f" on {name(space)}.")}
    assert seen == {car for car, space in stands(table).items() if space >= 0}
    table.press(table.app.race.prompts[0].seat or 1, "NEXT")
    assert not table.app.table.leader.rows


def shared(root_of):
    """A race at a board with one panel for everybody."""
    table = Table(root_of("mini"), "moto_grand_prix", "mini", dice="device")
    assert len(table.app.panels.seats(1)) > 1
    return table


def test_at_a_shared_panel_the_last_choice_of_any_of_its_seats_is_taken_back(root_of):
    table = shared(root_of)
    seats = table.app.panels.seats(1)
    table.step_until(lambda: table.race.prompts[0].kind == "choose" and table.race.prompts[0].seat in seats)
    seat, digest = table.race.prompts[0].seat, table.race.digest()
    while table.race.digest() == digest:
        table.press(1, "OK")
        table.settle()
    table.press(1, "UNDO")
    table.settle()
    while table.race.asking:
        table.press(1, "OK")
        table.settle()
    assert table.race.digest() == digest and table.race.prompts[0].seat == seat


def test_from_a_seats_page_only_its_own_last_choice_is_taken_back_and_with_consent(root_of):
    table = shared(root_of)
    mine, other = table.app.panels.seats(1)[:2]
    for seat in (mine, other):                     # the neighbour at the same panel has chosen last
        table.step_until(lambda who=seat: [(one.kind, one.seat) for one in table.race.prompts] == [("choose", who)])
        table.step()
    race, count = table.race, table.race.taken_count()
    back = [seat_of(mark) for mark in reversed(race.taken)].index(mine) + 1
    table.app.hal.say({"t": "answer", "n": 1, "seat": mine, "serial": 0, "text": "undo"})
    table.settle()
    assert back > 1 and table.texts(1) == ["undo %d" % back] and race.taken_count() == count
    assert race.asking.seat == mine and other in [prompt.seat for prompt in race.prompts]
    while race.asking:
        table.app.table.answering.offer(race.prompts[0].seat, 0, "ok")
        table.settle()
    assert race.taken_count() == count - back and race.prompts[0].seat == mine


def test_at_a_shared_panel_the_menu_asks_who_leaves(root_of):
    table = shared(root_of)
    seats = [seat for seat in table.app.panels.seats(1) if seat <= 3]
    table.choose(1, "leave")
    assert table.shows("1/%d" % len(seats)) and not table.shows("Really?")
    table.press(1, "NEXT")
    table.press(1, "OK")
    assert table.shows("Really?") and not table.race.left
    table.press(1, "OK")
    table.settle()
    assert table.race.left == [seats[1]]
