"""How the spec's vectors put a race up. Loaded for vectors alone."""

from shared_rules.games.ausgebremst import data
from shared_rules.games.ausgebremst.rules import DONE, OFF, OUT, RACE, RUN


def arrange(game, state):
    """See spec/FORMAT.md."""
    game.order = [int(word) for word in state.get("order", [])]
    if not game.order:
        game.order = [car.number for car in game.cars_ if not car.seat] + [car.number for car in game.cars_ if car.seat]
    if "cars" not in state:
        game.line_up()
        if not game.pro:
            _cards(game, state)
        return
    _place(game, state)
    game.phase = RACE
    if game.pro:
        _pro(game, state)
    _cards(game, state)
    for car in game.cars_:
        start = data.points(data.pile(data.COUNTS[data.SLOW] if car.seat else data.COMPLETE))
        car.moved = max(0, start - game.points_left(car)) if car.status != OFF else 0
    running = [number for number in game.order if game.car(number).status == RUN]
    first = running[0] if running else game.order[0]
    game.at = game.order.index(int(state.get("turn", first)))
    game.stalled = 1 if state.get("stalled") == "yes" else 0
    game.moved = 1 if game.order[game.at] != first else 0


def _place(game, state):
    for car in game.cars_:
        car.status = OFF
        car.space = -1
        car.to_go = game.course.lap * game.setup.laps
        car.begun = 0 if str(car.number) in [str(word) for word in state.get("first", [])] else 1
        car.stopped = 1 if str(car.number) in [str(word) for word in state.get("stopped", [])] else 0
    for text in state["cars"]:
        number, name, crossings = text.split(" ")
        car = game.car(int(number))
        car.space = game.track.named(name)
        if car.space < 0:
            raise KeyError(name)
        car.crossings = int(crossings)
        car.status = RUN
        car.to_go = 0
    for word in state.get("finished", []):
        car = game.car(int(word))
        car.status = DONE
        car.crossings = game.setup.laps + 1
        car.to_go = 0
        game.finished.append(car.number)
    for text in state.get("removed", []):
        number, to_go = text.split(" ")
        car = game.car(int(number))
        car.status = OUT
        car.to_go = int(to_go)
        game.removed.append(car.number)


def _pro(game, state):
    from shared_rules.games.ausgebremst import pro_once
    game.stacks = [[""] * data.STACKS for _ in game.hands]
    game.chosen = [""] * len(game.hands)
    chosen = _by_car(state.get("chosen", []))
    deposits = _by_car(state.get("deposits", []))
    for car in game.cars_:
        if car.seat:
            at = car.number - 1
            pro_once.deal(game, car, chosen[at][0] if chosen[at] else "slow")
            if deposits[at] is not None:
                game.deposits[at] = "".join(reversed(data.ordered("".join(deposits[at]))))
                game.decks[at] = _besides(data.COUNTS[data.DECKS.index(game.chosen[at])], game.deposits[at])
            if car.stopped:
                game.deposits[at] = ""


def _cards(game, state):
    hands, decks, stacks = [_by_car(state.get(key, [])) for key in ("hands", "decks", "stacks")]
    for car in game.cars_:
        at = car.number - 1
        if game.on_table(car):
            if decks[at] is not None:
                game.decks[at] = data.ordered("".join(decks[at]))
            continue
        cards = game.decks[at]
        if hands[at] is not None:
            cards = data.ordered(game.cards_of(car))
            game.hands[at] = data.ordered("".join(hands[at]))
            for card in game.hands[at]:
                cards = data.without(cards, card) if card in cards else cards
        if decks[at] is not None:
            game.decks[at] = "".join(decks[at])
        elif game.pro or hands[at] is not None:
            game.decks[at] = game.pile(car, cards)
        if not car.seat:
            continue
        if game.pro:
            _stack(game, at, stacks[at])
            while hands[at] is None and len(game.hands[at]) < data.PRO_HAND and any(game.stacks[at]):
                which = [stack != "" for stack in game.stacks[at]].index(True)
                game.hands[at] = data.ordered(game.hands[at] + game.stacks[at][which][0])
                game.stacks[at][which] = game.stacks[at][which][1:]
        elif hands[at] is None and (decks[at] is not None or not game.hands[at]):
            game.hands[at] = ""
            game.fill_up(car)


def _stack(game, at, words):
    cards = data.ordered(game.decks[at])
    game.decks[at] = ""
    if words is not None:
        piles = " ".join(words).split(" / ")
        game.stacks[at] = ["" if pile == "-" else pile.replace(" ", "") for pile in piles]
        return
    game.stacks[at] = ["".join([card for card in cards if card in values]) for values in ("12", "3", "4", "56")]


def _by_car(texts):
    """The words behind each car's number, None for a car that isn't named."""
    out = [None] * data.CARS
    for text in texts:
        words = text.split(" ")
        out[int(words[0]) - 1] = words[1:]
    return out


def _besides(counts, cards):
    pile = data.pile(counts)
    for card in cards:
        pile = data.without(pile, card)
    return pile
