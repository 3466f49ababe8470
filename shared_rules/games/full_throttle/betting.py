"""Step b) Bet on the mopeds: the round's cards go from hand to hand (FT-24 to FT-31)."""

from shared_rules import notation
from shared_rules.games.full_throttle import data
from shared_rules.prompts import TABLE, Choose, Refusal


def bet_on_mopeds(game):
    """Each seat keeps a card, beginning with the spark plug; the last one puts the rest under the deck."""
    if game.by_table:
        yield Choose(TABLE, ["ok"], "full_throttle.ask_draft", ("seat:%d" % game.start,), 0, "FT-25")
        game.history.append([game.drawn, 0])
        game.drawn = ""
        return
    game.hand = game.drawn
    game.drawn = ""
    for step in range(game.seats):
        seat = (game.start + step - 1) % game.seats + 1
        card = yield from _choice(game, seat, "bet", "FT-25" if step else "FT-24")
        game.bets[seat - 1] += card
    if game.seats <= 3:
        card = yield from _choice(game, seat, "discard", "FT-29")
        game.row += card
    yield from _put_under(game, seat)
    if game.seats <= 3 and len(game.row) >= data.ROW_SHOWN:
        game.row_open = game.row[:len(game.row_open) + 1]    # (FT-30)


def _choice(game, seat, verb, clause):
    """The card of the hand that a seat keeps or puts aside; any card for a player who has left."""
    if seat in game.gone:
        card = game.hand[game.deal.below(len(game.hand))]
    else:
        game.holder = seat
        kinds = data.different(game.hand)
        card = yield Choose(
            seat, [notation.show(verb, [data.word(kind)]) for kind in kinds], "full_throttle.ask_" + verb,
            (len(game.hand),), 0, clause, True, values=kinds, explain=lambda text: _explain(text, verb, clause))
        game.holder = 0
    game.hand = data.without(game.hand, card)
    return card


def _put_under(game, seat):
    """The last player puts the cards under the deck in any order; the first one named will come first (FT-25)."""
    if seat in game.gone:
        cards = list(game.hand)
        game.deal.shuffle(cards)
        order = "".join(cards)
    else:
        game.holder = seat
        orders = _orders(game.hand)
        order = yield Choose(
            seat, [notation.show("order", data.words(order)) for order in orders], "full_throttle.ask_order",
            (len(game.hand),), 0, "FT-25", True, values=orders, explain=lambda text: _explain(text, "order", "FT-25"))
        game.holder = 0
    game.deck += order
    game.hand = ""


def _orders(cards):
    """All distinct orders of a few cards."""
    if len(cards) < 2:
        return [cards]
    out = []
    for kind in data.different(cards):
        out += [kind + rest for rest in _orders(data.without(cards, kind))]
    return out


def _explain(text, verb, clause):
    """Why a card can't be chosen."""
    words = text.split(" ")
    if words[0] != verb or len(words) < 2:
        return None
    return Refusal(text, "full_throttle.not_in_hand", clause, ("cards:" + " ".join(words[1:]),))
