"""What stands on the display of 21 letters and six lines during a race."""

from glow.texts.texts import fit, wrap

WIDTH = 21


def focused(table):
    """The Place that the display shows, or None while nobody at a panel is asked anything."""
    if table.focus < len(table.places):
        place = table.places[table.focus]
        if place.pick or place.note:               # with teaching there is a pick too
            return place
    return None


def lines(table):
    """The six lines; sets ``table.private_seat``."""
    table.private_seat = 0
    place = focused(table)
    if table.moving or place is None:
        return _watching(table)
    from glow.table import ask  # a race of bots has no use for it
    return ask.lines(table, place)


def lap(table):
    """The lap counter."""
    race = table.race
    return table.app.speech.text("board.lap_short", (race.lap, race.laps)) if race.lap else ""


def dice(table, car):
    """The dice that a car rolled last, or the cards that were drawn."""
    if table.dice is None or (car and table.dice[1] and table.dice[1] != car):
        return ""
    names = table.app.speech.names
    return " ".join(["[%s]" % (names.card(face) if isinstance(face, str) else face) for face in table.dice[2]])


def _watching(table):
    """Nobody is asked: whose turn it is, what happened last, and the dice."""
    race = table.race
    names = []
    for prompt in race.prompts:
        names.append(table.app.speech.who(prompt.seat, prompt.car))
    head = fit(", ".join(names), lap(table))
    shown = wrap(table.last_say, WIDTH, 3) if table.last_say else []
    while len(shown) < 4:
        shown.append("")
    return [head] + shown + [dice(table, 0)]
