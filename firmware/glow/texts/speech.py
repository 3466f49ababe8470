"""Sentences: what a prompt asks, what an option means, what an answer did."""

from glow.texts.texts import Names
from shared_rules import notation
from shared_rules.errors import GridglowError

#: Answers whose words are cards, or faces that are named like cards.
CARDS = ("roll", "draw", "play", "bet", "discard", "order", "pick", "use")


class Speech:
    """Makes every sentence of a race; without a race, only sentences that need no names."""

    def __init__(self, texts):
        self.texts = texts
        self.race = None
        self.cars = []
        self.names = None

    def take_race(self, race):
        """Speaks about this race from now on (None: about none)."""
        self.race = race
        self.cars = race.game.cars() if race else []
        self.names = Names(self.texts, self.cars, race.setup.players, race.setup.game) if race else None

    def text(self, key, args=()):
        """The sentence for a key, with its arguments."""
        return self.texts.format(key, args, self.names)

    def say(self, parts):
        """The sentence for a list [key, arg, …]."""
        return self.texts.say(parts, self.names)

    def seat(self, seat):
        """A player's name; for seat 0 the table's."""
        if seat == 0 or self.names is None:
            return self.texts.get("board.anybody")
        return self.names.seat(seat)

    def who(self, seat, car):
        """A player's name, with the car if the player has several; a car without a driver has its own name."""
        if car and not seat and self.names:
            return self.names.car(car)
        name = self.seat(seat)
        if car and len([1 for row in self.cars if row[1] == seat]) > 1:
            return self.text("board.with_car", (name, "car:" + str(car)))
        return name

    def ask(self, prompt):
        """A prompt's sentence, with the reason if there is little to choose from."""
        say = self.text(prompt.ask, prompt.args)
        if prompt.note:
            say += " " + self.say(prompt.note)
        return say

    def option(self, text, label):
        """The meaning of an option."""
        if label and text[:3] != "go ":
            return self.say(label)
        try:
            verb, words = notation.parse(text)
        except GridglowError:
            return text
        if verb == "draw" and words:               # a card drawn at the table, not by the board
            return self._joined(verb, words)
        said = self._by_verb("opt_", verb, words[:1] if label else words, "", text)
        return said + ": " + self.say(label) if label else said    # an end says where to and what it costs

    def line(self, line, car, opened=False):
        """What an answer did, as one sentence; ``car``: the car it was given for, 0 if unknown;
        ``opened``: what was played lies open, whatever question led to it."""
        who = self.who(line.seat, car)
        if line.secret and not opened and not (self.race and self.race.over):
            return self.text("board.say_sealed", (who,))
        try:
            verb, words = notation.parse(line.text)
        except GridglowError:
            return self.text("board.say_other", (who, line.text))
        return self._by_verb("say_", verb, words, who, self.text("board.say_other", (who, line.text)))

    def _by_verb(self, form, verb, words, who, plain):
        """The text of "<game>.say_flip_none", "<game>.say_flip", "board.say_flip_none" or
        "board.say_flip": the first or the last word may have a text of its own."""
        args = (who, self._joined(verb, words)) + tuple(words)
        tails = [form + verb]
        for word in words[:1] + words[1:][-1:]:
            if notation.number(word) is None:
                tails.insert(0, form + verb + "_" + word)
        for section in (self.race.setup.game if self.race else "board", "board"):
            for tail in tails:
                if self.texts.has(section + "." + tail):
                    return self.text(section + "." + tail, args)
        return plain

    def _joined(self, verb, words):
        if self.names and verb in CARDS:
            words = [self.names.card(word) for word in words]
        if verb in ("roll", "draw", "flip") and len(words) > 1:
            return self.text("board.and", (", ".join(words[:-1]), words[-1]))
        if verb == "go" and len(words) == 3:
            return self.text("board.go_cost", (words[0], words[2]))
        if verb == "correct":
            return self.option(" ".join(words[1:]), "")
        if verb == "source" and len(words) == 2:
            return self.texts.get("board.source_" + words[1])
        return (", " if verb == "order" else " ").join(words)
