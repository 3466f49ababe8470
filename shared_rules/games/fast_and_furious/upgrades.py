"""Using upgrade tokens, and what drivers may do once (FF-09, FF-31 to FF-41)."""

from shared_rules.games.fast_and_furious import cards
from shared_rules.games.fast_and_furious.car import UPGRADES
from shared_rules.prompts_cards import Draw, Number


class Use:
    """Something that may be used, and in which ``stages`` of a turn: before the draw, with the speeds on the table, before
    the move, after it. ``token``: it is an upgrade's token, else something that a driver can do."""

    def __init__(self, name, clause, stages):
        self.name = name
        self.clause = clause
        self.stages = stages.split(" ")
        self.token = name in UPGRADES


USES = (
    Use("nitrous", "FF-31", "before speed move"), Use("power", "FF-32", "speed"), Use("tuning", "FF-33", "before"),
    Use("tires", "FF-34", "before speed move"), Use("turbo", "FF-35", "before"),
    Use("handling", "FF-37", "before speed move"), Use("transmission", "FF-38", "before speed move after"),
    Use("aerodynamics", "FF-39", "before speed move"), Use("steering", "FF-40", "before"), Use("ghost", "FF-02", "move"),
    Use("gambler", "FF-02", "speed"), Use("mechanic", "FF-02", "before speed move after"),
)
#: Once a turn: in every stage (FF-09), or as their clauses say.
ONCE = ("power", "handling")
ONCE_TOO = ("turbo", "steering", "gambler", "ghost")
#: The upgrade whose token doesn't come back.
NEVER_BACK = "nitrous"


def texts(turn):
    """Everything that may be used now."""
    out = []
    for one in USES:
        if turn.stage in one.stages or _lays_block(turn, one.name):
            out += [text for text in _forms(turn, one) if fails(turn, text.split(" ")[1:]) is None]
    return out


def _lays_block(turn, name):
    """Whether handling now places a block token; before the move it ignores one (FF-37)."""
    return name == "handling" and turn.stage == turn.AFTER


def _forms(turn, one):
    """The answers that use something at this stage."""
    if not turn.car.tokens(one.name) if one.token else turn.car.driver != one.name:
        return []
    if _lays_block(turn, one.name):
        return ["use handling " + turn.game.track.space_name(space) for space in places(turn)]
    if one.name == "mechanic":
        return ["use mechanic " + other for other in UPGRADES if other != NEVER_BACK]
    return ["use " + one.name]


def places(turn):
    """Where a block token may lie: beside the car, on a free non-corner space (FF-37)."""
    game = turn.game
    taken = [car.space for car in game.cars_] + [car.block for car in game.cars_] + game.obstacles
    beside = [game.course.beside(turn.car.space, side) for side in (-1, 1)]
    return [space for space in beside if space >= 0 and space not in taken]


def fails(turn, words):
    """None if this may be used now, else (reason, clause, argument …)."""
    game, car = turn.game, turn.car
    name = words[0]
    found = [one for one in USES if one.name == name]
    if not found:
        return None
    one = found[0]
    if one.token:
        if name in ONCE and name in turn.used:
            return "once", "FF-09"
        if not car.tokens(name):
            return "no_token", "FF-09", "@fast_and_furious.upgrade_" + name
    elif car.driver != name:
        return "not_driver", one.clause
    lays = _lays_block(turn, name)
    if turn.stage not in one.stages and not lays or name == "handling" and (len(words) > 1) != lays:
        return "not_now", one.clause, "@fast_and_furious.upgrade_" + name
    if name in ONCE_TOO and name in turn.used:
        return "once", one.clause
    reason = _lacks(turn, name, words)
    if reason:
        return reason, one.clause
    if lays and game.track.named(words[1]) not in places(turn):
        return "no_place", one.clause, words[1]
    return None


def _lacks(turn, name, words):
    """Why this is of no use now, "" if it is useful."""
    game, car = turn.game, turn.car
    if name == "tuning" and not turn.hand():
        return "no_cards"
    if name == "steering" and not turn.in_drift_gear():
        return "third_gear"
    if name == "transmission" and turn.costs()[0] == 1:
        return "cheap"
    if name == "handling" and len(words) == 1 and not [one for one in game.cars_ if one.block >= 0 and one is not car]:
        return "no_block"
    if name == "ghost" and not turn.icon:
        return "no_icon"
    if name == "gambler" and turn.set[1] != 1:
        return "one_card"
    if name == "mechanic":
        back = words[1] if len(words) > 1 and words[1] in UPGRADES else NEVER_BACK
        if car.helped or back == NEVER_BACK or not car.used_tokens(back):
            return "nothing_spent"
    return ""


# What each does


def use(turn, words):
    """Uses a token, or what a driver can do."""
    game, car = turn.game, turn.car
    name = words[0]
    if name in UPGRADES:
        car.use_token(name)
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
        yield from cards.speed_draw(turn, 1)
    elif name == "mechanic" and first:
        car.helped = 1
        car.use_token(words[1], -1)


def _nitrous(turn):
    """Flips a card and adds its nitrous value (FF-31)."""
    box = turn.game.box
    ask = "fast_and_furious.ask_nitrous"
    if turn.game.by_table:
        drawn = yield Draw(turn.car.seat, box.values(0), ask, (), turn.car.number, "FF-31")
        turn.bonus += int(drawn[0])
    else:
        card = yield from cards.flip(turn, 1, ask, "FF-31")
        turn.bonus += box.nitrous(card)


def _again(turn):
    """Makes a new speed draw and keeps nothing of the first (FF-32)."""
    turn.flipped = ""
    turn.speeds = []
    yield from cards.speed_draw(turn, turn.set[1])


def _tune(turn):
    """Discards X cards and draws X + 1 (FF-33)."""
    game, car = turn.game, turn.car
    gone = 0
    if game.by_table:
        gone = yield Number(car.seat, 1, game.hand_count(car), "fast_and_furious.ask_tune_count", (), car.number, "FF-33")
        game.lose(car, gone)
    while not game.by_table and turn.hand():
        card = yield from turn.discard("fast_and_furious.ask_tune", gone, "FF-33", gone > 0)
        if not card:
            break
        game.lose(car, card)
        gone += 1
    game.draw_up(car, gone + 1)
