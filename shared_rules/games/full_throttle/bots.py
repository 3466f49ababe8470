"""A bettor that the board plays: it reckons how long each moped still needs, and backs those that need least.

It looks at nothing that its seat can't see: the road, its own bets, the open cards of the row, the cards that it is
asked about.
"""

from shared_rules.games.full_throttle import data

#: How many duels of a hundred it must win against random answers.
AHEAD_PERCENT = (("standard", 75),)

#: What a bet on the moped in place 1 to 6 is worth early in a race, and at its end.
_EARLY = (12, 10, 8, 6, 5, 4)
_LATE = (12, 9, 6, 0, 0, 0)
#: Speed of all cards of a moped: 5 of 1, 5 of 2, 4 of 3.
_SPEED = 27


def choose(game, prompt, chance):
    """The text that the bot answers to an open Choose or Number prompt."""
    options = prompt.options()
    verb = options[0].split(" ")[0]
    if len(options) == 1 or verb not in ("bet", "discard", "order"):
        return options[0]
    bets = game.bets[prompt.seat - 1]
    if verb == "order":
        rated = [_sooner(order, bets) for order in prompt.values()]
    else:
        worths = _worths(game, bets) if verb == "bet" else ()
        rated = [_rated(verb, card, bets, worths) for card in prompt.values()]
    top = max(rated)
    return chance.die([text for text, rate in zip(options, rated) if rate == top])


def _rated(verb, card, bets, worths):
    """A bet: what its moped is worth, rather a slow card of it, as it leaves the deck. A card for the row: a fast one
    of a moped that isn't backed here."""
    moped = data.moped_of(card)
    if verb == "bet":
        return worths[moped] - 100 * data.number_of(card)
    backed = len([bet for bet in bets if data.moped_of(bet) == moped])
    return data.number_of(card) * (20 - 6 * backed)


def _worths(game, bets):
    """What a bet on each moped is worth, in hundredths: by the order in which they will come home as it looks now, the
    nearer the end the surer."""
    lap = sum([len(inner) for inner, _ in game.road.stretches])
    whole = lap * (game.setup.laps + 1)
    needs = []
    least = whole
    for moped, space in enumerate(game.spaces):
        speed = _SPEED
        for card in bets + game.row_open:
            if data.moped_of(card) == moped:
                speed -= data.number_of(card)
        way = 0 if moped in game.finished else whole - lap * game.crossings[moped] - _gone(game.road, space)
        least = min(least, way)
        needs.append((way * 100 // max(1, speed), moped))
    needs.sort()
    done = 100 - max(0, least) * 100 // whole
    out = [0] * len(needs)
    for place, (_, moped) in enumerate(needs):
        out[moped] = _EARLY[place] * (100 - done) + _LATE[place] * done
    return out


def _gone(road, space):
    """Inner spaces from the line to here."""
    if space < 0:
        return 0
    stretch, _, at = road.where(space)
    return at + sum([len(road.stretches[before][0]) for before in range(stretch)])


def _sooner(order, bets):
    """An order in which the cards of the mopeds that are backed most come soonest."""
    total = 0
    for at, card in enumerate(order):
        backed = len([bet for bet in bets if data.moped_of(bet) == data.moped_of(card)])
        total += (len(order) - at) * data.number_of(card) * (6 * backed - len(bets))
    return total
