"""Compliance checks of secrets and journals: nothing hidden gets out, no change goes unnoticed."""

import json

from compliance_play import each_place
from racing import copied

from shared_rules import proof
from shared_rules.chance import Chance, seal
from shared_rules.journal_file import Journal


def public_face(race):
    """Everything that everybody may see of a race, as a list."""
    prompts = [prompt.plain() for prompt in race.prompts]
    for plain in prompts:
        del plain["serial"]
    scene = proof.scene_texts(race.scene(), race._events)
    return [race.public_digest(), prompts, scene, race.standings(), race.lines, race.turns, race.over,
            [race.line(number).show(True) for number in range(1, race.lines + 1)]]


def check_public_texts_hold_no_secrets(subject):
    """Before the podium neither seed nor salt nor a hidden answer appears in anything public."""
    for played in subject.playthroughs():
        seed, salt = played.plain["seed"], played.plain["salt"]
        for step in played.steps:
            race = subject.load(step.save)
            texts = [race.journal(), str(public_face(race))]
            for seat in race.setup.seats():
                view = race.view(seat)
                prompt = race.prompt_of(seat)
                if prompt is not None and prompt.seat != seat and prompt.secret:
                    assert view["prompt"]["choices"] is None, \
                        f"seat {seat} reads what seat {prompt.seat} may choose in secret"
                texts.append(str(view))
            for text in texts:
                assert seed not in text and salt not in text and race.digest() not in text, \
                    "the seed, the salt or the digest of all that is hidden can be read before the podium"
            lines = Journal.parse(race.journal()).lines
            for number, line in enumerate(lines, 1):
                own = race.line(number)
                assert (line.text == "sealed") == own.secret and line.full == "", \
                    f"line {number} is sealed without need, or the other way round"
                assert own.secret or line.text == own.text, \
                    f"line {number} of the journal is {line.text!r}, expected {own.text!r}"
            for prompt in race.prompts:
                if prompt.secret:
                    assert prompt.plain()["choices"] is None, \
                        f"the choices of {prompt.ask}, a secret question, are public"


def check_hidden_choices_change_nothing_public(subject):
    """Whatever is chosen in secret, everybody else sees the same: except who is asked next, if hands go
    round, and cards laid open."""
    for _, _, race in each_place(subject, 60):
        for prompt in race.prompts:
            if not prompt.secret or prompt.laid_open or len(prompt.options()) < 2:
                continue
            others = [seat for seat in race.setup.seats() if seat != prompt.seat]
            faces = []
            for text in prompt.options()[:6]:
                copy = copied(race)
                copy.answer(prompt.seat or 1, text)
                reveals = copy.turns != race.turns or not copy.pending_answers() and len(race.pending_answers())
                passed = [one.seat for one in copy.prompts if one.secret] if subject.game_class.PASSES_HANDS else []
                views = [copy.view(seat) for seat in others if seat not in passed]
                faces.append([public_face(copy), [] if reveals else views])
            if race.pending_answers() and not copy.pending_answers():
                continue    # the last of those asked together: now the rules may show what was chosen
            for face in faces:
                for view in face[1]:
                    if view["prompt"]:
                        view["prompt"]["serial"] = 0
            assert all(face == faces[0] for face in faces), f"the answer to {prompt.ask} shows"


def check_hidden_draws_change_nothing_public(subject):
    """Two races that differ only in what is hidden look the same up to the first reveal."""
    for plain in subject.plains:
        first = None
        races = [subject.race(plain, seed="hidden-%d" % seed, dice="table", players=[
            ["person", name] for _, name in plain["players"]]) for seed in range(5)]
        if subject.game_class.OPEN_START:
            races = [_with_other_secrets(races[0], seed) for seed in range(5)]
        for race in races:
            faces = _faces_until_a_reveal(race)
            if first is None:
                first = faces
            for at, (shown, face) in enumerate(faces[:len(first)]):
                assert face == first[at][1], f"what is hidden shows after {at} answers"
                if shown != first[at][0]:
                    break       # an open card that differs


def _with_other_secrets(race, seed):
    """A copy of a race at its start with its hidden fields, and all chance to come, shuffled."""
    copy = copied(race)
    chance = Chance("secrets", str(seed))
    at, text = copy.ring[-1]
    state = json.loads(text)
    state[3], state[4] = Chance("dice", str(seed)).state(), Chance("deal", str(seed)).state()
    for place, field in enumerate(copy.game.fields):
        value = state[-1][place]
        if field in copy.game.secret_fields and value and race.setup.decks == "device":
            mixed = list(value)
            chance.shuffle(mixed)
            state[-1][place] = "".join(mixed) if isinstance(value, str) else mixed
    copy.take_up(at, json.dumps(state), [])
    return copy


def _faces_until_a_reveal(race):
    """[open answer, public face before it] until a hidden choice has reached the rules."""
    chance = Chance("faces", "kit")
    faces = []
    while not race.over and len(faces) < 200:
        prompt = race.prompts[0]
        face = public_face(race)
        hidden_choice = prompt.secret and prompt.kind != "draw"
        text = prompt.options()[0] if prompt.kind == "draw" or hidden_choice else prompt.sample(chance)
        kept = race.answer(prompt.seat or 1, text)
        faces.append(["sealed" if prompt.secret else kept, face])
        if hidden_choice and not race.pending_answers():
            break
    return faces


def check_the_seal_verifies_at_the_podium(subject):
    """The seed is sealed until the podium, and is then the one that was sealed."""
    for played in subject.playthroughs():
        sealed = {Journal.parse(subject.load(step.save).journal()).sealed for step in played.steps}
        opened = Journal.parse(played.race.journal())
        assert opened.sealed == "", "the journal is still sealed at the podium"
        assert sealed == {seal(opened.plain["seed"], opened.plain["salt"])}, \
            "the seed at the podium isn't the one that was sealed"


def check_journals_replay(subject):
    """The whole journal replays line by line, the sealed one as far as it says anything."""
    for played in subject.playthroughs():
        race = played.race
        found = subject.replay(race.journal())
        assert found["problem"] is None, f"the replay stopped: {found['problem']}"
        assert found["checked"] == found["lines"] == race.lines, \
            f"of {race.lines} lines {found['checked']} were checked"
        assert [found["digest"], found["public_digest"], found["turns"], found["standings"], found["over"]] == [
            race.digest(), race.public_digest(), race.turns, race.standings(), True], "the replay ends in a different race"
        hidden = [number for number in range(1, race.lines + 1) if race.line(number).secret]
        found = subject.replay(race.journal(False))
        assert found["problem"] is None, f"the replay stopped: {found['problem']}"
        assert found["sealed"] and found["checked"] <= (hidden[0] - 1 if hidden else race.lines), \
            f"a sealed journal was checked up to line {found['checked']}"
        assert hidden or found["checked"] == race.lines, "a journal that hides nothing isn't checked to its end"


def check_an_edited_line_is_named(subject):
    """A line with another answer, digest or seat, or left out or doubled, is reported by its number."""
    for played in subject.playthroughs():
        text = played.race.journal()
        rows = text.split("\n")[:-1]
        journal = Journal.parse(text)
        stride = max(1, len(played.log) // 25)
        for number in range(1, len(played.log) + 1, stride):
            at = journal.line_number(number - 1)
            row = rows[at - 1]
            line = played.race.line(number)
            for edited in _edits(line, row, len(played.plain["players"])):
                _must_name(subject, rows[:at - 1] + [edited] + rows[at:], at, at, edited)
            _must_name(subject, rows[:at] + [row] + rows[at:], at, at + 7, "doubled")
            if number < len(played.log):
                _must_name(subject, rows[:at - 1] + rows[at:], at, at + 7, "left out")


def _edits(line, row, seats):
    """The line with another answer, another seat, other digests."""
    head, _, marks = row.partition(" | ")
    words = line.text.split(" ")
    texts = [words[0] + " 9"] if len(words) == 1 else [" ".join(words[:-1] + ["9x"]), " ".join(words[:-1] + ["1"])]
    out = ["%d %s | %s" % (line.seat, text, marks) for text in texts + ["pass"] if text != line.text]
    out.append("%d %s | %s" % (line.seat % seats + 1, line.text, marks))
    for digest in (line.public, line.full):
        other = ("1" if digest[0] != "1" else "2") + digest[1:]
        out.append(head + " | " + marks.replace(digest, other, 1))
    return out


def _must_name(subject, rows, first, last, what):
    """The problem names a line from ``first`` to ``last``: answers that were asked together are compared together."""
    problem = subject.replay("\n".join(rows) + "\n")["problem"]
    assert problem is not None, f"line {first}, {what!r}: the replay found nothing wrong"
    named = int(problem.partition("Line ")[2].partition(":")[0])
    assert first <= named <= last, f"line {first}, {what!r}: {problem}"
