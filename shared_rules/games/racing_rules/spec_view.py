"""How the spec's vectors set up a race and look into it; no board loads this in a race."""

from shared_rules.games.racing_rules import moves_why


def arrange(game, state):
    """``cars``: ["car space", …], ``turn``, ``skips``, ``bumped``, ``deck``, ``used``; see spec/FORMAT.md."""
    for text in state.get("cars", []):
        number, name = text.split(" ")
        car = game.cars_[int(number) - 1]
        car.space = game.track.named(name)
        if car.space < 0:
            raise KeyError(name)
        car.inward = 1 if game.course.is_entry(car.space) and number not in state.get("bumped", []) else 0
    for text in state.get("skips", []):
        number, turns = text.split(" ")
        game.cars_[int(number) - 1].lost = int(turns)
    game.to_act = state.get("turn", 1)
    if "deck" in state:
        game.pile = list(state["deck"])
    game.used = list(state.get("used", []))


def look(game, key):
    """See spec/FORMAT.md."""
    words = key.split(" ")
    if words[0] == "car":
        return _look_car(game, game.cars_[int(words[1]) - 1], words[2:])
    if words[0] == "result":
        return _look_result(game, words[1])
    if words[0] == "space":
        space = game.track.named(words[1])
        return " ".join(["/".join(game.course.colours(space))] + game.track.marks_on(space))
    if key == "turn":
        return str(game.to_act)
    if key == "die":
        return " ".join(game.die)
    if key == "dice":
        return "2" if game.two_dice() else "1"
    if key == "deck":
        return str(len(game.pile))
    if key == "deck cards":
        return " ".join(game.pile) or "none"
    if words[0] == "deck":
        return str(game.pile.count(words[1]))
    if key == "used":
        return " ".join(sorted(game.used)) or "none"
    raise KeyError(key)


def _look_car(game, car, words):
    if not words:
        return game.track.space_name(car.space) if car.space >= 0 else "off" if car.status == "out" else "start"
    if words == ["skips"]:
        return str(car.lost)
    if words == ["to", "go"]:
        return str(game.to_go(car))
    if words == ["place"]:
        return str([place for place, other in game.ranking() if other is car][0])
    if words == ["next"]:
        if game.course.on_ramp(car.space):
            return "back"
        if not car.inward:
            return "road"
        return "ramp" if game.course.on_ramp(game.course.ahead(car.space, True)) else "pit"
    raise KeyError(" ".join(words))


def _look_result(game, which):
    prompt = game.asked
    if prompt is None:
        return "-"
    for text, path in zip(prompt.options(), prompt.values()):
        if text == "pick " + which or which == "on" and text[:3] == "go " or text == which:
            found = moves_why.result(game, game.cars_[prompt.seat - 1], path)
            if found[0] == "bumps":
                return "%s bumps %s" % (found[1], found[2][4:])
            return found[1] or found[0]
    return "-"


def inventory(game):
    """Every Red Card is in the pile or used."""
    return " ".join(sorted(game.pile + game.used))
