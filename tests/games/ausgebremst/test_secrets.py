"""Nothing of a hand, a deck or a stack leaves the board except to its owner: all outputs of races that differ
only in hidden things are compared tick by tick, and the public ones are searched."""

import pytest
import secrecy
from secrecy import SALT, SEED


@pytest.fixture(scope="module")
def flash(tmp_path_factory):
    return secrecy.flash(tmp_path_factory, "ausgebremst")


def evening_of(flash, folder, variant):
    """An Evening of three."""
    return secrecy.Evening(flash, folder, 3, game="ausgebremst", track="bleifuss-drom", variant=variant,
                           grid=[4, 5, 6, 1, 2, 3])


def prepared(evening, deck, stack):
    """Decks and stacks up to the first turn: seat 1 as given, the others always alike."""
    race = evening.app.race
    evening.answer("pick " + deck, 1)
    evening.answer("pick slow", 2)
    evening.answer("pick slow", 3)
    while race.game.phase == "stacks":
        evening.answer(stack(race.game.step), 1)
        evening.answer("pick 2", 2)
        evening.answer("pick 3", 3)
    while race.game.phase == "take":
        for seat in (1, 2, 3):
            evening.answer(race.prompt_of(seat).options()[0], seat)
    return race


def test_decks_and_stacks_change_nothing_that_others_see(flash, tmp_path):
    """LEDs, display, sounds, messages, journal, standings, dials: the same whatever deck and stacks seat 1 has."""
    first = evening_of(flash, tmp_path / "a", "pro")
    one = prepared(first, "fast", lambda step: "pick %d" % (1 + step % 4))
    second = evening_of(flash, tmp_path / "b", "pro")
    other = prepared(second, "slow", lambda step: "pick %d" % (1 + step // 3))
    assert one.game.hands[0] != other.game.hands[0] or one.game.stacks[0] != other.game.stacks[0]
    secrecy.same(first, second)
    assert first.views[2] == second.views[2] and first.views[3] == second.views[3]
    assert first.views[1] != second.views[1]
    assert one.digest() != other.digest()


@pytest.mark.parametrize("variant", ["family", "pro"])
def test_a_hand_is_in_its_own_view_alone(flash, tmp_path, variant):
    evening = evening_of(flash, tmp_path / variant, variant)
    race = evening.app.race if variant == "family" else prepared(evening, "average", lambda step: "pick 1")
    for _ in range(9):
        if race.over:
            break
        prompt = race.prompts[0]
        hand = "Hand: " + " ".join(reversed(race.game.hands[prompt.seat - 1]))
        evening.say({"t": "view", "seat": prompt.seat})
        evening.run(20)
        view = evening.views[prompt.seat][-1]
        assert hand in view["private"] and view["prompt"]["choices"] == prompt.options()
        for seat in (1, 2, 3):
            if seat != prompt.seat and evening.views[seat]:
                other = evening.views[seat][-1]["prompt"]
                assert other is None or other["choices"] is None
        evening.answer(prompt.options()[0], prompt.seat)
    text = str(evening.out)
    for word in ("Hand:", "Stacks:", "Deck:", "in_hand", "has_stacks", SEED, SALT, race.digest()):
        assert word not in text, f"{word!r} is public"
    assert "sealed" in race.journal() and "play " not in race.journal()
    assert "Player 1 plays " in text and "has chosen in secret." in text if variant == "pro" else "plays " in text


def test_who_is_asked_at_once_answers_in_any_order_and_nothing_shows(flash, tmp_path):
    evenings = [evening_of(flash, tmp_path / str(at), "pro") for at in (0, -1)]
    for at, evening in zip((0, -1), evenings, strict=True):
        for seat in (3, 1):
            evening.choose(seat, at)
        race = evening.app.race
        assert len(race.pending_answers()) == 2 and race.lines == 0 and [one.seat for one in race.prompts] == [2]
    secrecy.same(*evenings)
    assert evenings[0].views[2] == evenings[1].views[2]
    evenings[0].choose(2, 0)
    assert evenings[0].app.race.lines == 3


def test_which_pit_card_comes_to_the_hand_nobody_else_sees(flash, tmp_path):
    evenings = [evening_of(flash, tmp_path / name, "pro") for name in ("high", "low")]
    for evening, which in zip(evenings, ("pick 4 1", "pick 3 2"), strict=True):
        race = prepared(evening, "slow", lambda step: "pick 1")
        race.arrange({"order": ["4", "5", "6", "1", "2", "3"], "cars": ["1 30b 1", "2 12a 1", "3 2a 1"], "turn": "1",
                      "hands": ["1 3 5", "2 1 2", "3 1 2"], "stacks": ["1 1 2 / 3 / - / 5 6"]})
        evening.rest()
        evening.answer("play 3 2c")
        assert race.prompts[0].ask == "ausgebremst.ask_pit_cards" and race.prompts[0].plain()["choices"] is None
        evening.answer(which)
        assert race.prompts[0].seat == 2
    secrecy.same(*evenings)
    assert evenings[0].views[2] == evenings[1].views[2] and evenings[0].views[3] == evenings[1].views[3]
    hands = ["Hand: 5 4", "Hand: 5 3"]
    assert [evening.look(1)["private"][0] for evening in evenings] == hands


def test_what_shows_is_found(flash, tmp_path):
    """A face-up card is no secret, and whatever is the same on both boards proves nothing."""
    evenings = [evening_of(flash, tmp_path / str(at), "family") for at in (0, -1)]
    with pytest.raises(AssertionError, match="the same answers"):
        secrecy.same(*evenings)
    for at, evening in zip((0, -1), evenings, strict=True):
        evening.choose(evening.app.race.prompts[0].seat, at)
    with pytest.raises(AssertionError, match="what is hidden shows"):
        secrecy.same(*evenings)
