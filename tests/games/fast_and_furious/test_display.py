"""Fast & Furious on the full board's lights: four dials, penalties that count down in a corner, objects on the track."""

from lights_script import BOARD, MemoryHal
from sights import APART, SIGHTS, lab, seen

from glow.lights.colours import WORDS, rgb
from glow.lights.lights import MARK_LEVEL, Lights
from gridglow.tracks import compile_layout
from gridglow.tracks.ledmap import map_by_space
from shared_rules.games.fast_and_furious import car
from shared_rules.games.fast_and_furious.rules import Game
from shared_rules.race import Race
from shared_rules.setup import Setup
from shared_rules.track import Track

GEAR, LIMIT, SPEED, DAMAGE = range(8), range(8, 16), range(16, 24), range(24, 32)


class Evening:
    """A race of two with real cards under way, and its lights."""

    def __init__(self, layout, lanes, options=(), **state):
        self.track = Track.unpack(compile_layout(layout, lanes, 1, game="fast_and_furious", level="street"))
        plain = {"game": "fast_and_furious", "variant": "street", "track": self.track.id, "laps": 1, "dice": "device",
                 "decks": "table", "seed": "dials", "salt": "s", "players": [["person", "Ann"], ["person", "Ben"]],
                 "options": [list(one) for one in options]}
        self.race = Race(Setup.from_plain(plain, self.track, Game), self.track, None, Game)
        self.race.arrange({"cars": ["1 8a", "2 20a"], "hands": ["1 1"], **state})
        self.hal = MemoryHal(BOARD)
        self.lights = Lights(BOARD, self.hal)
        self.lights.load_track(map_by_space(self.track).plain(), self.track)
        self.lights.set_cars(self.race.game.cars(), Game.LOW_DIALS)
        self.lights.mark_colours = dict(Game.MARK_COLOURS)
        self.lights.show_race(1000)
        self.now = 1000
        self.show()

    def answer(self, *texts):
        for text in texts:
            self.race.answer(1, text)
            self.show()

    def show(self):
        self.scene = self.race.scene()
        self.events = self.race.take_events()
        self.lights.scene(self.scene, self.events, self.now)

    def lit(self, *dials):
        """How many LEDs of each of these dials of seat 1 are lit."""
        found = self.hal.pixels[1].lit()
        return tuple(len([pixel for pixel in found if pixel in dial]) for dial in dials)

    def run(self, *dials):
        """What these dials showed, picture by picture, until nothing moves any more."""
        shown = []
        for _ in range(1000):
            self.lights.tick(self.now)
            if [self.lit(*dials)] != shown[-1:]:
                shown.append(self.lit(*dials))
            if not self.lights.busy(self.now):
                break
            self.now += 10
        self.lights.tick(self.now + 40)
        return shown if shown[-1:] == [self.lit(*dials)] else [*shown, self.lit(*dials)]


def test_gear_limit_and_speed_stand_on_three_dials_and_damage_on_a_fourth():
    evening = Evening("S30", 2, [["damage", "yes"]], gears=["1 4"], damage=["1 2 0"])
    evening.run()
    assert evening.lit(GEAR, LIMIT, SPEED, DAMAGE) == (4, 6, 0, 2)
    assert evening.lights.dials.has_room(1, len([row for row in evening.scene.dials if row[0] == 1]))
    evening.answer("play 6 1", "draw 9", "pick 9")
    evening.run()
    assert evening.lit(GEAR, LIMIT, SPEED, DAMAGE) == (4, 6, 3, 2), "9 of 24 on eight pixels"


def test_the_penalty_dial_counts_down_as_the_car_goes_through_the_corner_and_then_the_gear():
    evening = Evening("S8 L2v5 S20", 1, gears=["1 4"])
    evening.answer("play 6 1", "draw 9", "pick 9")
    assert evening.run(GEAR, LIMIT) == [(4, 6)]
    evening.answer("go 17a cost 8")
    assert evening.run(GEAR, LIMIT) == [(4, 6), (4, 2), (2, 0)], "four on the first space, then two cards and two gears"
    assert evening.race.game.look("car 1 penalties") == "8"


def test_points_of_a_blocked_car_go_where_it_stands():
    evening = Evening("S30", 1, gears=["1 4"])
    evening.race.arrange({"cars": ["1 8a", "2 14a"], "gears": ["1 4"], "hands": ["1 1"]})
    evening.answer("play 6 1", "draw 7", "pick 7", "go 13a cost 2")
    moves = [event for event in evening.events if event[0] in ("moved", "spent")]
    assert [event[0] for event in moves] == ["moved", "spent"] and moves[1][3] == 2
    assert evening.run(LIMIT) == [(6,), (4,)]


def test_tires_spare_penalties_on_the_dial_too():
    evening = Evening("S8 L2v5 S20", 1, gears=["1 4"], upgrades=["1 tires 2"], turns=["1 1"])
    evening.answer("play 6 1", "draw 9", "use tires", "use tires", "pick 9", "go 17a cost 4")
    assert evening.run(LIMIT) == [(6,), (4,), (2,)]


def test_what_dials_have_no_room_for_is_told_in_lines():
    evening = Evening("S30", 1, gears=["1 4"], upgrades=["1 tires 2 steering 1", "2 nitrous 1"])
    lines = [line for line in evening.scene.lines if line[0] == "fast_and_furious.line_car"]
    assert [line[1] for line in lines] == ["car:1", "car:2"]
    assert lines[0][2].replace("heads:", "").split() == ["tires-", "tires-", "steering-"]
    assert len(car.UPGRADES) > 2, "more than the board has free dials for"


def test_obstacles_and_block_tokens_have_lights_that_no_car_has():
    evening = Evening("S8 o12b S20", 2, gears=["1 4"], blocks=["2 21b"])
    evening.lights.tick(1040)
    for name, word in (("12b", "obstacle"), ("21b", "block")):
        pixel = evening.hal.pixels[0].pixel(map_by_space(evening.track).leds[evening.track.named(name)])
        wanted = list(rgb(dict(Game.MARK_COLOURS)[word]))
        assert 0 < max(pixel) < 64 and pixel.index(max(pixel)) == wanted.index(max(wanted)), (word, pixel)
    colours = [colour for _, colour in Game.MARK_COLOURS]
    assert set(colours) <= set(WORDS) and not set(colours) & set(car.COLOURS) and len(set(colours)) == 2


def test_what_lies_about_is_told_apart_with_any_sight():
    dim = [[level * MARK_LEVEL // 255 for level in rgb(colour)] for _, colour in Game.MARK_COLOURS]
    for sight in SIGHTS:
        one, other = (lab(*seen(levels, sight)) for levels in dim)
        assert sum((a - b) ** 2 for a, b in zip(one, other)) ** 0.5 >= APART / 2, sight
