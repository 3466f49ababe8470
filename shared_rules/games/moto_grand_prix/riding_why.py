"""Why a bike can't ride to an end: loaded when somebody asks."""

from shared_rules import notation
from shared_rules.games.moto_grand_prix.data import MOST_ENGINE
from shared_rules.games.moto_grand_prix.riding import space_of
from shared_rules.prompts import Refusal


def near_misses(ride):
    """Texts of ends around the rolled distance that aren't offered."""
    texts = []
    for ahead in (ride.points - 1, ride.points, ride.points + 1, ride.most, ride.most + 1):
        row = (ride.track.row(ride.bike.space) + ahead - 1) % ride.track.rows + 1
        for space in ride.track.row_spaces(row) if ahead > 0 else []:
            text = notation.show("go", [ride.track.space_name(space)])
            if space not in [space_of(value) for value in ride.values] and text not in texts:
                texts.append(text)
    return texts


def explain(ride, text):
    """The Refusal of an answer that isn't offered, or None."""
    words = text.split(" ")
    named = notation.space(words[1]) if len(words) in (2, 4) and words[0] == "go" else None
    if named is None:
        return None
    name = words[1]
    end = ride.track.space(named[0], named[1])
    if end < 0:
        return Refusal(text, "moto_grand_prix.no_such_position", "MG-02", (name,))
    if end in ride.others:
        return Refusal(text, "moto_grand_prix.occupied", "MG-07", (name,))
    if end in [space_of(value) for value in ride.values]:
        return Refusal(text, "moto_grand_prix.other_cost", "MG-34", (name,))
    rows = 0 if end == ride.bike.space else ride.circuit.rows_ahead(ride.bike.space, end)
    costs = sum([mask for space, mask in ride.row(rows) if space == end])
    if costs:
        return _explain_reachable(ride, text, end, rows, costs)
    if rows > ride.most:
        return Refusal(text, "moto_grand_prix.three_engine", "MG-29", (MOST_ENGINE, name, rows))
    if abs(ride.track.lane(end) - ride.track.lane(ride.bike.space)) > rows:
        return Refusal(text, "moto_grand_prix.one_lane_a_point", "MG-15", (name, rows))
    if _free_way(ride, end, rows):
        return Refusal(text, "moto_grand_prix.overtaking_too_dear", "MG-35", (name,))
    return Refusal(text, "moto_grand_prix.blocked_way", "MG-07", (name,))


def _explain_reachable(ride, text, end, rows, costs):
    name = ride.track.space_name(end)
    if ride.contact and end != ride.outermost(ride.row(rows))[0]:
        return Refusal(text, "moto_grand_prix.outer_lane", "MG-28", (name,))
    cost = min([bit for bit in range(ride.most + 1) if costs >> bit & 1])
    front, rear, engine = ride.spending(rows, cost)
    return Refusal(text, "moto_grand_prix.cant_pay", "MG-22", (name, front, rear, engine))


def _free_way(ride, end, rows):
    """Whether a way would lead there if surcharges didn't count."""
    reached = [ride.bike.space]
    for _ in range(rows):
        step = []
        for space in reached:
            step += [ahead for ahead in ride.track.ahead(space)
                     if ahead not in ride.others and ahead not in step]
        reached = step
    return end in reached
