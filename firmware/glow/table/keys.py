"""What the six keys of a panel do in a race."""


def press(table, press):
    """Handles one key of one panel."""
    if press.panel > len(table.places):
        return
    place = table.places[press.panel - 1]
    key = press.key
    if press.kind == "wrong":
        if key == "OK" and not table.waits_for_people():
            table.skip()                           # a bot thinks: it need not
        else:
            _wrong(table, press)
    elif press.kind == "release":
        if key == "WHY":
            table.dirty = True
    elif press.kind in ("early", "long"):
        return
    elif key == "MENU":
        table.open_menu(press.panel)
    elif table.moving:
        if key in ("OK", "UNDO"):
            table.skip()
        if key == "UNDO":
            _back("undo", table, place)
    elif place.teach and not place.note:
        if place.seen or table.focus == place.panel - 1:
            place.teach = ""
        place.seen = True                          # it comes on the display now, if it wasn't there
        table.touch(place)
    elif key == "WHY":
        _back("why", table, place)
    elif place.near is not None or (place.note and key != "UNDO"):
        place.near = None
        place.note = ""
        table.touch(place)
        table.light_ends(table.app.now)
    elif key == "UNDO":
        _back("undo", table, place)
    elif place.pick and press.serial == place.serial and place.seat in (0, press.seat):
        _pick(table, place, key)


def _wrong(table, press):
    speech = table.app.speech
    names = [speech.seat(prompt.seat) for prompt in table.race.prompts]
    table.wrong_say = speech.text("board.not_your_turn", (", ".join(names),))
    table.app.tell(table.wrong_say)


def _pick(table, place, key):
    table.touch(place)
    if key not in ("PREV", "NEXT"):
        if key == "OK":
            text = place.pick.ok()
        else:                                      # of the dice pad
            from glow.keys import console
            text = console.enter(place, key)
        if text is not None:
            table.offer(place.seat or seat_of(table, place.panel), place.serial, text, None, place)
            return
    else:
        place.pick.move(1 if key == "NEXT" else -1)
    table.light_ends(table.app.now)


def _back(name, table, place):
    """Undoing and near misses."""
    from glow.table import back
    getattr(back, name)(table, place)


def seat_of(table, panel):
    """The first person that a panel serves, or 0."""
    return (seats_of(table, panel) + [0])[0]


def seats_of(table, panel):
    """The persons that a panel serves; last those who have left."""
    race = table.race
    seats = [seat for seat in table.app.panels.seats(panel)
             if seat <= len(race.setup.players) and not race.setup.is_bot(seat)]
    return [seat for seat in seats if seat not in race.left] + [seat for seat in seats if seat in race.left]
