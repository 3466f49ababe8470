"""How the pro game is prepared: the choice of a deck, the pit deposit, the cards on four stacks, the first two of the hand
(AB-43 to AB-46).
"""

from shared_rules.games.ausgebremst import data, pro
from shared_rules.prompts import TABLE, Choose


def prepare(game):
    """One step before the race, of all players at the same time."""
    if game.phase == "decks":
        yield from _choose_decks(game)
    elif game.phase == "take":
        yield from _take(game)
    elif game.by_table:
        yield Choose(TABLE, ["ok"], "ausgebremst.ask_stacks_ready", (), 0, "AB-45")
        _begin(game)
    else:
        yield from _sort(game)


def players(game):
    """The cars that players drive."""
    return [car for car in game.running() if not car.derelict]


def deal(game, car, deck):
    """Gives a car the cards of the deck that was chosen, without the deposit; sorted."""
    at = car.number - 1
    game.chosen[at] = deck
    game.deposits[at] = pro.deposit_of(game, car)
    cards = data.pile(data.COUNTS[data.DECKS.index(deck)])
    for card in game.deposits[at]:
        cards = data.without(cards, card)
    game.decks[at] = cards


class _Deck(Choose):
    """A deck for the race. Who leaves meanwhile has the slow one, as who has left before."""

    def forced(self):
        return data.DECKS[data.SLOW]


def _choose_decks(game):
    """Fast, average or slow (AB-43)."""
    cars = players(game)
    decks = yield [_Deck(car.seat, ["pick " + deck for deck in data.DECKS], "ausgebremst.ask_deck", (), car.number, "AB-43",
                          True, values=list(data.DECKS)) for car in cars]
    for car, deck in zip(cars, decks):
        deal(game, car, deck)
    game.phase = "stacks"
    game.step = 0


def steps(game):
    """How many cards or values are laid on stacks one after the other (AB-45)."""
    if game.setup.option("stacking") == "value":
        return 6
    return sum(data.COUNTS[data.SLOW]) - max([len(cards) for cards in game.deposits])


def _sort(game):
    """A stack for the next value, or the next card, of each player, the highest first (AB-45). How many there are is told
    to nobody else, as it would tell the deck."""
    cars = players(game)
    by_value = game.setup.option("stacking") == "value"
    laid = []
    prompts = []
    for car in cars:
        deck = game.decks[car.number - 1]
        cards = str(6 - game.step) * deck.count(str(6 - game.step)) if by_value else deck[-1:]
        laid.append(cards)
        prompts.append(_ask_stack(game, car, cards, by_value))
    answers = yield prompts
    for car, cards, answer in zip(cars, laid, answers):
        if answer != "pass":
            at = car.number - 1
            pro.put_on(game, car, int(answer[5:]), cards)
            game.decks[at] = game.decks[at][:len(game.decks[at]) - len(cards)]
    game.step += 1
    if game.step >= steps(game):
        game.phase = "take"
        game.step = 0


def _ask_stack(game, car, cards, by_value):
    """The question on which stack these cards go; its labels, which the seat alone sees, name them."""
    texts = list(pro.STACK_TEXTS) if by_value or cards else ["pass"]
    args = (6 - game.step,) if by_value else ()
    key = "ausgebremst.ask_stack_value" if by_value else "ausgebremst.ask_stack_card"
    named = " ".join(cards) or "-"
    return Choose(car.seat, texts, key, args, car.number, "AB-45", True,
                  labels=lambda: [["ausgebremst.stack_for", text[5:] or "-", named] for text in texts])


def _take(game):
    """The two cards of the start, from stacks of choice (AB-46)."""
    cars = players(game)
    answers = yield [pro.ask_draw(game, car) for car in cars]
    for car, answer in zip(cars, answers):
        pro.take_from(game, car, answer)
    game.step += 1
    if game.step == data.PRO_HAND:
        _begin(game)


def _begin(game):
    game.phase = "race"
    game.step = game.at = 0
    game.find_next()
