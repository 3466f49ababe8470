"""A turn: gears, a set of cards, the speed draw, a speed, the move, the hand (FF-15 to FF-30).

One question after another offers everything that may be done now, until the turn ends.
"""

from shared_rules.games.fast_and_furious import cards, upgrades
from shared_rules.games.fast_and_furious.car import RUN, take_control, turn_control_over
from shared_rules.games.fast_and_furious.move import OVER, Move, drive, paid, road, route, way
from shared_rules.games.fast_and_furious.reach import Reach, end_at
from shared_rules.prompts import Choose, Refusal

#: Cards for an upshift and for a downshift (FF-18).
UP, DOWN = 3, 2
#: The clause of each stage's question.
CLAUSES = {"before": "FF-15", "speed": "FF-15", "move": "FF-22", "after": "FF-19"}


class Ask(Choose):
    """What may be done now. What depends on the hand is for the seat alone; the answer lies open."""

    laid_open = True

    def __init__(self, turn):
        self.turn = turn
        self._texts = None
        hidden = turn.stage == turn.BEFORE and not turn.game.by_table
        note = ["fast_and_furious.note_neutral"] if turn.stage == turn.SPEED and not turn.row() else None
        super().__init__(turn.car.seat, self.list, "fast_and_furious.ask_" + turn.stage, turn.ask_args(), turn.car.number,
                         CLAUSES[turn.stage], hidden, note, labels=self.say, near=self.near_misses, explain=self.why,
                         costs=self.takes)

    def takes(self, place):
        """The penalties of an option."""
        words = self.list()[place].split(" ")
        return [["fast_and_furious.dial_limit", paid(words)]] if words[0] == "go" and paid(words) else []

    def list(self):
        """The answers, found only when somebody asks for them."""
        if self._texts is None:
            self._texts = self.turn.texts()
        return self._texts

    def prepare(self):
        """Finds the ends of a move piece by piece."""
        if self._texts is None and self.turn.stage == self.turn.MOVE and not self.turn.crashes():
            yield from self.turn.seek()

    def foresee(self, text):
        """Finds the route of a move piece by piece."""
        if self.turn.stage == self.turn.MOVE and text in self.list() and (text[:3] == "go " or text[:11] == "pick finish"):
            if self.turn.reached is None:              # an answer before this one came to nothing
                yield from self.turn.seek()
            move = self.turn.moving(text.split(" "))
            self.turn.drop_reach()                     # the route needs the memory
            yield
            yield from route(self.turn, move)

    def forced(self):
        """For a player who leaves. By table nobody knows which sets could be played: the turn ends without one."""
        if self.turn.stage == self.turn.BEFORE and self.turn.game.by_table:
            return "pass"
        return super().forced()

    def say(self):
        """What the options lead to."""
        return _why().labels(self.turn, self.list())

    def near_misses(self):
        """What players might expect."""
        return _why().near(self.turn)

    def why(self, text):
        """The Refusal of what isn't offered, or None."""
        return _why().explain(self.turn, text)


def _why():
    """The module with what options lead to and why others aren't offered. A door: nobody asks in a race of bots."""
    from shared_rules.games.fast_and_furious import moves_why
    return moves_why


class Turn:
    """The turn of a car. ``stage`` is one of those below; ``table`` are the cards on the table; ``set`` (gear, cards) what
    was played; ``flipped`` the cards of the speed draw, ``speeds`` the speeds on them beside the gear; ``bonus`` what is
    added to the speed, ``grip`` what tires take off it in corners; ``ups`` and ``downs`` gears shifted, ``used`` what was
    used in this turn, in words.
    """

    BEFORE = "before"
    DRAW = "draw"
    SPEED = "speed"
    CONTROL = "control"
    MOVE = "move"
    AFTER = "after"
    LIMIT = "limit"
    END = ""

    #: The gear in which a car can drift (FF-40).
    DRIFT_GEAR = 3

    def __init__(self, game, car):
        self.game = game
        self.car = car
        self.stage = self.BEFORE
        self.table = ""
        self.set = None
        self.flipped = ""
        self.speeds = []
        self.minimum = 0                    # the minimum speed that may be chosen, 0 for none
        self.chosen = -1
        self.icon = False
        self.bonus = car.control
        self.control = 0                    # the token taken in this turn
        self.grip = 0
        self.ups = self.downs = 0
        self.used = []
        self.moved = False
        self.reached = None                 # where the car can get to, once found
        self.route = None                   # the Move of the coming answer, found beforehand
        if not car.turns and car.driver == "launch":
            self.bonus += 2

    def run(self):
        """Asks until the turn is over, then fills the hand up."""
        self.car.penalties = 0
        while self.stage != self.END:
            text = yield Ask(self)
            if self.stage == self.MOVE and (text[:3] == "go " or text[:5] == "pick "):
                drive(self, text.split(" "))
            else:
                yield from self.do(text)
            self.drop_reach()
        yield from self.finish()

    def ask_args(self):
        """What the question says."""
        if self.stage == self.MOVE:
            return (self.speed_value(),)
        return (self.car.gear,)

    # What may be done now

    def hand(self):
        """The car's hand."""
        return self.game.hands[self.car.number - 1]

    def surplus(self):
        """How many cards the hand has above its limit."""
        return max(0, cards.size(self.hand()) - self.car.limit())

    def row(self):
        """The gear whose speeds count: one higher with a turbo charger (FF-35); 0 for none."""
        return min(cards.GEARS, self.car.gear + (1 if "turbo" in self.used else 0))

    def texts(self):
        """All answers of this stage."""
        out = []
        if self.stage == self.BEFORE:
            out = self.plays() + ["pass"]
        elif self.stage == self.SPEED:
            out = ["pick %d" % speed for speed in self.choices()]
        elif self.stage == self.MOVE:
            out = ["pick crash"] if self.crashes() else self.reach().texts()
        elif self.stage == self.AFTER:
            out = ["ok"]
        for text in ("shift up", "shift down"):
            if self.shift_fails(text) is None:
                out.append(text)
        return out + upgrades.texts(self)

    def plays(self):
        """The sets that may be played, by gear and number (FF-15); none from Neutral (FF-17)."""
        if not self.row():
            return []
        out = []
        hand = self.hand()
        for gear in range(1, cards.GEARS + 1):
            count = cards.size(hand) if self.game.by_table else cards.gears(hand).count(str(gear))
            out += ["play %d %d" % (gear, number) for number in range(1, count + 1)]
        return out

    def choices(self):
        """The speeds that may be chosen, ascending (FF-15, FF-16)."""
        speeds = list(self.speeds)
        if self.minimum:
            speeds.append(self.minimum)
        return [speed for speed in range(1, 36) if speed in speeds]

    def costs(self):
        """Cards for an upshift and for a downshift now (FF-18, FF-38)."""
        up = UP - (1 if not self.ups and self.car.driver == "quickshift" else 0)
        down = DOWN - (1 if not self.downs and self.car.driver == "heeltoe" else 0)
        less = self.used.count("transmission")
        return max(1, up - less), max(1, down - less)

    def shift_fails(self, text):
        """None if this shift may be made, else (reason, clause, argument …)."""
        up = text == "shift up"
        if self.stage == self.SPEED and self.game.setup.option("shift_in_draw") == "no":
            return "not_in_draw", "FF-18"
        if self.car.gear == (cards.GEARS if up else 0):
            return ("top_gear" if up else "in_neutral"), "FF-18"
        cost = self.costs()[0 if up else 1]
        if cards.size(self.hand()) < cost:
            return "shift_cards", "FF-18", cost, cards.size(self.hand())
        if self.stage == self.SPEED and not up and self.row() == 1 and not self.minimum:
            return "no_speed_left", "FF-17"
        return None

    # Actions

    def do(self, text):
        """Carries out an answer that isn't a move."""
        words = text.split(" ")
        if words[0] == "shift":
            yield from self.shift(1 if words[1] == "up" else -1)
        elif words[0] == "use":
            yield from upgrades.use(self, words[1:])
        elif words[0] == "play":
            yield from self.play(int(words[1]), int(words[2]))
        elif words[0] == "pick" and self.stage == self.SPEED:
            yield from self.choose(int(words[1]))
        else:
            if words[0] == "pass":
                self.pass_on()
            self.stage = self.END

    def shift(self, step):
        """Shifts one gear up or down for any cards (FF-18)."""
        yield from self.pay(self.costs()[0 if step > 0 else 1], "FF-18", "fast_and_furious.ask_pay")
        if step > 0:
            self.ups += 1
        else:
            self.downs += 1
        before = self.row()
        self.car.gear += step
        self.game.event("told", ["fast_and_furious.told_gear", "car:%d" % self.car.number, self.car.gear])
        if self.stage == self.SPEED and self.row() != before:
            yield from cards.read_speeds(self)

    def play(self, gear, count):
        """Plays a set; as many cards are flipped (FF-15)."""
        game = self.game
        self.set = (gear, count)
        if game.by_table:
            game.lose(self.car, count)
        else:
            played = cards.of_gear(self.hand(), gear, count)
            game.lose(self.car, played)
            self.table += played
        self.minimum = game.box.minimum(gear) if gear == self.car.gear else 0
        game.event("told", ["fast_and_furious.told_plays", "car:%d" % self.car.number, count, gear])
        yield from cards.speed_draw(self, count)

    def choose(self, speed):
        """Chooses a speed; a damage icon beside it may cost a control token (FF-49, FF-50)."""
        self.chosen = self.car.last = speed
        self.icon = speed in self.speeds and speed <= cards.icons(self.row()) and speed != self.minimum
        if self.icon and self.game.damage:
            self.stage = self.CONTROL
            yield from take_control(self)
        self.stage = self.MOVE

    # Cards leave the hand (FF-18, FF-27, FF-33)

    def pay(self, count, clause, ask):
        """Takes this many cards out of the hand, by choice if there is one; they are discarded at once."""
        while count > 0:
            hand = self.hand()
            gears = cards.gears(hand)
            if self.game.by_table:
                gone = count
            elif count == len(gears):
                gone = hand
            elif gears[0] == gears[-1]:
                gone = cards.first(hand, count)
            else:
                gone = yield from self.discard(ask, count, clause)
            count -= gone if self.game.by_table else cards.size(gone)
            self.game.lose(self.car, gone)

    def discard(self, ask, count, clause, enough=False):
        """Asks for one card of the hand; "" if the player says enough."""
        hand = self.hand()
        kinds = [str(gear) for gear in range(1, cards.GEARS + 1) if str(gear) in cards.gears(hand)]
        texts = ["discard " + gear for gear in kinds]
        values = [cards.of_gear(hand, gear, 1) for gear in kinds]
        if enough:
            texts.append("ok")
            values.append("")
        prompt = Choose(self.car.seat, texts, ask, (count,), self.car.number, clause, True, values=values,
                        explain=lambda text: _not_held(text, clause))
        prompt.laid_open = True
        return (yield prompt)

    # The move (FF-22 to FF-28)

    def speed_value(self):
        """The chosen speed with everything added to it; 0 before the choice (FF-22)."""
        return self.chosen + self.bonus if self.chosen >= 0 else 0

    def drifts(self):
        """Whether the car drifts through a corner: with steering, in 3rd gear (FF-40)."""
        return "steering" in self.used and self.in_drift_gear()

    def in_drift_gear(self):
        """Whether a car in this gear can drift (FF-40)."""
        return self.car.gear == self.DRIFT_GEAR

    def crashes(self):
        """Whether the car is too slow for the barrier on which it pauses (FF-44)."""
        return self.car.paused == 1 and self.speed_value() < self.game.course.barrier(self.car.space)

    def reach(self):
        """Where the car can get to."""
        if self.reached is None:
            self.reached = Reach(road(self), *way(self)).find()
        return self.reached

    def seek(self):
        """Finds what ``reach`` returns, piece by piece."""
        yield
        reach = Reach(road(self), *way(self))
        yield from reach.seek()
        yield from reach.spell()
        self.reached = reach

    def moving(self, words):
        """The Move of an answer, with its path if that was found before."""
        end = OVER
        if words[0] == "go":
            end = end_at(self.game.track.named(words[1]), paid(words))
        if self.route and self.route.end == end:
            return self.route
        reach = self.reach()
        return Move(end, end in reach.pauses, reach.finish)

    def drop_reach(self):
        """Forgets what was found: something has changed, or its memory is needed."""
        self.reached = self.route = None

    def pass_on(self):
        """The turn ends without a move; a car on a barrier crashes (FF-44)."""
        car = self.car
        if car.paused:
            self.game.event("told", ["fast_and_furious.told_crash", "car:%d" % car.number])
            self.game.take_out(car)
        car.last = -1
        self.turn_over()

    def turn_over(self):
        """After the move or a pass the previous turn's control token shows its other side (FF-50)."""
        if self.car.control or self.control:
            turn_control_over(self)

    # The end of the turn (FF-19, FF-27)

    def finish(self):
        """Discards surplus cards (a table that holds them is told how many) and fills up the hand."""
        game, car = self.game, self.car
        car.turns += 1
        if car.status != RUN:
            return
        limit = car.limit()
        surplus = self.surplus()
        self.stage = self.LIMIT
        if surplus:
            if game.by_table:
                game.event("told", ["fast_and_furious.told_surplus", "car:%d" % car.number, surplus, limit])
            yield from self.pay(surplus, "FF-27", "fast_and_furious.ask_limit")
        self.table = ""
        game.draw_up(car, limit - game.hand_count(car))


def _not_held(text, clause):
    return Refusal(text, "fast_and_furious.not_held", clause, (text[8:],)) if text[:8] == "discard " else None
