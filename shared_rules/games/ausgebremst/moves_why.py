"""What the options of a turn come to, and why others aren't there. Loaded when somebody is asked or asks."""

from shared_rules.games.ausgebremst import data
from shared_rules.games.ausgebremst.course import FINISH
from shared_rules.prompts import Refusal


def labels(prompt):
    """Card and space of each option."""
    out = []
    for text, value in zip(prompt.options(), prompt.values()):
        if value is None:
            out.append(None)
            continue
        card, way = value
        key = "ausgebremst.play_home" if way[2][-1] == FINISH else "ausgebremst.play_to"
        out.append([key, int(card), text.split(" ")[2]])
    return out


def near(prompt, game, car):
    """Showing the hand, and where the cards would lead on an empty track without the rules of the 6 and of the pit stop."""
    out = ["show"]
    for card in data.different(prompt.hand):
        for way in game.course.reach(car.space, car.crossings, int(card), (), False, 1):
            out.append("play %s %s" % (card, game.end_name(way)))
    return out


def explain(prompt, game, car, text):
    """The Refusal of an answer that isn't offered, or None where it is none of this question."""
    found = _reason(prompt, game, car, text)
    if found is None:
        return None
    return Refusal(text, "ausgebremst." + found[0], found[1], found[2:])


def _reason(prompt, game, car, text):
    """(key, clause, argument …), the first that fits."""
    words = text.split(" ")
    if words[0] == "show":
        return "cannot_show", "AB-20"
    if words[0] != "play" or len(words) != 3:
        return None
    card = words[1]
    end = FINISH if words[2] == "finish" else game.track.named(words[2])
    if end < 0 and words[2] != "finish":
        return None
    if card not in data.different(prompt.hand):
        return "not_held", "AB-16", card
    if card == "6" and not game.six_allowed(car):
        if not game.by_table and game.only_sixes(car):
            return "six_only", "AB-27"
        return "six", "AB-25"
    return _why_not_there(game, car, int(card), end, words[2])


def _why_not_there(game, car, steps, end, name):
    course = game.course
    duty = game.duty(car)

    def reached(taken, must=duty, pit=2):
        ways = course.reach(car.space, car.crossings, steps, taken, must, pit)
        return end in [way[2][-1] for way in ways]

    if not reached(()):
        if reached((), duty, 1):
            return "pit_closed", "AB-29", name
        if reached((), False):
            return "must_pit", "AB-33", name
        curve, lane = course.curve_lane(car.space)
        there, other = course.curve_lane(end)
        if curve and curve == there and lane != other:
            return "solid_line", "AB-22", name
        return "wrong_count", "AB-20", steps, name
    taken = game.taken()
    if end in taken:
        return "taken", "AB-18", name
    if reached([space for space in taken if not course.is_chicane(space)]):
        return "chicane", "AB-23", name
    if reached([space for space in taken if space not in (course.entry, course.exit)]) and _by_pit(game, car, steps, end):
        return "entry_exit", "AB-30", name
    if reached([space for space in taken if not course.in_pit(space)]):
        return "pit_blocked", "AB-31", name
    return "blocked", "AB-19", name


def _by_pit(game, car, steps, end):
    """Whether the way there leads through the pit lane, no car standing on A and C."""
    course = game.course
    taken = [space for space in game.taken() if space not in (course.entry, course.exit)]
    for way in course.reach(car.space, car.crossings, steps, taken, game.duty(car), 2):
        if way[2][-1] == end:
            return len([space for space in way[2] if course.in_pit(space)]) > 0
    return False
