"""Where a roll leads: by colours, by numbers, or either (RR-11 to RR-21).

Each way of moving has at most one end; both are offered where the race lets the player choose, so that both results are
seen before the choice (RR-18). A way that would go beyond the finish leaves the car where it is: ``pass`` (RR-09).
"""

from shared_rules import notation
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


class Moves:
    """The moves that ``faces``, a list of (colour, number), let a car choose from.

    ``texts`` are the answers; ``paths`` what each drives over, [] where the car stays.
    """

    def __init__(self, game, car, faces):
        self.game = game
        self.car = car
        self.faces = faces
        self.kind, self.clause = game.kind, game.clause
        self.texts = []
        self.paths = []
        self._labels = []
        if self.kind != NUMBERS:
            self._add(self.by_colours(), "racing_rules.by_colours", self.colour_words())
        if self.kind != COLOURS:
            path = self.by_numbers()
            self._add(path, "racing_rules.by_numbers", self.number_words())
            if game.uses("turbocharge") and path:
                self._turbocharge(path)

    def by_colours(self):
        """The path of one or two colours."""
        car = self.car
        colours = [colour for colour, _ in self.faces]
        if len(colours) == 1:
            return self.game.course.by_colour(car.space, car.inward, colours[0])
        return self.game.course.by_two_colours(car.space, car.inward, colours[0], colours[1])

    def by_numbers(self):
        """The path of the number, or of the sum."""
        return self.game.course.by_number(self.car.space, self.car.inward, self.total())

    def total(self):
        """The sum of the numbers."""
        return sum([number for _, number in self.faces])

    def colour_words(self):
        """The colours as an argument of a text: at most two keys."""
        return ["@racing_rules.colour_" + colour for colour, _ in self.faces]

    def number_words(self):
        """The sum as an argument of a text."""
        return [self.total()]

    def _turbocharge(self, path):
        """From the end of the sum the car may go on to the farthest of the colours, unless that lies beyond the finish or
        the car is in the ramp (RR-05, RR-16)."""
        course = self.game.course
        end = path[-1]
        if end == course.finish or self.car.inward and course.on_ramp(end):
            return
        further = []
        for colour, _ in self.faces:
            way = course.by_colour(end, False, colour)
            if not way:
                return
            if len(way) > len(further):
                further = way
        self._add(path + further, "racing_rules.on_by_colour", [
            "@racing_rules.colour_" + [c for c, _ in self.faces if c in course.colours(further[-1])][0]])

    def _add(self, path, key, args):
        text = "pass"
        if path:
            text = notation.show("go", [self.game.track.space_name(path[-1])])
        if text in self.texts:  # both ways end there
            self._labels[self.texts.index(text)] = ["racing_rules.either_way"]
            return
        self.texts.append(text)
        self.paths.append(path)
        label = key + "_%d" % len(args)
        self._labels.append([label if path else label + "_stays"] + args)

    def prompt(self):
        """The question; the rules get the path."""
        ask = "racing_rules.ask_choice" if len(self.texts) > 1 else "racing_rules.ask_move"
        note = None
        if self.texts == ["pass"]:
            note = ["racing_rules.note_beyond"]
        return Choose(self.car.seat, self.texts, ask, (), self.car.seat, self.clause, note=note, values=self.paths,
                      labels=lambda: self._labels, near=self.near, explain=self.explain)

    # What WHY tells

    def near(self):
        """The ends that one might expect."""
        from shared_rules.games.racing_rules import moves_why
        return moves_why.near(self)

    def explain(self, text):
        """The Refusal of an answer that isn't offered, or None."""
        from shared_rules.games.racing_rules import moves_why
        return moves_why.explain(self, text)
