"""Two races of one set-up, one with the device's cards, one with real cards that happen to be in the same order:
the table's race is told what the device draws, and whenever both ask the same question they must offer the same.

    twins = FullThrottle(racing.new_race(…, decks="device"), racing.new_race(…, decks="table"))
    twins.play(Chance("1", "hands"))

A class for each game says which questions only one of the two asks, and what the table says about its cards.
"""

from shared_rules.games.fast_and_furious import cards as gear_cards
from shared_rules.games.full_throttle import data as betting_cards


class Twins:
    """``device`` and ``table`` are the two races; ``compared`` counts the questions that both have asked."""

    #: What one race asks and the other doesn't: endings of its questions' keys.
    device_alone: tuple = ()
    table_alone: tuple = ()

    def __init__(self, device, table):
        self.device = device
        self.table = table
        self.compared = 0
        self.since = []             # what only the device's race was answered since the last question of both

    def play(self, chance, most=20000):
        """Answers both races to their end."""
        for _ in range(most):
            asked = [prompt for prompt in self.device.prompts if self.is_alone(prompt, self.device_alone)]
            told = [prompt for prompt in self.table.prompts if self.is_alone(prompt, self.table_alone)]
            if asked:
                text = asked[0].sample(chance)
                self.since.append(self.device.answer(asked[0].seat or 1, text))
            elif told:
                text = self.tell(told[0])
                assert told[0].kind == "number" or text in told[0].options(), f"{told[0].ask} doesn't take {text!r}"
                self.table.answer(told[0].seat or 1, text)
            elif self.device.over:
                assert self.table.over
                self.compare_ends()
                return
            else:
                self.compare()
                prompt = self.pick(self.device.prompts, chance)
                kept = self.device.answer(prompt.seat or 1, self.choose(prompt, chance))
                self.since = []
                self.table.answer(prompt.seat or 1, self.told(prompt, kept))
        raise AssertionError("the races don't end")

    def is_alone(self, prompt, ends):
        """Whether a question is one that the other race doesn't ask."""
        return prompt.ask.split(".")[1] in ends

    def pick(self, prompts, chance):
        """The question that is answered next."""
        return chance.die(prompts)

    def choose(self, prompt, chance):
        """The answer to it."""
        return prompt.sample(chance)

    def compare(self):
        """Both ask the same, and offer the same."""
        assert len(self.device.prompts) == len(self.table.prompts) > 0
        for one, other in zip(self.device.prompts, self.table.prompts, strict=True):
            for name in ("seat", "car", "kind", "ask", "clause"):
                assert getattr(one, name) == getattr(other, name), f"{name} of {one.ask} and {other.ask}"
            if one.kind != "draw":
                assert one.args == other.args
                self.compare_options(one, one.options(), other.options())
        self.compared += 1

    def compare_options(self, prompt, device, table):
        """Both must offer the same at a question."""
        assert device == table, f"{prompt.ask} offers {device} with the device's cards, {table} with real ones"

    def compare_ends(self):
        """The races must have come to the same end."""
        assert self.device.standings() == self.table.standings()

    def told(self, prompt, kept):
        """The table's answer when the device's race keeps this one."""
        return kept

    def tell(self, prompt):
        """The answer to a question that only the table is asked."""
        raise NotImplementedError(prompt.ask)


class RacingRules(Twins):
    """A Red Card is told by its name."""

    def compare(self):
        super().compare()
        one, other = self.device.game, self.table.game
        assert [car.dump() for car in one.cars_] == [car.dump() for car in other.cars_] and one.news == other.news


class FullThrottle(Twins):
    """The cards that move mopeds are reported; bets are made beside the board and counted in at the end."""

    device_alone = ("ask_bet", "ask_discard", "ask_order")
    table_alone = ("ask_draft", "ask_count")

    def __init__(self, device, table):
        super().__init__(device, table)
        self.fresh = len(device.game.deck)      # cards that nobody has seen yet
        self.rounds = [[]]                      # the cards revealed in each round, minus those that came back
        self.back = [0]                         # how many came back

    def compare(self):
        super().compare()
        one, other = self.device.game, self.table.game
        for name in ("spaces", "crossings", "finished", "drawn"):
            assert getattr(one, name) == getattr(other, name), name
        assert sorted(self.table.prompts[0].deck) == sorted(self.possible()), "the deck can't have these cards on top"

    def possible(self):
        """The names of the cards that can come next, for people who saw only what was revealed."""
        if self.fresh:
            return betting_cards.words(self.device.game.deck[:self.fresh])
        return self.rounds[self.first_below()]

    def first_below(self):
        """The round whose cards come next from under the deck."""
        return [at for at, back in enumerate(self.back) if back < 3][0]

    def told(self, prompt, kept):
        card = kept.split(" ")[1]
        if self.fresh:
            self.fresh -= 1
        else:
            at = self.first_below()
            self.rounds[at].remove(card)
            self.back[at] += 1
        self.rounds[-1].append(card)
        return kept

    def tell(self, prompt):
        """Bets as the device knows them."""
        if prompt.ask.endswith("ask_draft"):
            self.rounds.append([])
            self.back.append(0)
            return "ok"
        moped = int(prompt.args[0].split(":")[1]) - 1
        bets = self.device.game.bets[prompt.seat - 1]
        return "number %d" % len([card for card in bets if betting_cards.moped_of(card) == moped])


class FastAndFurious(Twins):
    """The values of flipped cards are reported; only their holder knows the cards that leave the hand.
    ``drawn`` records how each speed draw was made, with the row it was read in: ("power", 0)."""

    device_alone = ("ask_flip", "ask_pay", "ask_tune", "ask_limit")
    table_alone = ("ask_told", "ask_tune_count")

    def __init__(self, device, table):
        super().__init__(device, table)
        self.drawn = set()

    def choose(self, prompt, chance):
        """Gears and upgrades come first every second time, as most of what can go wrong is there."""
        words = [text for text in prompt.options() if text[:3] in ("use", "shi")]
        if words and chance.below(2):
            return chance.die(words)
        return super().choose(prompt, chance)

    def compare(self):
        super().compare()
        one, other = self.device.game, self.table.game
        assert [car.dump() for car in one.cars_] == [car.dump() for car in other.cars_]
        assert [one.hand_count(car) for car in one.cars_] == [other.hand_count(car) for car in other.cars_]
        if one.now:
            assert sorted(one.now.speeds) == sorted(other.now.speeds)
            assert len(one.now.flipped) == len(other.now.flipped)

    def compare_options(self, prompt, device, table):
        """The table doesn't know the hand: any gear may be played if there are cards for it."""
        hand = self.device.game.hand_count(self.device.game.car(prompt.car)) if prompt.car else 0
        sets = [text for text in table if text[:4] == "play"]
        held = [text for text in device if text[:4] == "play"]
        assert not set(held) - set(sets)
        every = ["play %d %d" % (gear, count) for gear in range(1, 7) for count in range(1, hand + 1)]
        assert sets == (every if held else []), f"{prompt.ask} with {hand} cards offers {sets}"
        super().compare_options(prompt, [text for text in device if text not in held],
                                [text for text in table if text not in sets])

    def told(self, prompt, kept):
        words = kept.split(" ")
        now = self.device.game.now
        if words[0] in ("play", "use") and words[1] in ("power", "gambler"):
            self.drawn.add((words[1], now.row()))
        if prompt.ask.endswith("ask_nitrous"):
            return "draw %d" % self.device.game.box.nitrous(gear_cards.card_of(words[1]))
        return kept

    def tell(self, prompt):
        """The number of the next flipped card, or how many cards the device's race has discarded for engine tuning."""
        if prompt.ask.endswith("ask_tune_count"):
            return "number %d" % len([text for text in self.since if text[:7] == "discard"])
        now = self.device.game.now
        assert prompt.args == (now.row(),)
        card = gear_cards.parted(now.flipped)[len(self.table.game.now.speeds)]
        return "draw %d" % self.device.game.box.speed(card, now.row())
