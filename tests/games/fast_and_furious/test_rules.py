"""Fast & Furious: moves checked by a plain search, the house cards, the courses, free courses with two ways
and in circles."""

import random
import sys

import pytest

from gridglow.races.spec import load_games
from gridglow.tomlfile import FileProblems
from gridglow.tracks import compile_file, compile_layout, list_tracks, load_track, page_geometry, parse_layout
from gridglow.tracks.layout import write_layout
from gridglow.tracks.pack import build_graph
from gridglow_workshop.bench import heaviest
from shared_rules import proof
from shared_rules.errors import BadTrack
from shared_rules.games.fast_and_furious import cards as gear_cards
from shared_rules.games.fast_and_furious import finish, setup
from shared_rules.games.fast_and_furious.about import About
from shared_rules.games.fast_and_furious.course import FINISH, NONE, Course, Road
from shared_rules.games.fast_and_furious.move import Trace
from shared_rules.games.fast_and_furious.reach import CHANGE, DIAGONAL, FREE, IGNORE, SPARE, Reach
from shared_rules.games.fast_and_furious.rules import Game
from shared_rules.race import Race
from shared_rules.setup import Setup
from shared_rules.track import Track

COURSES = {"main-event": (44, 4), "tokyo-drift": (41, 10), "varones-test": (42, 7), "all-timer": (49, 10),
           "brasil": (48, 10), "tag-team": (28, 7), "shoulder-run": (38, 6)}


def course_of(layout, lanes):
    return Course(Track.unpack(compile_layout(layout, lanes, 1, game="fast_and_furious", level="street")))


# Where a move leads: every route, one after another, as the rulebook describes it


class Routes:
    """All ends of a move, found route by route."""

    def __init__(self, road, space, speed, shown, stop, may=0, dear=3, drift=False, ice=False, last=True):
        self.road, self.course = road, road.course
        self.speed, self.shown, self.stop, self.dear = speed, shown, stop, dear
        self.drift, self.ice, self.last = drift, ice, last
        self.found, self.finish, self.first = {}, -1, space
        self.go(space, speed, 0, may & FREE, bool(may & CHANGE), may // DIAGONAL, bool(may & IGNORE), bool(may & SPARE),
                (space,), 0)

    def end(self, space, cost, whole=1):
        key = space << 5 | min(cost, self.stop)
        self.found[key] = self.found.get(key, 0) | whole

    def go(self, space, points, cost, way, change, diagonals, ignore, spare, been, ahead):
        course = self.course
        if points == 0:
            self.end(space, cost)
            return
        before = max(0, self.first - course.start + course.wide) // course.wide
        if course.track.closed and ahead >= course.track.rows + before:
            return
        stuck = True
        limits = course.limits
        steps = [(course.ahead[space], False)] if course.ahead[space] != NONE else []
        pauses = bool(steps) and course.barrier(space) > self.speed
        if pauses:
            self.end(space, cost, 0)
            steps, stuck = [], False
        steps += [(to, False) for to in course.branches(space)]
        if not pauses:
            steps += [(to, True) for to in course.diagonals(space)] if diagonals else []
        # A drift may end without room: then the rest is lost without a penalty.
        leaves = self.drift and limits[space] and steps and steps[0][0] != FINISH and not limits[steps[0][0]]
        for to, oblique in steps:
            if to == FINISH or self.last and course.crosses(space, to):
                self.finish = max(self.finish, 0 if self.drift and limits[space] else points - 1)
                stuck = False
                continue
            for paid, left in self.prices(to, points, ignore):
                stuck = False
                after = points - paid
                if self.drift and limits[space] and not limits[to]:
                    self.end(to, cost)
                    continue
                more, saved = 0, spare
                if limits[to] and not self.drift:
                    more = max(0, self.shown - limits[to])
                    if spare:
                        more, saved = max(0, more - 1), False
                if more and cost + more >= self.stop:
                    self.end(to, self.stop)
                    continue
                self.go(to, after, cost + more, way, change, diagonals - oblique, left, saved, (*been, to), ahead + 1)
        if stuck and leaves:
            self.end(space, cost)
            return
        for side, name in ((-1, 1), (1, 2)):
            to = course.beside(space, side)
            if to < 0 or to in been:
                continue
            turned, still = way, change
            if way == 0:
                turned = name
            elif way not in (FREE, name):
                if not change:
                    continue
                turned, still = name, False
            for paid, left in self.prices(to, points, ignore):
                stuck = False
                self.go(to, points - paid, cost, turned, still, diagonals, left, spare, (*been, to), ahead)
        if stuck:
            self.end(space, cost + ((points + 1) // 2 if self.ice else points))

    def prices(self, to, points, ignore):
        there = self.road.there[to]
        if there == 0:
            return [(1, ignore)]
        if there == 1:
            return []
        return ([(self.dear, ignore)] if points >= self.dear else []) + ([(1, False)] if ignore else [])


LAYOUTS = ("S6 L2v5*1 S6", "S4x3 R2x3v4 S2x3 S3x2 L1x2v3 S4x4", "S5 |6 S4 R2v3 |4 S5", "S3 L2v4 R2v6 S6 loop",
           "S8 4a>5>7a S3", "S4 L3v5 S4 6a>3>9a loop")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_move_ends_where_some_route_does_and_nowhere_else(layout):
    dice = random.Random(layout)
    for _ in range(150):
        course = course_of(layout, 4 if "x" in layout else dice.randint(1, 4))
        road = Road(course)
        for space in range(course.track.count):
            road.there[space] = dice.choice([0, 0, 0, 0, 0, 0, 0, 1, 2])
        speed = dice.randint(1, 8)
        may = dice.choice([0, 0, FREE | DIAGONAL, FREE | 2 * DIAGONAL, FREE | 9 * DIAGONAL, CHANGE, CHANGE | IGNORE, SPARE,
                           FREE | DIAGONAL | IGNORE | SPARE])
        shown = max(0, speed - dice.randint(0, 2))
        asked = (dice.randrange(course.track.count), speed, shown, dice.choice([7, 8, 10, 13]), may, dice.choice([3, 2]),
                 dice.random() < 0.3, dice.random() < 0.2, dice.random() < 0.7)
        found, wanted = Reach(road, *asked).find(), Routes(road, *asked)
        assert found.ends == sorted(wanted.found), (layout, asked, bytes(road.there), found.texts())
        assert found.pauses == sorted(end for end, whole in wanted.found.items() if not whole)
        assert found.finish == wanted.finish, (layout, asked, bytes(road.there))
        for end in found.ends:
            path = Trace(road, *asked).trace(end)
            assert path[0] == asked[0] and path[-1] == end >> 5
            for one, to in zip(path, path[1:], strict=False):
                assert to in [course.ahead[one], *course.branches(one), *course.diagonals(one)] or abs(one - to) == 1


def test_a_move_is_found_in_pieces_and_all_at_once_alike():
    track = Track.unpack(compile_layout("S20", 4, 1, game="fast_and_furious", level="street"))
    plain = {"game": "fast_and_furious", "seed": "pieces", "dice": "table", "decks": "table",
             "players": [["person", "Ann"], ["person", "Ben"]]}
    race = Race(Setup.from_plain(plain, track, Game), track, None, Game)
    race.arrange({"cars": ["1 1b", "2 19a"], "gears": ["1 3"], "hands": ["1 1"]})
    for text in ("play 6 1", "draw 8", "pick 8"):
        race.answer(1, text)
    prompt = race.prompts[0]
    assert sum(1 for _ in prompt.prepare()) > 8                 # a row each
    turn = prompt.turn
    found, reach = prompt.options(), turn.reach()
    assert "go 9b" in found and list(prompt.prepare()) == []    # nothing is left to find
    turn.drop_reach()
    assert turn.reach() is not reach and turn.texts() == found


def depth_of(call):
    """How many of our calls are open at once while this is called."""
    open_, most = 0, 0

    def note(frame, event, arg):
        nonlocal open_, most
        if "shared_rules" in frame.f_code.co_filename and frame.f_code.co_name != "<module>":
            open_ += {"call": 1, "return": -1}.get(event, 0)
            most = max(most, open_)

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return most


@pytest.mark.parametrize("vector, go", [("FF-39.heaviest-drift", "go 25a"), ("FF-39.heaviest-diagonals", "go 24a cost 4")])
def test_a_long_move_fits_the_stack_of_a_pico(vector, go):
    """It holds some thirty calls: eight are the board's own, and keys are handled in between."""
    heavy = heaviest.of_vector(load_games(["fast_and_furious"])["fast_and_furious"].vectors[vector])
    race = Race.load(heavy.save, Track.unpack(heavy.pack))
    race.answer(heavy.seat, heavy.text)
    prompt = race.prompts[0]
    assert depth_of(lambda: list(prompt.prepare())) <= 12
    assert go in prompt.options()
    assert depth_of(lambda: race.answer(1, go)) <= 17


@pytest.mark.parametrize("vector, go", [("FF-39.heaviest-drift", "go 25a"), ("FF-39.heaviest-diagonals", "go 24a cost 4")])
def test_a_route_that_was_found_beforehand_in_pieces_is_the_one_of_the_answer(vector, go):
    heavy = heaviest.of_vector(load_games(["fast_and_furious"])["fast_and_furious"].vectors[vector])
    told = []
    for beforehand in (False, True):
        race = Race.load(heavy.save, Track.unpack(heavy.pack))
        race.answer(heavy.seat, heavy.text)
        race.take_events()
        prompt, digest = race.prompts[0], race.digest()
        assert list(prompt.foresee("ok")) == [] and list(prompt.foresee("go 99z")) == []
        if beforehand:
            pieces = []
            assert depth_of(lambda found=pieces, asked=prompt: found.extend(asked.foresee(go))) <= 12
            assert len(pieces) > 10 and race.digest() == digest and prompt.turn.route.end >= 0
            route = prompt.turn.route
            again = list(prompt.foresee(go))           # as after an answer that failed
            assert len(again) > len(pieces) and vars(prompt.turn.route) == vars(route)
        race.answer(1, go)
        assert prompt.turn.route is None
        told.append([race.take_events(), race.digest()])
    assert told[0] == told[1] and any(event[0] == "moved" for event in told[0][0])


# The house cards


def test_the_house_deck_is_what_the_formulas_say():
    box = gear_cards.box(load_track("main-event").track)
    cards = gear_cards.parted(gear_cards.deck())
    rows = [tuple(box.speed(card, gear) for gear in range(1, 7)) + (box.nitrous(card), card[0]) for card in cards]
    assert len(set(rows)) == 120
    for suit in "123456":
        for gear in range(1, 7):
            here = sorted(box.speed(card, gear) for card in cards if card[0] == suit)
            assert here == [gear_cards.DIGITS.index(digit) for digit in gear_cards.ROWS[gear - 1].speeds]
    pairs = [row[3:5] for row in rows]
    assert [pairs.count(pair) for pair in ((3, 3), (6, 8), (8, 5))] == [1, 4, 3]
    assert sorted(int(token) for token in box.control) == [1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6]


def test_a_course_brings_cards_of_its_own(tmp_path):
    text = (list_tracks("fast_and_furious")[0].path).read_text(encoding="utf-8")
    suits = "".join('\n[[card]]\nword = "suit-%d-%s"\ncount = 1\n' % (suit, "-".join(["12345a%d" % suit] * 20))
                    for suit in range(1, 7))
    more = "".join('\n[[card]]\nword = "%s"\ncount = 1\n' % word
                   for word in ("minimum-1-2-3-4-5-6", "drivers-ice-apex-anchor-tuner"))
    path = tmp_path / "main-event.toml"
    path.write_text(text + suits + more, encoding="utf-8")
    track = compile_file(path).track
    box = gear_cards.box(track)
    assert [box.speed("3c", gear) for gear in range(1, 7)] == [1, 2, 3, 4, 5, 10] and box.nitrous("3c") == 3
    assert box.minimum(6) == 6 and box.drivers == ("ice", "apex", "anchor", "tuner")
    assert About.problems(Setup.from_plain(plain(2), track, Game), track) == []
    path.write_text(text + suits.replace("suit-6", "suit-7"), encoding="utf-8")
    track = compile_file(path).track
    setup = Setup()
    setup.players = [["person", "A"], ["person", "B"]]
    assert "Expected cards such as suit-1" in " ".join(About.problems(setup, track))


# Courses


def plain(seats, **more):
    return {"game": "fast_and_furious", "players": [["person", "P%d" % seat] for seat in range(seats)], "seed": "a", **more}


@pytest.mark.parametrize("course", COURSES)
def test_the_courses_are_those_of_the_rules_page(course):
    one = load_track(course)
    rows, upgrades = COURSES[course]
    assert (one.track.rows, setup.of_course(one.track)) == (rows, upgrades)
    shape = page_geometry(one)
    assert sum(sign["upgrades"] for sign in shape["indicators"]) == upgrades - 4
    shown = [[barrier["row"], barrier["speed"]] for barrier in shape["barriers"]]
    assert shown == [list(pair) for pair in one.track.barriers]
    starts = [space for space in shape["spaces"] if space["start"]]
    assert len(starts) >= 4 and all(space["name"][-1] in "efgh" for space in starts)
    assert all(space["sign"] == str(space["limit"]) for space in shape["spaces"] if space["limit"])
    centres = [space["centre"] for space in shape["spaces"]]
    assert len({tuple(centre) for centre in centres}) == one.track.count


@pytest.mark.parametrize("course", COURSES)
def test_a_layout_tells_the_whole_course(course):
    source = load_track(course).source
    again = parse_layout(write_layout(source, False), source.lanes, 1, game="fast_and_furious", level="street")
    one, other = build_graph(source), build_graph(again)
    for key in ("ahead", "beside", "branch", "extra", "limits", "barriers", "upgrades", "closed", "marks"):
        assert getattr(one, key) == getattr(other, key), key


def test_lanes_end_and_begin_on_straights_alone():
    for layout in ("S4 L2x3v4 S3x2", "S4 L2x3v4 L2x2v4", "S4x2 L2x3v4 S4"):
        with pytest.raises(BadTrack, match="Lanes can't"):
            compile_layout(layout, 3, 1, game="fast_and_furious", level="street")
    track = Track.unpack(compile_layout("S4 S2x2 S2", 3, 1, game="fast_and_furious", level="street"))
    course = Course(track)
    assert course.ahead[track.named("4c")] == NONE and course.ahead[track.named("8c")] == FINISH


@pytest.mark.parametrize(("change", "says"), [
    (("limit = 4", "limit = 0"), "Expected 1 to 30, found 0"),
    (("limit = 4", "limit = [4]"), "a list with one for each of the 2 lanes"),
    (("upgrades = 1", "upgrades = 12"), "Expected 0 to 9"),
    (("\n[[section]]", "\n[[barrier]]\nrow = 99\nspeed = 4\n\n[[section]]"), "found 99"),
])
def test_mistakes_in_a_course_are_told(tmp_path, change, says):
    text = load_track("tokyo-drift").source.path.read_text(encoding="utf-8")
    path = tmp_path / "tokyo-drift.toml"
    path.write_text(text.replace(*change, 1), encoding="utf-8")
    with pytest.raises(FileProblems, match=says.replace("[", r"\[")):
        compile_file(path)


@pytest.mark.parametrize("layout", ["S5 L2v4*1 S8 4a>6>10a S3", "S4 R2v5*1 S5 R2v3*2 S3 loop",
                                    "S4 R2v5*1 S5 6b>3>9b S3 loop"])
def test_free_courses_are_raced_to_the_end(layout):
    track = Track.unpack(compile_layout(layout, 2, 2 if "loop" in layout else 1, game="fast_and_furious", level="street"))
    done = 0
    for seed in range(4):
        setup = Setup.from_plain(plain(3, seed=str(seed), laps=track.laps), track, Game)
        race = proof.random_race(setup, track, "free-%d" % seed, None, Game)
        done += [car.status for car in race.game.cars_].count("done")
        assert race.over
    assert done


def test_a_race_in_which_nobody_gets_on_is_over():
    track = Track.unpack(compile_layout("S3 L2v4 S4 o6a o6b", 2, 1, game="fast_and_furious", level="street"))
    race = proof.random_race(Setup.from_plain(plain(2), track, Game), track, "stuck", None, Game)
    assert race.over and [car.status for car in race.game.cars_] == ["run", "run"]


# Nobody can move on (FF-46)


class Deadlock:
    """Whether any car can ever cross the line, found by trying every step of every car, one after another."""

    def __init__(self, game):
        self.game, self.course = game, game.course

    def start(self):
        """What matters about each car."""
        return tuple((car.number, car.space, car.crossings, car.tokens("aerodynamics"), car.used_tokens("aerodynamics"),
                      car.driver == "mechanic" and not car.helped)
                     for car in self.game.running())

    def somebody_gets_on(self):
        seen, left = {self.start()}, [self.start()]
        while left:
            for there in self.after(left.pop()):
                if there is True:
                    return True
                if there not in seen:
                    seen.add(there)
                    left.append(there)
        return False

    def after(self, state):
        """Everything that one more turn of a car may make of this: True if it crosses the line. Mates wait
        for as long as their team's car is there."""
        mates = [self.game.car((other[0] + 1) % 4 + 1) for other in state] if self.game.tag else []
        waiting = [mate.space for mate in mates if mate.status == "wait"]
        for at, car in enumerate(state):
            for after in self.turns(car, [*self.game.obstacles, *waiting, *[other[1] for other in state]]):
                yield after is True or state[:at] + after + state[at + 1:]

    def turns(self, car, taken):
        """True over the line, () out of the race, else (the car after its turn,)."""
        number, space, crossings, tokens, spent, helps = car
        course = self.course
        if self.game.damage or course.barrier(space):
            yield ()                                            # junked, or too slow for the barrier twice
        if helps and spent:
            yield ((number, space, crossings, tokens + 1, spent - 1, False),)
        steps = [(to, 0) for to in [course.ahead[space], course.beside(space, -1), course.beside(space, 1),
                                    *course.branches(space)]]
        steps += [(to, 1) for to in course.diagonals(space) if tokens]
        for to, oblique in steps:
            over = 0 <= to < FINISH and course.crosses(space, to)
            if to == FINISH or over and crossings + 1 >= self.game.setup.laps:
                yield True
            elif 0 <= to < FINISH and to not in taken:
                yield ((number, to, crossings + over, tokens - oblique, spent + oblique, helps),)

    def drive(self, dice):
        """Random turns until the race is over."""
        state = self.start()
        for _ in range(2000):
            if finish.nobody_gets_on(self.game):
                return
            state = dice.choice(list(self.after(state)))
            for car in self.game.running():
                now = [one for one in state if one[0] == car.number]
                if not now:
                    self.game.take_out(car)
                for _, space, crossings, tokens, spent, helps in now:
                    car.space, car.crossings, car.helped = space, crossings, int(not helps)
                    car.upgrades, car.spent = "0000000%d0" % tokens, "0000000%d0" % spent
        raise AssertionError("it goes on for ever")


@pytest.mark.parametrize("layout", ["S6", "S3 L2v3 S3", "S3 L2v3 |4 S3", "S4x3 S2x2 S3", "S6 3a>2>5a", "S3 R2v3 S3 loop"])
def test_a_race_is_over_where_no_step_of_anybody_leads_on(layout):
    """Never sooner; and no later than when the cars that can still move have come to a dead end too."""
    dice = random.Random(layout)
    ended = late = 0
    for _ in range(300):
        track = Track.unpack(compile_layout(layout, 3 if "x" in layout else dice.randint(1, 3), 1, game="fast_and_furious",
                                            level="street"))
        options = [["damage", dice.choice(["no", "no", "yes"])], ["drivers", "chosen"]]
        laps = dice.randint(1, 2) if "loop" in layout else 1
        race = Race(Setup.from_plain(plain(3, laps=laps, options=options), track, Game), track, None, Game)
        places = dice.sample(range(track.in_rows), 3)
        cars = range(1, 1 + dice.randint(1, 3))
        race.arrange({
            "cars": ["%d %s" % (car, track.space_name(places[car - 1])) for car in cars], "drivers": ["1 mechanic"],
            "obstacles": [track.space_name(space) for space in range(track.in_rows)
                          if space not in places and dice.random() < 0.45],
            "upgrades": ["%d aerodynamics %d" % (car, dice.choice([0, 0, 1, 2])) for car in cars],
            "spent": ["%d aerodynamics %d" % (car, dice.choice([0, 0, 1, 2])) for car in cars],
        })
        race.game.car(1).helped = dice.randint(0, 1)
        there, over = Deadlock(race.game), finish.nobody_gets_on(race.game)
        ended += over
        if there.somebody_gets_on():
            assert not over, race.save()
        elif not over:
            late += 1
            there.drive(dice)
    assert 40 < ended < 260 and late < 3


@pytest.mark.parametrize("layout", ["S3 R2v3 S3 loop", "S3 |4 S3 loop", "S3 L2v3 S2 |4 S2 loop"])
def test_a_race_of_teams_is_over_where_no_step_of_anybody_leads_on(layout):
    """Mates waiting on the start card are in the way as long as nobody lets them start and their team isn't out."""
    dice = random.Random(layout)
    ended = 0
    for _ in range(200):
        track = Track.unpack(compile_layout(layout, dice.randint(1, 2), 1, game="fast_and_furious", level="street"))
        options = [["damage", dice.choice(["no", "no", "yes"])]]
        race = Race(Setup.from_plain(plain(4, variant="tag-team", laps=1, options=options), track, Game), track, None, Game)
        start = range(track.count - 4, track.count)
        places = dice.sample(start, 4)
        for car in (1, 2):
            places[car - 1] = dice.choice([places[car - 1], dice.choice([*range(2 * car - 2, 2 * car)])])
        race.arrange({
            "cars": ["%d %s" % (car, track.space_name(space)) for car, space in enumerate(places, 1)],
            "obstacles": [track.space_name(space) for space in range(track.in_rows)
                          if space not in places and dice.random() < 0.2],
            "upgrades": ["%d aerodynamics %d" % (car, dice.choice([0, 0, 0, 1])) for car in (1, 2)],
        })
        there, over = Deadlock(race.game), finish.nobody_gets_on(race.game)
        ended += over
        if there.somebody_gets_on():
            assert not over, race.save()
        elif not over:
            there.drive(dice)
    assert 20 < ended < 180


@pytest.mark.parametrize(("lanes", "home"), [(1, 0), (3, 1)])
def test_two_teams_on_a_narrow_loop_come_to_an_end(lanes, home):
    """On one lane the waiting mates stand ahead of the running cars: nobody ever gets off the start card."""
    track = Track.unpack(compile_layout("S12 loop", lanes, 1, game="fast_and_furious", level="street"))
    setup = Setup.from_plain(plain(4, variant="tag-team", laps=1), track, Game)
    race = proof.random_race(setup, track, "narrow", None, Game)
    assert race.over and [car.status for car in race.game.cars_].count("done") == home
