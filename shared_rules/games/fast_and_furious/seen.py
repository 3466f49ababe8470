"""What the display and a player's own page tell."""

from shared_rules.games.fast_and_furious import data


def tokens(counts):
    """[name, how many] of the upgrades that there are, in their order."""
    return [(name, data.DIGITS.index(count)) for name, count in zip(data.UPGRADES, counts) if count != "0"]


def lines(game, out):
    """Whose turn it is, with its upgrades, and who leads."""
    car = game.car(game.at)
    for name, count in tokens(car.upgrades):
        out.append(["fast_and_furious.line_upgrade", "@fast_and_furious.upgrade_" + name, count])
    for row in game.standings():
        leader = game.car(row[1])
        if leader.status == "run":
            out.append(["fast_and_furious.line_leader", "car:%d" % leader.number, game.to_go(leader)])
            break


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
