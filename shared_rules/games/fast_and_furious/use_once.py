"""An upgrade token is used, or what a driver can do once (FF-09, FF-31 to FF-41). Loaded for that alone."""

from shared_rules.games.fast_and_furious import data, draw_once, pay_once
from shared_rules.prompts_cards import Draw, Number


def use(turn, words):
    """Uses a token, or what a driver can do."""
    game, car = turn.game, turn.car
    name = words[0]
    if name in data.UPGRADES:
        _count(car, name, -1, 1)
        game.event("spent", car.number, "fast_and_furious.upgrade_" + name, 1)
    first = name not in turn.used
    turn.used.append(name)
    if name == "nitrous":
        yield from _nitrous(turn)
    elif name == "power":
        yield from _again(turn)
    elif name == "tuning":
        yield from _tune(turn)
    elif name == "tires":
        if car.turns:
            turn.grip += 1
        else:
            turn.bonus += 2
    elif name == "handling" and len(words) > 1:
        car.block = game.track.named(words[1])
        game.event("told", ["fast_and_furious.told_block", "car:%d" % car.number, words[1]])
    elif name == "ghost":
        game.draw_up(car, 1)
    elif name == "gambler":
        yield from draw_once.speed_draw(turn, 1)
    elif name == "mechanic" and first:
        car.helped = 1
        _count(car, words[1], 1, -1)


def _count(car, name, there, spent):
    """Changes how many tokens of a kind there are and were used."""
    kind = data.UPGRADES.index(name)
    for field, more in (("upgrades", there), ("spent", spent)):
        counts = getattr(car, field)
        setattr(car, field, counts[:kind] + data.DIGITS[data.DIGITS.index(counts[kind]) + more] + counts[kind + 1:])


def _nitrous(turn):
    """A card is flipped, its nitrous value added (FF-31)."""
    box = turn.game.box
    ask = "fast_and_furious.ask_nitrous"
    if turn.game.by_table:
        drawn = yield Draw(turn.car.seat, box.values(0), ask, (), turn.car.number, "FF-31")
        turn.bonus += int(drawn[0])
    else:
        card = yield from draw_once.flip(turn, 1, ask, "FF-31")
        turn.bonus += box.nitrous(card)


def _again(turn):
    """The speed draw is made anew, nothing of it kept (FF-32)."""
    count = turn.set[1]
    turn.flipped = ""
    turn.speeds = []
    yield from draw_once.speed_draw(turn, count)


def _tune(turn):
    """X cards go, X + 1 come (FF-33)."""
    game, car = turn.game, turn.car
    gone = 0
    if game.by_table:
        gone = yield Number(car.seat, 1, game.hand_count(car), "fast_and_furious.ask_tune_count", (), car.number, "FF-33")
        game.lose(car, gone)
    while not game.by_table and turn.hand():
        card = yield from pay_once.discard(turn, "fast_and_furious.ask_tune", gone, "FF-33", gone > 0)
        if not card:
            break
        game.lose(car, card)
        gone += 1
    game.draw_up(car, gone + 1)
