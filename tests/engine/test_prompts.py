"""Prompts: what they offer, accept and refuse, with dice and decks by device and by table."""

import pytest
from racing import give, new_race, play, play_until
from tiny_games import hidden_cards, reactions

from shared_rules.chance import Chance
from shared_rules.errors import BadText, Refused
from shared_rules.prompts import D6, TABLE, Choose, Prompt, Refusal, Roll
from shared_rules.prompts_cards import Draw, Number


def refused(race, answer):
    before = [race.save(), race.digest(), race.public_digest(), [prompt.serial for prompt in race.prompts]]
    seat, _, text = answer.partition(" ")
    with pytest.raises(Refused) as caught:
        race.answer(int(seat), text)
    assert before == [race.save(), race.digest(), race.public_digest(), [prompt.serial for prompt in race.prompts]]
    return caught.value


def test_a_table_roll_lists_all_faces_and_words():
    roll = Roll(1, [("grey", "clear"), (1, 2)], "ask")
    roll.source = "table"
    assert roll.options() == ["roll grey 1", "roll grey 2", "roll clear 1", "roll clear 2"]
    assert roll.match("roll", ["clear", "2"]) == ("roll clear 2", ["clear", 2])
    assert roll.labels() == [None] * 4
    many = Roll(1, [D6] * 4, "ask")
    many.source = "table"
    assert many.options() == []
    assert many.sample(Chance("a", "b")).startswith("roll ")


@pytest.mark.parametrize("words", [[], ["grey"], ["2", "grey"], ["grey", "3"], ["grey", "1", "1"], ["grey", "01"]])
def test_a_table_roll_refuses_other_dice(words):
    roll = Roll(1, [("grey", "clear"), (1, 2)], "ask", clause="C-1")
    roll.source = "table"
    with pytest.raises(Refused) as caught:
        roll.match("roll", words)
    assert caught.value.clause == "C-1"


def test_a_device_roll_is_not_told():
    race = new_race(reactions.Game, "PP")
    assert race.prompts[0].options() == ["roll"]
    assert refused(race, "1 roll 3 red").reason == "engine.board_rolls"
    text = race.answer(1, "roll")
    assert text.split(" ")[0] == "roll" and len(text.split(" ")) == 3
    assert race.line(1).text == text


def test_nobody_sees_the_dice_before_they_are_rolled():
    race = new_race(reactions.Game, "PP")
    prompt = race.prompts[0]
    assert prompt.drawn is not None
    assert str(prompt.drawn) not in str(prompt.plain()) and prompt.plain()["choices"] is None
    assert race.take_events() == []


def test_draws_by_the_device_come_off_the_top():
    race = new_race(hidden_cards.Game, "PP")
    top = race.game.weather_deck[0]
    assert refused(race, "1 draw rain").reason == "engine.board_draws"
    assert give(race, "1 draw") == ["draw " + top]
    card = race.game.deck[0]
    assert give(race, "1 draw") == ["draw %d" % card]
    assert race.game.hands[0][-1] == card


def test_open_draws_by_the_table_are_checked_against_the_known_deck():
    race = new_race(hidden_cards.Game, "PP", decks="table", laps=2)
    assert race.prompts[0].options() == ["draw rain", "draw sun"]
    assert refused(race, "1 draw snow").args_ == ("snow",)
    assert refused(race, "1 draw").reason == "engine.card_count"
    assert refused(race, "1 draw sun rain").reason == "engine.card_count"
    give(race, "1 draw rain")
    play_until(race, lambda race: race.prompts[0].kind == "draw")
    assert race.prompts[0].options() == ["draw sun"]
    assert refused(race, "2 draw rain").clause == "TH-2"
    give(race, "2 draw sun")
    play(race)
    assert race.over


def test_several_cards_by_the_table():
    draw = Draw(1, [1, 2, 2, 3], "ask", count=2)
    draw.source = "table"
    assert draw.options() == []
    assert draw.match("draw", ["2", "2"]) == ("draw 2 2", [2, 2])
    with pytest.raises(Refused):
        draw.match("draw", ["1", "1"])
    assert draw.match(*_parts(draw.sample(Chance("a", "b"))))[1]
    assert draw.forced() == [1, 2]


def test_hands_held_at_the_table_offer_every_card_and_none():
    race = new_race(hidden_cards.Game, "PP", decks="table")
    give(race, "1 draw rain")
    assert [prompt.kind for prompt in race.prompts] == ["choose", "choose"]
    assert race.prompts[0].options() == ["play %d" % card for card in range(1, 10)] + ["play none"]


def test_a_number_takes_its_range():
    number = Number(2, 0, 3, "ask", clause="C-2")
    assert number.options() == ["number 0", "number 1", "number 2", "number 3"]
    assert number.match("number", ["3"]) == ("number 3", 3)
    assert [refusal.text for refusal in number.refused()] == ["number 4"]
    assert [refusal.text for refusal in Number(2, 1, 3, "ask").refused()] == ["number 0", "number 4"]
    for words in ([], ["4"], ["-1"], ["1", "2"], ["x"], ["1234567"]):
        with pytest.raises(Refused) as caught:
            number.match("number", words)
        assert caught.value.clause == "C-2"
    with pytest.raises(Refused):
        number.match("play", ["1"])
    assert number.forced() == 0


def test_a_number_prompt_in_a_race():
    race = new_race(hidden_cards.Game, "PP")
    play_until(race, lambda race: race.prompts[0].kind == "number")
    assert refused(race, "1 number 4").clause == "TH-4"
    with pytest.raises(BadText):
        race.answer(1, "number ٣")
    assert give(race, "1 number 03") == ["number 3"]


def test_a_choice_explains_its_near_misses():
    choose = Choose(1, ["go 1a"], "ask", clause="C-3", near=lambda: ["go 2a", "go 3a", "go 1a"],
                    explain=lambda text: Refusal(text, "game.far", "C-4", (text,)) if text != "go 3a" else None)
    assert [(near.text, near.clause) for near in choose.refused()] == [("go 2a", "C-4")]
    with pytest.raises(Refused) as caught:
        choose.match("go", ["2a"])
    assert (caught.value.reason, caught.value.clause, caught.value.args_) == ("game.far", "C-4", ("go 2a",))
    with pytest.raises(Refused) as caught:
        choose.match("go", ["3a"])
    assert (caught.value.reason, caught.value.clause) == ("engine.not_offered", "C-3")
    assert Choose(1, ["ok"], "ask", labels=lambda: [["x", 1]]).labels() == [["x", 1]]


def test_a_plain_prompt_takes_nothing():
    with pytest.raises(Refused):
        Prompt(1, "ask").match("ok", [])


def test_prompts_of_the_table_are_answered_by_anybody():
    for seat in (0, 1, 2):
        race = new_race(hidden_cards.Game, "PP")
        assert race.prompts[0].seat == TABLE
        race.answer(seat, "draw")
        assert race.line(1).seat == seat
    race = new_race(hidden_cards.Game, "PP")
    assert race.prompt_of(2) is race.prompts[0]
    with pytest.raises(Refused, match="no_such_seat"):
        race.answer(3, "draw")


def test_the_table_of_bots_rolls_by_the_board():
    race = new_race(hidden_cards.Game, "BB", dice="table")
    while not race.over:
        prompt = race.prompts[0]
        assert prompt.source == "device"
        race.answer(prompt.seat, race.bot_answer(prompt.seat))


class _Slow:
    """A bot that thinks in pieces."""

    @staticmethod
    def choose(game, prompt, chance):
        options = prompt.options()
        for _ in options:
            yield
        return chance.die(options)


def test_a_bot_may_think_in_pieces_and_comes_to_the_same(monkeypatch):
    race = new_race(reactions.Game, "BB")
    answers = [race.bot_answer(prompt.seat) for prompt in race.prompts]
    monkeypatch.setattr(reactions.Game, "BOTS", _Slow)
    pieces = 0
    while not race.over:
        prompt = race.prompts[0]
        thinking = race.bot_thinking(prompt.seat)
        try:
            while True:
                next(thinking)
                pieces += 1
        except StopIteration as done:
            text = done.value
        assert text == race.bot_answer(prompt.seat)
        if answers:
            assert text == answers.pop(0)
        race.answer(prompt.seat, text)
    assert pieces > 0


def test_bots_roll_by_the_board_where_people_roll_real_dice():
    race = new_race(reactions.Game, "PB", dice="table")
    assert race.prompts[0].source == "table"
    play_until(race, lambda race: race.prompts[0].kind == "roll" and race.prompts[0].seat == 2)
    assert race.prompts[0].source == "device"


def test_a_secret_prompt_is_plain_without_its_choices():
    race = new_race(hidden_cards.Game, "PP")
    play_until(race, lambda race: race.prompts[0].kind == "choose")
    for prompt in race.prompts:
        assert prompt.plain()["choices"] is None
        assert prompt.plain(private=True)["choices"] == prompt.options()
    assert race.view(1)["prompt"]["choices"] == race.prompts[0].options()
    assert race.view(0)["prompt"] is None and race.view(0)["private"] == []


@pytest.mark.parametrize("seat", [-1, 3, 7, True, "1", None, 1.0])
def test_seats_that_are_none(seat):
    race = new_race(reactions.Game, "PP")
    with pytest.raises(Refused) as caught:
        race.answer(seat, "roll")
    assert caught.value.reason == "engine.no_such_seat"
    assert race.lines == 0


def test_rules_that_never_ask_are_stopped():
    class Silent(reactions.Game):
        def turn(self):
            yield []

    with pytest.raises(RuntimeError, match="never end"):
        new_race(Silent, "PP")


def _parts(text):
    words = text.split(" ")
    return words[0], words[1:]
