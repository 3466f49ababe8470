"""Full Throttle! beyond its vectors: moves checked by a second reading of the rules, bots, leaving, real cards, lights."""

import itertools
import random
import shutil

import both  # noqa: F401 it brings the fakes of a Pico's modules onto the path
import pytest
import racing
import secrecy
from card_table import CardTable
from golden_frames.board_root import board_root
from lights_script import Picture, bench, take

from glow.lights.lights import Lights
from gridglow.tracks import load_track
from shared_rules.chance import Chance
from shared_rules.games.full_throttle import data
from shared_rules.games.full_throttle.road import Road
from shared_rules.setup import Setup

TRACKS = ("track-a", "track-b")


@pytest.fixture(scope="module")
def flash(tmp_path_factory):
    return board_root(tmp_path_factory.mktemp("board"), "full", "full_throttle")


def new_race(who="PP", track="track-a", laps=3, **more):
    return racing.new_race("full_throttle", who, load_track(track).track, laps=laps, **more)


# Moves, by the names of spaces only

def rows_of(track):
    """The track as lists of names: (inner, outer) of each row or turn."""
    found, turns = [], {section.first_row: section.rows for section in track.sections if section.kind == "corner"}
    row = 1
    while row <= track.rows:
        names = [track.space_name(space) for one in range(row, row + turns.get(row, 1)) for space in track.row_spaces(one)]
        found.append(([name for name in names if name[-1] == "a"], [name for name in names if name[-1] == "b"]))
        row += turns.get(row, 1)
    return found


def walked(rows, name, steps, taken):
    """Where a moped stops, step by step, looking no further ahead than the rulebook does."""
    at = next(number for number, lanes in enumerate(rows) if name in lanes[0] + lanes[1])
    stands = name
    lane = [lane for lane in rows[at] if name in lane][0]
    place = lane.index(name)
    while steps:
        if place + 1 < len(lane):
            place += 1
        else:
            at = (at + 1) % len(rows)
            inner, outer = rows[at]
            place = 0
            if len(inner) > 1:
                lands = steps <= len(inner) and inner[steps - 1] not in taken
                after = rows[(at + 1) % len(rows)]
                through = steps == len(inner) + 1 and any(one not in taken for one in after[0] + after[1])
                assert steps <= len(inner) + 1
                lane = inner if lands or through else outer
            else:
                lane = inner if inner[0] not in taken or not outer or outer[0] in taken else outer
        steps -= 1
        if lane[place] not in taken:
            stands = lane[place]
    return stands


@pytest.mark.parametrize("track_id", TRACKS)
def test_moves_from_every_space_past_any_others(track_id):
    track = load_track(track_id).track
    road, rows = Road(track), rows_of(track)
    names = [track.space_name(space) for space in range(track.count)]
    dice = random.Random(track_id)
    for space, steps in itertools.product(range(track.count), (1, 2, 3)):
        for _ in range(60):
            # Mopeds crowd together ahead: there the rules matter.
            near = [(space + ahead) % track.count for ahead in range(1, 10)]
            taken = dice.sample(near, dice.randrange(6))
            path, counted = road.way(space, steps, taken)
            assert len(counted) == steps + 1 and path == counted[:len(path)] and path[0] == space
            assert path[-1] == space or path[-1] not in taken
            wanted = walked(rows, names[space], steps, [names[one] for one in taken])
            assert names[path[-1]] == wanted, (names[space], steps, [names[one] for one in taken])


@pytest.mark.parametrize("track_id", TRACKS)
def test_race_order_is_that_of_what_is_left_to_drive(track_id):
    track = load_track(track_id).track
    road = Road(track)
    order = sorted(range(track.count), key=road.order_key)
    assert [track.space_name(space) for space in order[:3]] == [f"{track.rows}a", f"{track.rows}b", f"{track.rows - 1}a"]
    assert [track.space_name(space) for space in order[-2:]] == ["1a", "1b"]
    turn = next(section for section in track.sections if section.kind == "corner")
    first = [space for space in order if track.section(space).index == turn.index]
    inner = [track.space_name(space) for space in first if track.lane(space) == 1]
    last = [track.space_name(space) for space in first][:2]
    assert last == [inner[0], f"{turn.first_row + turn.rows - 1}b"], "as many spaces to the end of the turn: inner first"


# Whole races

def test_the_deck_goes_round_without_a_shuffle():
    """Cards put under the deck come back in their order, round after round."""
    race = new_race("PPPP")
    first = data.words(race.game.deck)
    drawn, put = [], []
    chance = Chance("deck", "hands")
    while not race.over and len(drawn) < 110:
        prompt = race.prompts[0]
        text = race.answer(prompt.seat or 1, prompt.sample(chance))
        words = text.split(" ")
        drawn += words[1:] if words[0] == "draw" else []
        put += words[1:] if words[0] == "order" else []
    assert drawn[:84] == first[:84] and len(drawn) > 84
    assert drawn[84:] == put[:len(drawn) - 84]


def test_rounds_are_about_as_many_as_the_game_is_known_for():
    for seats, low, high in ((2, 11, 21), (4, 9, 17), (6, 7, 13)):
        rounds = []
        for number in range(12):
            race = new_race("B" * seats, TRACKS[number % 2], laps=3, seed="rounds-%d" % number)
            while not race.over:
                race.answer(race.prompts[0].seat, race.bot_answer(race.prompts[0].seat))
            rounds.append(race.game.round)
        assert low <= sum(rounds) / len(rounds) <= high, (seats, rounds)


def test_a_bot_is_ahead_of_random_bets():
    won = 0
    for number in range(40):
        players = [["bot", "Bot"], ["person", "Random"]]
        track = load_track(TRACKS[number // 2 % 2]).track
        setup = Setup.from_plain({"game": "full_throttle", "seed": "duel-%d" % number,
                                  "players": players[::-1] if number % 2 else players}, track)
        race = racing.Race(setup, track)
        bot, hands = 1 + number % 2, Chance(setup.seed, "hands")
        while not race.over:
            prompt = race.prompts[0]
            text = race.bot_answer(bot) if prompt.seat == bot else prompt.sample(hands)
            race.answer(prompt.seat or 1, text)
        won += race.standings()[0][0] == bot
    assert won >= 30


def test_a_bot_looks_at_nothing_that_is_hidden():
    """Whatever the deck, the row's hidden cards and the others' bets: the same choice."""
    race = new_race("BPB", seed="look")
    racing.play_until(race, lambda race: race.game.round == 4 and race.prompts[0].seat == 1)
    said = race.bot_answer(1)
    for _ in range(5):
        game = race.game
        cards = list(game.deck + game.bets[1] + game.bets[2] + game.row[len(game.row_open):])
        random.Random(str(_)).shuffle(cards)
        sizes = [len(game.deck), len(game.bets[1]), len(game.bets[2])]
        game.deck, cards = "".join(cards[:sizes[0]]), cards[sizes[0]:]
        game.bets[1], cards = "".join(cards[:sizes[1]]), cards[sizes[1]:]
        game.bets[2], cards = "".join(cards[:sizes[2]]), cards[sizes[2]:]
        game.row = game.row_open + "".join(cards)
        assert race.bot_answer(1) == said


def test_who_leaves_still_takes_a_card_out_each_round():
    race = new_race("PPP")
    racing.play_until(race, lambda race: race.game.round == 3)
    bets = race.game.bets[1]
    race.answer(2, "leave")
    racing.play_until(race, lambda race: race.game.round == 6)
    assert 2 not in [prompt.seat for prompt in race.prompts]
    assert [len(bets) for bets in race.game.bets] == [5, 5, 5] and race.game.bets[1][:2] == bets
    racing.play(race)
    assert race.standings()[-1][0] == 2


def test_a_journal_that_is_sealed_tells_the_start():
    race = new_race("PPP", seed="s1")
    other = new_race("PPP", seed="s2")
    lines = [[row for row in one.journal().split("\n") if row.startswith("start: ")] for one in (race, other)]
    assert len(lines[0]) == len(lines[1]) == 1 and lines[0] != lines[1]
    assert race.game.deck not in lines[0][0]
    from shared_rules import proof
    racing.play_until(race, lambda race: race.prompts[0].secret)
    assert proof.replay(race.journal(), race.track)["problem"] is None
    wrong = race.journal().replace(lines[0][0], lines[1][0])
    assert "public digest" in proof.replay(wrong, race.track)["problem"]
    broken = race.journal().replace(lines[0][0], "start: [1, 2]")
    assert proof.replay(broken, race.track)["problem"]
    assert not [row for row in race.journal(True).split("\n") if row.startswith("start: ")]


# Real cards

def test_real_cards_are_entered_by_kind_and_number_and_counted_in(flash, tmp_path):
    """A whole race with two people's own cards at the panels: revealed with PREV, NEXT and OK, and counted in at the end."""
    evening = secrecy.Evening(flash, tmp_path / "flash", 2, game="full_throttle", track="track-a", decks="table", laps=1)
    race = evening.app.race
    assert race.prompts[0].kind == "draw" and race.prompts[0].source == "table"
    evening.run(500)
    assert evening.shows("> Green ?") or evening.shows("Green")
    evening.press(1, "NEXT")
    assert evening.shows("Yellow")
    evening.press(1, "OK")                         # the moped, then the number
    evening.press(1, "NEXT")
    assert evening.shows("Yellow 2")
    evening.press(1, "OK")
    evening.rest()
    assert race.line(1).text == "draw yellow-2"
    chance = Chance("cards", "hands")
    while race.prompts[0].kind != "number":
        prompt = race.prompts[0]
        evening.answer(prompt.sample(chance))
    assert [message["choices"] for message in evening.hal.sent if message["t"] == "prompts" for message in message["list"]
            if message["kind"] == "draw"][0][:2] == ["draw green-1", "draw green-2"]
    rounds = race.game.rounds_bet()
    seen = data.ordered("".join(cards for cards, _ in race.game.history))
    while race.prompts:
        prompt = race.prompts[0]
        assert prompt.kind == "number" and prompt.options()
        assert evening.app.race.standings() == [[1, 0, 1, 0], [2, 0, 1, 0]]
        evening.answer(prompt.options()[-1])
    counted = "".join(race.game.bets)
    assert race.over and [len(bets) for bets in race.game.bets] == [rounds, rounds]
    for moped in range(6):
        assert sum(data.moped_of(card) == moped for card in counted) <= sum(data.moped_of(card) == moped for card in seen)


def test_who_leaves_takes_nothing_off_what_others_can_count_in():
    """A table is told the cards that a device deals; those who stay can name the bets that the device knows."""
    for number in range(12):
        seats = 2 + number % 5
        device, table = [new_race("P" * seats, TRACKS[number % 2], 1 + number % 2, seed=f"leavers-{number}", decks=decks)
                         for decks in ("device", "table")]
        chance = Chance(f"leavers-{number}", "hands")
        while not device.over:
            seat = 1 + chance.below(seats)
            if chance.below(20) == 0 and seat not in device.left and len(device.left) < seats - 1:
                device.answer(seat, "leave")
                table.answer(seat, "leave")
            prompt = device.prompts[0]
            text = device.answer(prompt.seat or 1, prompt.sample(chance))
            if prompt.kind == "draw":
                table.answer(1, text)
            if table.prompts and table.prompts[0].kind == "choose":
                table.answer(1, "ok")                  # bets are placed by hand
        while not table.over:
            prompt = table.prompts[0]
            kept = [data.MOPEDS[data.moped_of(card)] for card in device.game.bets[prompt.seat - 1]]
            table.answer(prompt.seat, "number %d" % kept.count(data.MOPEDS[int(prompt.args[0][4:]) - 1]))
        assert table.left == device.left
        assert ([row for row in table.standings() if row[0] not in table.left]
                == [row for row in device.standings() if row[0] not in table.left])


def test_a_card_on_the_reader_is_revealed(flash, tmp_path):
    driver = CardTable(str(shutil.copytree(flash, tmp_path / "flash")))
    driver.deck.enrol("04A1B2C3D4E5F6", "Red 3")
    say = driver.app.start_race({"game": "full_throttle", "track": "track-a", "laps": 1, "seed": "nfc", "salt": "s",
                                 "decks": "table", "players": [["person", "Ann"], ["person", "Ben"]]})
    assert not say, say
    driver.run(300)
    driver.asked()
    driver.put("04A1B2C3D4E5F6")
    assert driver.texts() == ["draw red-3"]


# Lights

def shown(lights, hal, now, ms, pixel):
    """The brightest channel of a pixel in each frame over some time."""
    found = []
    for moment in range(now, now + ms, 10):
        if lights.tick(moment):
            found.append(max(hal.pixels[0].frame[3 * pixel:3 * pixel + 3]))
    return found


def test_who_moves_and_how_far_is_shown_before_it_goes():
    lights, hal, _ = bench()
    assert isinstance(lights, Lights)
    picture = Picture([[1, 12, "run"]], [["called", 1, [6, 9, 12]], ["moved", 1, [6, 9, 12]]])
    lights.show_race(1000)
    take(lights, picture, 1000)
    way = shown(lights, hal, 1000, 1350, 12)
    assert lights.busy(2340) and way[0] == 0 and way[-1] > 0, "the end must be lit before the car goes"
    assert shown(lights, hal, 2350, 40, 6)[-1] > 0, "the car must still stand where it was"
    for moment in range(2400, 4000, 10):
        lights.tick(moment)
    assert not lights.busy(4000)
    take(lights, picture, 4000)
    lights.tick(4010)
    lights.skip(4020)                              # after a press it goes on at once
    assert not lights.busy(4030)


def test_the_line_shows_how_often_a_car_has_crossed_it():
    lights, hal, _ = bench()
    for count in (1, 3):
        now = 10000 * count
        lights.show_race(now)
        take(lights, Picture([[1, 30, "run"]], [["crossed", 1, count]]), now)
        for moment in range(now, now + 700, 10):
            lights.tick(moment)
        frame = hal.pixels[0].frame
        lit = [row for row in range(5) if max(frame[9 * row:9 * row + 9]) > 12]
        assert lit == list(range(count))
        lights.skip(now + 600)


def test_six_mopeds_are_told_apart_by_rhythm_too_and_by_nothing_hidden():
    cars = new_race().game.cars()
    assert len({car[4] for car in cars}) == len({car[3] for car in cars}) == 6 and {car[1] for car in cars} == {0}
    race = new_race()
    racing.play_until(race, lambda race: race.game.round == 3)
    scene = race.scene()
    assert [row[2:4] for row in scene.dials] == [["full_throttle.dial_bets", 2]] * 2
    assert [space for space, _ in scene.marks] == race.game.road.bonuses


def test_a_row_of_which_nothing_is_open_says_so():
    seen = set()
    race = new_race()
    for _ in range(400):
        if race.over:
            break
        for line in race.scene().lines:
            if line[0].startswith("full_throttle.line_row"):
                seen.add(line[0])
                assert len(line) == 2 or line[1] != "cards:"
        race.answer(race.prompts[0].seat or 1, race.prompts[0].options()[0])
    assert seen == {"full_throttle.line_row", "full_throttle.line_row_hidden"}


def test_the_podium_is_lit_by_the_mopeds():
    race = new_race(laps=1)
    racing.play(race)
    assert [car - 1 for car in race.game.podium()][:3] == race.game.finished
    assert len(race.game.podium()) == 6


def test_why_tells_why_the_last_moped_stands_where_it_does(flash, tmp_path):
    evening = secrecy.Evening(flash, tmp_path / "flash", 2, game="full_throttle", track="track-a")
    texts = evening.app.texts
    evening.say({"t": "why", "seat": 1})
    evening.run(50)
    assert evening.hal.kinds("why")[-1]["items"] == []             # nothing has moved yet
    told = set()
    for number in range(40):
        race = new_race(seed="why-%d" % number)
        for _ in range(60):
            prompt = race.prompts[0]
            race.answer(prompt.seat or 1, prompt.sample(Chance("why", str(number + _))))
            if race.over:
                break
            prompt = race.prompts[0]
            if prompt.kind == "draw" and prompt.told:
                say, clause = prompt.told()
                assert texts.has(say[0]) and clause.startswith("FT-")
                told.add(clause)
    assert told == {"FT-15", "FT-16", "FT-17", "FT-18", "FT-19", "FT-20", "FT-34"} - ({"FT-34"} - told)
    evening.answer("draw")
    evening.press(1, "WHY")
    assert evening.shows("(FT-") and evening.app.table.questions.places[0].note
    evening.say({"t": "why", "seat": 1})
    evening.run(50)
    text, say, clause = evening.hal.kinds("why")[-1]["items"][0]
    assert text == "" and say.endswith(".") and clause.startswith("FT-")
