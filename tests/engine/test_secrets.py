"""What a seat may not see leaves the engine only through the owner's view, until the podium."""

import pytest
from racing import agree, copied, give, new_race, play, play_until
from tiny_games import hidden_cards

from shared_rules import proof
from shared_rules.chance import seal
from shared_rules.errors import Refused
from shared_rules.journal_file import Journal
from shared_rules.race import Race


def playing(who="PPP", **more):
    """A race whose seats choose their cards."""
    race = new_race(hidden_cards.Game, who, **more)
    play_until(race, lambda race: len(race.prompts) == len(who) and race.prompts[0].kind == "choose")
    return race


def public(race):
    """Everything that everybody may see."""
    plains = [prompt.plain() for prompt in race.prompts]
    for plain in plains:
        del plain["serial"]
    scene = proof.scene_texts(race.scene(), race.take_events())
    return [race.journal().split("\n\n")[1], plains, race.public_digest(), race.standings(), scene,
            [race.line(n).show(True) for n in range(1, race.lines + 1)], race.lines, race.over]


def test_hidden_choices_are_sealed():
    race, other = playing(), playing()
    for seat in (1, 2, 3):
        give(race, "%d %s" % (seat, race.prompt_of(seat).options()[0]))
        give(other, "%d %s" % (seat, other.prompt_of(seat).options()[-1]))
        assert public(race) == public(other)
    assert race.digest() != other.digest()
    assert [race.line(n).show(True).split(" | ")[0] for n in range(race.lines - 2, race.lines + 1)] == [
        "1 sealed", "2 sealed", "3 sealed"]
    for seat in (1, 2, 3):
        give(race, "%d number 0" % seat)
        give(other, "%d number 3" % seat)
        assert public(race) == public(other)


def test_hidden_draws_are_sealed():
    races = [playing(seed=seed, decks="device", dice="table") for seed in ("1", "2", "3", "4", "5", "6")]
    # The open weather card differs between some of them; those with the same card look the same.
    looks = {}
    for race in races:
        look = public(race)
        shown = look[0].split("\n")[0]
        assert looks.setdefault(shown.split(" | ")[0], look[1:4]) == look[1:4]
    assert len({tuple(map(tuple, race.game.hands)) for race in races}) > 1
    assert len(looks) < len(races)


def test_a_view_shows_its_own_seat_only():
    race = playing()
    for seat in (1, 2, 3):
        view = race.view(seat)
        assert view["seat"] == seat and view["prompt"]["seat"] == seat
        assert view["private"] == [["tiny_hidden_cards.in_hand", card] for card in race.game.hands[seat - 1]]
        assert view["prompt"]["choices"] == ["play %d" % card for card in sorted(set(race.game.hands[seat - 1]))]
    give(race, "1 " + race.prompt_of(1).options()[0])
    assert race.view(1)["prompt"] is None
    assert race.view(0)["private"] == race.view(9)["private"] == []


def test_the_order_under_the_deck_is_hidden():
    race = playing(dice="table")
    play_until(race, lambda race: race.prompts[0].ask == "tiny_hidden_cards.ask_order")
    races = [copied(race) for _ in race.prompts[0].options()]
    for copy, text in zip(races, race.prompts[0].options()):
        give(copy, "%d %s" % (copy.prompts[0].seat, text))
        played = [int(word) for word in text.split(" ")[1:]]
        assert copy.game.deck[-len(played):] == played
    assert len(races) >= 2
    first = public(races[0])
    assert all(public(copy) == first for copy in races[1:])
    assert len({copy.digest() for copy in races}) == len(races)


def test_a_drawn_card_is_in_no_event():
    race = new_race(hidden_cards.Game, "PP")
    give(race, "1 draw")
    assert [event[0] for event in race.take_events()] == ["drew"]
    give(race, "1 draw")
    assert race.take_events() == []


def test_the_seal_verifies_at_the_podium():
    race = new_race(hidden_cards.Game, "PPP", seed="the-seed", salt="the-salt")
    sealed = Journal.parse(race.journal()).sealed
    while not race.over:
        text = race.journal()
        assert "the-seed" not in text and "the-salt" not in text and race.digest() not in text
        assert Journal.parse(text).sealed == sealed
        assert proof.replay(text, race.track, hidden_cards.Game)["problem"] is None
        play(race, 1, seed=str(race.lines))
    journal = Journal.parse(race.journal())
    assert journal.sealed == "" and seal(journal.plain["seed"], journal.plain["salt"]) == sealed
    found = proof.replay(race.journal(), race.track, hidden_cards.Game)
    assert found["problem"] is None and found["checked"] == race.lines and found["digest"] == race.digest()


def test_a_sealed_replay_says_how_far_it_could_check():
    race = playing()
    found = proof.replay(race.journal(), race.track, hidden_cards.Game)
    # Weather, then three hidden draws: only the first line says anything.
    assert found["problem"] is None and found["sealed"] and (found["checked"], found["lines"]) == (1, 4)


# Corrections of hidden answers

def test_nobody_finds_out_a_hand_by_correcting():
    race = playing("PP")
    for seat in (1, 2):
        give(race, "%d %s" % (seat, race.prompt_of(seat).options()[0]))
    for card in range(10):
        for text in ("play %d" % card, "draw %d" % card, "number %d" % card):
            with pytest.raises(Refused) as caught:
                race.answer(1, "correct 1 " + text)
            assert (caught.value.reason, caught.value.args_) == ("engine.correct_secret", ("seat:2",))
        with pytest.raises(Refused, match="correct_secret"):
            race.answer(1, "correct 3 draw %d" % card)
    with pytest.raises(Refused, match="correct_secret"):
        race.answer(0, "correct 1 play 1")


def test_a_corrected_hidden_answer_stays_hidden():
    race = playing("PP")
    for seat in (1, 2):
        give(race, "%d %s" % (seat, race.prompt_of(seat).options()[0]))
    other = [text for text in playing("PP").prompt_of(2).options() if text != race.line(race.lines).text][0]
    before = race.public_digest()
    give(race, "2 correct 1 " + other)
    agree(race)
    assert race.public_digest() == before
    told = [n for n in range(1, race.lines + 1) if race.line(n).text.startswith("correct")]
    assert race.line(told[0]).show(True).startswith("2 sealed | ") and other not in race.journal()
    assert race.line(told[0]).text == "correct 1 " + other
    assert proof.replay(race.journal(True), race.track, hidden_cards.Game)["problem"] is None
    again = Race.load(race.save(), race.track, hidden_cards.Game)
    assert again.digest() == race.digest()
    play(race)
    assert proof.replay(race.journal(), race.track, hidden_cards.Game)["problem"] is None


def test_a_question_for_consent_tells_no_hidden_answer():
    race = playing("PP")
    for seat in (1, 2):
        give(race, "%d %s" % (seat, race.prompt_of(seat).options()[0]))
    give(race, "1 number 0", "2 number 0", "1 roll")
    back = race.taken_count() - [n for n in range(1, race.lines + 1) if race.line(n).text.startswith("play")][-1] + 1
    race.answer(2, "correct %d %s" % (back, race.line(race.taken_count() - back + 1).text))
    assert race.asking and "play" not in str([prompt.plain() for prompt in race.prompts])
