"""What the engine asks: Roll and Choose here, Draw and Number in ``prompts_cards.py``.

A prompt belongs to a seat (0: anybody at the table) and perhaps to one of its cars. It knows which
answers it accepts now and, only when asked, which near ones it refuses and why.
"""

from shared_rules import notation
from shared_rules.errors import Refused

TABLE = 0

#: An ordinary die.
D6 = (1, 2, 3, 4, 5, 6)

_MOST_LISTED = 216


class Refusal:
    """A near miss: an answer that isn't allowed, the reason's text key, its clause and arguments."""

    def __init__(self, text, reason, clause="", args=()):
        self.text = text
        self.reason = reason
        self.clause = clause
        self.args_ = tuple(args)


class Prompt:
    """One question.

    ``ask`` is the text key of its sentence and ``args`` the arguments; ``note`` is None or a list
    ``[key, arg, …]`` that says why there is little to choose from. ``serial`` and, for dice and
    decks, ``source`` are set by the engine when it opens the prompt.
    """

    kind = ""
    source = "device"
    #: None, or a function: number of an option, from 0 → a list of [dial key, points] that it costs.
    costs = None
    #: None, or the space that each option leads to (-1: none), if the options don't name them: lights show them.
    ends = None
    #: None, or a function: a generator that finds piece by piece what ``options()`` finds all at once. A board runs it
    #: while the cars are still moving.
    prepare = None
    #: None, or a function: text of an answer → a generator that does piece by piece the work that the answer needs. It
    #: changes nothing visible; a board runs it before it gives the answer.
    foresee = None
    #: Whether everybody sees the answer once it is given, although it came from hidden cards: the other choices stay
    #: secret, and the journal's line is sealed like a secret one, because nobody can replay up to it without the seed.
    laid_open = False
    #: None, or a function: (sentence as [text key, arg, …], clause) that WHY shows if there are no near misses: why things
    #: happened as they did.
    told = None

    def __init__(self, seat, ask, args=(), car=0, clause="", secret=False, note=None):
        self.seat = seat
        self.car = car
        self.ask = ask
        self.args = tuple(args)
        self.clause = clause
        self.secret = secret
        self.note = note
        self.serial = 0
        self.dice = []

    def options(self):
        """The canonical texts that are accepted now, as a list; [] if there are too many to list."""
        return []

    def labels(self):
        """A list as long as ``options()``: None, or ``[text key, arg, …]`` that describes the option."""
        return [None for _ in self.options()]

    def refused(self):
        """Near misses, as a list of Refusal."""
        return []

    def match(self, verb, words, replaying=False):
        """``(canonical text, value for the rules)`` of an accepted answer; raises Refused."""
        raise Refused("engine.not_offered", self.clause, (notation.show(verb, words),))

    def sample(self, chance):
        """One accepted text, drawn with ``chance``, all equally likely."""
        return chance.die(self.options())

    def forced(self):
        """The value for the rules if nobody is there to answer (a player has left); never random, because no
        journal line records it."""
        verb, words = notation.parse(self.options()[0])
        return self.match(verb, words)[1]

    def plain(self, private=False):
        """A dict for messages; it holds the choices of a secret prompt only with ``private``."""
        choices = None
        if self.kind in ("choose", "number") and (private or not self.secret):
            choices = self.options()
        elif self.kind == "draw" and self.source == "table" and not self.secret:
            choices = self.options() or None
        return {
            "serial": self.serial,
            "seat": self.seat,
            "car": self.car,
            "kind": self.kind,
            "ask": self.ask,
            "args": list(self.args),
            "note": self.note,
            "secret": self.secret,
            "choices": choices,
            "dice": [list(die) for die in self.dice],
            "source": self.source,
        }


class Roll(Prompt):
    """Dice to roll; the rules get the list of faces in the order of ``dice``.

    A die is a tuple of faces, numbers or words: colour dice are dice too.
    """

    kind = "roll"

    def __init__(self, seat, dice, ask, args=(), car=0, clause=""):
        super().__init__(seat, ask, args, car, clause)
        self.dice = list(dice)
        self.drawn = None

    def options(self):
        if self.source == "device":
            return ["roll"]
        texts = ["roll"]
        for die in self.dice:
            faces = [face for at, face in enumerate(die) if face not in die[:at]]
            if len(texts) * len(faces) > _MOST_LISTED:
                return []
            texts = [text + " " + str(face) for text in texts for face in faces]
        return texts

    def match(self, verb, words, replaying=False):
        if verb != "roll":
            raise Refused("engine.expected_roll", self.clause, (notation.show(verb, words),))
        if self.drawn is not None:
            faces = self.drawn
            if words and not replaying:
                raise Refused("engine.board_rolls", self.clause)
            if words and words != [str(face) for face in faces]:
                raise Refused("engine.roll_differs", self.clause,
                              (" ".join([str(face) for face in faces]), " ".join(words)))
        else:
            if len(words) != len(self.dice):
                raise Refused("engine.dice_count", self.clause, (len(self.dice), len(words)))
            faces = [_face(self, die, word) for die, word in zip(self.dice, words)]
        return notation.show("roll", faces), list(faces)

    def sample(self, chance):
        if self.source == "device":
            return "roll"
        return notation.show("roll", [chance.die(die) for die in self.dice])

    def forced(self):
        # A face of its own for each car, so that players who leave together don't tie for ever.
        return [die[((self.car or self.seat) - 1) % len(die)] for die in self.dice]

    def draw(self, chance):
        """Rolls the device's dice; nobody sees them before the prompt is answered."""
        self.drawn = [chance.die(die) for die in self.dice]


def _face(prompt, die, word):
    for face in die:
        if str(face) == word:
            return face
    raise Refused("engine.no_such_face", prompt.clause, (" ".join([str(f) for f in die]), word))


class Choose(Prompt):
    """A choice among canonical texts (a list, or a function that lists them); the rules get the value of the same
    number.

    ``labels`` and ``near`` are functions without arguments that list the options' labels and the texts of near
    misses, ``explain`` takes a text that isn't offered and returns its Refusal or None: what nobody asks for
    takes no memory. ``costs`` takes the number of an option, from 0, and lists what it spends.
    """

    kind = "choose"

    def __init__(self, seat, choices, ask, args=(), car=0, clause="", secret=False, note=None,
                 values=None, labels=None, near=None, explain=None, costs=None):
        super().__init__(seat, ask, args, car, clause, secret, note)
        self.costs = costs
        self._choices = choices if callable(choices) else lambda: choices
        self._values = values
        self._labels = labels
        self._near = near
        self._explain = explain

    def options(self):
        return list(self._choices())

    def values(self):
        """What the rules get for each option, in the order of ``options()``."""
        return list(self._values) if self._values else self.options()

    def labels(self):
        return self._labels() if self._labels else [None for _ in self._choices()]

    def refused(self):
        out = []
        choices = self._choices()
        for text in self._near() if self._near else []:
            refusal = self._explain(text) if self._explain else None
            if refusal and text not in choices:
                out.append(refusal)
        return out

    def match(self, verb, words, replaying=False):
        text = notation.show(verb, words)
        choices = self._choices()
        if text in choices:
            return text, (self._values[choices.index(text)] if self._values else text)
        refusal = self._explain(text) if self._explain else None
        if refusal:
            raise Refused(refusal.reason, refusal.clause, refusal.args_)
        raise Refused("engine.not_offered", self.clause, (text,))
