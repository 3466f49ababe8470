"""Racing Rules beyond the vectors: what is shown, real dice and cards, the owner's boards, the bot."""

import json

import pytest
import racing

from glow.texts.texts import Names, Texts
from gridglow import paths
from gridglow.texts import pack_language, read_language
from gridglow.tracks import compile_file, load_track
from shared_rules import games
from shared_rules.chance import Chance
from shared_rules.errors import BadSetup
from shared_rules.games.racing_rules import data
from shared_rules.race import Race
from shared_rules.setup import Setup

HOUSE = paths.tracks_folder() / "racing_rules" / "house-board.toml"


def race_of(variant, state=None, who="PP", track=None, **more):
    track = track or load_track("house-board").track
    plain = racing.plain_setup("racing_rules", who, variant=variant, dice="table", **more)
    race = Race(Setup.from_plain(plain, track), track)
    if state:
        race.arrange(state)
    return race


def labels(race, seat=1):
    """The options of the open choice as people read them."""
    prompt = race.prompt_of(seat)
    names = Names(_English(), race.game.cars(), race.setup.players, "racing_rules")
    return [Texts.format(_English(), row[0], row[1:], names) if row else None for row in prompt.labels()]


class _English(Texts):
    """The English texts without a pack."""

    def __init__(self):
        self._all = read_language("en")

    def _find(self, key):
        return self._all.get(key)


def own_board(tmp_path, old, new):
    text = HOUSE.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "house-board.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return compile_file(path).track


def test_both_results_are_shown_before_the_choice():
    race = race_of("race-3", {"cars": ["1 20a", "2 24a"]})
    racing.give(race, "1 roll white-6")
    prompt = race.prompt_of(1)
    assert prompt.options() == ["pick colours", "pick numbers"]
    assert labels(race) == ["Colours: to 24a, bumps Magenta", "Numbers: to 26a"]
    track = race.track
    assert [track.space_name(space) for space in prompt.ends] == ["24a", "26a"]


def test_a_result_that_leads_too_far_ends_where_the_car_stands():
    race = race_of("race-3", {"cars": ["1 79a"]})
    racing.give(race, "1 roll red-1")
    assert labels(race) == ["Colours: too far, stay", "Numbers: to 80a"]
    assert [race.track.space_name(space) for space in race.prompt_of(1).ends] == ["79a", "80a"]


def test_turbocharge_shows_where_going_on_ends():
    race = race_of("turbocharge", {"cars": ["1 10a"]})
    racing.give(race, "1 roll red-1 blue-3")
    prompt = race.prompt_of(1)
    assert prompt.options() == ["go 21a", "pass"]
    assert [race.track.space_name(space) for space in prompt.ends] == ["21a", "14a"]


def test_why_tells_what_the_roll_does_not_do():
    race = race_of("race-6", {"cars": ["1 20a"]})
    racing.give(race, "1 roll red-1 blue-3")
    near = {one.text: one.reason for one in race.prompt_of(1).refused()}
    assert near["pass"] == "racing_rules.must_choose"
    assert near["go 24a"] == "racing_rules.say_method" and near["go 23a"] == "racing_rules.not_there"


def test_turns_lost_and_won_stand_on_the_dials():
    race = race_of("race-2", {"cars": ["1 20a", "2 14a"]})
    racing.give(race, "1 roll purple-2")
    dials = {(row[0], row[2]): row[3:] for row in race.scene().dials}
    assert dials[1, "racing_rules.dial_lost"] == [1, 1]
    racing.give(race, "2 roll red-1")
    scene = race.scene()
    dials = {(row[0], row[2]): row[3:] for row in scene.dials}
    assert dials[2, "racing_rules.dial_extra"] == [1, 1] and race.prompts[0].seat == 2
    assert ["racing_rules.news_turbo", "car:2"] in scene.lines


def test_a_turn_that_is_missed_is_told():
    race = race_of("race-2", {"cars": ["1 20a"], "skips": ["2 1"]})
    racing.give(race, "1 roll red-1")
    scene = race.scene()
    assert race.prompts[0].seat == 1
    assert ["spent", 2, "racing_rules.dial_lost", 1] in race.take_events()
    assert ["racing_rules.news_misses", "car:2"] in scene.lines


def test_cards_at_the_table_may_be_any_that_the_engine_knows():
    race = race_of("race-1", {"cars": ["1 2a"]}, decks="table")
    racing.give(race, "1 roll red-1")
    prompt = race.prompt_of(1)
    assert prompt.source == "table" and prompt.options() == ["draw " + card for card in data.effects()]
    assert len(prompt.options()) == 5 * 8 + 2 * 8 + 3
    racing.give(race, "1 draw back-gold")
    assert race.game.look("car 1") == "2a"


@pytest.mark.parametrize("card", data.effects())
def test_every_card_can_be_played_and_has_a_name(card, tmp_path):
    race = race_of("race-1", {"cars": ["1 42a", "2 50a"]}, decks="table")
    racing.give(race, "1 roll red-1", "1 draw " + card)
    (tmp_path / "en.pack").write_bytes(pack_language("en"))
    names = Names(Texts(str(tmp_path / "en.pack")), [], [], "racing_rules")
    assert (names.card(card) != card or card == "nothing") and "{" not in names.card(card)


def test_the_house_deck_has_24_known_cards():
    assert sum(count for count, _ in data.DECK) == 24
    assert all(data.effect(card) is not None and card in data.effects() for _, card in data.DECK)


def test_a_die_of_ones_own_is_described_in_the_track(tmp_path):
    die = ["red-1", "gold-2", "red-3", "white-4", "black-5", "blue-6"]
    track = own_board(tmp_path, "lanes = 1\n", f"lanes = 1\ndie = {json.dumps(die)}\n")
    race = race_of("race-3", track=track)
    assert race.prompt_of(1).dice == [die]
    racing.give(race, "1 roll red-3", "1 pick numbers")
    assert race.game.look("car 1") == "3a"


def test_a_deck_of_ones_own_is_described_in_the_track(tmp_path):
    cards = "".join(f'\n[[card]]\nword = "{word}"\ncount = {count}\n' for word, count in (("ahead-7", 2), ("back-blue", 1)))
    track = own_board(tmp_path, "\n[[mark]]", cards + "\n[[mark]]")
    race = race_of("race-1", track=track)
    assert sorted(race.game.pile) == ["ahead-7", "ahead-7", "back-blue"]


def test_a_board_that_lacks_what_the_rules_need_is_refused(tmp_path):
    with pytest.raises(BadSetup, match="Expected a colour for every space, 'house-board' has none on 1a"):
        race_of("race-1", track=own_board(tmp_path, 'colours = ["black"', '# ["black"'))
    with pytest.raises(BadSetup, match="has one 'fly-3', which the engine doesn't know"):
        race_of("race-1", track=own_board(tmp_path, "\n[[mark]]", '\n[[card]]\nword = "fly-3"\ncount = 1\n\n[[mark]]'))
    with pytest.raises(BadSetup, match="Expected faces such as 'red-1' on the die of 'house-board', got 'pink-1'"):
        race_of("race-1", track=own_board(tmp_path, "lanes = 1\n", 'lanes = 1\ndie = ["pink-1", "red-2"]\n'))


def test_the_pile_is_hidden_and_used_cards_are_not():
    race = race_of("race-1", who="PP")
    public = json.dumps(race.game.dump(race.game.secret_fields))
    assert "ahead-2" not in public and "ahead-2" in json.dumps(race.game.dump())


@pytest.mark.parametrize("variant, least", [("race-3", 85), ("race-6", 70)])
def test_the_bot_beats_random_players(variant, least):
    track = load_track("house-board").track
    won = 0
    for number in range(60):
        players = [["bot", "Bot"], ["person", "Random"]]
        plain = {"game": "racing_rules", "variant": variant, "seed": f"mine-{number}",
                 "players": players[::-1] if number % 2 else players}
        race = Race(Setup.from_plain(plain, track), track)
        hands = Chance(f"mine-{number}", "hands")
        while not race.over:
            seat = race.prompts[0].seat
            race.answer(seat, race.bot_answer(seat) if race.setup.is_bot(seat) else race.prompts[0].sample(hands))
        won += race.setup.is_bot(race.standings()[0][0])
    assert 100 * won // 60 >= least


def test_the_menu_needs_no_rules():
    about = games.about("racing_rules")
    assert about.VARIANTS == ("race-1", "race-2", "race-3", "race-4", "race-5", "turbocharge", "race-6")
    game = games.load("racing_rules")
    assert (game.VARIANTS, game.SEATS, game.DECKS) == (about.VARIANTS, about.SEATS, about.DECKS)
