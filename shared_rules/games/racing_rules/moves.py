"""Where a roll leads: by colours, by numbers, or as the player chooses (RR-11 to RR-21).

A path is the list of spaces that a car drives over, its end last; [] if it stays because the roll would take it beyond
the finish (RR-09). Both results are shown before the choice is made (RR-18).
"""

from shared_rules import notation
from shared_rules.games.racing_rules import moves_why
from shared_rules.prompts import Choose

COLOURS = "colours"
NUMBERS = "numbers"
BOTH = "both"

#: How each race moves, and the clause that says so.
RACES = {
    "race-1": (COLOURS, "RR-11"),
    "race-2": (NUMBERS, "RR-12"),
    "race-3": (BOTH, "RR-13"),
    "race-4": (COLOURS, "RR-14"),
    "race-5": (NUMBERS, "RR-15"),
    "turbocharge": (NUMBERS, "RR-16"),
    "race-6": (BOTH, "RR-17"),
}


def by_colours(game, car, faces):
    """The path of one or two colours; ``faces`` are (colour, number)."""
    if len(faces) == 1:
        return game.course.by_colour(car.space, car.inward, faces[0][0])
    return game.course.by_two_colours(car.space, car.inward, faces[0][0], faces[1][0])


def by_numbers(game, car, faces):
    """The path of the number, or of the sum."""
    return game.course.by_number(car.space, car.inward, sum([number for _, number in faces]))


def choose(game, car, faces):
    """The path that the car drives; asks if there is a choice."""
    if game.kind == COLOURS:
        return by_colours(game, car, faces)
    numbers = by_numbers(game, car, faces)
    if game.kind == BOTH:
        paths = [by_colours(game, car, faces), numbers]
        return (yield from ask(_Method(game, car, paths, ["pick colours", "pick numbers"], "racing_rules.ask_method"), game))
    further = further_colour(game, car, faces, numbers) if game.uses("turbocharge") else []
    if not further:
        return numbers
    paths = [numbers + further, numbers]
    go_on = notation.show("go", [game.track.space_name(further[-1])])
    return (yield from ask(_Method(game, car, paths, [go_on, "pass"], "racing_rules.ask_turbo"), game))


def ask(prompt, game):
    """Asks, and lets the game know about it meanwhile."""
    game.asked = prompt
    path = yield prompt
    game.asked = None
    return path


def further_colour(game, car, faces, path):
    """The way on from the end of the sum to the farthest of the colours; [] if that lies beyond the finish, or if the car
    stays, has won or runs into the ramp (RR-05, RR-16)."""
    course = game.course
    if not path or path[-1] == course.finish or car.inward and course.on_ramp(path[-1]):
        return []
    farthest = []
    for colour, _ in faces:
        way = course.by_colour(path[-1], False, colour)
        if not way:
            return []
        if len(way) > len(farthest):
            farthest = way
    return farthest


class _Method(Choose):
    """A choice between two paths; their ends are lit."""

    def __init__(self, game, car, paths, texts, ask):
        super().__init__(car.seat, texts, ask, (), car.seat, game.clause, values=paths, labels=self.say, near=self.near,
                         explain=self.why)
        self.ends = [path[-1] if path else car.space for path in paths]
        self._of = game, car

    def say(self):
        """The result of each option."""
        return moves_why.labels(self, self._of[0], self._of[1])

    def near(self):
        """The spaces around the ends."""
        return moves_why.near(self, self._of[0])

    def why(self, text):
        """The Refusal of what isn't offered, or None."""
        return moves_why.explain(self, self._of[0], text)
