"""Dials in words, on the display: those a panel has no room for, and a warning before the last point.

Loaded only when there is something to show.
"""

from glow.board.screen import WIDTH
from glow.texts.texts import fit, wrap


def warning(app, rows, low, asked, spent):
    """The end of an option's sentence if it brings a dial of the car in question down to 1, else
    ""; ``low``: the dials that warn."""
    names = []
    for _, car, key, value, _ in rows:
        points = sum([points for dial, points in spent if dial == key])
        if car == asked and points and value - points == 1 and key in low:
            names.append(app.texts.get(key))
    if names and len(spent) == 1:                  # the sentence has just named it
        return ", " + app.texts.get("board.leaves_one")
    return ". " + app.speech.text("board.down_to_one", (", ".join(names),)) if names else ""


def unlit(app, rows, place):
    """At most one line: dials of the car in question or, if those are lit, of the seat's other car."""
    lit = ()
    if app.lights and app.lights.dials.has_room(place.panel, 1):
        lit = app.lights.dials.shown(rows, place.seat)
    left = [row for row in rows if row not in lit]
    if not left:
        return []
    asked = [row for row in left if row[1] == place.prompt.car] or left
    car = asked[0][1]
    say = values(app, [row for row in asked if row[1] == car])
    if car == place.prompt.car:
        return [say]
    name = app.speech.text(_name(app, car))
    return wrap(name + ": " + say, WIDTH, 1)


def page(app, rows):
    """A line for each car: its name and its dials."""
    lines = []
    for number, _, name, _, _ in app.cars:
        said = values(app, [row for row in rows if row[1] == number])
        lines.append(fit(app.texts.get(name), said))
    return lines


def values(app, rows):
    """"F8 R8 E7": the dials in short."""
    said = []
    for _, _, key, value, _ in rows:
        short = key + "_short"
        said.append((app.texts.get(short) if app.texts.has(short) else app.texts.get(key)[:1]) + str(value))
    return " ".join(said)


def _name(app, car):
    return [row[2] for row in app.cars if row[0] == car][0]
