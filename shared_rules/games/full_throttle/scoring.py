"""The end of the race: bets held by the table are counted, places and points (FT-35 to FT-38), and the lines that describe
the race.
"""

from shared_rules.games.full_throttle import data
from shared_rules.prompts_cards import Number

# COUNTING, by table: each player's bets are checked against the cards that the engine has seen (FT-37)

class Count(Number):
    """Asks how many bets there are on a moped; None if the player leaves meanwhile."""

    def forced(self):
        return None


def count_bets(game):
    """Asks each seat for its bets on one moped after another. For each bet ``bets`` then holds that moped's 1:
    the number on a bet is irrelevant (FT-24). Nobody knows the bets of players who have left: they count for nothing, and
    don't reduce what others can have."""
    left = most_kept(game)
    for seat in game.setup.seats():
        if seat not in game.gone:
            counts = yield from _counts(game, seat, left)
            for moped, count in enumerate(counts):
                left[moped] -= count
                game.bets[seat - 1] += data.card(moped, 1) * count


def _counts(game, seat, left):
    """A seat's number of bets on each moped; [] if the player leaves before all are named."""
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
    """The place of each moped, from 0."""
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
    """[seat, 0, place, points]; seats level in both kinds of points share the place. Players who have left rank last."""
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
