"""Players who leave, sources that change, answers given together: the others' race goes on."""

import pytest
from racing import copied, facts, give, new_race, play, play_until, undo
from tiny_games import hidden_cards, reactions
from tiny_games.bots import Anyhow

from shared_rules import proof
from shared_rules.errors import Refused
from shared_rules.game import Game as BaseGame
from shared_rules.journal_log import MemoryLog
from shared_rules.prompts import D6, Choose, Roll
from shared_rules.race import Race


class Pole(BaseGame):
    """All roll together until the totals differ; then each makes a choice."""

    ID = "tiny_pole"
    VARIANTS = ("short",)
    BOTS = Anyhow
    fields = ("order", "done", "gone")

    def __init__(self, setup, track, deal):
        super().__init__(setup, track, deal)
        self.order = []
        self.done = []
        self.gone = []

    def turn(self):
        if self.order:
            seat = [seat for seat in self.order if seat not in self.done and seat not in self.gone][0]
            yield Choose(seat, ["pick a", "pick b"], "x", (), seat)
            self.done.append(seat)
            return
        totals = {}
        while len(set(totals.values())) < len(self.setup.players):
            tied = [seat for seat in self.setup.seats()
                    if list(totals.values()).count(totals.get(seat, 0)) != 1]
            rolled = yield [Roll(seat, [D6, D6], "x", (), seat) for seat in tied]
            for seat, faces in zip(tied, rolled):
                totals[seat] = sum(faces)
        self.order = sorted(self.setup.seats(), key=lambda seat: -totals[seat])

    def over(self):
        return bool(self.order) and all(seat in self.done or seat in self.gone for seat in self.order)

    def cars(self):
        return []

    def standings(self):
        seats = [seat for seat in self.order if seat not in self.gone] + self.gone if self.order else self.setup.seats()
        return [[seat, 0, at + 1, 0] for at, seat in enumerate(seats)]

    def scene(self, scene):
        pass

    def leave(self, seat):
        self.gone.append(seat)


class Agreed(BaseGame):
    """A turn is a choice for the table and one for each seat; bots could go on for ever."""

    ID = "tiny_agreed"
    VARIANTS = ("short",)
    BOTS = Anyhow
    fields = ("said", "gone")

    def __init__(self, setup, track, deal):
        super().__init__(setup, track, deal)
        self.said = []
        self.gone = []

    def turn(self):
        self.said = []
        self.said.append((yield Choose(0, ["pick a", "pick b"], "x")))
        for seat in self.setup.seats():
            if seat not in self.gone:
                self.said.append((yield Choose(seat, ["pick c", "pick d"], "x", (), seat)))
        self.said.append((yield Roll(0, [D6], "x"))[0])

    def over(self):
        return len(self.gone) == len(self.setup.players)

    def cars(self):
        return []

    def standings(self):
        return [[seat, 0, seat, 0] for seat in self.setup.seats()]

    def scene(self, scene):
        pass

    def leave(self, seat):
        self.gone.append(seat)


def replays(race, game_class):
    for unseal in (True, False):
        found = proof.replay(race.journal(unseal), race.track, game_class)
        assert found["problem"] is None, found["problem"]
    log = MemoryLog([race.log_text(n) for n in range(1, race.lines + 1)])
    assert facts(Race.resume(race.snapshot(), race.track, log, game_class)) == facts(race)
    assert facts(copied(race)) == facts(race)


# Leaving

def test_two_leavers_at_a_joint_roll_do_not_tie_for_ever():
    race = new_race(Pole, "PPPP", dice="table")
    give(race, "2 leave", "3 leave")
    assert [prompt.seat for prompt in race.prompts] == [1, 4]
    give(race, "4 roll 1 1", "1 roll 1 2")
    # 4 ties with 2, who left: they roll again, 2 by itself.
    assert race.lines == 4
    play(race)
    assert race.over and [row[0] for row in race.standings()][2:] == [2, 3]
    assert proof.replay(race.journal(), race.track, Pole)["problem"] is None


def test_the_last_that_was_waited_for_leaves():
    race = new_race(Pole, "PPP", dice="table")
    give(race, "3 roll 5 6", "1 roll 6 6")
    serials = [prompt.serial for prompt in race.prompts]
    give(race, "2 leave")
    # The journal has the leaving first, then the waiting answers, in seat order.
    assert [race.line(n).text for n in range(1, race.lines + 1)] == ["leave", "roll 6 6", "roll 5 6"]
    assert race.turns == 1 and race.left == [2] and race.prompts[0].serial not in serials
    replays(race, Pole)
    undo(race, 1, 2)
    assert race.pending_answers() == [] and race.left == [2] and len(race.prompts) == 2
    replays(race, Pole)


def test_leaving_while_others_are_still_asked():
    race = new_race(hidden_cards.Game, "PPPP")
    play_until(race, lambda race: len(race.prompts) == 4)
    give(race, "4 " + race.prompt_of(4).options()[0], "2 leave")
    assert [prompt.seat for prompt in race.prompts] == [1, 3]
    assert race.left == [2] and race.game.gone == []
    replays(race, hidden_cards.Game)
    with pytest.raises(Refused, match="already_left"):
        race.answer(2, "leave")
    with pytest.raises(Refused, match="already_left"):
        race.answer(0, "leave")
    with pytest.raises(Refused, match="not_your_prompt"):
        race.answer(2, "play 1")
    play(race)
    assert 2 in race.game.gone
    assert proof.replay(race.journal(), race.track, hidden_cards.Game)["problem"] is None


def test_who_has_answered_already_may_leave_too():
    race = new_race(hidden_cards.Game, "PPP")
    play_until(race, lambda race: len(race.prompts) == 3)
    give(race, "1 " + race.prompt_of(1).options()[0], "1 leave")
    # Anything that hadn't reached the rules is given up with the seat.
    assert [prompt.seat for prompt in race.prompts] == [2, 3] and race.pending_answers() == []
    replays(race, hidden_cards.Game)
    play(race)
    assert proof.replay(race.journal(), race.track, hidden_cards.Game)["problem"] is None


@pytest.mark.parametrize("game_class", [hidden_cards.Game, reactions.Game])
def test_all_leave_one_after_the_other(game_class):
    race = new_race(game_class, "PPP")
    play(race, 13)
    for seat in (2, 3, 1):
        assert not race.over
        give(race, "%d leave" % seat)
        for _ in range(3):
            if not race.over and not race.left[2:]:
                play(race, 1)
    assert race.over            # nobody is left to answer what the table is asked together
    assert sorted(row[0] for row in race.standings()) == [1, 2, 3]
    assert proof.replay(race.journal(), race.track, game_class)["problem"] is None


@pytest.mark.parametrize("answers", range(5))
def test_the_table_is_asked_nothing_once_nobody_sits_there(answers):
    race = new_race(Agreed, "PPP", dice="table")
    give(race, "3 leave")
    play(race, answers)
    give(race, "2 leave")
    assert not race.over and race.prompts[0].seat in (0, 1)
    give(race, "1 leave")
    assert race.over
    assert proof.replay(race.journal(), race.track, Agreed)["problem"] is None
    assert facts(copied(race)) == facts(race)


def test_bots_answer_for_the_table_once_all_persons_have_left():
    race = new_race(Agreed, "PBP", dice="table")
    give(race, "1 leave", "3 leave")
    assert not race.over and race.prompts[0].seat == 0 and race.is_for_bot(race.prompts[0])
    for _ in range(9):
        give(race, "%d %s" % (race.prompts[0].seat or 2, race.prompts[0].sample(race.game.deal)))
    assert not race.over
    give(race, "2 leave")
    assert race.over


def test_the_last_person_leaves_and_the_bots_race_on():
    race = new_race(reactions.Game, "PBB", dice="table")
    play(race, 7)
    give(race, "1 leave")
    while not race.over:
        prompt = race.prompts[0]
        assert prompt.seat != 1
        race.answer(prompt.seat, race.bot_answer(prompt.seat))
    assert race.standings()[-1][:3] == [1, 1, 3]


def test_leaving_of_a_bot():
    race = new_race(reactions.Game, "PBP")
    give(race, "2 leave")
    assert race.left == [2]
    play(race)
    assert race.standings()[-1][0] == 2


def test_the_same_race_on_every_path_with_leavers():
    # Random leaving in random places: resume, clone and replay agree, always.
    for seed in range(12):
        race = new_race(hidden_cards.Game, "PPPP", seed=str(seed), laps=2)
        play(race, 3 + seed * 4, seed=str(seed), pick=lambda prompts, chance: chance.die(prompts))
        give(race, "%d leave" % (seed % 4 + 1))
        if not race.over:
            replays(race, hidden_cards.Game)
        play(race, 5, seed="more", pick=lambda prompts, chance: chance.die(prompts))
        give(race, "%d leave" % ((seed + 1) % 4 + 1))
        if not race.over:
            replays(race, hidden_cards.Game)
        play(race, seed="end")
        assert proof.replay(race.journal(), race.track, hidden_cards.Game)["problem"] is None


# Together

def test_joint_answers_in_any_order_give_the_same_journal():
    texts = []
    for order in ((1, 2, 3), (3, 2, 1), (2, 3, 1), (3, 1, 2)):
        race = new_race(hidden_cards.Game, "PPP", laps=2)
        play_until(race, lambda race: len(race.prompts) == 3)
        for _ask in range(2):
            prompts = {prompt.seat: prompt for prompt in race.prompts}
            for seat in order:
                race.answer(seat, prompts[seat].options()[-1])
                if seat != order[-1]:
                    assert race.prompt_of(seat) is None
        texts.append([race.journal(True), race.digest(), race.public_digest()])
    assert texts[1:] == texts[:-1]


def test_nothing_reaches_the_rules_before_all_have_answered():
    race = new_race(hidden_cards.Game, "PPP")
    play_until(race, lambda race: len(race.prompts) == 3)
    race.take_events()
    held = [race.digest(), race.public_digest(), race.lines, race.taken_count(), proof.scene_texts(race.scene())]
    give(race, "2 " + race.prompt_of(2).options()[0])
    assert held == [race.digest(), race.public_digest(), race.lines, race.taken_count(), proof.scene_texts(race.scene())]
    assert not race.untold


# Sources

def test_a_source_changes_at_the_next_turn():
    race = new_race(reactions.Game, "PP")
    give(race, "2 source dice table")
    assert race.prompts[0].source == "device"
    play_until(race, lambda race: race.turns == 1)
    assert race.prompts[0].source == "table" and "roll 6 red" in race.prompts[0].options()
    replays(race, reactions.Game)
    give(race, "0 source dice device")
    play_until(race, lambda race: race.turns == 2)
    assert race.prompts[0].source == "device"
    replays(race, reactions.Game)


@pytest.mark.parametrize("text, reason", [
    ("source", "source_form"), ("source dice", "source_form"), ("source dice mine", "source_form"),
    ("source cards table", "source_form"), ("source dice table now", "source_form"), ("source decks table", "decks_fixed"),
])
def test_sources_that_are_none(text, reason):
    race = new_race(reactions.Game, "PP")
    with pytest.raises(Refused, match="engine." + reason):
        race.answer(1, text)
    assert race.lines == 0


def test_after_the_race_nothing_is_taken():
    race = new_race(reactions.Game, "PP")
    play(race)
    assert race.prompts == [] and race.prompt_of(1) is None
    for text in ("roll", "undo", "leave", "source dice table", "correct 1 roll 1 red"):
        with pytest.raises(Refused, match="race_over"):
            race.answer(1, text)
