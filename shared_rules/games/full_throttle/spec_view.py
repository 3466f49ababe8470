"""How the spec's vectors set up a race and look into it; no board loads this in a race."""

from shared_rules.games.full_throttle import data, scoring
from shared_rules.games.full_throttle.road import start_spaces


def arrange(game, state):
    """See spec/FORMAT.md."""
    if "mopeds" in state:
        game.spaces = [-1] * len(data.MOPEDS)
        game.crossings = [0] * len(data.MOPEDS)
        for text in state["mopeds"]:
            name, space, crossings = text.split(" ")
            moped = data.MOPEDS.index(name)
            game.spaces[moped] = game.track.named(space)
            if game.spaces[moped] < 0:
                raise KeyError(space)
            game.crossings[moped] = int(crossings)
    game.finished = [data.MOPEDS.index(name) for name in state.get("podium", [])]
    if "deck" in state:
        cards = "".join([data.card_of(name) for name in state["deck"]])
        game.deck = data.ordered(cards) if game.by_table else cards
    game.start = state.get("start", 1)
    game.round = state.get("round", 1)
    for text in state.get("bets", []):
        words = text.split(" ")
        game.bets[int(words[0]) - 1] = "".join([data.card_of(name) for name in words[1:]])
    game.row = "".join([data.card_of(name) for name in state.get("row", [])])
    game.row_open = game.row[:max(0, len(game.row) - data.ROW_SHOWN + 1)]


def look(game, key):  # noqa: C901 one key of the spec after another
    """See spec/FORMAT.md."""
    words = key.split(" ")
    if words[0] == "moped":
        return _look_moped(game, data.MOPEDS.index(words[1]), words[2:])
    if words[0] == "space":
        return _look_space(game, game.track.named(words[1]))
    if words[0] == "bets" and len(words) == 2:
        return _look_bets(game, int(words[1]))
    if words[0] == "bets":
        return str(game.bet_count(int(words[1])))
    if words[0] == "hand":
        return _listed(game.hand if game.holder == int(words[1]) else "")
    if words[0] == "sees":
        return _look_sees(game, int(words[1]))
    if words[0] == "points" or words[:2] == ["tie", "points"]:
        if game.phase != "over":
            return "-"
        return str(scoring.points(game, int(words[-1]), 0 if words[0] == "points" else 3))
    if key == "deck cards":
        return " ".join(data.words(game.deck)) or "none"
    if words[0] == "deck":
        return str(game.deck.count(data.card_of(words[1])) if len(words) == 2 else _deck_size(game))
    if key == "row":
        cards = len(game.row)
        if game.by_table and game.seats <= 3:
            cards = game.rounds_bet()
        shown = data.words(game.row_open) + ["?"] * (cards - len(game.row_open))
        return " ".join(shown) or "none"
    if key == "grid":
        spaces = [game.track.space_name(space) for space in start_spaces(game.track) if space in game.spaces]
        return " ".join(spaces) or "none"
    simple = (
        ("podium", " ".join([data.MOPEDS[moped] for moped in game.finished]) or "none"),
        ("lap", str(game.lap())),
        ("round", str(game.round)),
        ("start", str(game.start)),
        ("last", str((game.start - 2) % game.seats + 1)),
        ("limit", "none" if game.finished else str(game.limit())),
        ("drawn", _listed(game.drawn)),
        ("rows", str(game.track.rows)),
    )
    for name, text in simple:
        if name == key:
            return text
    raise KeyError(key)


def _listed(cards):
    return " ".join(data.words(data.ordered(cards))) or "none"


def _deck_size(game):
    return len(game.deck) + sum([data.RETURNED - came for _, came in game.history])


def _look_moped(game, moped, words):
    if words == ["crossings"]:
        return str(game.crossings[moped])
    if words == ["place"]:
        return str(game.race_order().index(moped) + 1)
    if words == ["lap"]:
        if moped in game.finished:
            place = game.finished.index(moped)
            return "podium %d" % (place + 1)
        return str(min(game.crossings[moped], game.setup.laps)) if game.crossings[moped] else "start"
    return game.track.space_name(game.spaces[moped]) if game.spaces[moped] >= 0 else "off"


def _look_space(game, space):
    stretch, lane, at = game.road.where(space)
    lanes = game.road.stretches[stretch]
    text = "outer" if lane else "inner"
    if not lanes[1]:
        text = "choke"
    elif len(lanes[1]) > 1:
        text = "turn %s %d of %d" % (text, at + 1, len(lanes[lane]))
    if space in start_spaces(game.track):
        text += " start"
    return text + (" +2" if space in game.road.bonuses else "")


def _look_bets(game, seat):
    bets = game.bets[seat - 1]
    if not game.by_table:
        return _listed(bets)
    counts = [len([card for card in bets if data.moped_of(card) == moped]) for moped in range(len(data.MOPEDS))]
    return " ".join(["%s %d" % (name, count) for name, count in zip(data.MOPEDS, counts) if count]) or "none"


def _look_sees(game, seat):
    """What the game's ``private`` says, without its sentences."""
    parts = []
    for key, cards in game.private(seat):
        name = "hand" if key == "full_throttle.in_hand" else "bets"
        parts.append(name + " " + cards.partition(":")[2])
    return "; ".join(parts) or "nothing"


def inventory(game):
    """All cards are somewhere, and no two mopeds are on the same space."""
    cards = game.deck + game.row + game.drawn + game.hand
    if game.by_table:
        cards += "".join([cards for cards, _ in game.history])
        size = "%d cards" % len(cards)
    else:
        size = data.ordered(cards + "".join(game.bets))
    spaces = [space for space in game.spaces if space >= 0]
    return "%s, %d mopeds in the place of another" % (size, len(spaces) - len(set(spaces)))
