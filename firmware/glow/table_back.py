"""Taking back and asking why: the keys UNDO and WHY of a panel. Loaded for that only."""

from glow.table_keys import seat_of


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


def why(table, place):
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
        if none and place.prompt.told:
            say, clause = place.prompt.told()
            place.note = table.app.speech.say(say) + " (" + clause + ")"
        elif none:
            clause = place.prompt.clause
            place.note = table.app.speech.text("board.no_near_miss", (clause or "-",))
    table.light_ends(table.app.now)
