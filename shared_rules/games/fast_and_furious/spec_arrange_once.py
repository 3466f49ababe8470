"""How the spec's vectors put a race up. Loaded for vectors alone."""

from shared_rules.games.fast_and_furious import box_once, data, pile_once
from shared_rules.games.fast_and_furious.rules import DONE, HOME, OFF, OUT, RACE, RUN, WAIT


def arrange(game, state):
    """See spec/FORMAT.md."""
    game.first = int(state.get("first", 0 if "cars" not in state else 1))
    for text in state.get("drivers", []):
        number, name = text.split(" ")
        game.car(int(number)).driver = name
    if "control" in state:
        game.control = "".join([data.DIGITS[int(token)] for token in state["control"]])
    if "cars" not in state:
        if "deck" in state:
            game.deck = "".join([pile_once.card_of(name) for name in state["deck"]])
        return
    game.phase = RACE
    game.chosen = []
    _place(game, state)
    for text in state.get("obstacles", []):
        game.obstacles.append(_space(game, text))
    for key in ("upgrades", "spent"):
        for text in state.get(key, []):
            words = text.split(" ")
            counts = ["0"] * len(data.UPGRADES)
            for name, count in zip(_every_second(words, 1), _every_second(words, 2)):
                counts[data.UPGRADES.index(name)] = data.DIGITS[int(count)]
            setattr(game.car(int(words[0])), key, "".join(counts))
    _cards(game, state)
    _damage(game, state)
    running = [car.number for car in game.cars_ if car.status == RUN]
    game.at = int(state.get("turn", game.first))
    if game.tag and game.at not in running:
        game.at = game.at + 2 if game.at < 3 else game.at - 2
    if "turn" not in state and game.at not in running and running:
        game.at = running[0]


def _every_second(words, first):
    return [words[at] for at in range(first, len(words), 2)]


def _space(game, name):
    space = game.track.named(name)
    if space < 0:
        raise KeyError(name)
    return space


def _place(game, state):
    waits = [car.number for car in game.cars_ if car.status == WAIT]
    for car in game.cars_:
        car.status = OFF
        car.turns = 0 if str(car.number) in [str(word) for word in state.get("fresh", [])] else 1
    for word in state.get("home", []):
        game.car(int(word)).status = HOME
    for text in state["cars"]:
        words = text.split(" ")
        car = game.car(int(words[0]))
        car.space = _space(game, words[1])
        car.crossings = int(words[2]) if len(words) > 2 else 0
        car.status = RUN
        if car.number in waits and game.car(car.number - 2).status not in (HOME, OUT):
            car.status = WAIT
    for text in state.get("finished", []):
        number, left, last = text.split(" ")
        car = game.car(int(number))
        car.status, car.left, car.last = DONE, int(left), int(last)
    for text in state.get("out", []):
        number, to_go = text.split(" ")
        car = game.car(int(number))
        car.status, car.to_go = OUT, int(to_go)
    for text in state.get("gears", []):
        number, gear = text.split(" ")
        game.car(int(number)).gear = int(gear)
    for text in state.get("blocks", []):
        number, name = text.split(" ")
        game.car(int(number)).block = _space(game, name)
    for word in state.get("paused", []):
        game.car(int(word)).paused = 1


def _cards(game, state):
    known = [(int(text.split(" ")[0]), text.split(" ")[1:]) for text in state.get("hands", [])]
    named = [number for number, _ in known]
    if game.by_table:
        for car in game.cars_:
            game.hands[car.number - 1] = "??" * (game.base(car) if car.status in (RUN, WAIT) else 0)
        for number, words in known:
            game.hands[number - 1] = "??" * int(words[0])
        return
    deck = [pile_once.card_of(name) for name in state["deck"]] if "deck" in state else None
    left = [card for card in data.cards(pile_once.deck()) if deck is None or card not in deck]
    for number, gears in known:
        hand = []
        for gear in sorted(gears):
            card = [card for card in left if card[0] == gear][0]
            left.remove(card)
            hand.append(card)
        game.hands[number - 1] = "".join(hand)
    # Hands that aren't told come from the pile; where that is told, from the other cards.
    rest = data.cards(pile_once.shuffled(game.deal, "".join(left)))
    for car in game.cars_:
        if car.number not in named and car.status in (RUN, WAIT):
            count = game.base(car)
            game.hands[car.number - 1] = data.ordered("".join(rest[:count]))
            rest = rest[count:]
    game.deck = "".join(rest if deck is None else deck)


def _damage(game, state):
    for text in state.get("damage", []):
        number, sides, control = text.split(" ")
        car = game.car(int(number))
        car.damage, car.control = int(sides), int(control)
    if "control" in state or not game.damage:
        return
    left = sorted(box_once.control(game.box))
    for car in game.cars_:
        if car.control:
            left.remove(data.DIGITS[car.control])
    game.control = pile_once.shuffled(game.deal, "".join(left[sum([car.damage for car in game.cars_]):]), 1)
