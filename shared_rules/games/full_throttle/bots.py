"""A bettor that the board plays: it estimates how long each moped still needs, and backs those that need least.

It looks only at what its seat can see: the road, its own bets, the open cards of the row, the cards that it is
asked about.
"""

from shared_rules.games.full_throttle import data

#: How many of a hundred duels it must win against random answers.
AHEAD_PERCENT = (("standard", 75),)

#: The value of a bet on the moped in place 1 to 6 early in a race, and at its end.
_EARLY = (12, 10, 8, 6, 5, 4)
_LATE = (12, 9, 6, 0, 0, 0)
#: Total speed of all cards of a moped: five 1s, five 2s, four 3s.
_SPEED = 27


def choose(game, prompt, chance):
    """The bot's answer to an open Choose or Number prompt, as text."""
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
    """The value of a card. As a bet: its moped's value, better with a slow card, because it leaves the deck. For the row:
    better a fast card of a moped that this seat doesn't back."""
    moped = data.moped_of(card)
    if verb == "bet":
        return worths[moped] - 100 * data.number_of(card)
    backed = len([bet for bet in bets if data.moped_of(bet) == moped])
    return data.number_of(card) * (20 - 6 * backed)


def _worths(game, bets):
    """The value of a bet on each moped, in hundredths: by the order in which they now seem to come home, which is the
    surer the nearer the end is."""
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
    """Inner spaces from the line to this space."""
    if space < 0:
        return 0
    stretch, _, at = road.where(space)
    return at + sum([len(road.stretches[before][0]) for before in range(stretch)])


def _sooner(order, bets):
    """An order that brings the cards of the most backed mopeds soonest."""
    total = 0
    for at, card in enumerate(order):
        backed = len([bet for bet in bets if data.moped_of(bet) == data.moped_of(card)])
        total += (len(order) - at) * data.number_of(card) * (6 * backed - len(bets))
    return total
