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


def put_on(game, car, which, cards):
    """Lays cards on the stack of this number, 1 to 4."""
    stacks = game.stacks[car.number - 1]
    stacks[which - 1] = cards + stacks[which - 1]


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


def ask_pit_cards(game, car):
    """The question which pit card comes to the hand, and on which stack the other one goes (AB-47): "pick 4 1"."""
    cards = game.deposits[car.number - 1]
    ways = [(hand, which) for hand in reversed(data.different(cards)) for which in range(1, data.STACKS + 1)]
    return Choose(car.seat, ["pick %s %d" % way for way in ways], "ausgebremst.ask_pit_cards",
                  [int(card) for card in cards], car.number, "AB-47", True, values=ways,
                  labels=lambda: [["ausgebremst.pit_cards_to", int(hand), which, int(data.without(cards, hand))]
                                  for hand, which in ways])


def refill(game, car, stops):
    """After a move: the pit cards where the car has stopped for them (AB-47), then the hand is filled up (AB-46)."""
    at = car.number - 1
    if car.status != "run":
        return
    if stops and game.deposits[at]:
        yield from take_pit_cards(game, car)
    while not game.by_table and len(game.hands[at]) < data.PRO_HAND and any(game.stacks[at]):
        answer = yield ask_draw(game, car)
        take_from(game, car, answer)


def take_pit_cards(game, car):
    """The cards beside the pit lane come to the hand and onto a stack (AB-47); up to then they lie where all see them."""
    at = car.number - 1
    cards = game.deposits[at]
    if game.by_table:
        game.decks[at] = data.ordered(game.decks[at] + cards)
    else:
        hand = cards[0]
        if len(cards) > 1:
            hand, which = yield ask_pit_cards(game, car)
            put_on(game, car, which, data.without(cards, hand))
        game.hands[at] = data.ordered(game.hands[at] + hand)
    game.deposits[at] = ""
    game.event("told", ["ausgebremst.told_pit_cards", "car:%d" % car.number])


def tell(game, seat, out):
    """What a player may see besides the hand."""
    at = seat - 1
    if game.chosen and game.chosen[at]:
        out.append(["ausgebremst.has_deck", "@ausgebremst.deck_" + game.chosen[at]])
    if game.stacks and any(game.stacks[at]):
        out.append(["ausgebremst.has_stacks"] + [" ".join(stack) or "-" for stack in game.stacks[at]])
    if game.deposits[at]:
        out.append(["ausgebremst.has_deposit", " ".join(game.deposits[at])])
