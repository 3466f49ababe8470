"""Upgrades are placed in secret, and only their owners see hands: all outputs of races that differ only in hidden things
are compared tick by tick, and the public ones are searched; also when somebody takes back or leaves while choosing."""

import pytest
import secrecy
from secrecy import SALT, SEED

SEATS = 3


@pytest.fixture(scope="module")
def flash(tmp_path_factory):
    return secrecy.flash(tmp_path_factory, "fast_and_furious")


def evening_of(flash, folder, **more):
    """An Evening of three on the course that gives four upgrades."""
    return secrecy.Evening(flash, folder, SEATS, game="fast_and_furious", track="main-event", laps=1, **more)


def choose_all(evening, at):
    """All upgrades are placed: seat 1 takes its option number ``at``, the others engine power."""
    race = evening.app.race
    while race.game.phase == "upgrades":
        for seat in (2, 3, 1):
            evening.answer(race.prompt_of(seat).options()[at] if seat == 1 else "pick power", seat)


def test_upgrades_change_nothing_that_others_see_until_all_have_chosen(flash, tmp_path):
    """LEDs, display, sounds, messages, journal, standings, dials: the same whatever seat 1 places."""
    evenings = [evening_of(flash, tmp_path / str(at)) for at in (0, -1)]
    for at, evening in zip((0, -1), evenings, strict=True):
        race = evening.app.race
        for _ in range(3):
            for seat in (3, 1):
                evening.answer(race.prompt_of(seat).options()[at] if seat == 1 else "pick power", seat)
            assert len(race.pending_answers()) == 2
            evening.answer("pick turbo", 2)
        evening.choose(1, at)                       # the last token: seat 1 has answered, the others are thinking
        assert race.game.phase == "upgrades" and len(race.pending_answers()) == 1
    secrecy.same(*evenings)
    first, second = evenings
    assert first.views[2] == second.views[2] and first.views[3] == second.views[3]
    assert first.views[1] != second.views[1] and first.app.race.digest() != second.app.race.digest()
    for evening in evenings:
        text = str(evening.out) + evening.app.race.journal() + str(evening.app.events)
        for word in ("pick ", "placed", "Nitrous", "Steering", "Engine power", SEED, SALT, evening.app.race.digest()):
            assert word not in text, f"{word!r} is public"


def test_once_all_have_placed_everybody_sees_the_upgrades(flash, tmp_path):
    evenings = [evening_of(flash, tmp_path / str(at)) for at in (1, -1)]
    for at, evening in zip((1, -1), evenings, strict=True):
        choose_all(evening, at)
        assert evening.app.race.game.phase == "places"
    assert [evening.app.race.game.car(1).upgrades for evening in evenings] == ["040000000", "000000004"]
    with pytest.raises(AssertionError, match="what is hidden shows"):
        secrecy.same(*evenings)


def test_a_choice_that_is_taken_back_never_shows(flash, tmp_path):
    """Seat 1 answers, takes that back and answers again, all before the others have: nobody sees what it was."""
    evenings = [evening_of(flash, tmp_path / str(at)) for at in (0, -1)]
    for at, evening in zip((0, -1), evenings, strict=True):
        race = evening.app.race
        evening.choose(1, at)
        number = evening.say({"t": "answer", "seat": 1, "serial": race.prompts[0].serial, "text": "undo"})
        evening.run(60)
        evening.rest()
        assert [one for one in evening.hal.sent if one.get("re") == number], "undo was not answered"
        assert race.pending_answers() == [] and race.prompt_of(1).seat == 1
        evening.answer("pick tuning", 1)
        for seat in (2, 3):
            evening.answer("pick power", seat)
        assert race.game.chosen[0] == "001000000"
    secrecy.same(*evenings)


def test_who_leaves_in_mid_choice_takes_the_secret_along(flash, tmp_path):
    """Seat 1 has answered, seat 2 leaves: the race goes on for the others, and nothing of the answers shows."""
    evenings = [evening_of(flash, tmp_path / str(at)) for at in (0, -1)]
    for at, evening in zip((0, -1), evenings, strict=True):
        race = evening.app.race
        evening.choose(1, at)
        number = evening.say({"t": "answer", "seat": 2, "serial": race.prompt_of(2).serial, "text": "leave"})
        evening.run(60)
        evening.rest()
        assert [one for one in evening.hal.sent if one.get("re") == number], "leave was not answered"
        evening.choose(3, 0)
        assert race.left == [2] and race.game.car(2).status == "out" and race.game.phase == "upgrades"
        assert {prompt.seat for prompt in race.prompts} == {1, 3}
    secrecy.same(*evenings)


def test_a_hand_is_in_its_own_view_alone(flash, tmp_path):
    evening = evening_of(flash, tmp_path / "a")
    race = evening.app.race
    choose_all(evening, 1)
    asked = 0
    while asked < 9:
        prompt = race.prompts[0]
        hand = race.game.hands[prompt.seat - 1]
        view = evening.look(prompt.seat)
        assert view["prompt"]["choices"] == (prompt.options() if prompt.kind == "choose" else None)
        if prompt.secret:
            asked += 1
            gears = " ".join(hand[::2])
            assert "Hand: " + gears in view["private"]
            for seat in range(1, SEATS + 1):
                other = evening.look(seat)
                held = [line for line in other["private"] if line.startswith("Hand")]
                assert held == ["Hand: " + " ".join(race.game.hands[seat - 1][::2])]
                assert seat == prompt.seat or other["prompt"] is None or other["prompt"]["choices"] is None
        evening.answer(prompt.options()[0], prompt.seat)
    text = str(evening.out)
    for word in ("Hand:", SEED, SALT, race.digest()):
        assert word not in text, f"{word!r} is public"
    assert "sealed" in race.journal() and "play " not in race.journal()
