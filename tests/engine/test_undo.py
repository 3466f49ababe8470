"""Undo and correct: how far, with whose consent, and that the same roll comes again."""

import pytest
from racing import agree, copied, facts, give, new_race, play, play_until, undo
from tiny_games import hidden_cards, reactions

from shared_rules import proof, rewind
from shared_rules.errors import Refused
from shared_rules.journal_log import MemoryLog
from shared_rules.race import Race


def refused(race, answer):
    seat, _, text = answer.partition(" ")
    with pytest.raises(Refused) as caught:
        race.answer(int(seat), text)
    return caught.value.reason


def waiting(race):
    return race.asking.waiting if race.asking else []


def rolled(who="PP", **more):
    """A race of reactions in which seat 1 has rolled and chooses next."""
    race = new_race(reactions.Game, who, **more)
    race.answer(1, "roll")
    return race


# Consent

def test_a_choice_of_ones_own_is_free():
    race = rolled("P" * 2)
    before = facts(race)
    give(race, "1 " + race.prompts[0].options()[0])
    race.drop_events()
    assert give(race, "1 undo") == ["undo 1"]
    assert race.asking is None and facts(race) == before
    assert race.take_events() == [["undone", 1]]


def test_past_a_roll_everybody_is_asked_and_the_same_roll_comes_again():
    race = new_race(reactions.Game, "PPBP")
    text = race.answer(1, "roll")
    race.answer(1, "undo")
    assert waiting(race) == [2, 4]
    assert [prompt.seat for prompt in race.prompts] == [2, 4]
    assert [prompt.options() for prompt in race.prompts] == [["ok", "no"]] * 2
    assert (race.prompts[0].ask, race.prompts[0].args) == ("engine.consent_undo", ("seat:1", 1))
    assert refused(race, "1 roll") == "engine.consent_open"
    assert refused(race, "1 ok") == "engine.consent_open"
    assert refused(race, "1 undo") == "engine.consent_open"
    give(race, "2 ok")
    assert waiting(race) == [4] and race.taken_count() == 1
    give(race, "4 ok")
    assert race.asking is None and race.taken_count() == 0
    assert race.answer(1, "roll") == text


def test_one_no_keeps_everything():
    race = new_race(reactions.Game, "PPP")
    race.answer(1, "roll")
    before = facts(race)
    race.answer(1, "undo")
    give(race, "3 no")
    assert race.asking is None and facts(race) == before
    assert race.take_events()[-1] == ["kept", 3]
    assert [race.line(n).text for n in range(1, race.lines + 1)][1:] == ["undo 1", "no"]


def test_only_those_who_answered_since_are_asked():
    race = new_race(reactions.Game, "PPPP", laps=2)
    play_until(race, lambda race: [prompt.ask for prompt in race.prompts][:1] == ["tiny_reactions.ask_hold"]
               and len(race.prompts) == 2 and not race.pending_answers())
    chooser = race.game.to_act[0]
    seats = [prompt.seat for prompt in race.prompts]
    for seat in seats:
        race.answer(seat, "pick hold")
    race.answer(chooser, "undo 3")
    assert waiting(race) == seats


def test_the_table_asks_all_who_are_concerned():
    race = new_race(reactions.Game, "PP")
    race.answer(1, "roll")
    race.answer(0, "undo")
    assert waiting(race) == [1, 2]


def test_who_has_left_is_not_asked():
    race = new_race(reactions.Game, "PPP")
    give(race, "3 leave", "1 roll")
    race.answer(1, "undo")
    assert waiting(race) == [2]


def test_leaving_or_a_source_ends_the_asking():
    for answer in ("2 leave", "2 source dice table"):
        race = new_race(reactions.Game, "PPP")
        give(race, "1 roll", "1 undo", answer)
        assert race.asking is None and race.prompts[0].kind == "choose"
        assert proof.replay(race.journal(True), race.track, reactions.Game)["problem"] is None


# How far

def test_forms_that_are_none():
    race = rolled()
    for text in ("undo 0", "correct", "correct 1", "correct 0 roll 1 red", "correct x roll"):
        assert refused(race, "1 " + text) == "engine.undo_form"
    assert refused(race, "1 undo 2") == "engine.nothing_to_undo"
    assert refused(race, "1 undo 999999") == "engine.nothing_to_undo"
    assert refused(new_race(reactions.Game), "1 undo") == "engine.nothing_to_undo"
    assert refused(race, "1 ok") == "engine.not_offered"


def test_undo_count_finds_ones_last_choice():
    race = rolled("PP")
    assert rewind.undo_count(race, 1) == 0
    race.answer(1, race.prompts[0].options()[0])
    assert rewind.undo_count(race, 1) == 1
    play_until(race, lambda race: race.prompts[0].kind == "choose" and race.prompts[0].seat == 2)
    count = rewind.undo_count(race, 1)
    undo(race, 1, count)
    assert race.prompts[0].seat == 1 and race.prompts[0].kind in ("choose", "number")


def test_undo_alone_is_ones_own_last_choice_also_after_a_resume():
    race = rolled("PP")
    race.answer(1, race.prompts[0].options()[0])
    play_until(race, lambda race: race.prompts[0].kind == "choose" and race.prompts[0].seat == 2)
    race.answer(2, race.prompts[0].options()[0])
    back = rewind.undo_count(race, 1)
    assert back > 1 and rewind.last_of(race, [1, 2]) == (1, 2)
    log = MemoryLog()
    for number in range(1, race.lines + 1):
        log.append(race.log_text(number))
    taken_up = Race.resume(race.snapshot(), race.track, log, reactions.Game)
    assert taken_up.base > 0 and rewind.undo_count(taken_up, 1) == 0
    known = taken_up.bookmark()
    assert rewind.last_of(taken_up, [1]) is None and taken_up.bookmark() == known
    for one in (race, taken_up):
        assert give(one, "1 undo") == ["undo %d" % back] and waiting(one) == [2]
        agree(one)
        assert one.prompts[0].seat == 1 and one.prompts[0].kind == "choose"


def test_undo_count_finds_what_one_typed_or_that_one_has_left():
    race = table_race()
    give(race, "2 pass", "3 pass", "2 roll 3 red")
    assert [rewind.undo_count(race, seat) for seat in (1, 2, 3)] == [4, 1, 2]
    race.answer(1, "leave")
    assert rewind.undo_count(race, 1) == 1
    give(race, "2 source dice device")
    assert rewind.undo_count(race, 1) == 2


def test_a_question_is_asked_again_and_the_race_stays_as_it_is():
    race = table_race()
    give(race, "2 pass", "3 pass")
    before = [race.save(), facts(race), [prompt.serial for prompt in race.prompts], list(race._events)]
    asked = [rewind.asked_then(race, back, lambda prompt: (prompt.kind, prompt.seat)) for back in (4, 3)]
    assert asked == [("roll", 1), ("choose", 1)]
    assert "go 4a" in rewind.asked_then(race, 3, lambda prompt: prompt.options())
    assert before == [race.save(), facts(race), [prompt.serial for prompt in race.prompts], race._events]


def test_a_question_is_asked_again_while_others_are_asked_for_their_ok():
    race = table_race()
    give(race, "2 pass", "3 pass", "1 undo 2")
    before = [race.save(), [prompt.plain() for prompt in race.prompts]]
    assert race.asking and len(race.prompts) == 2
    rewind.asked_then(race, 1, lambda prompt: prompt.options())
    assert before == [race.save(), [prompt.plain() for prompt in race.prompts]]


def test_no_question_is_asked_again_while_answers_wait():
    race = new_race(hidden_cards.Game, "PPP")
    play_until(race, lambda race: len(race.prompts) == 3 and race.taken_count())
    give(race, "2 " + race.prompt_of(2).options()[0])
    before = race.save()
    with pytest.raises(Refused, match="wait_for_others"):
        rewind.asked_then(race, 1, lambda prompt: prompt.options())
    assert race.save() == before and race.pending_answers()


def races_with_digests(game_class, answers, **more):
    """A race, and its state after each number of answers."""
    race = new_race(game_class, "PPP", laps=5, **more)
    held = {0: facts(race)}
    while race.taken_count() < answers or race.pending_answers():
        play(race, 1, seed="step %d" % race.taken_count())
        if not race.pending_answers():
            held[race.taken_count()] = facts(race)
    return race, held


@pytest.mark.parametrize("game_class", [hidden_cards.Game, reactions.Game])
@pytest.mark.parametrize("back", [1, 30, 80, 125])
def test_undo_from_far_goes_exactly_there(game_class, back):
    race, held = races_with_digests(game_class, 130)
    count = race.taken_count()
    assert len(race.ring) == Race.ring_boundaries and race.ring[0][0] > 0
    undo(race, 1, min(back, count))
    assert facts(race) == held[race.taken_count()]
    # Forward again with the same hands: the same race.
    for at in range(race.taken_count(), count):
        if at in held and not race.pending_answers():
            assert facts(race) == held[race.taken_count()]
        play(race, 1, seed="step %d" % race.taken_count())
    assert proof.replay(race.journal(True), race.track, game_class)["problem"] is None


@pytest.mark.parametrize("game_class", [hidden_cards.Game, reactions.Game])
def test_undo_deeper_than_the_ring_after_a_resume(game_class):
    race, held = races_with_digests(game_class, 60)
    log = MemoryLog([race.log_text(n) for n in range(1, race.lines + 1)])
    resumed = Race.resume(race.snapshot(), race.track, log, game_class)
    assert facts(resumed) == facts(race) and resumed.base > 0
    for answers in (0, 80):
        # With 80 more answers the ring has forgotten the boundary of the resume.
        play(resumed, answers)
        play_until(resumed, lambda race: not race.pending_answers())
        undo(resumed, 2, resumed.taken_count() - 10)
        assert facts(resumed) == held[resumed.taken_count()]
    undo(resumed, 1, resumed.taken_count())
    assert facts(resumed) == held[0]
    play(resumed)
    assert proof.replay(resumed.journal(), race.track, game_class)["problem"] is None


def test_undo_past_an_undo_and_a_save():
    race, held = races_with_digests(reactions.Game, 70)
    for _ in range(6):
        undo(race, 1, 9)
        race = Race.load(race.save(), race.track, reactions.Game)
        assert facts(race) == held[race.taken_count()]


def test_an_asking_survives_saves():
    race = new_race(reactions.Game, "PPP")
    give(race, "1 roll", "1 undo", "2 ok")
    log = MemoryLog([race.log_text(n) for n in range(1, race.lines + 1)])
    for again in (Race.load(race.save(), race.track, reactions.Game), copied(race),
                  Race.resume(race.snapshot(), race.track, log, reactions.Game)):
        assert waiting(again) == [3] and facts(again) == facts(race)
        give(again, "3 ok")
        assert again.taken_count() == 0 and again.asking is None


def test_a_snapshot_from_before_the_asking_reaches_its_end():
    race = new_race(reactions.Game, "PPP")
    snapshots = [race.snapshot()]
    for answer in ("1 roll", "1 undo", "2 ok", "3 ok", "1 roll"):
        give(race, answer)
        snapshots.append(race.snapshot())
    for snapshot in snapshots:
        log = MemoryLog([race.log_text(n) for n in range(1, race.lines + 1)])
        assert facts(Race.resume(snapshot, race.track, log, reactions.Game)) == facts(race)


# Answers that wait for others

def in_a_joint_prompt():
    race = new_race(hidden_cards.Game, "PPP")
    play_until(race, lambda race: len(race.prompts) == 3)
    return race


def test_a_waiting_answer_is_taken_back_alone():
    race = in_a_joint_prompt()
    before, lines = facts(race), race.lines
    text = race.prompt_of(2).options()[0]
    race.answer(2, text)
    assert race.pending_answers() == [[2, text]] and [prompt.seat for prompt in race.prompts] == [1, 3]
    assert refused(race, "1 undo") == "engine.wait_for_others"
    assert refused(race, "2 undo 2") == "engine.wait_for_others"
    assert race.answer(2, "undo") == "undo 1"
    assert facts(race) == before and race.lines == lines


def test_joint_answers_are_taken_back_together():
    race = in_a_joint_prompt()
    before, count = facts(race), race.taken_count()
    for prompt in race.prompts:
        race.answer(prompt.seat, prompt.options()[0])
    assert race.taken_count() == count + 3
    race.answer(3, "undo")
    assert waiting(race) == [1, 2]
    agree(race)
    assert facts(race) == before and race.taken_count() == count


def test_a_waiting_roll_is_not_taken_back():
    class Together(reactions.Game):
        def turn(self):
            yield [reactions.Roll(seat, [(1, 2)], "x", (), seat) for seat in self.setup.seats()]
            self.to_act = []
            self.places = self.setup.seats()

    race = new_race(Together, "PP")
    race.answer(2, "roll")
    assert refused(race, "2 undo") == "engine.wait_for_others"
    race = new_race(Together, "PP", dice="table")
    race.answer(2, "roll 2")                       # a typing mistake
    race.answer(2, "undo")
    assert race.pending_answers() == [] and race.lines == 0


# Correct

def table_race():
    race = new_race(reactions.Game, "PPP", dice="table", laps=2)
    give(race, "1 roll 6 green", "1 go 4a")
    return race


def test_a_wrong_table_roll_is_corrected_and_the_rest_stays():
    race = table_race()
    give(race, "2 pass", "3 pass", "2 roll 3 red", "2 go 2b")
    play(race, 3)
    race.answer(1, "correct %d roll 5 red" % race.taken_count())
    assert waiting(race) == [2, 3] and race.prompts[0].ask == "engine.consent_correct"
    agree(race)
    other = new_race(reactions.Game, "PPP", dice="table", laps=2)
    give(other, "1 roll 5 red", "1 go 4a", "2 pass", "3 pass", "2 roll 3 red", "2 go 2b")
    play(other, 3)
    assert race.digest() == other.digest()
    assert facts(race)[1:] == facts(other)[1:]
    assert proof.replay(race.journal(True), race.track, reactions.Game)["problem"] is None


def test_a_correction_stops_at_the_first_that_is_no_longer_legal():
    race = table_race()
    give(race, "2 pass", "3 pass")
    race.drop_events()
    race.answer(1, "correct 4 roll 1 red")
    agree(race)
    assert race.taken_count() == 1 and race.prompts[0].options() == ["go 2a"]
    assert race.take_events() == [["corrected", 3]]


def test_what_cannot_be_corrected():
    race = table_race()
    for text, reason in (("correct 1 roll 3 red", "engine.not_offered"), ("correct 2 go 2a", "engine.expected_roll"),
                         ("correct 1 go 9a", "tiny_reactions.too_far"),
                         ("correct 2 roll 7 red", "engine.no_such_face"), ("correct 3 roll 1 red", "engine.nothing_to_undo"),
                         ("correct 1 undo", "engine.correct_other"), ("correct 1 leave", "engine.correct_other"),
                         ("correct 1 correct 1 go 2a", "engine.correct_other")):
        before = [race.save(), facts(race), [prompt.serial for prompt in race.prompts], list(race._events)]
        assert refused(race, "1 " + text) == reason, text
        assert before == [race.save(), facts(race), [prompt.serial for prompt in race.prompts], race._events], text


def test_a_roll_of_the_device_cannot_be_corrected():
    race = new_race(reactions.Game, "PPP")
    faces = race.answer(1, "roll")
    race.answer(1, race.prompts[0].options()[0])
    other = "roll %s red" % (1 if faces.split(" ")[1] != "1" else 2)
    assert refused(race, "1 correct 2 " + other) == "engine.roll_differs"
    assert race.taken_count() == 2


def test_a_correction_deeper_than_the_ring():
    race, _ = races_with_digests(reactions.Game, 80, dice="table")
    first = race.line(1).text
    face = "roll 6 green" if first != "roll 6 green" else "roll 6 red"
    kept = facts(race)
    assert refused(race, "1 correct %d roll 9 red" % race.taken_count()) == "engine.no_such_face"
    assert facts(race) == kept
    race.answer(1, "correct %d %s" % (race.taken_count(), face))
    # While the table is asked, nothing has changed.
    assert race.digest() == kept[0]
    agree(race)
    assert proof.replay(race.journal(True), race.track, reactions.Game)["problem"] is None
    again = Race.load(race.save(), race.track, reactions.Game)
    assert facts(again) == facts(race)
    play(race)
    assert proof.replay(race.journal(), race.track, reactions.Game)["problem"] is None


def test_a_correction_of_a_correction():
    race = table_race()
    for face in ("5 red", "4 green", "6 red"):
        race.answer(1, "correct 2 roll " + face)
        agree(race)
    assert race.taken_count() == 2
    other = new_race(reactions.Game, "PPP", dice="table", laps=2)
    give(other, "1 roll 6 red", "1 go 4a")
    assert race.digest() == other.digest()
    undo(race, 1, 2)
    assert race.taken_count() == 0


def test_leave_and_source_are_taken_back():
    race = new_race(reactions.Game, "PPP")
    before = facts(race)
    for answer in ("2 source dice table", "2 leave"):
        give(race, answer)
        race.answer(2, "undo")
        agree(race)
        assert facts(race) == before
