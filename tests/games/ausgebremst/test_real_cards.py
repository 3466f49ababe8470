"""Ausgebremst with real cards: the engine knows what each car has left, but no hand. It offers everything
that some hand of those cards allows, and nothing else."""

import itertools

import pytest
import racing

from gridglow.tracks import load_track
from shared_rules.chance import Chance
from shared_rules.games.ausgebremst.data import RACE
from shared_rules.games.ausgebremst.rules import Game
from shared_rules.setup import Setup

TRACKS = ("bleifuss-drom", "plattfuss-circuit", "nuerburg-ring", "bleifuss-circuit", "nuerburg-drom", "plattfuss-ring",
          "nuerburg-circuit", "plattfuss-drom")

# Each question of a race checked against all hands, one after another, of a race by device


def hands_of(cards, size):
    """All different hands of `size` cards from these."""
    return sorted(set(itertools.combinations(sorted(cards), min(size, len(cards)))))


def neighbours(game, car):
    """Hands of the others that matter: as few 6s as each can hold or as many, one after another and together."""
    others = [other for other in game.running() if other.seat and other is not car]
    few = {other.number: hands_of(game.decks[other.number - 1], game.hand_size)[0] for other in others}
    many = {other.number: hands_of(game.decks[other.number - 1], game.hand_size)[-1] for other in others}
    found = [few, many] + [{**few, number: many[number]} for number in many]
    return [one for at, one in enumerate(found) if one not in found[:at]]


def by_device(game, hands):
    """The options of a race by device in the same position, each seat with the given hand."""
    cars = game.cars_
    left = {number: list(game.decks[number - 1]) for number in hands}
    for number, hand in hands.items():
        for card in hand:
            left[number].remove(card)
    setup = Setup.from_plain({**game.setup.plain(), "decks": "device"}, game.track)
    judge = Game(setup, game.track, Chance("judge", "deal"))
    judge.arrange({
        "order": [str(number) for number in game.order], "turn": str(game.order[game.at]),
        "cars": [f"{car.number} {game.track.space_name(car.space)} {car.crossings}" for car in cars if car.status == "run"],
        "first": [str(car.number) for car in cars if not car.begun],
        "stopped": [str(car.number) for car in cars if car.stopped],
        "finished": [str(number) for number in game.finished],
        "removed": [f"{number} {game.car(number).to_go}" for number in game.removed],
        "stalled": "yes" if game.stalled else "no",
        "hands": [" ".join([str(number), *hand]) for number, hand in hands.items()],
        "decks": [" ".join([str(number), *cards]) for number, cards in left.items()],
    })
    prompt = next(judge.turn())
    assert prompt.seat == game.order[game.at]
    return prompt.options()


def right_with_some_hands(game, car):
    """What may be answered with at least one possible hand."""
    found = set()
    for others in neighbours(game, car):
        for hand in hands_of(game.decks[car.number - 1], game.hand_size):
            found.update(by_device(game, {**others, car.number: hand}))
    return found


def low_cards(options, chance):
    """Any answer; two times in three one with the lowest card, so that people come to hold 6s."""
    lowest = min(options)[:6]
    return chance.die([text for text in options if text[:6] == lowest] if chance.below(3) else options)


@pytest.mark.parametrize("variant", Game.VARIANTS)
def test_a_table_is_offered_all_that_is_right_with_some_hands_and_nothing_else(variant):
    """In random races: in some turns, and in all where a leader may play a 6, of which there must be some."""
    chance = Chance("real cards " + variant, "hands")
    judged = sixes = 0
    for number in range(16):
        race = racing.new_race("ausgebremst", "P" * (3 + number % 4), load_track(TRACKS[3 + 4 * (number % 2)]).track,
                               variant=variant, decks="table", laps=3, seed=f"judged-{number}")
        game = race.game
        while not race.over:
            prompt = race.prompts[0]
            options = prompt.options()
            if game.phase == RACE and prompt.seat:
                car = game.car(prompt.car)
                leads = any(text[:6] == "play 6" for text in options) and not game.six_open(car)
                if leads or chance.below(100) == 0:
                    judged += 1
                    sixes += leads
                    assert sorted(options) == sorted(right_with_some_hands(game, car)), options
            race.answer(prompt.seat or 1, low_cards(options, chance))
    assert judged - sixes >= 10 and sixes >= 4


# Whole races: people at a table are told the cards that another race's device draws

#: What people at a table do by hand.
BY_HAND = ("ask_stack_value", "ask_stack_card", "ask_draw", "ask_pit_cards")


def both_answer(device, table, chance):
    """A question of the device is answered at random, and the table is told: it must offer whatever the
    device does. Returns the events since."""
    prompt = chance.die(device.prompts)
    seat, ask = prompt.seat or 1, prompt.ask.split(".")[1]
    text = low_cards(prompt.options(), chance) if ask == "ask_play" else prompt.sample(chance)
    given = device.answer(seat, text)
    if ask not in BY_HAND:
        there = table.prompt_of(seat)
        assert (there.ask, there.car) == (prompt.ask, prompt.car)
        assert prompt.kind == "draw" or set(prompt.options()) <= set(there.options())
        assert table.answer(seat, given) == given
    if device.game.phase == RACE and table.game.phase != RACE:
        table.answer(1, "ok")                       # all stacks are in place
    return device.take_events()


def somebody_leaves(device, table, chance):
    """Now and then a player who isn't asked leaves, while both ask the same."""
    prompt, there = device.prompts[0], table.prompts[0]
    seat = 1 + chance.below(len(device.setup.players))
    if ((prompt.ask, prompt.car) == (there.ask, there.car) and seat not in device.left + [prompt.seat]
            and len(device.left) < len(device.setup.players) - 1 and chance.below(30) == 0):
        device.answer(seat, "leave")
        table.answer(seat, "leave")


@pytest.mark.parametrize("variant", Game.VARIANTS)
@pytest.mark.parametrize("leave", [False, True])
def test_a_race_can_be_told_to_the_table_whatever_is_drawn(variant, leave):
    for number, track in enumerate(TRACKS):
        seats = 3 + number % 4
        device, table = [
            racing.new_race("ausgebremst", "P" * seats, load_track(track).track, variant=variant, decks=decks, laps=3,
                            options=[["derelict_decks", "table"]], seed=f"twins-{number}") for decks in ("device", "table")]
        chance = Chance(f"twins-{number}", "hands")
        while not device.over:
            for event in both_answer(device, table, chance):
                if event[0] == "told" and event[1][0] == "ausgebremst.told_turns" and int(event[1][1][4:]) <= seats:
                    # The device turns over the cards of those who have left.
                    assert (table.prompts[0].ask, list(table.prompts[0].args)) == ("ausgebremst.ask_derelict", event[1][1:2])
                    table.answer(1, "draw " + event[1][2])
            assert [car.space for car in table.game.cars_] == [car.space for car in device.game.cars_]
            if leave and device.game.phase == RACE and not device.over:
                somebody_leaves(device, table, chance)
        assert table.over and table.standings() == device.standings()
