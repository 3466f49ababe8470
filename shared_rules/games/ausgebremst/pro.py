"""The pro game: the choice of a deck, the pit deposit, four stacks, a hand of two (AB-43 to AB-51)."""

from shared_rules.games.ausgebremst import data
from shared_rules.games.ausgebremst.data import CHOOSE, RACE, RUN, STACK, TAKE
from shared_rules.prompts import TABLE, Choose

_STACKS = range(1, data.STACKS + 1)


# PREPARATION (AB-43 to AB-46)

def prepare(game):
    """One step before the race, by all players at the same time."""
    if game.phase == CHOOSE:
        yield from _choose_decks(game)
    elif game.phase == TAKE:
        yield from _take_first_cards(game)
    elif game.by_table:
        yield Choose(TABLE, ["ok"], "ausgebremst.ask_stacks_ready", (), 0, "AB-45")
        _begin(game)
    else:
        yield from _stack(game)


def players(game):
    """The cars that players drive."""
    return [car for car in game.running() if not car.derelict]


class _Deck(Choose):
    """A deck for the race. A player who leaves meanwhile gets the slow one, as does one who left before."""

    def forced(self):
        return data.SLOW


def _choose_decks(game):
    """Fast, average or slow (AB-43)."""
    cars = players(game)
    decks = yield [_Deck(car.seat, ["pick " + deck for deck in data.DECKS], "ausgebremst.ask_deck", (), car.number, "AB-43",
                          True, values=list(data.DECKS)) for car in cars]
    for car, deck in zip(cars, decks):
        deal(game, car, deck)
    game.phase = STACK
    game.step = 0


def deal(game, car, deck):
    """Gives a car the cards of its chosen deck, without the deposit; sorted."""
    at = car.number - 1
    game.chosen[at] = deck
    game.deposits[at] = deposit_of(game, car)
    game.decks[at] = without_deposit(game, car)


def deposit_of(game, car):
    """The cards that a car lays beside the pit lane, by circuit and starting row, high card first (AB-44); "" if the
    chart has none."""
    deposits, _ = data.chart(game.track.id)
    return deposits[game.order.index(car.number) // 2]


def without_deposit(game, car):
    """A car's chosen deck without what lies beside the pit lane; sorted."""
    cards = data.deck(game.chosen[car.number - 1])
    for card in game.deposits[car.number - 1]:
        cards = data.without(cards, card)
    return cards


def steps(game):
    """How many cards or values are laid on stacks one by one (AB-45)."""
    if game.setup.option("stacking") == "value":
        return len(data.COMPLETE)
    return len(data.deck(data.SLOW)) - max([len(cards) for cards in game.deposits])


def _stack(game):
    """A stack for each player's next value or next card, the highest first (AB-45). Nobody else learns how many there are,
    as that would reveal the deck."""
    cars = players(game)
    value = len(data.COMPLETE) - game.step if game.setup.option("stacking") == "value" else 0
    laid = []
    prompts = []
    for car in cars:
        deck = game.decks[car.number - 1]
        cards = str(value) * deck.count(str(value)) if value else deck[-1:]
        laid.append(cards)
        prompts.append(_ask_stack(car, cards, value))
    answers = yield prompts
    for car, cards, which in zip(cars, laid, answers):
        if which:
            at = car.number - 1
            put_on(game, car, which, cards)
            game.decks[at] = game.decks[at][:len(game.decks[at]) - len(cards)]
    game.step += 1
    if game.step >= steps(game):
        game.phase = TAKE
        game.step = 0


def _ask_stack(car, cards, value):
    """The question onto which stack these cards go: all of a ``value``, or with 0 one card, which somebody with fewer cards
    no longer has. Its labels, which only the seat sees, name them."""
    which = list(_STACKS) if value or cards else [0]
    key = "ausgebremst.ask_stack_value" if value else "ausgebremst.ask_stack_card"
    named = " ".join(cards) or "-"
    return Choose(car.seat, ["pick %d" % stack if stack else "pass" for stack in which], key, (value,) if value else (),
                  car.number, "AB-45", True, values=which,
                  labels=lambda: [["ausgebremst.stack_for", str(stack or "-"), named] for stack in which])


def _take_first_cards(game):
    """The two cards for the start, from stacks of the player's choice (AB-46)."""
    cars = players(game)
    answers = yield [_ask_draw(game, car) for car in cars]
    for car, which in zip(cars, answers):
        _take_from(game, car, which)
    game.step += 1
    if game.step == data.PRO_HAND:
        _begin(game)


def _begin(game):
    game.phase = RACE
    game.step = game.at = 0
    game.find_next()


# STACKS AND HAND (AB-45, AB-46)

def put_on(game, car, which, cards):
    """Lays cards on the stack of this number, 1 to 4."""
    stacks = game.stacks[car.number - 1]
    stacks[which - 1] = cards + stacks[which - 1]


def _ask_draw(game, car):
    """The question from which stack the top card goes to the hand (AB-46)."""
    which = [number for number, stack in zip(_STACKS, game.stacks[car.number - 1]) if stack]
    return Choose(car.seat, ["pick %d" % number for number in which], "ausgebremst.ask_draw", (), car.number, "AB-46", True,
                  values=which)


def _take_from(game, car, which):
    """Moves the top card of the stack with this number to the hand."""
    at = car.number - 1
    stack = game.stacks[at][which - 1]
    game.hands[at] = data.ordered(game.hands[at] + stack[:1])
    game.stacks[at][which - 1] = stack[1:]


# AFTER A MOVE (AB-46, AB-47)

def refill(game, car, stops):
    """After a move: the pit cards, if the car has stopped for them (AB-47), then the hand is filled up (AB-46)."""
    at = car.number - 1
    if car.status != RUN:
        return
    if stops and game.deposits[at]:
        yield from _take_pit_cards(game, car)
    while not game.by_table and len(game.hands[at]) < data.PRO_HAND and any(game.stacks[at]):
        which = yield _ask_draw(game, car)
        _take_from(game, car, which)


def _take_pit_cards(game, car):
    """The cards beside the pit lane go to the hand and onto a stack (AB-47); until then everybody can see them."""
    at = car.number - 1
    cards = game.deposits[at]
    if game.by_table:
        game.decks[at] = data.ordered(game.decks[at] + cards)
    else:
        hand = cards[0]
        if len(cards) > 1:
            hand, which = yield _ask_pit_cards(game, car)
            put_on(game, car, which, data.without(cards, hand))
        game.hands[at] = data.ordered(game.hands[at] + hand)
    game.deposits[at] = ""
    game.event("told", ["ausgebremst.told_pit_cards", "car:%d" % car.number])


def _ask_pit_cards(game, car):
    """The question which pit card goes to the hand, and onto which stack the other one (AB-47): "pick 4 1"."""
    cards = game.deposits[car.number - 1]
    ways = [(hand, which) for hand in reversed(data.different(cards)) for which in _STACKS]
    return Choose(car.seat, ["pick %s %d" % way for way in ways], "ausgebremst.ask_pit_cards",
                  [int(card) for card in cards], car.number, "AB-47", True, values=ways,
                  labels=lambda: [["ausgebremst.pit_cards_to", int(hand), which, int(data.without(cards, hand))]
                                  for hand, which in ways])


def private(game, seat):
    """What a player may see besides the hand."""
    at = seat - 1
    out = []
    if game.chosen and game.chosen[at]:
        out.append(["ausgebremst.has_deck", "@ausgebremst.deck_" + game.chosen[at]])
    if game.stacks and any(game.stacks[at]):
        out.append(["ausgebremst.has_stacks"] + [" ".join(stack) or "-" for stack in game.stacks[at]])
    if game.deposits[at]:
        out.append(["ausgebremst.has_deposit", " ".join(game.deposits[at])])
    return out
