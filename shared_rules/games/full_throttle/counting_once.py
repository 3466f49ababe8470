"""By table: after the race each player counts the bets in, and the engine checks them against the cards that it has seen
(FT-37)."""

from shared_rules.games.full_throttle import data
from shared_rules.prompts_cards import Number


class Count(Number):
    """How many bets on a moped; None of a player who leaves meanwhile."""

    def forced(self):
        return None


def count_bets(game):
    """Asks each seat for its bets on one moped after the other. ``bets`` then holds the 1 of that moped so many times:
    the number on a bet is irrelevant (FT-24). Those of who has left nobody knows: they count for nothing, and take nothing
    off what others can have."""
    left = most_kept(game)
    for seat in game.setup.seats():
        if seat not in game.gone:
            counts = yield from _counts(game, seat, left)
            for moped, count in enumerate(counts):
                left[moped] -= count
                game.bets[seat - 1] += chr(97 + 3 * moped) * count


def _counts(game, seat, left):
    """A seat's number of bets on each moped; [] where the player leaves before all are named."""
    counts = []
    for moped in range(len(data.MOPEDS)):
        still = len(game.history) - sum(counts)
        low = max(0, still - sum(left[moped + 1:]))
        high = max(low, min(still, left[moped]))
        count = yield Count(seat, low, high, "full_throttle.ask_count", ("car:%d" % (moped + 1), still), 0, "FT-37")
        if count is None:
            return []
        counts.append(count)
    return counts


def most_kept(game):
    """How many cards of each moped can have been kept: in each round those that haven't come back, and never more than
    the round kept."""
    kept = game.limit() - data.RETURNED
    out = [0] * len(data.MOPEDS)
    for cards, _ in game.history:
        for moped in range(len(out)):
            out[moped] += min(kept, len([card for card in cards if data.moped_of(card) == moped]))
    return out
