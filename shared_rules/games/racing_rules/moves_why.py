"""Why a roll doesn't lead to a space. Loaded when somebody asks."""

from shared_rules import notation
from shared_rules.prompts import Refusal


def near(moves):
    """The other way of moving, a space less and more than each end, staying, and the finish."""
    game = moves.game
    course = game.course
    spaces = [course.finish]
    for path in [moves.by_colours(), moves.by_numbers()] + moves.paths:
        if path:
            spaces += [course.back(path[-1]), path[-1], course.ahead(path[-1])]
    texts = ["pass"]
    for space in spaces:
        text = notation.show("go", [game.track.space_name(space)]) if space >= 0 else "pass"
        if text not in texts:
            texts.append(text)
    return texts


def explain(moves, text):
    """The Refusal of an answer that isn't offered, or None where it is none of this question."""
    game = moves.game
    if text == "pass":
        return Refusal(text, "racing_rules.must_move", moves.clause)
    words = text.split(" ")
    end = game.track.named(words[1]) if words[0] == "go" and len(words) == 2 else -2
    if end == -2:
        return None
    if end < 0:
        return Refusal(text, "racing_rules.no_such_space", moves.clause, (words[1],))
    if moves.kind == "colours" and moves.by_numbers()[-1:] == [end]:
        return Refusal(text, "racing_rules.by_colours_only", moves.clause, (words[1],))
    if moves.kind == "numbers" and moves.by_colours()[-1:] == [end]:
        return Refusal(text, "racing_rules.by_numbers_only", moves.clause, (words[1],))
    if end == game.course.finish:
        to_go = game.course.to_go(moves.car.space)
        if moves.car.inward and game.course.on_ramp(game.course.ahead(moves.car.space, True)):
            return Refusal(text, "racing_rules.ramp_first", "RR-05")
        return Refusal(text, "racing_rules.not_the_finish", "RR-08", (to_go,))
    return Refusal(text, "racing_rules.not_there", moves.clause, (words[1],))
