"""What the pro game has besides: the pit deposit, four stacks, a hand of two (AB-44, AB-46 to AB-51). How it is prepared
is in ``pro_once.py``.
"""

from shared_rules.games.ausgebremst import data
from shared_rules.prompts import Choose

STACK_TEXTS = ("pick 1", "pick 2", "pick 3", "pick 4")


def deposit_of(game, car):
    """The cards that a car lays beside the pit lane, by circuit and starting row, high card first (AB-44); "" where the
    chart has none."""
    return data.chart(game.track.id)[game.order.index(car.number) // 2]


def put_on(game, car, answer, cards):
    """Lays cards on the stack that an answer names."""
    stacks = game.stacks[car.number - 1]
    which = int(answer[5:]) - 1
    stacks[which] = cards + stacks[which]


def ask_draw(game, car):
    """The question for a stack whose top card comes to the hand (AB-46)."""
    stacks = game.stacks[car.number - 1]
    texts = [text for text, stack in zip(STACK_TEXTS, stacks) if stack]
    return Choose(car.seat, texts, "ausgebremst.ask_draw", (), car.number, "AB-46", True)


def take_from(game, car, answer):
    """The top card of a stack comes to the hand."""
    at = car.number - 1
    which = int(answer[5:]) - 1
    stack = game.stacks[at][which]
    game.hands[at] = data.ordered(game.hands[at] + stack[:1])
    game.stacks[at][which] = stack[1:]


def refill(game, car, stops):
    """After a move: the pit cards where the car has stopped for them (AB-47), then the hand is filled up (AB-46)."""
    at = car.number - 1
    if car.status != "run":
        return
    if stops and game.deposits[at]:
        cards = game.deposits[at]
        game.deposits[at] = ""
        game.event("told", ["ausgebremst.told_pit_cards", "car:%d" % car.number])
        if game.by_table:
            game.decks[at] = data.ordered(game.decks[at] + cards)
        else:
            game.hands[at] = data.ordered(game.hands[at] + cards[:1])
            for card in cards[1:]:
                answer = yield Choose(car.seat, list(STACK_TEXTS), "ausgebremst.ask_pit_card", (int(card),), car.number,
                                      "AB-47", True)
                put_on(game, car, answer, card)
    while not game.by_table and len(game.hands[at]) < data.PRO_HAND and any(game.stacks[at]):
        answer = yield ask_draw(game, car)
        take_from(game, car, answer)


def tell(game, seat, out):
    """What a player may see besides the hand."""
    at = seat - 1
    if game.chosen and game.chosen[at]:
        out.append(["ausgebremst.has_deck", "@ausgebremst.deck_" + game.chosen[at]])
    if game.stacks and any(game.stacks[at]):
        out.append(["ausgebremst.has_stacks"] + [" ".join(stack) or "-" for stack in game.stacks[at]])
    if game.deposits[at]:
        out.append(["ausgebremst.has_deposit", " ".join(game.deposits[at])])
