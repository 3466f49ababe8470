"""A player's turn: a card is played and driven in full, or the hand is shown (AB-16 to AB-24). Also what each option
leads to, and why others aren't offered.
"""

from shared_rules.games.ausgebremst import data, pro
from shared_rules.games.ausgebremst.course import FINISH, PIT_OPEN, PIT_OPENS
from shared_rules.prompts import Choose, Refusal


def take(game, car):
    """A card is played and moved in full and the hand filled up, or the hand is shown."""
    choice = yield Play(game, car, game.held(car), plays(game, car))
    if choice == "":
        return                                                  # the player has left
    if choice is None:
        shown = "" if game.by_table else " ".join(reversed(game.hands[car.number - 1]))
        car.last = ("shows " + shown).strip()
        key = "told_shows" if shown else "told_stuck"
        game.event("told", ["ausgebremst." + key, "car:%d" % car.number, shown])
        return
    card, way = choice
    pile = game.decks if game.by_table else game.hands
    pile[car.number - 1] = data.without(pile[car.number - 1], card)
    stops = game.drive(car, int(card), way)
    if game.pro:
        yield from pro.refill(game, car, stops)
    else:
        game.fill_up(car)


class Play(Choose):
    """A card and where it leads, or the hand shown. Only the hand's holder sees the options; what is played lies open."""

    laid_open = True

    def __init__(self, game, car, hand, plays):
        texts = [text for text, _, _ in plays] or ["show"]
        values = [(card, way) for _, card, way in plays] or [None]
        if plays and game.by_table and may_show(game, car, [card for _, card, _ in plays]):
            texts.append("show")
            values.append(None)
        super().__init__(car.seat, texts, "ausgebremst.ask_play", (), car.number, "AB-16", not game.by_table, values=values,
                         labels=self.say, near=self.near_misses, explain=self.why)
        self.ends = [max(-1, value[1][2][-1]) if value else -1 for value in values]
        self.hand = hand
        self._game = game
        self._car = car

    def say(self):
        """Card and space of each option."""
        out = []
        for text, value in zip(self.options(), self.values()):
            if value is None:
                out.append(None)
                continue
            card, way = value
            key = "ausgebremst.play_home" if way[2][-1] == FINISH else "ausgebremst.play_to"
            out.append([key, int(card), text.split(" ")[2]])
        return out

    def near_misses(self):
        """Showing the hand, and where the cards would lead on an empty track without the rules about 6s and the pit
        stop."""
        game, car = self._game, self._car
        out = ["show"]
        cards = data.different(self.hand)
        most = int(cards[-1]) if cards else 0
        for card, way in _of_cards(cards, game.course.reaches(car.space, car.crossings, most, (), False, PIT_OPEN)):
            out.append("play %s %s" % (card, game.end_name(way)))
        return out

    def why(self, text):
        """The Refusal of what isn't offered, or None if it isn't an answer to this question."""
        found = _reason(self._game, self._car, self.hand, text)
        if found is None:
            return None
        return Refusal(text, "ausgebremst." + found[0], found[1], found[2:])

    def forced(self):
        """The answer for a player who leaves. By table nobody knows a card of the hand: "" for a turn without one."""
        return "" if self._game.by_table else super().forced()


def plays(game, car):
    """[text, card, way] of everything that can be played now, low cards first."""
    cards = [card for card in data.different(game.held(car)) if card != "6" or game.six_allowed(car)]
    reaches = game.reaches(car, int(cards[-1]) if cards else 0, game.taken())
    return [["play %s %s" % (card, game.end_name(way)), card, way] for card, way in _of_cards(cards, reaches)]


def _of_cards(cards, reaches):
    """Generates (card, way) for these cards, low ones first, from the ways of one step, of two, and so on."""
    steps = 0
    for ways in reaches:
        steps += 1
        card = str(steps)
        if card in cards:
            for way in ways:
                yield card, way


def may_show(game, car, playable):
    """By table: whether the hand may be one that can't be moved (AB-21): one of other cards than these, or of 6s that only
    those in a neighbour's hand would allow. If a 6 can be moved, all smaller cards can."""
    if "6" in playable and not game.six_allowed(car, True):
        return True
    return len([card for card in game.held(car) if card not in playable]) >= game.hand_count(car)


# Why an answer isn't offered

def _reason(game, car, hand, text):
    """(key, clause, argument …), the first that fits; None for something that isn't a play."""
    words = text.split(" ")
    if words[0] == "show":
        return "cannot_show", "AB-20"
    if words[0] != "play" or len(words) != 3:
        return None
    card = words[1]
    end = FINISH if words[2] == "finish" else game.track.named(words[2])
    if end < 0 and words[2] != "finish":
        return None
    if card not in data.different(hand):
        return "not_held", "AB-16", card
    if card == "6" and not game.six_allowed(car):
        if not game.by_table and game.only_sixes(car):
            return "six_only", "AB-27"
        return "six", "AB-25"
    return _why_not_there(game, car, int(card), end, words[2])


def _why_not_there(game, car, steps, end, name):
    course = game.course
    duty = game.duty(car)

    def reached(taken, must=duty, pit=PIT_OPENS):
        ways = course.reach(car.space, car.crossings, steps, taken, must, pit)
        return end in [way[2][-1] for way in ways]

    if not reached(()):
        if reached((), duty, PIT_OPEN):
            return "pit_closed", "AB-29", name
        if reached((), False):
            return "must_pit", "AB-33", name
        curve, lane = course.curve_lane(car.space)
        there, other = course.curve_lane(end)
        if curve and curve == there and lane != other:
            return "solid_line", "AB-22", name
        return "wrong_count", "AB-20", steps, name
    taken = game.taken()
    if end in taken:
        return "taken", "AB-18", name
    if reached([space for space in taken if not course.is_chicane(space)]):
        return "chicane", "AB-23", name
    if reached([space for space in taken if space not in (course.entry, course.exit)]) and _by_pit(game, car, steps, end):
        return "entry_exit", "AB-30", name
    if reached([space for space in taken if not course.in_pit(space)]):
        return "pit_blocked", "AB-31", name
    return "blocked", "AB-19", name


def _by_pit(game, car, steps, end):
    """Whether the way there leads through the pit lane, with no car on A or C."""
    course = game.course
    taken = [space for space in game.taken() if space not in (course.entry, course.exit)]
    for way in course.reach(car.space, car.crossings, steps, taken, game.duty(car), PIT_OPENS):
        if way[2][-1] == end:
            return len([space for space in way[2] if course.in_pit(space)]) > 0
    return False
