"""The base of every game: plain data between two turns, and a generator for a turn."""

from shared_rules import games


class Plain:
    """An object whose state is its ``fields``: ints, strings, lists of them, and records.

    ``records`` names the fields that hold a list of other Plain objects: ``(("bikes", Bike),)``.
    """

    fields = ()
    records = ()

    def dump(self, leave_out=()):
        """The state as nested lists; the fields in ``leave_out`` stand as None."""
        return _copy([None if field in leave_out else value for field, value in zip(self.fields, self.live())])

    def live(self):
        """The state as `dump` gives it, but in the game's own live lists: write it down at once."""
        values = [getattr(self, field) for field in self.fields]
        for name, _ in self.records:
            at = self.fields.index(name)
            values[at] = [record.live() for record in values[at]]
        return values

    def load(self, values):
        """Takes a state from ``dump``; returns itself."""
        for field, value in zip(self.fields, values):
            record = self._record(field)
            if record:
                value = [record().load(part) for part in value]
            setattr(self, field, value)
        return self

    def _record(self, field):
        for name, record in self.records:
            if name == field:
                return record
        return None


def _copy(value):
    return [_copy(part) for part in value] if isinstance(value, list) else value


class Game(Plain):
    """Base of all games.

    A game sets up its first state in ``__init__``, and its ``turn()`` is a generator that yields a
    prompt (or a list of prompts for several seats, answered at the same time) and gets back
    the answer's value (or the values in seat order). Between two turns its state is its ``fields``. Whatever a
    set-up needs to know, ``ID`` to ``GRID`` below and ``problems``, belongs in ``class About`` of the game's ``about.py``,
    so that a menu needn't load the rules of every game; ``class Game(About, BaseGame)`` inherits it.
    """

    ID = ""
    #: Its place in the menu: 1 is first; 0: after the games that name a place, sorted by id.
    MENU = 0
    VARIANTS = ()
    #: (key, [values], default) of each set-up option; values are words.
    OPTIONS = ()
    #: Fewest and most players.
    SEATS = (2, 6)
    #: Whether dice are rolled, so that a set-up asks whose; an ``About`` without this key has dice.
    DICE = True
    #: Whether the game has decks that the table can hold.
    DECKS = False
    #: Whether the number of laps can be chosen.
    LAPS = True
    #: Whether a set-up may say who starts where, as the next race of a season does.
    GRID = False
    #: Module or class with ``choose(game, prompt, chance)``; None: ``bots.py`` beside the game's rules.
    BOTS = None
    #: Keys of the scene's dials that warn when little is left on them.
    LOW_DIALS = ()
    #: (word, colour) of the scene's marks that aren't lit white; the colours of cars, dim and steady.
    MARK_COLOURS = ()
    #: Whether players who tie share a place.
    SHARES_PLACES = False
    #: Whether chance decides something at the start that everybody can see; a sealed journal then records it.
    OPEN_START = False
    #: Whether a hand goes from seat to seat: the next seat then sees what a hidden choice left of it.
    PASSES_HANDS = False
    #: Verbs of answers that bring cards to light without a roll or a draw: a hand is filled up, a deck is turned. Taking
    #: such an answer back needs everybody's consent, as with a roll.
    REVEALS = ()
    #: Names of the fields that only the engine may see before the podium.
    secret_fields = ()

    def __init__(self, setup, track, deal):
        """``deal`` is the stream of chance that shuffles decks."""
        self.setup = setup
        self.track = track
        self.deal = deal
        self.events = []

    @classmethod
    def problems(cls, setup, track):
        """Sentences that say why this set-up can't be played; [] where it can."""
        return []

    def code(self):
        """Names of the game's own modules that this race needs while it runs (those of its variant), without package and
        ``.py``, such as ``("movement", "basic")``. A board loads them while nobody is waiting, each one after the modules
        that it imports."""
        return ()

    def turn(self):
        """The generator of one turn."""
        raise NotImplementedError

    def over(self):
        """True at the podium."""
        raise NotImplementedError

    def lap(self):
        """What the lap counter shows: 1 on the grid, then up to the set-up's laps, never back; always 0 in a game without
        laps."""
        return 0

    def cars(self):
        """A list of [car, seat, name key, colour, rhythm], cars numbered from 1; seat 0: nobody's. Colours are blue, yellow,
        red, green, white, orange, cyan and magenta, rhythms 0 to 7; no two cars are alike in both."""
        raise NotImplementedError

    def standings(self):
        """A list of [seat, car, place, points], best first; car 0 where players drive no car."""
        raise NotImplementedError

    def podium(self):
        """The cars that the lights show at the end, best first."""
        return [row[1] for row in self.standings()]

    def scene(self, scene):
        """Fills a Scene."""
        raise NotImplementedError

    def private(self, seat):
        """What only this seat may see, as lists ``[text key, arg, …]``."""
        return []

    def leave(self, seat):
        """A player has left, between two turns; the race goes on without them."""
        raise NotImplementedError

    def event(self, *parts):
        """Notes an event; `scene.py` lists them."""
        self.events.append(list(parts))

    # For the spec's vectors and the compliance kit: the game's module spec_view does the work.

    def arrange(self, state):
        """Sets up a partial state; spec/FORMAT.md lists the keys."""
        games.spec_view(self.ID).arrange(self, state)

    def look(self, key):
        """What the game says of its state, as text; KeyError for a key that it doesn't know."""
        return games.spec_view(self.ID).look(self, key)

    def inventory(self):
        """What must never change during a race (cards, points handed out …), as text; "" if nothing."""
        return games.spec_view(self.ID).inventory(self)
