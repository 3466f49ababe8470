"""What can't be raced in Fast & Furious. Loaded when a set-up is checked."""

from shared_rules.games.fast_and_furious.cards import GEARS, lacks_of, own


def problems(setup, track):
    """Sentences about a course without a start card, roads that lead back, teams that can't be made, and a course's own
    cards."""
    out = []
    starts = [road for road in track.roads if road[0] == "start"]
    if len(starts) != 1 or starts[0][3] < 4:
        return ["Expected a course with a start card of four spaces or more, got '%s'." % track.id]
    out += [say for say in [_wrong_road(track, road) for road in track.roads] if say]
    if setup.variant == "tag-team":
        if not track.closed:
            out.append("Expected a course that is a loop for two teams, got '%s'; choose another one." % track.id)
        if len(setup.players) == 3:
            out.append("Expected two or four seats for two teams, got 3.")
    return out + (_wrong_cards(track) if track.cards else [])


def _wrong_road(track, road):
    """What is wrong with a side road: it must come back further on, or on a loop over the line."""
    kind, leaves, _, _, back = road
    if kind == "start":
        return ""
    ends = track.space_name(leaves), track.space_name(back)
    if kind != "side":
        return "Expected only side roads beside a course, the one from %s of '%s' is a dead end." % (ends[0], track.id)
    if track.row(back) == track.row(leaves) or track.row(back) < track.row(leaves) and not track.closed:
        return "Expected the side road from %s of '%s' to lead ahead, it leads to %s." % (ends[0], track.id, ends[1])
    return ""


def _wrong_cards(track):
    """What is wrong with a course's own cards."""
    out = []
    seen = []
    lacking = []
    for _, word in track.cards:
        what, values = own(word)
        if not values:
            out.append("Expected cards such as suit-1 with 20 groups of 7 letters, minimum-2-3-4-5-7-9, control with 12"
                       " numbers or drivers with names, '%s' has '%s'." % (track.id, word[:30]))
        elif what in seen:
            out.append("Expected each kind of cards once, '%s' has %s twice; take one of the two out." % (track.id, what))
        elif lacks_of(what, values) and lacks_of(what, values) not in lacking:
            lacking.append(lacks_of(what, values))
            out.append("Expected %s, '%s' has '%s'." % (lacking[-1], track.id, word[:30]))
        seen.append(what)
    suits = [what for what in seen if what[:4] == "suit"]
    if suits and sorted(suits) != ["suit-%d" % suit for suit in range(1, GEARS + 1)]:
        out.append("Expected the cards of all six suits, or of none, in '%s'." % track.id)
    return out
