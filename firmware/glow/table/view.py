"""What the display shows during a race, in six lines of 21 characters."""

from glow.board.screen import WIDTH
from glow.table.ends import EndsPick
from glow.table.pick import CardPick, WheelPick
from glow.texts.texts import fit, wrap


class View:
    """Makes the lines, and keeps what they say about the race: the last sentence, dice, dials and standings.

    ``private_seat``: the only seat that may read the latest lines, 0 for everybody.
    """

    def __init__(self, app, race):
        self.app = app
        self.race = race
        self.private_seat = 0
        self.last_say = ""
        self.news = []                             # the game's news, not yet on the display
        self.dials = ()                            # the rows of the scene on show
        self.standings = None                      # the last ones reported
        self.wrong_say = ""
        self._dice = None

    # What happens

    def hear(self, event):
        """Takes an event of the scene."""
        name = event[0]
        if name in ("rolled", "flipped", "drew"):
            self._dice = (event[1], event[2], event[3])
        elif name in ("undone", "corrected", "turn"):
            self._dice = None
            if name != "turn":
                self.news = []
        elif name == "told" and not self.app.instant:
            self.news.append(event[1])

    def tell_news(self):
        """Shows the next piece of news, if nothing else is on show."""
        if self.news and not self.app.note:
            self.app.tell(self.app.speech.say(self.news.pop(0)))

    def tell_wrong(self):
        """Somebody who isn't asked has pressed a key: shows who is."""
        speech = self.app.speech
        names = [speech.seat(prompt.seat) for prompt in self.race.prompts]
        self.wrong_say = speech.text("board.not_your_turn", (", ".join(names),))
        self.app.tell(self.wrong_say)

    def end_wrong(self):
        """The person asked at that time has answered."""
        if self.wrong_say and self.app.note == self.wrong_say:
            self.app.note = ""

    # The lines

    def watching(self):
        """The six lines while nobody is asked: whose turn it is, what happened last, and the dice."""
        names = []
        for prompt in self.race.prompts:
            names.append(self.app.speech.who(prompt.seat, prompt.car))
        head = fit(", ".join(names), self._lap())
        shown = wrap(self.last_say, WIDTH, 3) if self.last_say else []
        while len(shown) < 4:
            shown.append("")
        return [head] + shown + [self._dice_of(0)]

    def asked(self, place):
        """The six lines of a Place that is asked."""
        head = fit(self.app.speech.who(place.seat, place.prompt.car if place.prompt else 0), self._lap())
        if place.note:
            return [head] + wrap(place.note, WIDTH, 5)
        if place.teach:
            return [head] + wrap(place.teach, WIDTH, 5)
        if place.near:
            return [head] + self._near(place)
        if place.prompt.secret:
            if not self.app.panels.held(place.panel, "WHY"):
                say = self.app.speech.text("board.hold_why", ("seat:%d" % place.seat,))
                return [head] + wrap(say, WIDTH, 5)
            self.private_seat = place.seat
            return [head] + wrap(self._choice(place), WIDTH, 2) + self.hand(place.seat)[:3]
        return [head] + self._question(place)

    def hand(self, seat):
        """Lines with what only one seat may see."""
        shown = []
        for item in self.race.view(seat)["private"]:
            shown.extend(wrap(self.app.speech.say(item), WIDTH))
        return shown

    def _lap(self):
        race = self.race
        return self.app.speech.text("board.lap_short", (race.lap, race.laps)) if race.lap else ""

    def _dice_of(self, car):
        """The dice that a car rolled last, or the cards that were drawn."""
        if self._dice is None or (car and self._dice[1] and self._dice[1] != car):
            return ""
        names = self.app.speech.names
        return " ".join(["[%s]" % (names.card(face) if isinstance(face, str) else face) for face in self._dice[2]])

    def _question(self, place):
        """Five lines: what is asked, the option under the cursor, and the dice."""
        which, many = place.pick.counts()
        unlit = self._unlit(place)
        choice = wrap(self._choice(place), WIDTH, 3 - len(unlit))
        ask = wrap(self.app.speech.ask(place.prompt), WIDTH, min(2, 4 - len(choice) - len(unlit)))
        shown = ask + choice
        while len(shown) + len(unlit) < 4:
            shown.append("")
        return shown + unlit + [fit(self._dice_of(place.prompt.car), "%d/%d" % (which, many) if many > 1 else "OK")]

    def _choice(self, place):
        pick = place.pick
        speech = self.app.speech
        if isinstance(pick, CardPick):
            card = str(pick.words()[0])
            if not pick.at and len(pick.wheels[1]) > 1:
                card = card.rpartition("-")[0] + "-?"
            return "> " + speech.names.card(card)
        if isinstance(pick, WheelPick):
            faces = []
            for at, word in enumerate(pick.words()):
                if isinstance(word, str):
                    word = speech.names.card(word)
                faces.append("[%s]" % word if at == pick.at else " %s " % (word if at < pick.at else "?"))
            return "".join(faces)
        if isinstance(pick, EndsPick) and not pick.in_row and len(pick.rows[pick.at][1]) > 1:
            return "> " + speech.text("board.row", (pick.row(), len(pick.rows[pick.at][1])))
        at = pick.place()
        if at < 0:
            return ""
        say = "> " + speech.option(pick.options[at], pick.labels[at])
        spent = place.costs()
        if spent:
            from glow.table import dials  # loaded for games that have some, as below
            say += dials.warning(self.app, self.dials, self.race.game.LOW_DIALS, place.prompt.car, spent)
        return say

    def _unlit(self, place):
        """A line with this seat's dials that its panel has no room for; [] if all are lit."""
        rows = [row for row in self.dials if row[0] == place.seat]
        lights = self.app.lights
        if not rows or lights and lights.dials.has_room(place.panel, len(rows)):
            return []
        from glow.table import dials  # see above
        return dials.unlit(self.app, rows, place)

    def _near(self, place):
        near = place.near[place.near_at]
        say = self.app.speech.text(near.reason, near.args_) + (" (" + near.clause + ")" if near.clause else "")
        title = fit(self.app.texts.get("board.why"), "%d/%d" % (place.near_at + 1, len(place.near)))
        return [title] + wrap(self.app.speech.option(near.text, None) + ": " + say, WIDTH, 4)
