"""By table: after the race each player counts the bets in, and the engine checks them against the cards that it has seen
(FT-37)."""

from shared_rules.games.full_throttle import data
from shared_rules.prompts_cards import Number


def count_bets(game):
    """Asks each seat for its bets on one moped after the other. ``bets`` then holds the 1 of that moped so many times:
    the number on a bet is irrelevant (FT-24)."""
    left = most_kept(game)
    rounds = len(game.history)
    for seat in game.setup.seats():
        bets = ""
        for moped in range(len(data.MOPEDS)):
            still = rounds - len(bets)
            low = max(0, still - sum(left[moped + 1:]))
            high = max(low, min(still, left[moped]))
            count = low
            if seat not in game.gone:
                count = yield Number(seat, low, high, "full_throttle.ask_count", ("car:%d" % (moped + 1), still), 0, "FT-37")
            left[moped] -= count
            bets += chr(97 + 3 * moped) * count
        game.bets[seat - 1] = bets


def most_kept(game):
    """How many cards of each moped can have been kept: in each round those that haven't come back, and never more than
    the round kept."""
    kept = game.limit() - data.RETURNED
    out = [0] * len(data.MOPEDS)
    for cards, _ in game.history:
        for moped in range(len(out)):
            out[moped] += min(kept, len([card for card in cards if data.moped_of(card) == moped]))
    return out
