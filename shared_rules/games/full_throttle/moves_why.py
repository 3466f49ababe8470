"""Why the last moped ended where it is: what WHY shows while the next card waits to be revealed."""


def told(game):
    """Returns (sentence, clause)."""
    moped, path, counted, taken = game.last
    key, clause = _reason(game, path, counted, taken)
    return ["full_throttle." + key, "car:%d" % (moped + 1)], clause


def _reason(game, path, counted, taken):
    if not counted:
        return "why_finished", "FT-34"
    if len(path) == 1 and len(counted) == 2:
        return "why_stays", "FT-18"
    if len(path) < len(counted):
        return "why_stops", "FT-17"
    if path[-1] in game.road.bonuses:
        return "why_bonus", "FT-20"
    for space in path[1:]:
        stretch, lane, at = game.road.where(space)
        if lane and at == 0 and len(game.road.stretches[stretch][lane]) > 1:
            return "why_outer_turn", "FT-19"
        if space in taken:
            return "why_passes", "FT-16"
    lanes = [game.road.where(space)[1] for space in path[1:]]
    return ("why_outer" if 1 in lanes else "why_inner"), "FT-15"
