"""Red Cards on boards of any shape: nobody is moved further than the card says, or by anything else.

Where each card leads is read here a second time, from the track alone, step by step.
"""

import random

import racing
from owners_data import random_track

from shared_rules.errors import BadSetup
from shared_rules.games.racing_rules import data, red_cards
from shared_rules.track_paint import COLOURS, colours_of

START = -1
BOARDS = 25
TRIES = 12


class Road:
    """A board, walked space by space. START stands for wherever cars begin."""

    def __init__(self, track):
        self.track = track
        self.finish = track.in_rows - 1
        start = [first + spaces - 1 for kind, _, first, spaces, _ in track.roads if kind == "start"]
        self.start = start[0] if start else START

    def ahead(self, space):
        """One step on, None at the finish."""
        if space == START:
            return 0
        return (self.track.ahead(space) or [None])[0]

    def back(self, space):
        """One step back down the road; from the ramp onto the space that leads into it."""
        if space == self.start:
            return space
        for kind, leaves, first, spaces, _ in self.track.roads:
            if first <= space < first + spaces:
                return leaves if kind == "ramp" or space == first else space - 1
        return space - 1 if space else self.start

    def deeper(self, space):
        """One step away from the finish on the ramp, None elsewhere; at its end, the same space."""
        for kind, _, first, spaces, _ in self.track.roads:
            if kind == "ramp" and first <= space < first + spaces:
                return min(space + 1, first + spaces - 1)
        return None

    def to_go(self, space):
        """Steps to the finish."""
        steps = 0
        while space != self.finish:
            space = self.ahead(space)
            steps += 1
        return steps

    def car_to_go(self, car):
        """The same for a car, which may have to leave the road."""
        inside = self.track.branch(car.space) if car.inward else []
        if not inside or self.deeper(inside[0]) is not None:
            return self.to_go(car.space)
        return 1 + self.to_go(inside[0])

    def steps_ahead(self, space, count):
        """Where `count` steps lead; the same space if they overshoot the finish by more than one."""
        here = space
        for step in range(count):
            following = self.ahead(here)
            if following is None:
                return here if step == count - 1 else space
            here = following
        return here

    def steps_back(self, space, count):
        for _ in range(count):
            inside = self.deeper(space)
            space = self.back(space) if inside is None else inside
        return space

    def colour_ahead(self, space, colour):
        here = self.ahead(space)
        while here is not None and colour not in colours_of(self.track, here):
            here = self.ahead(here)
        return space if here is None else here

    def colour_back(self, space, colour):
        here = self.back(space)
        while here != self.start and colour not in colours_of(self.track, here):
            here = self.back(here)
        return here


def wanted(road, cars, drawer, card):
    """Where everybody stands after a card."""
    effect, more = data.effect(card)
    spaces = [car.space for car in cars]
    here = spaces[drawer]
    to_go = [road.car_to_go(car) for car in cars]
    if effect == "ahead":
        spaces[drawer] = road.steps_ahead(here, more)
    elif effect == "next":
        spaces[drawer] = road.colour_ahead(here, more)
    elif effect == "back":
        spaces[drawer] = road.colour_back(here, more) if more in COLOURS else road.steps_back(here, more)
    elif effect == "leader-back":
        for at in [at for at, left in enumerate(to_go) if left == min(to_go)]:
            spaces[at] = road.steps_back(spaces[at], more)
            if at != drawer:
                bump(road, spaces, at)
    elif effect == "follow":
        for _ in range(min(more, max(0, road.to_go(here) - min(to_go) - 1))):
            spaces[drawer] = road.ahead(spaces[drawer])
    elif effect == "swap":
        swap(road, spaces, drawer, more)
    return spaces


def swap(road, spaces, drawer, most):
    here = place = spaces[drawer]
    for _ in range(most):
        place = road.ahead(place)
        if place is None:
            return
        there = [at for at, space in enumerate(spaces) if space == place]
        if there:
            spaces[drawer], spaces[there[0]] = place, here
            return


def bump(road, spaces, at):
    """Moves whoever stands where a leader comes to rest back to the same colour, and so on."""
    while spaces[at] != road.start:
        there = [other for other, space in enumerate(spaces) if other != at and space == spaces[at]]
        if not there:
            return
        at = there[0]
        spaces[at] = road.colour_back(spaces[at], colours_of(road.track, spaces[at])[0])


def races(folder, count=BOARDS):
    """Races on random boards: with and without a start road, with side roads and ramps."""
    number = found = 0
    while found < count:
        number += 1
        track = random_track("racing_rules", f"cards-{number}", folder)
        seats = "P" * (2 + number % 5)
        try:
            race = racing.new_race("racing_rules", seats, track, decks="table", variant="race-2") if track else None
        except BadSetup:
            continue
        if race:
            found += 1
            yield race, random.Random(number)


def put(race, dice):
    """Cars anywhere on the board except the finish, one of them on a space that draws; returns its index, -1
    if no space draws."""
    game, track = race.game, race.track
    red = [space for space in range(track.count) if colours_of(track, space) == ("red",) and space != game.course.finish]
    there = [space for space in range(track.count) if space != game.course.finish and colours_of(track, space)]
    for car in game.cars_:
        close = [space for space in there if red and abs(space - red[0]) < 12]
        car.space = dice.choice([game.course.start, dice.choice(there), dice.choice(close or there)])
    drawer = dice.randrange(len(game.cars_))
    game.cars_[drawer].space = dice.choice(red or [0])
    for car in game.cars_:
        car.inward = 1 if game.course.is_entry(car.space) and dice.random() < 0.7 else 0
    return drawer if red else -1


def test_no_card_moves_anybody_by_more_than_it_says(tmp_path):
    moved = set()
    without_start = 0
    for race, dice in races(tmp_path):
        road, cars = Road(race.track), race.game.cars_
        without_start += road.start == START
        for card in data.effects():
            for _ in range(TRIES):
                drawer = put(race, dice)
                if drawer < 0:
                    break
                before = [car.space for car in cars]
                there = wanted(road, cars, drawer, card)
                red_cards.play(race.game, cars[drawer], card)
                after = [car.space for car in cars]
                assert after == there, (race.track.id, card, drawer, before)
                if after != before:
                    moved.add(card)
    assert without_start > 5
    assert moved == set(data.effects()) - set(data.PLAIN)


def test_who_is_swapped_or_moved_drives_on_along_the_road(tmp_path):
    """A car taken off an entry by a card may leave it ahead; only a car that landed there itself must turn off."""
    for race, dice in races(tmp_path):
        game = race.game
        for card in data.effects():
            drawer = put(race, dice)
            if drawer < 0:
                break
            red_cards.play(game, game.cars_[drawer], card)
            for car in game.cars_:
                assert not car.inward or game.course.is_entry(car.space), card
