"""What a panel's cursor moves over while a prompt is open: options, dice faces, cards, ends.

Every pick has ``move(step)``, ``ok()`` (the answer's text, or None if more must be picked), ``back()``,
``place()`` (the option under the cursor or -1) and ``counts()``.
"""

from glow.table.ends import EndsPick, is_ends

#: With more cards than this, they are picked in two steps.
FEW_CARDS = 8


class ListPick:
    """One of the listed options."""

    def __init__(self, options, labels):
        self.options = options
        self.labels = labels
        self.at = 0

    def move(self, step):
        """Moves the cursor, wrapping round."""
        if self.options:
            self.at = (self.at + step) % len(self.options)

    def ok(self):
        """The text under the cursor."""
        return self.options[self.at] if self.options else None

    def back(self):
        """There is nothing to go back to."""
        return False

    def place(self):
        """The option under the cursor."""
        return self.at if self.options else -1

    def counts(self):
        """(which, of how many)."""
        return self.at + 1, len(self.options)


class WheelPick:
    """Dice or cards at the table, entered one by one: PREV and NEXT turn the wheel, OK takes its face."""

    options = ()
    labels = ()

    def __init__(self, verb, wheels):
        self.verb = verb
        self.wheels = wheels
        self.faces = [0] * len(wheels)
        self.at = 0

    def move(self, step):
        """Turns the wheel under the cursor."""
        self.faces[self.at] = (self.faces[self.at] + step) % len(self.wheels[self.at])

    def ok(self):
        """The whole answer once the last wheel is taken, else None."""
        if self.at + 1 < len(self.wheels):
            self.at += 1
            return None
        return self.verb + " " + " ".join([str(face) for face in self.words()])

    def words(self):
        """The faces as they stand now."""
        return [wheel[at] for wheel, at in zip(self.wheels, self.faces)]

    def back(self):
        """Goes back to the previous wheel; False at the first one."""
        if self.at:
            self.at -= 1
            return True
        return False

    def place(self):
        """No option has an index here."""
        return -1

    def counts(self):
        """(which wheel, of how many)."""
        return self.at + 1, len(self.wheels)


class CardPick(WheelPick):
    """One card of many: first its kind (everything before the last hyphen), then the rest."""

    def __init__(self, cards):
        self.kinds = []
        for card in cards:
            name = str(card).rpartition("-")[0]
            for kind, same in self.kinds:
                if kind == name and name:
                    same.append(card)
                    break
            else:
                self.kinds.append([name, [card]])
        super().__init__("draw", [self.kinds, self.kinds[0][1]])

    def move(self, step):
        """Turns the wheel of kinds, or the wheel of one kind's cards."""
        super().move(step)
        if not self.at:
            self.wheels[1] = self.kinds[self.faces[0]][1]
            self.faces[1] = 0

    def ok(self):
        """The answer, or None if a card of the kind is still to be picked."""
        if not self.at and len(self.wheels[1]) == 1:
            return "draw " + str(self.wheels[1][0])
        return super().ok()

    def words(self):
        """The card under the cursor."""
        return [self.wheels[1][self.faces[1]]]

    def counts(self):
        """(which kind or card, of how many)."""
        return self.faces[self.at] + 1, len(self.wheels[self.at])


def make(prompt, track, start_space):
    """The pick for an open prompt; ``start_space`` is the space of its car (-1: none)."""
    if prompt.source == "table" and prompt.kind == "roll":
        return WheelPick("roll", prompt.dice)
    if prompt.source == "table" and prompt.kind == "draw":
        cards = []
        for card in prompt.deck:
            if card not in cards:
                cards.append(card)
        if prompt.count == 1 and len(cards) > FEW_CARDS:
            return CardPick(cards)
        return WheelPick("draw", [cards] * prompt.count)
    options = prompt.options()
    if is_ends(options):
        return EndsPick(track, options, prompt.labels(), start_space)
    return ListPick(options, prompt.labels())


def enter(place, digit):
    """Handles a dice-pad key for what a panel is asked: the answer's text, or None if more is to come."""
    pick = place.pick
    if isinstance(pick, WheelPick):
        faces = [str(face) for face in pick.wheels[pick.at]]
        if digit in faces:
            pick.faces[pick.at] = faces.index(digit)
            return pick.ok()
    elif isinstance(pick, ListPick):
        fits = [at for at in range(len(pick.options)) if pick.options[at].split(" ")[-1] == digit]
        if len(fits) == 1:
            pick.at = fits[0]
            if place.prompt.kind == "number":
                return pick.ok()
    return None
