"""Riding: points spent on speed or braking, chosen together with the end (MG-28 to MG-35).

The costs of all routes to a space are kept as the bits of an int. A row costs a point; a
step into an overtaking position off the racing line of a corner costs its difficulty more.
"""

from shared_rules.games.moto_grand_prix.data import DIALS, MOST_ENGINE


class Reach:
    """The spaces that a bike can reach, row by row, and the costs of all routes to them."""

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
        # Reachable spaces and their costs, row by row; where each row begins in these lists.
        self._spaces = [bike.space]
        self._costs = [1]
        self._first = [0, 1]
        self._cornered = [self.circuit.difficulty(bike.space) > 0]

    def grow(self):
        """Finds the spaces one row further; False if there are none, or no points for them."""
        if len(self._cornered) > self.most:
            return False
        first, end = self._first[-2], self._first[-1]
        spaces = self._spaces
        costs = self._costs
        start, to = self.track.ahead_start, self.track.ahead_to
        for at in range(first, end):
            space = spaces[at]
            for way in range(start[space], start[space + 1]):
                ahead = to[way]
                if ahead in self.others:
                    continue
                moved = (costs[at] << self._step(ahead)) & self._limit
                if not moved:
                    continue
                slot = end
                while slot < len(spaces) and spaces[slot] != ahead:
                    slot += 1
                if slot < len(spaces):
                    costs[slot] |= moved
                else:
                    spaces.append(ahead)
                    costs.append(moved)
        if len(spaces) == end:
            return False
        self._first.append(len(spaces))
        self._cornered.append(self._cornered[-1] or self.circuit.difficulty(spaces[end]) > 0)
        return True

    def row(self, rows):
        """[(space, costs), …] of the spaces that can be reached this many rows ahead; [] if none can."""
        if rows >= len(self._cornered):
            return []
        return [(self._spaces[at], self._costs[at]) for at in range(self._first[rows], self._first[rows + 1])]

    def all_costs(self):
        """The costs of all routes found so far, as the bits of an int."""
        bits = 0
        for costs in self._costs:
            bits |= costs
        return bits

    def _step(self, space):
        """Points for the step into a space (MG-34)."""
        row = self.track.row(space)
        if row not in self._busy_rows or self.contact:
            return 1
        difficulty = self.track.difficulty(row)
        return 1 + difficulty if difficulty and self.circuit.rank(space) != 1 else 1


class Ride(Reach):
    """The ends of one move with ``points`` movement points, and what each costs the bike.

    ``bonus`` is 1 if a slipstream may add a point. In a contact only the outermost lane that can be
    reached counts, and there are no surcharges.
    """

    def __init__(self, game, bike, points, bonus=0, contact=False):
        super().__init__(game, bike, points, bonus, contact)
        while self.grow():
            pass
        self._list_ends()

    # What it costs the bike

    def spending(self, rows, cost):
        """(Front Tire, Rear Tire, Engine) points that a route of this cost over this many rows takes (MG-29 to
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
        self._texts = None
        payable = 0
        cornered = None
        for rows in range(len(self._cornered)):
            found = self.row(rows)
            if self._cornered[rows] != cornered:
                cornered = self._cornered[rows]
                payable = self._payable(rows)
            for space, costs in [self.outermost(found)] if self.contact else sorted(found):
                costs &= payable
                cost = 0
                while costs >> cost:
                    if costs >> cost & 1:
                        self.values.append(packed(space, rows, cost))
                        if cost == self.points and self.bonus:
                            cost += 1              # costs just as little: the bonus
                    cost += 1

    def _payable(self, rows):
        """Which costs of a route over this many rows the bike can pay, as the bits of an int."""
        bits = 0
        for cost in range(max(0, self.points - max(0, self.bike.front - 1)), self.most + 1):
            if self.can_pay(self.spending(rows, cost)):
                bits |= 1 << cost
        return bits

    def outermost(self, found):
        """(space, costs) of a row's ends: in a contact the bike is carried to the outer lane of the corner (MG-28)."""
        lanes = sorted([(self.track.lane(space), space, costs) for space, costs in found])
        return lanes[-1 if self._turn() == "left" else 0][1:]

    def _turn(self):
        """The direction of the corner ahead at a braking point, or of the corner being left at cornering."""
        row = self.track.row(self.bike.space)
        section = self.track.section_of_row(row)
        ahead = self.track.section_of_row(row % self.track.rows + 1)
        if section.kind != "corner" and ahead.kind != "corner":
            section = self.track.section_of_row((row - 2) % self.track.rows + 1)
        elif section.kind != "corner":
            section = ahead
        return section.turn

    def texts(self):
        """The answers, with their cost if an end has several; [] if nothing can be paid and the bike must
        retire."""
        if self._texts is None:                    # asked for more than once while the prompt is open
            last = after = -1
            self._texts = []
            for at, value in enumerate(self.values):
                space = space_of(value)
                after = space_of(self.values[at + 1]) if at + 1 < len(self.values) else -1
                text = "go " + self.track.space_name(space)
                if space == last or space == after:
                    text += " cost %d" % cost_of(value)
                self._texts.append(text)
                last = space
        return self._texts

    def labels(self):
        """For each answer what is spent, or None if nothing is."""
        out = []
        for value in self.values:
            front, rear, engine = self.spending(rows_of(value), cost_of(value))
            if engine:
                key = "moto_grand_prix.spend_engine_rear" if rear else "moto_grand_prix.spend_engine"
                out.append([key, engine])
            elif front:
                out.append(["moto_grand_prix.spend_front", front])
            else:
                out.append(None)
        return out

    def costs(self, at):
        """What the answer with this number costs: a list of [dial key, points]."""
        spending = self.spending(rows_of(self.values[at]), cost_of(self.values[at]))
        return [[key, points] for key, points in zip(DIALS, spending) if points]

    def path(self, value):
        """A route to this end at this cost, as a list of spaces from the start on."""
        space = space_of(value)
        cost = cost_of(value)
        path = [space]
        for rows in range(rows_of(value) - 1, -1, -1):
            cost -= self._step(space)
            for before, costs in self.row(rows):
                if costs >> cost & 1 and space in self.track.ahead(before):
                    break
            space = before
            path.append(space)
        path.reverse()
        return path

    def near_misses(self):
        """Texts of ends around the rolled distance that aren't offered."""
        from shared_rules.games.moto_grand_prix import riding_why
        return riding_why.near_misses(self)

    def explain(self, text):
        """The Refusal of an answer that isn't offered, or None."""
        from shared_rules.games.moto_grand_prix import riding_why
        return riding_why.explain(self, text)


def packed(space, rows, cost):
    """An end, the rows to it and the cost of a route, packed into one small int."""
    return (space << 10) | (rows << 5) | cost


def space_of(value):
    """The space of a packed end."""
    return value >> 10


def rows_of(value):
    """The rows to a packed end."""
    return value >> 5 & 31


def cost_of(value):
    """The cost of the route to a packed end."""
    return value & 31
