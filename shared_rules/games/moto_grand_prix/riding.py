"""Riding: points spent for speed or braking, chosen together with the end (MG-28 to MG-35).

For each space the set of costs of all routes to it is kept as the bits of an int. A row costs a point; a
step into an overtaking position off the racing line of a corner costs its difficulty more.
"""

from shared_rules import notation
from shared_rules.games.moto_grand_prix.data import MOST_ENGINE
from shared_rules.prompts import Refusal


class Ride:
    """The ends of one move with ``points`` movement points, and what each costs the bike.

    ``bonus`` is 1 where a slipstream may add a point. In a contact only the outermost lane that can be
    reached counts, and no surcharges do.
    """

    def __init__(self, game, bike, points, bonus=0, contact=False):
        self.circuit = game.circuit
        self.track = game.track
        self.bike = bike
        self.points = points
        self.bonus = bonus
        self.contact = contact
        self.most = points + bonus + MOST_ENGINE
        self.others = [other.space for other in game.bikes if other.on_track and other is not bike]
        self._busy_rows = [self.track.row(space) for space in self.others]
        self._limit = (1 << (self.most + 1)) - 1
        self._rows = [[(bike.space, 1)]]
        self._cornered = [self.circuit.difficulty(bike.space) > 0]
        while len(self._rows) <= self.most and self._next_row():
            pass
        self._list_ends()

    def _next_row(self):
        spaces = []
        masks = []
        for space, costs in self._rows[-1]:
            for ahead in self.track.ahead(space):
                if ahead in self.others:
                    continue
                moved = (costs << self._step(ahead)) & self._limit
                if not moved:
                    continue
                if ahead in spaces:
                    masks[spaces.index(ahead)] |= moved
                else:
                    spaces.append(ahead)
                    masks.append(moved)
        if not spaces:
            return False
        self._rows.append(list(zip(spaces, masks)))
        self._cornered.append(self._cornered[-1] or self.circuit.difficulty(spaces[0]) > 0)
        return True

    def _step(self, space):
        """Points for the step into a space (MG-34)."""
        difficulty = self.circuit.difficulty(space)
        if not difficulty or self.contact or self.circuit.rank(space) == 1:
            return 1
        return 1 + difficulty if self.track.row(space) in self._busy_rows else 1

    # What it costs the bike

    def spending(self, rows, cost):
        """(Front Tire, Rear Tire, Engine) points that a route of this cost over so many rows takes (MG-29 to
        MG-31)."""
        if cost < self.points:
            return self.points - cost, 0, 0
        engine = max(0, cost - self.points - self.bonus)
        return 0, 1 if engine and self._cornered[rows] else 0, engine

    def can_pay(self, spending):
        """Whether no characteristic would fall below 1 (MG-22), with at most three Engine points (MG-29)."""
        front, rear, engine = spending
        bike = self.bike
        return front < bike.front and rear < bike.rear and engine < bike.engine and engine <= MOST_ENGINE \
            or (front, rear, engine) == (0, 0, 0)

    def _list_ends(self):
        self.values = []
        for rows in range(len(self._rows)):
            found = self._rows[rows]
            for space, costs in [self._outermost(found)] if self.contact else sorted(found):
                self._add_end(rows, space, costs)

    def _add_end(self, rows, space, costs):
        payable = []
        spent = []
        for cost in range(self.most + 1):
            if costs >> cost & 1:
                spending = self.spending(rows, cost)
                if self.can_pay(spending) and spending not in spent:
                    payable.append(cost)
                    spent.append(spending)
        for cost in payable:
            self.values.append((space, rows, cost))

    def _outermost(self, found):
        """In a contact the bike is carried to the outer lane of the corner (MG-28)."""
        lanes = sorted([(self.track.lane(space), space, costs) for space, costs in found])
        return lanes[-1 if self._turn() == "left" else 0][1:]

    def _turn(self):
        """Direction of the corner ahead at a braking point, of the corner being left at cornering."""
        row = self.track.row(self.bike.space)
        section = self.track.section_of_row(row)
        ahead = self.track.section_of_row(row % self.track.rows + 1)
        if section.kind != "corner" and ahead.kind != "corner":
            section = self.track.section_of_row((row - 2) % self.track.rows + 1)
        elif section.kind != "corner":
            section = ahead
        return section.turn

    def texts(self):
        """The answers, with their cost where an end has several; [] where nothing can be paid and the bike must
        retire."""
        spaces = [value[0] for value in self.values]
        out = []
        for space, _, cost in self.values:
            words = [self.track.space_name(space)]
            if spaces.count(space) > 1:
                words += ["cost", cost]
            out.append(notation.show("go", words))
        return out

    def labels(self):
        """For each answer what is spent, or None where nothing is."""
        out = []
        for _, rows, cost in self.values:
            front, rear, engine = self.spending(rows, cost)
            if engine:
                key = "moto_grand_prix.spend_engine_rear" if rear else "moto_grand_prix.spend_engine"
                out.append([key, engine])
            elif front:
                out.append(["moto_grand_prix.spend_front", front])
            else:
                out.append(None)
        return out

    def path(self, value):
        """A route of this end and cost, as a list of spaces from the start on."""
        space, rows, cost = value
        path = [space]
        for at in range(rows - 1, -1, -1):
            cost -= self._step(space)
            for before, costs in self._rows[at]:
                if costs >> cost & 1 and space in self.track.ahead(before):
                    break
            space = before
            path.append(space)
        path.reverse()
        return path

    # Why not elsewhere

    def near_misses(self):
        """Texts of ends around the points that aren't offered."""
        texts = []
        for ahead in (self.points - 1, self.points, self.points + 1, self.most, self.most + 1):
            row = (self.track.row(self.bike.space) + ahead - 1) % self.track.rows + 1
            for space in self.track.row_spaces(row) if ahead > 0 else []:
                text = notation.show("go", [self.track.space_name(space)])
                if space not in [value[0] for value in self.values] and text not in texts:
                    texts.append(text)
        return texts

    def explain(self, text):
        """The Refusal of an answer that isn't offered, or None."""
        words = text.split(" ")
        place = notation.space(words[1]) if len(words) in (2, 4) and words[0] == "go" else None
        if place is None:
            return None
        name = words[1]
        end = self.track.space(place[0], place[1])
        if end < 0:
            return Refusal(text, "moto_grand_prix.no_such_position", "MG-02", (name,))
        if end in self.others:
            return Refusal(text, "moto_grand_prix.occupied", "MG-07", (name,))
        if end in [value[0] for value in self.values]:
            return Refusal(text, "moto_grand_prix.other_cost", "MG-34", (name,))
        rows = 0 if end == self.bike.space else self.circuit.rows_ahead(self.bike.space, end)
        costs = 0
        if rows < len(self._rows):
            costs = sum([mask for space, mask in self._rows[rows] if space == end])
        if costs:
            return self._explain_reachable(text, name, rows, costs)
        if rows > self.most:
            return Refusal(text, "moto_grand_prix.three_engine", "MG-29", (MOST_ENGINE, name, rows))
        if abs(self.track.lane(end) - self.track.lane(self.bike.space)) > rows:
            return Refusal(text, "moto_grand_prix.one_lane_a_point", "MG-15", (name, rows))
        if self._free_way(end, rows):
            return Refusal(text, "moto_grand_prix.overtaking_too_dear", "MG-35", (name,))
        return Refusal(text, "moto_grand_prix.blocked_way", "MG-07", (name,))

    def _explain_reachable(self, text, name, rows, costs):
        if self.contact:
            return Refusal(text, "moto_grand_prix.outer_lane", "MG-28", (name,))
        cost = min([bit for bit in range(self.most + 1) if costs >> bit & 1])
        front, rear, engine = self.spending(rows, cost)
        return Refusal(text, "moto_grand_prix.cant_pay", "MG-22", (name, front, rear, engine))

    def _free_way(self, end, rows):
        """Whether a way leads there if surcharges didn't count."""
        reached = [self.bike.space]
        for _ in range(rows):
            step = []
            for space in reached:
                step += [ahead for ahead in self.track.ahead(space)
                         if ahead not in self.others and ahead not in step]
            reached = step
        return end in reached
