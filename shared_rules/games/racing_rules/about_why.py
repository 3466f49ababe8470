"""What can't be raced in Racing Rules. Loaded when a set-up is checked."""

from shared_rules.games.racing_rules import data
from shared_rules.track_paint import COLOURS, colours_of

#: Roads of which a board has at most one, and their names.
SINGLE = (("start", "start road"), ("ramp", "Runaway Ramp"))
#: Races in which only colours move cars.
BY_COLOURS = ("race-1", "race-4")


def problems(setup, track):
    """Why this can't be raced: a board that lacks what the rules need."""
    out = []
    if track.closed or track.lanes != 1:
        return ["Expected a road of one lane with an end, got '%s'; say closed = false and lanes = 1 in it." % track.id]
    for kind, name in SINGLE:
        found = [road for road in track.roads if road[0] == kind]
        if len(found) > 1:
            out.append("Expected one %s at most, '%s' has %d; take the others out." % (name, track.id, len(found)))
    bare = [space for space in range(track.count) if not colours_of(track, space) and not _is_start(track, space)]
    if bare:
        out.append("Expected a colour for every space, '%s' has none on %s; paint it."
                   % (track.id, track.space_name(bare[0])))
    for word in track.die:
        colour, _, number = word.partition("-")
        if colour not in COLOURS or number not in ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"):
            out.append("Expected faces such as 'red-1' on the die of '%s', got '%s'." % (track.id, word))
    missing = missing_colours(setup.variant, track)
    if missing:
        out.append("Expected a die with %s, the finish of '%s', as nobody could end %s otherwise; got one with %s."
                   % (" or ".join(missing), track.id, setup.variant, ", ".join(_die_colours(track))))
    for _, word in track.cards:
        if data.effect(word) is None:
            out.append("Expected Red Cards of %s; '%s' has one '%s', which the engine doesn't know."
                       % (", ".join(data.effects()), track.id, word))
    return out


def missing_colours(variant, track):
    """The colours of the finish, if only colours move cars and the board's die has none of them (RR-08)."""
    finish = colours_of(track, track.in_rows - 1)
    if variant not in BY_COLOURS or not track.die or [colour for colour in finish if colour in _die_colours(track)]:
        return []
    return list(finish)


def _die_colours(track):
    return sorted(set([word.partition("-")[0] for word in track.die]))


def _is_start(track, space):
    """Whether cars stand on it before the race; such a space needs no colour."""
    return any([kind == "start" and first <= space < first + spaces for kind, _, first, spaces, _ in track.roads])
