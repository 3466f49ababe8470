"""What the options of a move lead to, and why others aren't offered."""

from shared_rules import notation
from shared_rules.prompts import Refusal

METHODS = (("pick colours", "colours"), ("pick numbers", "numbers"), ("pass", "stop"))


def result(game, car, path):
    """("stays", ""), ("wins", ""), ("to", space) or ("bumps", space, car) of a path."""
    if not path:
        return ("stays", "")
    end = path[-1]
    if end == game.course.finish:
        return ("wins", "")
    for other in game.racing():
        if other is not car and other.space == end and end != game.course.start:
            return ("bumps", game.track.space_name(end), "car:%d" % other.seat)
    return ("to", game.track.space_name(end))


def labels(prompt, game, car):
    """The result of each option: "Colours: to 44a, bumps Cyan"."""
    out = []
    for text, path in zip(prompt.options(), prompt.values()):
        found = result(game, car, path)
        if text[:3] == "go ":  # the board says where it leads
            args = list(found[2:])
            out.append(["racing_rules.on_" + found[0]] + args if found[0] != "to" else None)
            continue
        method = [name for option, name in METHODS if option == text][0]
        args = [word for word in found[1:] if word]
        out.append(["racing_rules.result_" + found[0], "@racing_rules.method_" + method] + args)
    return out


def near(prompt, game):
    """Staying, and the spaces around the ends."""
    course = game.course
    texts = ["pass"]
    for end in prompt.ends:
        for space in (course.back(end), end, course.ahead(end)):
            text = notation.show("go", [game.track.space_name(space)]) if space >= 0 else "pass"
            if text not in texts:
                texts.append(text)
    return texts


def explain(prompt, game, text):
    """The Refusal of an answer that isn't offered, or None if it isn't one to this question."""
    if text == "pass":
        return Refusal(text, "racing_rules.must_choose", prompt.clause)
    words = text.split(" ")
    if words[0] == "pick" and "pick colours" in prompt.options():
        return Refusal(text, "racing_rules.must_choose", prompt.clause)
    if words[0] != "go" or len(words) != 2:
        return None
    end = game.track.named(words[1])
    if end < 0:
        return Refusal(text, "racing_rules.no_such_space", prompt.clause, (words[1],))
    if end not in prompt.ends:
        return Refusal(text, "racing_rules.not_there", prompt.clause, (words[1],))
    if "pass" in prompt.options():
        return Refusal(text, "racing_rules.say_pass_instead", prompt.clause, (words[1],))
    return Refusal(text, "racing_rules.say_method", prompt.clause, (words[1],))
