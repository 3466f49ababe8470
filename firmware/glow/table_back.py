"""Taking back and asking why: the keys UNDO and WHY of a panel. Loaded for that only."""

from glow.table_keys import seats_of


def undo(table, place):
    """Takes back a part of what is being entered, else the last choice of those whom the panel serves."""
    table.touch(place)
    race = table.race
    place.near = None
    place.note = ""
    if place.pick and not table.moving and place.pick.back():
        table.light_ends(table.app.now)
        return
    seats = seats_of(table, place.panel)
    if not seats:
        return
    waiting = [by for by, _ in race.pending_answers() if by in seats]
    found = (1, waiting[-1]) if waiting else _last(race, seats)
    if not found and race.base:
        from shared_rules import rewind
        rewind.recall(race, 0)
        found = _last(race, seats)
    if found:
        table.offer(found[1], 0, "undo %d" % found[0], None, place)
    else:
        place.note = table.app.texts.get("board.nothing_to_undo")


def _last(race, seats):
    """(how many answers back, whose) of the last choice of one of these seats, or None."""
    from shared_rules import rewind
    counts = [(rewind.undo_count(race, seat), seat) for seat in seats]
    return min([count for count in counts if count[0]] or [None])


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
