"""What the display and a player's own page tell."""

from shared_rules.games.fast_and_furious import data


def tokens(counts):
    """[name, how many] of the upgrades that there are, in their order."""
    return [(name, data.DIGITS.index(count)) for name, count in zip(data.UPGRADES, counts) if count != "0"]


def lines(game, out):
    """Who is over the line with how much speed left (FF-47); in a race who leads, and what each car has."""
    ranking = game.standings()
    for row in ranking:
        car = game.car(row[1])
        if car.status == "done":
            out.append(["fast_and_furious.line_left", "car:%d" % car.number, car.left])
    if game.over():
        if not out:
            out.append(["fast_and_furious.line_nobody"])
        return
    for row in ranking:
        car = game.car(row[1])
        if car.status == "run":
            out.append(["fast_and_furious.line_leader", "car:%d" % car.number, game.to_go(car)])
            break
    for car in game.cars_:
        there = "heads:" + " ".join([(kind + "- ") * count for kind, count in tokens(car.upgrades)])
        if car.driver:
            driver = "@fast_and_furious.card_" + car.driver
            out.append(["fast_and_furious.line_driver", "car:%d" % car.number, there, driver])
        elif len(there) > 6:
            out.append(["fast_and_furious.line_car", "car:%d" % car.number, there])


def private(game, seat):
    """Hands, sorted by gear; before the start what is placed."""
    out = []
    own = [car for car in game.cars_ if car.seat == seat]
    for car in own:
        at = car.number - 1
        hand = " ".join(data.gears(game.hands[at])) if not game.by_table else ""
        if hand:
            out.append(["fast_and_furious.in_hand", hand] if len(own) == 1 else
                       ["fast_and_furious.in_hand_of", "car:%d" % car.number, hand])
        if game.phase == "upgrades":
            for name, count in tokens(game.chosen[at]):
                word = "@fast_and_furious.upgrade_" + name
                out.append(["fast_and_furious.placed", word, count] if len(own) == 1 else
                           ["fast_and_furious.placed_on", "car:%d" % car.number, word, count])
    return out
