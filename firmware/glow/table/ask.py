"""What somebody who is asked reads on the display, and what their cursor lights. Loaded once a person is asked."""

from glow.table.ends import EndsPick
from glow.table.pick import CardPick, WheelPick
from glow.table.view import WIDTH, dice, lap
from glow.texts.texts import fit, wrap


def lines(table, place):
    """The six lines of a Place that is asked."""
    head = fit(table.app.speech.who(place.seat, place.prompt.car if place.prompt else 0), lap(table))
    if place.note:
        return [head] + wrap(place.note, WIDTH, 5)
    if place.teach:
        return [head] + wrap(place.teach, WIDTH, 5)
    if place.near:
        return [head] + _near(table, place)
    if place.prompt.secret:
        if not table.app.panels.held(place.panel, "WHY"):
            say = table.app.speech.text("board.hold_why", ("seat:%d" % place.seat,))
            return [head] + wrap(say, WIDTH, 5)
        table.private_seat = place.seat
        return [head] + wrap(_choice(table, place), WIDTH, 2) + _hand(table, place)
    return [head] + _question(table, place)


def lit(place, track):
    """(spaces, which of them is bright or -1) for the lights."""
    if place.near and place.near_at < len(place.near):
        words = place.near[place.near_at].text.split(" ")
        space = track.named(words[1]) if words[0] == "go" and len(words) > 1 else -1
        return ([space], 0) if space >= 0 else ((), -1)
    if place.pick and place.prompt.ends and not place.prompt.secret:
        return place.prompt.ends, place.pick.place()
    if isinstance(place.pick, EndsPick) and not place.prompt.secret:
        spaces, chosen = place.pick.lit()
        return spaces, spaces.index(chosen[0])
    return (), -1


def costs(place):
    """What the option under a panel's cursor takes: [dial key, points] each; () where nothing is spent."""
    if not place.pick or not place.prompt.costs or place.prompt.secret:
        return ()
    at = place.pick.place()
    return place.prompt.costs(at) if at >= 0 else ()


def entered(pick):
    """(which face is on the wheel, of how many) for the seat's dial; (0, 0) where no wheel is turned."""
    if isinstance(pick, WheelPick):
        return pick.faces[pick.at] + 1, len(pick.wheels[pick.at])
    return 0, 0


def _question(table, place):
    """Five lines: what is asked, what the cursor is on, and the dice."""
    which, many = place.pick.counts()
    unlit = _unlit(table, place)
    choice = wrap(_choice(table, place), WIDTH, 3 - len(unlit))
    ask = wrap(table.app.speech.ask(place.prompt), WIDTH, min(2, 4 - len(choice) - len(unlit)))
    shown = ask + choice
    while len(shown) + len(unlit) < 4:
        shown.append("")
    return shown + unlit + [fit(dice(table, place.prompt.car), "%d/%d" % (which, many) if many > 1 else "OK")]


def _choice(table, place):
    pick = place.pick
    speech = table.app.speech
    if isinstance(pick, CardPick):
        card = str(pick.words()[0])
        if not pick.at and len(pick.wheels[1]) > 1:
            card = card.rpartition("-")[0] + "-?"
        return "> " + speech.names.card(card)
    if isinstance(pick, WheelPick):
        faces = []
        for at, word in enumerate(pick.words()):
            if isinstance(word, str):
                word = speech.names.card(word)
            faces.append("[%s]" % word if at == pick.at else " %s " % (word if at < pick.at else "?"))
        return "".join(faces)
    if isinstance(pick, EndsPick) and not pick.in_row and len(pick.rows[pick.at][1]) > 1:
        return "> " + speech.text("board.row", (pick.row(), len(pick.rows[pick.at][1])))
    at = pick.place()
    if at < 0:
        return ""
    say = "> " + speech.option(pick.options[at], pick.labels[at])
    spent = costs(place)
    if spent:
        from glow.table import dials
        say += dials.warning(table, place, spent)
    return say


def _unlit(table, place):
    """A line with the dials of this seat that its panel has no room for; [] where all are lit."""
    rows = [row for row in table.dials if row[0] == place.seat]
    lights = table.app.lights
    if not rows or lights and lights.dials.has_room(place.panel, len(rows)):
        return []
    from glow.table import dials
    return dials.unlit(table, place, rows)


def _near(table, place):
    near = place.near[place.near_at]
    say = table.app.speech.text(near.reason, near.args_) + (" (" + near.clause + ")" if near.clause else "")
    title = fit(table.app.texts.get("board.why"), "%d/%d" % (place.near_at + 1, len(place.near)))
    return [title] + wrap(table.app.speech.option(near.text, None) + ": " + say, WIDTH, 4)


def _hand(table, place):
    shown = []
    for item in table.race.view(place.seat)["private"]:
        shown.extend(wrap(table.app.speech.say(item), WIDTH))
    return shown[:3]
