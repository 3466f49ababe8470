"""The reachability check: whether every race on a board can end, with its die, its Red Cards and its roads.

A *spot* is a space, and whether a car must leave the road there. Each roll leads a car that is alone on the board from one
spot to the next; from each spot where a car can ever stand, some rolls must lead home, and often enough. Only the host
checks that.
"""

from shared_rules.games.racing_rules import about_why, data, moves
from shared_rules.games.racing_rules.about import About
from shared_rules.games.racing_rules.course import Course
from shared_rules.track_paint import COLOURS

HOME = (-2, 0)
#: After this many turns at least every second lone car must be home, wherever it starts.
MOST_TURNS = 300
#: All chances together, as an int.
WHOLE = 1 << 40


def lacks(track, variants):
    """[[key of the track file, sentence], …] for whatever keeps races from ending; [] if every race ends. Checks every race
    that can be set up: a board is for all of them."""
    out = []
    board = _Board(track)
    if track.cards and not board.draws():
        out.append(["card", "Expected a red space where the Red Cards of '%s' are drawn, found none; paint one, or take "
                    "the cards out." % track.id])
    said = []
    for variant in About.VARIANTS:
        missing = about_why.missing_colours(variant, track)
        if missing:
            names = "the colour" if len(missing) == 1 else "the colours"
            _say(said, variant, "die", "the die lacks %s, %s of the finish; add a face that shows one."
                 % (" and ".join(missing), names))
            continue
        key, say = _Race(board, variant).problem()
        if say:
            _say(said, variant, key, say)
    for races, key, say in said:
        out.append([key, "%s on '%s' can't end: %s" % (_names(races), track.id, say)])
    return out


def _say(said, variant, key, say):
    """Keeps a sentence once for all races that it applies to."""
    for row in said:
        if row[2] == say:
            row[0].append(variant)
            return
    said.append([[variant], key, say])


def _names(races):
    names = [variant if variant == "turbocharge" else "race " + variant[5:] for variant in races]
    text = ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else names[0]
    return text[0].upper() + text[1:]


class _Car:
    """What ``moves`` needs to know about a game and a car."""

    def __init__(self, course, spot):
        self.course = course
        self.space, self.inward = spot


class _Board:
    """Where colours, numbers and cards lead on a board, each found once."""

    def __init__(self, track):
        self.course = Course(track)
        self.faces = [data.face(word) for word in track.die or data.DIE]
        self.deck = list(track.cards or data.DECK)
        self._ends = {}
        self._drawn = {}

    def draws(self):
        """Whether a car can come to rest on a space that draws (RR-06)."""
        spaces = range(self.course.track.count)
        return any([self.is_red(space) for space in spaces if space != self.course.finish])

    def is_red(self, space):
        """Whether a space draws a card."""
        return self.course.colours(space) == ("red",)

    def at(self, space):
        """The spot of a car that has landed there by its own move."""
        return (space, 1 if self.course.is_entry(space) else 0)

    def end(self, here, colours, steps):
        """The space to which colours lead, or this many steps; with both, where Turbocharge leads on; None for nowhere."""
        key = here, colours, steps
        if key not in self._ends:
            car = _Car(self.course, here)
            faces = [(colour, steps) for colour in colours]
            path = moves.by_numbers(car, car, [("", steps)]) if steps else moves.by_colours(car, car, faces)
            if steps and colours:
                path = moves.further_colour(car, car, faces, path)
            self._ends[key] = path[-1] if path else None
        return self._ends[key]

    def landed(self, space):
        """[(spot, number of cards), …] for a car that has come to this space; if no card is drawn, all cards count for
        one spot."""
        if space not in self._drawn:
            if space == self.course.finish or not self.is_red(space):
                cards = sum([count for count, _ in self.deck])
                self._drawn[space] = [(HOME if space == self.course.finish else self.at(space), cards)]
            else:
                self._drawn[space] = [(self._by_card(space, word), count) for count, word in self.deck]
        return self._drawn[space]

    def _by_card(self, space, word):
        """The spot after a Red Card, drawn by a car that leads and has nobody ahead."""
        course = self.course
        effect, more = data.effect(word)
        path = []
        if effect == "ahead":
            path = course.by_number(space, False, more)
        elif effect == "next":
            path = course.by_colour(space, False, more)
        elif effect == "back" and more in COLOURS:
            path = course.colour_back(space, more)
        elif effect in ("back", "leader-back"):
            path = course.spaces_back(space, more)
        if path and path[-1] == course.finish:
            return HOME
        return self.at(path[-1] if path else space)

    def through_others(self, space):
        """Where the cards and cars of others can take a car from here: back, and where one of them comes from by a swap."""
        course = self.course
        out = [(space, 0)]
        if space != course.start:
            out.append((course.colour_back(space, course.colours(space)[0])[-1], 0))
        for _, word in self.deck:
            effect, more = data.effect(word)
            if effect == "leader-back":
                out.append(((course.spaces_back(space, more) or [space])[-1], 0))
            if effect in ("swap", "follow") and self.is_red(space):
                ahead = space
                for _ in range(more):
                    ahead = course.ahead(ahead)
                    if ahead < 0 or ahead == course.finish:
                        break
                    out.append(self.at(ahead))
        return out


class _Race:
    """All that can happen to a car in one of the races on a board."""

    def __init__(self, board, variant):
        self.board = board
        self.course = board.course
        self.variant = variant
        self.kind = moves.RACES[variant][0]
        self.two_dice = variant in ("race-4", "race-5", "turbocharge", "race-6")
        self._turns = {}

    def problem(self):
        """(key, sentence) for what keeps cars from the finish; ("", "") if nothing does."""
        spots = self._all_spots()
        home = self._homewards(spots)
        stuck = [(self.course.to_go(spot[0]), spot) for spot in spots if spot not in home]
        if stuck:
            return self._why_stuck(min(stuck)[1])
        if self._worst_chance(spots) < WHOLE // 2:
            return "section", ("more than every second car would still be on its way after %d turns; the die, the Red Cards "
                               "and the roads lead back too often, so change one of them." % MOST_TURNS)
        return "", ""

    def _why_stuck(self, spot):
        """What would have to be rolled at the stuck spot nearest to the finish."""
        course = self.course
        steps = course.to_go(spot[0])
        name = "the start" if spot[0] == course.start else course.track.space_name(spot[0])
        most = max([number for _, number in self.board.faces]) * (2 if self.two_dice else 1)
        if self.kind == moves.NUMBERS and not spot[1] and steps <= most + 1:
            return "die", ("from %s it takes a roll of %d or %d, which the die doesn't give; change its numbers."
                           % (name, steps, steps + 1))
        return "section", ("from %s no rolls lead to the finish; the roads and Red Cards lead elsewhere, so change these."
                           % name)

    def _all_spots(self):
        """Every spot where a car can ever stand, with other cars about, in the order in which they are found."""
        spots = [(self.course.start, 0)]
        known = {HOME, spots[0]}
        for here in spots:
            for spot in [spot for spot, _ in self._turn(here)] + self.board.through_others(here[0]):
                if spot not in known:
                    known.add(spot)
                    spots.append(spot)
        return spots

    def _homewards(self, spots):
        """The spots from which some way leads home."""
        home = {HOME}
        grown = True
        while grown:
            grown = False
            for spot in spots:
                if spot not in home and any([to in home for to, _ in self._turn(spot)]):
                    home.add(spot)
                    grown = True
        return home

    def _worst_chance(self, spots):
        """How many of WHOLE cars are home after MOST_TURNS, from the spot where the fewest are."""
        total = sum([weight for _, weight in self._turn(spots[0])])
        chances = {spot: 0 for spot in spots}
        for _ in range(MOST_TURNS):
            chances[HOME] = WHOLE
            chances = {spot: sum([chances[to] * weight for to, weight in self._turn(spot)]) // total for spot in spots}
            if min([chances[spot] for spot in spots]) >= WHOLE // 2:
                break
        return min([chances[spot] for spot in spots])

    def _turn(self, here):
        """[(spot, weight), …] after a turn of a lone car; the weights add up to the same from every spot."""
        if here not in self._turns:
            cards = sum([count for count, _ in self.board.deck])
            found = {}
            for end, weight in self._rolls(here):
                for spot, count in [(here, cards)] if end is None else self.board.landed(end):
                    found[spot] = found.get(spot, 0) + weight * count
            self._turns[here] = sorted([(spot, found[spot]) for spot in found])
        return self._turns[here]

    def _rolls(self, here):
        """[(space where the car ends, or None if it stays, weight), …]; a choice counts each way equally."""
        faces = self.board.faces
        counts = [1, 2] if self.two_dice and self.course.past_red_line(here[0]) else [2 if self.two_dice else 1]
        out = []
        for count in counts:
            if count == 1:
                rolls = [(face,) for face in faces]
                weight = 4 * len(faces) // len(counts)
            else:
                rolls = [(one, other) for one in faces for other in faces]
                weight = 4 // len(counts)
            for rolled in rolls:
                ends = self._ways(here, rolled)
                out += [(end, weight // len(ends)) for end in ends]
        return out

    def _ways(self, here, faces):
        """The spaces where a car may end with this roll: one, or two to choose from."""
        colours = tuple([colour for colour, _ in faces])
        steps = sum([number for _, number in faces])
        if self.kind == moves.COLOURS:
            return [self.board.end(here, colours, 0)]
        ends = [self.board.end(here, (), steps)]
        if self.kind == moves.BOTH:
            ends.append(self.board.end(here, colours, 0))
        elif self.variant == "turbocharge" and self.board.end(here, colours, steps) is not None:
            ends.append(self.board.end(here, colours, steps))
        return ends
