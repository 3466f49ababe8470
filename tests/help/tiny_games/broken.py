"""Tiny games with one mistake each: every one must be caught by the named check of the compliance kit."""

from shared_rules import notation
from shared_rules.prompts import D6, Choose, Refusal, Roll
from shared_rules.prompts_cards import Number
from tiny_games import hidden_cards, reactions


class ForgetsAField(reactions.Game):
    """The tokens aren't saved. Caught by save_and_load, undo, resume."""

    fields = ("to_act", "rows", "places", "gone")


class SharesItsTokens(reactions.Game):
    """All races in the process hold the same tokens. Caught by clones."""

    held = [[]]

    @property
    def tokens(self):
        """The one list."""
        return SharesItsTokens.held[0]

    @tokens.setter
    def tokens(self, value):
        SharesItsTokens.held[0] = value


class ShowsTheDeck(hidden_cards.Game):
    """The deck's order is in the public digest. Caught by hidden_draws."""

    secret_fields = ("hands", "weather_deck")


class ShowsTheCards(hidden_cards.Game):
    """The question about stakes names the cards that were played. Caught by hidden_choices."""

    def reveal(self, played):
        yield from hidden_cards.Game.reveal(self, played)

    def card_prompt(self, seat):
        prompt = hidden_cards.Game.card_prompt(self, seat)
        plain_match = prompt.match

        def match(verb, words, replaying=False):
            text, value = plain_match(verb, words, replaying)
            self.weather[-1] = "seat %d plays %s" % (seat, value)
            return text, value

        prompt.match = match
        return prompt


class ForgetsSecrecy(hidden_cards.Game):
    """The cards are drawn openly, though the hands should be hidden. Caught by hidden_draws."""

    def draw_cards(self):
        for seat in self.racing():
            card = self.deck.pop(0)
            self.hands[seat - 1].append(card)
            yield Choose(seat, ["ok"], "tiny_hidden_cards.ask_draw", (), seat, "TH-1",
                         note=["tiny_hidden_cards.in_hand", card])


class LosesTokens(reactions.Game):
    """A token that is given doesn't arrive. Caught by inventory."""

    def give(self, giver, taker):
        self.tokens[giver - 1] -= 1


class OffersTooMuch(reactions.Game):
    """An end is offered but refused. Caught by every_option."""

    def aim(self, seat, face):
        prompt = reactions.Game.aim(self, seat, face)
        told = prompt.options() + [self.go(seat, face + 1)]
        prompt.options = lambda: list(told)
        prompt.labels = lambda: [None for _ in told]
        return prompt


class NamesNoClause(reactions.Game):
    """The near misses come from a clause that the spec lacks. Caught by every_near_miss."""

    def too_far(self, text):
        refusal = reactions.Game.too_far(self, text)
        return Refusal(text, refusal.reason, "TR-99", refusal.args_) if refusal else None


class NeverEnds(reactions.Game):
    """Nobody ever gets there. Caught by random_play and others."""

    def end_of_turn(self, seat):
        self.to_act.remove(seat)
        self.to_act.append(seat)


class LapsTooFar(reactions.Game):
    """The lap counter runs past the last lap. Caught by the_lap."""

    def lap(self):
        return max(self.rows) // self.track.rows + 1


class TwoWinners(reactions.Game):
    """All who have finished are first. Caught by standings."""

    def standings(self):
        rows = reactions.Game.standings(self)
        return [[seat, car, 1 if seat in self.places else place, points] for seat, car, place, points in rows]


class OffTheTrack(reactions.Game):
    """A car that has finished is at a place without a space. Caught by scenes."""

    def scene(self, scene):
        reactions.Game.scene(self, scene)
        for car in scene.cars:
            if car[1] < 0:
                car[1] = self.track.count


class KeepsADict(reactions.Game):
    """State in a dict. Caught by boundaries."""

    fields = reactions.Game.fields + ("notes",)

    def __init__(self, setup, track, deal):
        super().__init__(setup, track, deal)
        self.notes = {"a": 1}


class StaysAfterLeaving(reactions.Game):
    """A seat that has left is asked again. Caught by everybody_may_leave."""

    def leave(self, seat):
        self.event("out", seat)


class ReshufflesTheOthers(reactions.Game):
    """When somebody leaves, the others' rows are mixed up. Caught by keep_their_order."""

    def leave(self, seat):
        reactions.Game.leave(self, seat)
        self.rows = [row + 3 * at * at for at, row in enumerate(self.rows)]


class RemembersTheLastRace(reactions.Game):
    """A list shared by all races in the process. Caught by second_race, one_seed, clones."""

    shared = []

    def aim(self, seat, face):
        RemembersTheLastRace.shared.append(face)
        return reactions.Game.aim(self, seat, 1 + (face + len(RemembersTheLastRace.shared)) % 6)


class HashesWords(reactions.Game):
    """The order of seats comes from hash(). Caught by hashing."""

    def __init__(self, setup, track, deal):
        super().__init__(setup, track, deal)
        order = [(hash("seat %d" % seat), seat) for seat in self.to_act]
        order.sort()
        self.to_act = [seat for _, seat in order]


class TrustsSorting(hidden_cards.Game):
    """The seats are sorted by a key that ties. Caught by interpreters."""

    def racing(self):
        seats = hidden_cards.Game.racing(self)
        seats.sort(key=lambda seat: self.chips[seat - 1] > 99)
        return seats


class IllegalBots:
    """Answers what isn't offered."""

    @staticmethod
    def choose(game, prompt, chance):
        return "pass" if prompt.ask == "tiny_reactions.ask_pay" else chance.die(prompt.options())


class HasIllegalBots(reactions.Game):
    """Caught by bots."""

    BOTS = IllegalBots


class LacksAText(reactions.Game):
    """A question without a sentence. Caught by every_text."""

    def aim(self, seat, face):
        prompt = reactions.Game.aim(self, seat, face)
        prompt.ask = "tiny_reactions.ask_nothing"
        return prompt


class LacksAnArgument(reactions.Game):
    """A sentence whose placeholder stays empty. Caught by every_text."""

    def aim(self, seat, face):
        prompt = reactions.Game.aim(self, seat, face)
        prompt.args = ()
        return prompt


class AsksASeatTwice(reactions.Game):
    """Two prompts for one seat. Caught by prompts."""

    def turn(self):
        seat = self.to_act[0]
        yield [Roll(seat, [D6], "tiny_reactions.ask_roll", (), seat, "TR-1"),
               Number(seat, 0, 1, "tiny_reactions.ask_pay", (1,), seat, "TR-4")]
        self.end_of_turn(seat)


class IgnoresTheSeed(reactions.Game):
    """The dice aren't the race's. Caught by another_seed."""

    def turn(self):
        seat = self.to_act[0]
        yield Choose(seat, [notation.show("go", ["1a"])], "tiny_reactions.ask_go", (1,), seat, "TR-2")
        self.rows[seat - 1] += 1
        self.end_of_turn(seat)


class LooksChangeIt(reactions.Game):
    """Looking at the standings moves a car. Caught by whoever_looks."""

    def inventory(self):
        self.tokens[0] += 0
        self.rows[-1] += 1
        return reactions.Game.inventory(self)
