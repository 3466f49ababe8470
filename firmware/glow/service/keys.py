"""Keys, encoder, reader, and the delay from a press to its light, tried in service mode."""


def _asked(screen):
    """What the keys did since the last request."""
    edges, screen.edges = screen.edges, []
    lost, screen.edges_lost = screen.edges_lost, 0
    return edges, lost


def keys(screen, a, _b, _c, _rest):
    """1: report keys from now on, 0: stop, 2: what they did since the last request. "stuck": [panel, key] of
    those that are down and don't come up."""
    edges, lost = _asked(screen)
    if a < 2:
        screen.keys_on = a == 1 and (screen.hosted or not screen.keys_on)
        edges = []
    hal = screen.app.hal
    return {"state": "ok", "on": 1 if screen.keys_on else 0, "panels": getattr(hal, "panel_count", 0),
            "wanted": hal.board.get("panels", 0), "edges": edges, "lost": lost, "stuck": screen.app.panels.stuck()}


def encoder(screen, a, _b, _c, _rest):
    """How far the console's encoder was turned: clicks back and forward; 1 starts again at 0."""
    if not screen.app.hal.board.get("wiring", {}).get("console"):
        return {"state": "missing"}
    if a == 1:
        screen.clicks[0] = screen.clicks[1] = 0
    return {"state": "ok", "back": screen.clicks[0], "forth": screen.clicks[1]}


def reader(screen, a, _b, _c, _rest):
    """1: report cards from now on, including one that lies there already; 0: stop, 2: the last card
    and how many there were."""
    one = getattr(screen.app.hal, "reader", None)
    if one is None or screen.part("reader") in ("missing", "off"):
        return {"state": "missing"}
    if a < 2:
        screen.reader_on = a == 1 and (screen.hosted or not screen.reader_on)
        screen.cards = 0
        screen.card = ""
        if screen.reader_on:
            one.again()  # whatever the board was doing when the card was put down has used it up
    value = {"state": screen.part("reader"), "on": 1 if screen.reader_on else 0, "cards": screen.cards,
             "card": screen.card, "detail": screen.part_detail("reader")}
    if hasattr(one, "version"):
        value["version"] = "0x%02x" % one.version()
    if hasattr(one, "refused"):
        why = one.refused()
        value["why"] = screen.app.texts.get(why) if why else ""
    return value


def card(screen, _a, _b, _c, rest):
    """A card's meaning: "card ID meaning" stores it, "card ID" forgets it, "card" forgets all.
    "say": anything worth saying about it, such as what the card meant before."""
    from glow.table.deck import Deck  # for the reader, which few boards have
    app = screen.app
    deck = Deck(app.hal.path("save"))
    uid, _, meaning = rest.partition(" ")
    told = []
    if meaning:
        told = deck.enrol(uid, meaning)
    elif uid:
        told = deck.forget(uid)
    else:
        deck.clear()
    fine = not told or told[0].startswith("board.card_")
    return {"state": "ok" if fine else "fault", "say": app.speech.say(told) if told else ""}


def latency(screen, a, _b, _c, _rest):
    """1: measure each press from now on, 0: stop, 2: ms from a key's edge to its frame so far."""
    if screen.lights is None:
        return {"state": "missing"}
    if a == 1 and (screen.hosted or not screen.latencies):
        screen.lights.dark()
        screen.latencies = [0, 0, 0, 0]
    elif a < 2:
        screen.latencies = None
    last, total, most, count = screen.latencies or (0, 0, 0, 0)
    return {"state": "ok", "presses": count, "last_ms": last, "mean_ms": total // count if count else 0, "most_ms": most}


#: What can be tried here, by name.
TRIES = {"latency": latency, "keys": keys, "encoder": encoder, "reader": reader, "card": card}
