"""Setting a race up: every mistake is reported, all at once, and strange data crashes nothing."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from racing import new_race, plain_setup, short_track
from tiny_games import hidden_cards, reactions

from shared_rules.errors import BadSetup
from shared_rules.setup import Setup

HIDDEN = short_track("tiny_hidden_cards")


def setup(**more):
    return Setup.from_plain(plain_setup("tiny_hidden_cards", **more), HIDDEN, hidden_cards.Game)


def problems(plain, track=HIDDEN, game_class=hidden_cards.Game):
    with pytest.raises(BadSetup) as caught:
        Setup.from_plain(plain, track, game_class)
    assert str(caught.value) == " ".join(caught.value.problems)
    return caught.value.problems


def test_there_and_back():
    first = setup(who="PBP", options=[["hand", "1"]], dice="table", laps=3)
    again = Setup.from_plain(json.loads(json.dumps(first.plain())), HIDDEN, hidden_cards.Game)
    assert again.plain() == first.plain()
    assert first.option("hand") == "1" and first.is_bot(2) and not first.is_bot(0) and first.seats() == [1, 2, 3]
    with pytest.raises(KeyError):
        first.option("wings")


def test_what_may_be_left_out():
    bare = Setup.from_plain({"game": "tiny_hidden_cards", "players": [["person", " Ann "], ["bot", "Bo"]]}, HIDDEN,
                            hidden_cards.Game)
    assert bare.plain() == {
        "game": "tiny_hidden_cards", "variant": "short", "track": "short-ring", "laps": 2,
        "options": [["hand", "2"]], "players": [["person", "Ann"], ["bot", "Bo"]],
        "dice": "device", "decks": "device", "seed": "0", "salt": "0",
    }


def test_all_problems_at_once():
    found = problems({
        "game": "tiny_hidden_cards", "variant": "long", "laps": 0, "options": [["hand", "9"], ["wings", "2"], "x"],
        "players": [["ghost", "Ann"], ["person", ""]], "dice": "mine", "decks": "yours", "seed": "a b",
    })
    for word in ("variant", "laps", "hand", "wings", "pairs", "person or bot", "name", "dice", "decks", "seed"):
        assert any(word in sentence for sentence in found), (word, found)
    assert len(found) == 10
    assert all(sentence.startswith("Expected ") and sentence.endswith(".") for sentence in found)


@pytest.mark.parametrize("who", ["", "P", "PPPPP"])
def test_too_few_and_too_many_seats(who):
    assert problems(plain_setup("tiny_hidden_cards", who)) == ["Expected 2 to 4 seats, got %d." % len(who)]


@pytest.mark.parametrize("laps", [0, -1, 100, "3", True, 1.0, [1]])
def test_laps_that_are_none(laps):
    assert problems(plain_setup("tiny_hidden_cards", laps=laps)) == ["Expected 1 to 99 laps, got %s." % (laps,)]


def test_a_track_of_another_game():
    found = problems(plain_setup("tiny_hidden_cards"), short_track("moto_grand_prix"))
    assert found == ["Expected a track of tiny_hidden_cards, got 'short-ring', which is one of moto_grand_prix; "
                     "choose another track."]


def test_bots_cannot_hold_real_cards():
    found = problems(plain_setup("tiny_hidden_cards", "PB", decks="table"))
    assert found == ["Bots can't hold real cards: let the device deal, or take the bots out."]
    assert setup(who="PP", decks="table").decks == "table"
    # A game without decks has nothing to hold.
    assert new_race(reactions.Game, "PB", decks="table").setup.decks == "table"


@pytest.mark.parametrize("game", ["", "chess", None, 3, ["moto_grand_prix"], {}])
def test_games_that_are_none(game):
    with pytest.raises(BadSetup, match="Expected a game of"):
        Setup.from_plain({"game": game}, HIDDEN)


@pytest.mark.parametrize("name", ["", "   ", "a" * 25, "a\nb", "a\tb", "\x7f", "\ud800"])
def test_names_that_are_none(name):
    found = problems(plain_setup("tiny_hidden_cards", players=[["person", name], ["person", "Bo"]]))
    assert len(found) == 1 and found[0].startswith("Expected a name of 1 to 24 visible characters")
    found[0].encode()


@pytest.mark.parametrize("seed", ["a b", "ä", "x" * 65, "a\n"])
def test_seeds_that_are_none(seed):
    assert "Expected a seed" in problems(plain_setup("tiny_hidden_cards", seed=seed))[0]
    assert "Expected a seed" in problems(plain_setup("tiny_hidden_cards", salt=seed))[0]


JUNK = st.recursive(st.none() | st.booleans() | st.integers(-3, 9) | st.text(max_size=3) | st.floats(allow_nan=False),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
                    max_leaves=5)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from(["game", "variant", "laps", "options", "players", "dice", "decks", "seed", "salt"]),
                       JUNK, max_size=4))
def test_junk_is_a_set_up_or_bad_set_up(junk):
    plain = plain_setup("tiny_hidden_cards")
    plain.update(junk)
    try:
        Setup.from_plain(plain, HIDDEN, hidden_cards.Game)
    except BadSetup as error:
        assert error.problems


@pytest.mark.parametrize("junk", [None, 3, [], "x", [["game", "moto_grand_prix"]]])
def test_what_is_no_set_up_at_all(junk):
    with pytest.raises(BadSetup):
        Setup.from_plain(junk, HIDDEN, hidden_cards.Game)
