"""What the lights mean, in words: colour is never the only mark. Loaded when somebody opens it in the menu."""

from glow.texts.texts import wrap


def page(app, game):
    """Lines for the display: the rhythm of each car, then the other lights."""
    texts = app.texts
    lines = []
    for _, _, name, colour, rhythm in app.cars:
        name = texts.get(name)
        colour = texts.get("board.light_" + colour)
        if colour not in name.lower():             # the black one is lit white
            name += " (" + colour + ")"
        lines += wrap(name + ": " + texts.get("board.rhythm_%d" % (rhythm & 7)))
    for key in ("offered", "chosen", "dials", "low", "costs"):
        lines += wrap(texts.get("board.legend_" + key))
    kinds = sorted([word for word, _ in game.MARK_COLOURS])
    for word in kinds:
        name = texts.get("%s.mark_%s" % (game.ID, word))
        lines += wrap(app.speech.text("board.legend_dips" if word in kinds[1:] else "board.legend_mark", (name,)))
    return lines
