"""Upgrade tokens, and what drivers may do once (FF-09, FF-31 to FF-41)."""

from shared_rules.games.fast_and_furious import data

# Where each may be used: before the draw, with the speeds on the table, before the move, after it.
STAGES = (
    ("nitrous", "before speed move"), ("power", "speed"), ("tuning", "before"), ("tires", "before speed move"),
    ("turbo", "before"), ("handling", "before speed move"), ("transmission", "before speed move after"),
    ("aerodynamics", "before speed move"), ("steering", "before"), ("ghost", "move"), ("gambler", "speed"),
    ("mechanic", "before speed move after"),
)
CLAUSES = ("FF-31", "FF-32", "FF-33", "FF-34", "FF-35", "FF-37", "FF-38", "FF-39", "FF-40", "FF-02", "FF-02", "FF-02")
DRIVERS = 9             # the entries from here on are those of drivers


def texts(turn):
    """All that may be used now."""
    out = []
    for kind, (name, stages) in enumerate(STAGES):
        if turn.stage in stages.split(" ") or name == "handling" and turn.stage == "after":
            out += [text for text in forms(turn, kind) if fails(turn, text.split(" ")[1:]) is None]
    return out


def forms(turn, kind):
    """The answers that use something at this stage."""
    name = STAGES[kind][0]
    if kind < DRIVERS and turn.car.upgrades[kind] == "0" or kind >= DRIVERS and turn.car.driver != name:
        return []
    if name == "handling" and turn.stage == "after":
        return ["use handling " + turn.game.track.space_name(space) for space in places(turn)]
    if name == "mechanic":
        return ["use mechanic " + data.UPGRADES[other] for other in range(1, 9)]
    return ["use " + name]


def places(turn):
    """Where a block token may lie: beside the car, on a free space that is none of a corner (FF-37)."""
    game = turn.game
    taken = [car.space for car in game.cars_] + [car.block for car in game.cars_] + game.obstacles
    beside = [game.course.beside(turn.car.space, side) for side in (-1, 1)]
    return [space for space in beside if space >= 0 and space not in taken]


def fails(turn, words):
    """None where this may be used now, else (reason, clause, argument …)."""
    game, car = turn.game, turn.car
    name = words[0]
    kinds = [kind for kind, (other, _) in enumerate(STAGES) if other == name]
    if not kinds:
        return None
    kind = kinds[0]
    clause = CLAUSES[kind]
    if kind < DRIVERS:
        if name in ("power", "handling") and name in turn.used:
            return "once", "FF-09"
        if car.upgrades[kind] == "0":
            return "no_token", "FF-09", "@fast_and_furious.upgrade_" + name
    elif car.driver != name:
        return "not_driver", clause
    later = name == "handling" and turn.stage == "after"
    if turn.stage not in STAGES[kind][1].split(" ") and not later or (name == "handling") and (len(words) > 1) != later:
        return "not_now", clause, "@fast_and_furious.upgrade_" + name
    if name == "tuning" and not turn.hand():
        return "no_cards", clause
    if name in ("turbo", "steering", "gambler", "ghost") and name in turn.used:
        return "once", clause
    if name == "steering" and car.gear != 3:
        return "third_gear", clause
    if name == "transmission" and turn.costs()[0] == 1:
        return "cheap", clause
    if name == "handling" and not later and not [other for other in game.cars_ if other.block >= 0 and other is not car]:
        return "no_block", clause
    if later and game.track.named(words[1]) not in places(turn):
        return "no_place", clause, words[1]
    if name == "ghost" and not turn.icon:
        return "no_icon", clause
    if name == "gambler" and turn.set[1] != 1:
        return "one_card", clause
    if name == "mechanic" and (car.helped or len(words) < 2 or words[1] not in data.UPGRADES[1:]
                               or car.spent[data.UPGRADES.index(words[1])] == "0"):
        return "nothing_spent", clause
    return None
