"""The end of the race: bets that the table holds are counted in, places and points (FT-35 to FT-38), and what is told of the
race in lines.
"""

from shared_rules.games.full_throttle import data
from shared_rules.prompts_cards import Number

# COUNTING, by table: each player's bets are checked against the cards that the engine has seen (FT-37)

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
                game.bets[seat - 1] += data.card(moped, 1) * count


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


# PLACES AND POINTS

def places(game):
    """The place from 0 of each moped."""
    order = game.race_order()
    return [order.index(moped) for moped in range(len(order))]


def points(game, seat, first):
    """Victory points of a seat for the three places from ``first`` (0 or 3) on."""
    at = places(game)
    total = 0
    for card in game.bets[seat - 1]:
        place = at[data.moped_of(card)] - first
        if 0 <= place < len(data.POINTS):
            total += data.POINTS[place]
    return total


def standings(game):
    """[seat, 0, place, points]; who has as many points of both kinds shares the place. Who has left ranks last."""
    rows = [(seat in game.gone, -points(game, seat, 0), -points(game, seat, 3), seat) for seat in game.setup.seats()]
    rows.sort()
    out = []
    for at, row in enumerate(rows):
        shared = at and row[:3] == rows[at - 1][:3]
        out.append([row[3], 0, out[-1][2] if shared else at + 1, -row[1]])
    return out


def tell(game, lines):
    """The lines of a scene: the mopeds in race order with their laps, and at the end what each player had."""
    for place, moped in enumerate(game.race_order()):
        car = "car:%d" % (moped + 1)
        if moped in game.finished:
            lines.append(["full_throttle.line_podium", place + 1, car])
        else:
            lines.append(["full_throttle.line_moped", place + 1, car, game.crossings[moped], game.setup.laps])
    if game.row:
        hidden = len(game.row) - len(game.row_open)
        if game.row_open:
            lines.append(["full_throttle.line_row", "cards:" + " ".join(data.words(game.row_open)), hidden])
        else:
            lines.append(["full_throttle.line_row_hidden", hidden])
    if game.phase == "over":
        for seat in game.setup.seats():
            bets = " ".join(data.words(data.ordered(game.bets[seat - 1])))
            lines.append(["full_throttle.line_bets", "seat:%d" % seat, "heads:" + bets])
