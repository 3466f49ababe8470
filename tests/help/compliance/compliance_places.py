"""Compliance checks of places in a race: saved, resumed, cloned, taken back, corrected; and what a place is."""

import json

from compliance_play import each_place, must_refuse, state
from racing import agree, copied, facts

from shared_rules.chance import Chance
from shared_rules.errors import Refused
from shared_rules.journal_log import MemoryLog
from shared_rules.race import Race

#: How many places of a longer race are examined when each place takes the whole race once more.
MANY = 40


def check_save_and_load_at_every_step(subject):
    """A saved race returns to the same place, with the same prompts, and saves to the same text."""
    for played in subject.playthroughs():
        for step in played.steps:
            race = subject.load(step.save)
            assert facts(race) == step.facts, f"before line {step.lines + 1} the loaded race differs"
            assert race.save() == step.save, f"the race loaded before line {step.lines + 1} saves to a different text"
        assert facts(subject.load(played.race.save())) == facts(played.race), \
            "the race at the podium differs from the one saved there"


def check_resume_at_every_step(subject):
    """A snapshot and the log lead to the place where the log ends, whenever the snapshot was made."""
    for played in subject.playthroughs():
        for step in played.some_steps(MANY):
            log = MemoryLog(played.log[:step.lines])
            race = Race.resume(step.snapshot, subject.track, log, subject.game_class)
            assert facts(race) == step.facts, f"before line {step.lines + 1} the resumed race differs"
            race = Race.resume(step.snapshot, subject.track, MemoryLog(played.log), subject.game_class)
            assert facts(race) == facts(played.race), f"resumed from line {step.lines} the race ends in a different place"


def check_clones_are_independent(subject):
    """Play on a copy doesn't affect the original, nor the other way round."""
    for _, _, race in each_place(subject, 15):
        before = [state(race), facts(race)]
        clone, chance = copied(race), Chance("clone", "kit")
        assert facts(clone) == facts(race), "a copy of a race differs from it"
        for _ in range(6):
            if not clone.over:
                clone.answer(clone.prompts[0].seat or 1, clone.prompts[0].sample(chance))
        assert [state(race), facts(race)] == before, "answers on a copy have changed the race"
        other = copied(race)
        kept = facts(other)
        for _ in range(3):
            if not race.over:
                race.answer(race.prompts[0].seat or 1, race.prompts[0].sample(chance))
        assert facts(other) == kept, "answers in the race have changed a copy of it"


def _held(played):
    """The state after each number of answers, if none was waiting."""
    return {step.taken: step.facts for step in played.steps if not step.waiting}


def check_undo_to_the_start_and_forward_again(subject):
    """Answers are taken back one by one, down to none, and given again: always the same place. In a long race
    several at a time, once a good number have gone one by one."""
    for played in subject.playthroughs():
        held = _held(played)
        race = subject.load(played.steps[-1].save)
        if race.pending_answers():
            race = subject.load([step.save for step in played.steps if not step.waiting][-1])
        count = race.taken_count()
        while race.taken_count():
            seat = 1 + race.taken_count() % len(played.plain["players"])
            back = 1
            if count - race.taken_count() > MANY // 2:
                stop = max(0, race.taken_count() - max(1, count // MANY))
                back = race.taken_count() - max(place for place in held if place <= stop)
            race.answer(seat, "undo %d" % back)
            agree(race)
            assert facts(race) == held[race.taken_count()], f"taken back to answer {race.taken_count()} the race differs"
        for step in played.steps:
            if race.taken_count() == count:
                break
            if not step.waiting:
                assert facts(race) == step.facts, f"given again up to answer {step.taken} the race differs"
            race.answer(step.seat, step.given)
        assert subject.replay(race.journal(True))["problem"] is None, \
            "the journal of a race whose answers were taken back and given again doesn't replay"


def check_the_same_chance_comes_again(subject):
    """After an undo, dice and cards come out as before."""
    for played in subject.playthroughs():
        for step in played.steps:
            chance_decides = step.prompt.kind in ("roll", "draw") and step.prompt.source == "device"
            race = subject.load(step.save)
            if not chance_decides or race.pending_answers() or len(race.prompts) > 1:
                continue
            race.answer(step.seat, step.given)
            if race.over:
                continue
            race.answer(step.seat, "undo 1")
            agree(race)
            assert facts(race) == step.facts, f"the state before line {step.lines + 1} isn't restored by an undo"
            assert race.answer(step.seat, step.given) == step.kept, \
                f"after an undo chance decides line {step.lines + 1} differently"


def check_consent_is_asked_exactly_where_it_is_due(subject):
    """Others are asked if chance has shown something or they have answered since; bots and leavers never are."""
    for played in subject.playthroughs():
        people = [at + 1 for at, (kind, _) in enumerate(played.plain["players"]) if kind == "person"]
        some = played.some_steps(MANY)
        for at, step in enumerate(played.steps[1:]):
            if step.waiting or step not in some:
                continue
            race = subject.load(step.save)
            last = [before for before in played.steps[:at + 1] if not before.waiting][-1]
            undone = [before for before in played.steps[:at + 1] if before.taken >= last.taken]
            shows = ("roll", "draw", *subject.game_class.REVEALS)
            chance = any(before.kept.split(" ")[0] in shows for before in undone)
            givers = [before.seat for before in undone]
            for seat in people:
                asked = copied(race)
                asked.answer(seat, "undo 1")
                due = [other for other in people if other != seat and (chance or other in givers)]
                came = list(asked.asking.waiting) if asked.asking else []
                assert came == due, f"seat {seat} undoes line {step.lines}: {due} are concerned, {came} are asked"
                if due:
                    assert asked.digest() == race.digest(), "the race went back before everybody concerned had agreed"
                    refusing = copied(asked)
                    refusing.answer(due[-1], "no")
                    assert refusing.asking is None and facts(refusing)[:2] == facts(race)[:2], \
                        "a refused undo has changed the race"
                    agree(asked)
                assert asked.taken_count() == last.taken, \
                    f"an undo led to answer {asked.taken_count()}, expected {last.taken}"


def check_corrections_keep_what_stays_legal(subject):
    """``correct`` replaces an answer and gives the later ones again, up to the first that isn't legal."""
    for played in subject.playthroughs():
        tried = 0
        some = played.some_steps(MANY // 2)
        for at, step in enumerate(played.steps[:-1]):
            others = [text for text in step.options if text != step.kept]
            device = step.prompt.kind in ("roll", "draw") and step.prompt.source == "device"
            later = [other for other in played.steps[at + 1:at + 5] if not other.waiting]
            if not later or step not in some:
                continue
            race = subject.load(later[-1].save)
            back = race.taken_count() - step.taken - step.waiting
            if device:
                if step.prompt.kind == "roll":
                    faces = [die[0] for die in step.prompt.dice]
                    text = " ".join(["roll"] + [str(face) for face in faces])
                    if text != step.kept:
                        must_refuse(race, step.seat, "correct %d %s" % (back, text))
                continue
            if not others:
                continue
            tried += 1
            text = others[-1]
            race.answer(step.seat, "correct %d %s" % (back, text))
            agree(race)
            reference = subject.load(step.save)
            reference.answer(step.seat, text)
            for other in played.steps[at + 1:]:
                if other.lines >= later[-1].lines and other.taken >= later[-1].taken:
                    break
                try:
                    was_rolled = other.prompt.kind in ("roll", "draw") and other.prompt.source == "device"
                    copy = copied(reference)
                    kept = copy.answer(other.seat, other.prompt.kind if was_rolled else other.kept)
                    if kept != other.kept:
                        break
                except Refused:
                    break
                reference = copy
            while reference.pending_answers():
                reference.drop_pending()
            assert race.digest() == reference.digest(), f"line {step.lines + 1}: {step.kept!r} corrected to {text!r}"
            assert subject.replay(race.journal(True))["problem"] is None, \
                "the journal of a race with a correction doesn't replay"
        assert tried or all(len(step.options) < 2 for step in played.steps), \
            "no answer was corrected, though there was a choice"


def check_boundaries_are_plain_data(subject):
    """Between two turns the state is ints, strings and lists, all in ASCII, and its text is exactly JSON's own."""
    def must_be_plain(value, where):
        assert value is None or type(value) in (int, str, list), f"{where} is {value!r}, not plain data"
        if type(value) is int:
            assert -2**30 < value < 2**30, f"{where} is {value}, more than 30 bits"
        if type(value) is str:
            assert value.isascii(), f"{where} is {value!r}, not plain data"
        if type(value) is list:
            for at, part in enumerate(value):
                must_be_plain(part, f"{where}[{at}]")

    for played in subject.playthroughs():
        race = subject.race(played.plain)
        for step in played.steps:
            text = race.ring[-1][1]
            assert json.dumps(json.loads(text)) == text, "the text of a boundary differs from JSON's"
            values = race.game.dump()
            assert len(values) == len(race.game.fields), f"{len(values)} values for {len(race.game.fields)} fields"
            must_be_plain(json.loads(text), "boundary")
            for field, value in zip(race.game.fields, values, strict=True):
                must_be_plain(value, field)
            for field in race.game.secret_fields:
                assert field in race.game.fields, f"the secret field {field} isn't a field"
            race.answer(step.seat, step.given)


def check_dumps_share_nothing_with_the_race(subject):
    """A dump is a copy: changing it doesn't change the race."""
    for _, _, race in each_place(subject, 5):
        before = facts(race)
        for value in race.game.dump():
            if isinstance(value, list):
                value.append("changed")
        assert facts(race) == before, "changing a dump changes the race"
