"""What the options of a turn lead to, and why others aren't offered. Loaded when somebody is asked or asks."""

from shared_rules.games.fast_and_furious import cards, upgrades
from shared_rules.games.fast_and_furious.car import UPGRADES, listed
from shared_rules.games.fast_and_furious.course import BLOCK, Road, sides
from shared_rules.games.fast_and_furious.move import paid, road, way
from shared_rules.games.fast_and_furious.reach import FREE, Reach, space_of
from shared_rules.prompts import Refusal

#: Why an end isn't offered, and the clause: the move is tried without this rule and those before it. The numbers of the
#: rules follow.
RULES = (("stopped", "FF-28"), ("drift", "FF-40"), ("barrier", "FF-43"), ("block_token", "FF-42"), ("direction", "FF-23"),
         ("blocked", "FF-25"), ("corner_lane", "FF-23"))
STOPPED, DRIFT, BARRIER, BLOCK_TOKEN, DIRECTION, BLOCKED, CORNER_LANE = range(1, 8)
#: Instead of a rule: an empty course on which only the rules for changing lanes apply.
EMPTY = 0


def labels(turn, texts):
    """A sentence for each option that needs one."""
    out = []
    for text in texts:
        words = text.split(" ")
        found = None
        if words[0] == "play":
            found = ["fast_and_furious.play_set", int(words[2]), int(words[1])]
        elif words[0] == "shift":
            found = ["fast_and_furious.shift_" + words[1], turn.costs()[0 if words[1] == "up" else 1]]
        elif words[0] == "use" and words[1] == "mechanic":
            found = ["fast_and_furious.use_mechanic", "@fast_and_furious.upgrade_" + words[2]]
        elif words[0] == "use" and words[1] in UPGRADES:
            key = "use_block" if len(words) > 2 else "use_upgrade"
            upgrade = "@fast_and_furious.upgrade_" + words[1]
            found = ["fast_and_furious." + key, upgrade, turn.car.tokens(words[1])] + words[2:]
        elif words[0] == "use":
            found = ["fast_and_furious.use_" + words[1]]
        elif words[0] == "go" and paid(words):
            found = ["fast_and_furious.at_cost", paid(words)]
        elif words[0] == "pick":
            found = _pick(turn, words)
        elif text == "ok" or text == "pass" and not turn.car.paused:
            surplus = turn.surplus() if turn.game.by_table else 0
            found = ["fast_and_furious.%s_surplus" % text, surplus] if surplus else None
        out.append(found)
    return out


def _pick(turn, words):
    if words[1] == "crash":
        return ["fast_and_furious.crash"]
    if words[1] == "finish":
        return ["fast_and_furious.over_the_line", int(words[2])]
    speed = int(words[1])
    if speed == turn.minimum:
        return ["fast_and_furious.speed_minimum", speed]
    if speed <= cards.icons(turn.row()):
        return ["fast_and_furious.speed_icon", speed]
    return ["fast_and_furious.speed", speed]


def near(turn):
    """What players might expect: ends on an empty course, shifts, the car's tokens, the minimum speed, an early end."""
    offered = turn.texts()
    out = []
    if turn.stage == turn.MOVE and not turn.crashes():
        out += ["go " + turn.game.track.space_name(space_of(end)) for end in _reach(turn, EMPTY).ends]
        here = [text.split(" ")[1] for text in offered if text[:3] == "go "]
        out = [text for text in out if text[3:] not in here]
    out += ["shift up", "shift down"]
    out += ["use " + name for name, _ in listed(turn.car.upgrades)]
    if turn.stage == turn.SPEED:
        out.append("pick %d" % turn.game.box.minimum(turn.set[0]))
    if turn.stage in (turn.SPEED, turn.MOVE):
        out += ["pass", "ok"]
    return [text for text in out if text not in offered]


def explain(turn, text):
    """The Refusal of an answer that isn't offered, or None if it isn't one to this question."""
    found = _reason(turn, text)
    if found is None:
        return None
    return Refusal(text, "fast_and_furious." + found[0], found[1], found[2:])


def _reason(turn, text):
    """(key, clause, argument …), the first that fits."""
    words = text.split(" ")
    verb = words[0]
    if verb == "use" and len(words) > 1:
        return upgrades.fails(turn, words[1:])
    if text in ("shift up", "shift down"):
        return turn.shift_fails(text)
    if verb == "play" and len(words) == 3:
        if turn.stage != turn.BEFORE:
            return "played", "FF-15"
        return ("neutral", "FF-17") if not turn.row() else ("no_such_set", "FF-15")
    if text == "pass" and turn.stage in (turn.SPEED, turn.MOVE):
        return "must_move", "FF-17"
    if text == "ok" and turn.stage != turn.AFTER:
        return "must_move" if turn.stage != turn.BEFORE else "say_pass_first", "FF-17"
    if verb == "pick" and len(words) == 2 and turn.stage == turn.SPEED:
        minimum = "%d" % turn.game.box.minimum(turn.set[0])
        if words[1] == minimum:
            return "not_minimum", "FF-16", turn.set[0]
        return "no_such_speed", "FF-15", words[1]
    if verb == "go" and len(words) in (2, 4):
        if turn.stage != turn.MOVE:
            return "not_now_go", "FF-22"
        if not turn.crashes():
            return _why_not_there(turn, words[1])
        return "too_slow", "FF-43", turn.game.course.barrier(turn.car.space)
    return None


def _why_not_there(turn, name):
    """The first reason that fits."""
    game = turn.game
    space = game.track.named(name)
    if space < 0:
        return "no_such_space", "FF-22", name
    if space in [space_of(end) for end in turn.reach().ends]:
        return "other_cost", "FF-26", name
    if space in game.obstacles:
        return "obstacle", "FF-05", name
    if space in [car.space for car in game.cars_ if car is not turn.car]:
        return "taken", "FF-24", name
    for at, (rule, clause) in enumerate(RULES):
        if space in [space_of(end) for end in _reach(turn, STOPPED + at).ends]:
            return rule, clause, name
    return "wrong_count", "FF-22", turn.speed_value(), name


def _reach(turn, left_out):
    """Where the car could get to without the rules up to this one, or with EMPTY."""
    there = road(turn)
    start, speed, shown, _, may, dear, drift, ice, last = way(turn)
    if left_out == EMPTY or left_out >= BLOCKED:
        there = Road(turn.game.course)
    elif left_out >= BLOCK_TOKEN:
        for space, lies in enumerate(there.there):
            there.there[space] = 0 if lies == BLOCK else lies
    if left_out == CORNER_LANE:
        there.sides = sides(turn.game.course, True)
    if left_out >= DIRECTION:
        may |= FREE
    drift = drift and left_out == STOPPED
    barriers = left_out in (STOPPED, DRIFT)
    return Reach(there, start, speed, shown, 0, may, dear, drift, ice, last, barriers).find()
