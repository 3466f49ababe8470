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
            undo(table, place)
    elif place.teach and not place.note:
        place.teach = ""
        table.touch(place)
    elif key == "WHY":
        _why(table, place)
    elif place.near is not None or (place.note and key != "UNDO"):
        place.near = None
        place.note = ""
        table.touch(place)
        table.light_ends(table.app.now)
    elif key == "UNDO":
        undo(table, place)
    elif place.pick and press.serial == place.serial and place.seat in (0, press.seat):
        _pick(table, place, key)


def _wrong(table, press):
    speech = table.app.speech
    names = [speech.seat(prompt.seat) for prompt in table.race.prompts]
    table.app.light("signal", "wrong", press.seat, table.app.now)
    table.wrong_say = speech.text("board.not_your_turn", (", ".join(names),))
    table.app.tell(table.wrong_say)


def _pick(table, place, key):
    table.touch(place)
    if key == "OK":
        text = place.pick.ok()
        if text is not None:
            table.offer(place.seat or seat_of(table, place.panel), place.serial, text, None, place)
            return
        table.app.light("ack", place.seat, table.app.now)
    else:
        place.pick.move(1 if key == "NEXT" else -1)
    table.light_ends(table.app.now)


def undo(table, place):
    """Takes back a part of what is being entered, else the seat's own last choice."""
    table.touch(place)
    race = table.race
    place.near = None
    place.note = ""
    if place.pick and not table.moving and place.pick.back():
        table.light_ends(table.app.now)
        return
    seat = place.seat or seat_of(table, place.panel)
    if not seat:
        return
    back = 1
    if seat not in [by for by, _ in race.pending_answers()]:
        from shared_rules import rewind
        back = rewind.undo_count(race, seat)
        if not back and race.base:
            rewind.recall(race, 0)
            back = rewind.undo_count(race, seat)
    if back:
        table.offer(seat, 0, "undo %d" % back, None, place)
    else:
        place.note = table.app.texts.get("board.nothing_to_undo")


def seat_of(table, panel):
    """The first person that a panel serves, or 0."""
    for seat in table.app.panels.seats(panel):
        if seat <= len(table.race.setup.players) and not table.race.setup.is_bot(seat):
            return seat
    return 0


def _why(table, place):
    """Shows the next near miss of the prompt, or why there is none."""
    table.touch(place)
    place.note = ""
    if not place.prompt:
        place.note = table.app.texts.get("board.nothing_asked")
        return
    if place.prompt.secret:
        return                                     # WHY held shows the hand
    if place.near is None:
        place.near = place.prompt.refused()
        place.near_at = 0
    else:
        place.near_at += 1
    if place.near_at >= len(place.near):
        none = not place.near
        place.near = None
        if none:
            clause = place.prompt.clause
            place.note = table.app.speech.text("board.no_near_miss", (clause or "-",))
    table.light_ends(table.app.now)
