"""A bettor that the board plays: it backs the mopeds that are ahead, and takes the fast cards of the others out.

It looks at nothing that its seat can't see: the road, its own bets, the cards that it is asked about.
"""

from shared_rules.games.full_throttle import data

#: What a bet on the moped in place 1 to 6 is worth early in a race.
_WORTHS = (12, 10, 8, 6, 5, 4)
#: What each place is worth at the end.
_POINTS = (4, 3, 2, 0, 0, 0)


def choose(game, prompt, chance):
    """The text that the bot answers to an open Choose or Number prompt."""
    options = prompt.options()
    verb = options[0].split(" ")[0]
    if len(options) == 1 or verb not in ("bet", "discard", "order"):
        return options[0]
    worths = _worths(game)
    backed = [0] * len(worths)
    for card in game.bets[prompt.seat - 1]:
        backed[data.moped_of(card)] += 1
    if verb == "bet":
        # The card goes out of the game: rather a slow one of this moped.
        rated = [worths[data.moped_of(card)] * 8 - data.number_of(card) for card in prompt.values()]
    elif verb == "discard":
        rated = [data.number_of(card) * _against(data.moped_of(card), worths, backed) for card in prompt.values()]
    else:
        rated = [_sooner(order, worths, backed) for order in prompt.values()]
    top = max(rated)
    return chance.die([text for text, rate in zip(options, rated) if rate == top])


def _worths(game):
    """What a bet on each moped is worth, in ninths of a point: by its place, the later the surer."""
    order = game.race_order()
    done = min(9, max(game.crossings) * 9 // (game.setup.laps + 1))
    out = [0] * len(order)
    for place, moped in enumerate(order):
        out[moped] = _WORTHS[place] * (9 - done) + 3 * _POINTS[place] * done
    return out


def _against(moped, worths, backed):
    """How much a card of this moped helps the others: those that nobody here has backed."""
    return worths[moped] - 12 * backed[moped]


def _sooner(order, worths, backed):
    """An order in which the cards of the backed mopeds come soon."""
    total = 0
    for at, card in enumerate(order):
        total += (len(order) - at) * backed[data.moped_of(card)] * data.number_of(card)
    return total
