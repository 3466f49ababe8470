"""What can't be raced of Racing Rules. Loaded where a set-up is checked."""

from shared_rules.games.racing_rules import data
from shared_rules.track_paint import COLOURS, colours_of


def problems(setup, track):
    """Why this can't be raced: a board that lacks what the rules need."""
    out = []
    if track.closed or track.lanes != 1:
        return ["Expected a road of one lane with an end, got '%s'; say closed = false and lanes = 1 in it." % track.id]
    bare = [space for space in range(track.in_rows) if not colours_of(track, space)]
    if bare:
        out.append("Expected a colour for every space, '%s' has none on %s; paint it."
                   % (track.id, track.space_name(bare[0])))
    for word in track.die:
        colour, _, number = word.partition("-")
        if colour not in COLOURS or number not in ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"):
            out.append("Expected faces such as 'red-1' on the die of '%s', got '%s'." % (track.id, word))
    for _, word in track.cards:
        if data.effect(word) is None:
            out.append("Expected Red Cards of %s; '%s' has one '%s', which the engine doesn't know."
                       % (", ".join(data.effects()), track.id, word))
    return out
