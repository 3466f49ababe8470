"""The reachability check: whether the cards can take a moped home before the deck is empty."""

from shared_rules.games.full_throttle import data
from shared_rules.games.full_throttle.road import Road

#: The bonus of a +2 space.
BONUS = 2


def lacks(track, variants):
    """[[key of the track file, sentence], …] for whatever keeps mopeds from home; [] if one can get there."""
    road = Road(track)
    way = track.laps * sum([len(inner) for inner, _ in road.stretches])
    most = max([_most_spaces(players, len(road.bonuses)) for players in range(2, 7)])
    if way <= most:
        return []
    return [["laps", "Expected a race of at most %d spaces along the inner lane, as far as the cards can take a moped, '%s'"
             " has %d; take some rows or laps off." % (most, track.id, way)]]


def _most_spaces(players, bonuses):
    """The farthest that a moped can get with this many players, if all cards returned under the deck are its 3s (FT-25)."""
    deck = data.whole_deck(players, 3)
    own = [data.number_of(card) for card in deck if data.moped_of(card) == 0]
    revealed = data.REVEALED[players - 2]
    again = data.RETURNED * ((len(deck) - revealed) // (revealed - data.RETURNED) + 1)
    return sum(own) + 3 * again + BONUS * bonuses * (len(own) + again)
