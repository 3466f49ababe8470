"""Saves and resumes: a race returns to exactly the same place, or a sentence says why not."""

import json
from binascii import crc32

import pytest
from racing import agree, copied, facts, give, new_race, play, play_until, short_track
from tiny_games import hidden_cards, reactions

from shared_rules import RULES_VERSION, proof, restore
from shared_rules.errors import BadSave, BadText, Refused
from shared_rules.journal_log import MemoryLog
from shared_rules.race import Race

GAMES = [hidden_cards.Game, reactions.Game]


def log_of(race, lines=None):
    return MemoryLog([race.log_text(n) for n in range(1, (race.lines if lines is None else lines) + 1)])


def framed(rows, form="2"):
    body = "\n".join(rows) + "\n"
    return "gridglow save %s %08x\n%s" % (form, crc32(body.encode()), body)


def bad(text, track, game_class=reactions.Game):
    with pytest.raises(BadSave) as caught:
        Race.load(text, track, game_class)
    assert str(caught.value).endswith(".")
    with pytest.raises(BadSave):
        Race.resume(text, track, MemoryLog(), game_class)
    return str(caught.value)


@pytest.fixture(scope="module")
def saved():
    race = new_race(reactions.Game, "PBP", dice="table")
    play(race, 25)
    return race, race.save()


@pytest.mark.parametrize("game_class", GAMES)
@pytest.mark.parametrize("who", ["PPP", "PBB"])
def test_at_every_step_the_same_place(game_class, who):
    race = new_race(game_class, who)
    while not race.over:
        again = Race.load(race.save(), race.track, game_class)
        assert facts(again) == facts(race)
        assert again.save() == race.save()
        assert again.journal(True) == race.journal(True)
        assert again.take_events() == []
        play(race, 1, seed=str(race.lines))
    assert facts(Race.load(race.save(), race.track, game_class)) == facts(race)


@pytest.mark.parametrize("game_class", GAMES)
def test_every_snapshot_reaches_every_later_end_of_the_log(game_class):
    race = new_race(game_class, "PPP", laps=3)
    snapshots, ends = [], {}
    while race.lines < 45:
        snapshots.append((race.lines, race.snapshot()))
        if not race.pending_answers():
            ends[race.lines] = facts(race)
        play(race, 1, seed=str(race.lines))
    for lines, snapshot in snapshots:
        for end in [end for end in ends if end >= lines][::4]:
            again = Race.resume(snapshot, race.track, log_of(race, end), game_class)
            assert facts(again)[:5] == ends[end][:5], (lines, end)


class LostLog(MemoryLog):
    """A log whose file is gone: it knows how many lines there were, and has those added since."""

    def __init__(self, lost):
        super().__init__(["gone"] * lost)

    def line(self, number):
        found = super().line(number)
        if found == "gone":
            raise BadSave("Line %d is gone." % number)
        return found


@pytest.mark.parametrize("game_class", GAMES)
def test_a_snapshot_is_enough_where_the_log_is_lost(game_class):
    """Even in the middle of a turn: the answers since its start are in it, and in the next snapshot."""
    race = new_race(game_class, "PPP", laps=3)
    amid = 0
    while not race.over:
        again = Race.resume(race.snapshot(), race.track, LostLog(race.lines), game_class)
        assert facts(again) == facts(race)
        assert again.snapshot() == race.snapshot()
        amid += len(again.kept_words) > 0
        play(race, 1, seed=str(race.lines))
        play(again, 1, seed=str(race.lines))
        once_more = Race.resume(again.snapshot(), race.track, LostLog(again.lines), game_class)
        assert facts(once_more) == facts(again)
    assert amid or game_class is hidden_cards.Game


def test_a_log_that_was_cut_between_joint_answers():
    race = new_race(hidden_cards.Game, "PPP")
    play_until(race, lambda race: len(race.prompts) == 3)
    lines = race.lines
    before = race.snapshot()
    give(race, "2 " + race.prompt_of(2).options()[0])
    waiting = race.snapshot()
    give(race, "3 " + race.prompt_of(3).options()[0], "1 " + race.prompt_of(1).options()[0])
    done = facts(race)
    for snapshot, cut in ((before, 0), (before, 1), (before, 2), (waiting, 0), (waiting, 1), (waiting, 2)):
        log = log_of(race, lines + cut)
        again = Race.resume(snapshot, race.track, log, hidden_cards.Game)
        assert len(log) == lines and again.lines == lines
        for prompt in again.prompts:
            give(again, "%d %s" % (prompt.seat, prompt.options()[0]))
        assert facts(again) == done
        assert again.journal(True) == race.journal(True)


def test_waiting_answers_survive():
    race = new_race(hidden_cards.Game, "PPP")
    play_until(race, lambda race: len(race.prompts) == 3)
    give(race, "3 " + race.prompt_of(3).options()[1])
    for again in (Race.load(race.save(), race.track, hidden_cards.Game), copied(race),
                  Race.resume(race.snapshot(), race.track, log_of(race), hidden_cards.Game)):
        assert again.pending_answers() == race.pending_answers() != []
        assert [prompt.seat for prompt in again.prompts] == [1, 2]
        assert facts(again) == facts(race)


def test_a_snapshot_with_waiting_answers_and_what_came_after():
    race = new_race(hidden_cards.Game, "PPP")
    play_until(race, lambda race: len(race.prompts) == 3)
    give(race, "3 " + race.prompt_of(3).options()[1])
    snapshot = race.snapshot()
    steps = ["2 leave", "2 source dice table", "1 " + race.prompt_of(1).options()[0], "1 number 0"]
    for step in steps:
        give(race, step)
        again = Race.resume(snapshot, race.track, log_of(race), hidden_cards.Game)
        if step != "1 number 0":    # this one waits for seat 3: only a new snapshot knows it
            assert facts(again) == facts(race), step


@pytest.mark.parametrize("words", ["undo 1", "undo 5", "undo 9", "correct 1 {0}"])
def test_a_race_that_is_taken_up_while_others_are_asked_goes_on_the_same(words):
    """What is taken back may be older than the snapshot."""
    for lines in range(10, 22):
        race = new_race(reactions.Game, "PPP")
        play_until(race, lambda race, lines=lines: race.lines >= lines and not race.pending_answers())
        try:
            give(race, "1 " + words.format(race.line(race.lines).text))
        except (Refused, BadText):
            continue
        again = Race.resume(race.snapshot(), race.track, log_of(race), reactions.Game)
        for one in (race, again):
            agree(one)
        assert facts(again) == facts(race)


def test_a_waiting_answer_that_was_changed_after_the_snapshot():
    race = new_race(hidden_cards.Game, "PP")
    play_until(race, lambda race: len(race.prompts) == 2)
    options = race.prompt_of(2).options()
    give(race, "2 " + options[0])
    snapshot = race.snapshot()
    give(race, "2 undo", "2 " + options[1], "1 " + race.prompt_of(1).options()[0])
    again = Race.resume(snapshot, race.track, log_of(race), hidden_cards.Game)
    assert facts(again) == facts(race)


def test_a_clone_is_independent():
    race = new_race(reactions.Game, "PPP")
    play(race, 10)
    before = [facts(race), race.save()]
    play(copied(race))
    assert [facts(race), race.save()] == before
    clone = copied(race)
    kept = facts(clone)
    play(race)
    assert facts(clone) == kept


def test_cut_at_every_byte(saved):
    race, text = saved
    for length in range(len(text)):
        bad(text[:length], race.track)


def test_every_letter_changed(saved):
    race, text = saved
    for at in range(0, len(text), 7):
        other = "0" if text[at] != "0" else "1"
        bad(text[:at] + other + text[at + 1:], race.track)
    bad(text + "x", race.track)
    bad(text + "\n", race.track)
    bad(text.replace("\n", "\r\n"), race.track)


def test_other_formats_tracks_and_rules(saved):
    race, text = saved
    rows = text.split("\n")[1:-1]
    assert facts(Race.load(framed(rows), race.track, reactions.Game)) == facts(race)
    assert "format 2, got format 3" in bad(framed(rows, "3"), race.track)
    assert "empty" in bad("", race.track)
    assert "Expected a saved race" in bad("hello", race.track)
    other = short_track("tiny_reactions", "S6 L3d1 S4 R3d2 S5")
    assert race.track.hash in bad(text, other) and other.hash in bad(text, other)
    assert restore.track_of(text) == ("short-ring", race.track.hash)
    plain = json.loads(rows[0])
    plain[0] = 99
    assert f"rules version {RULES_VERSION}, got 99" in bad(framed([json.dumps(plain)] + rows[1:]), race.track)
    with pytest.raises(BadSave):
        Race.load(text, race.track)     # no real game has this name
    with pytest.raises(BadSave):
        Race.load(text, race.track, hidden_cards.Game)


JUNK = [None, -1, 10**6, "x", [], [1], [[1, 2]], {}, {"game": 3}, 1.5, True, [[5, "roll 1 red"]], [None] * 5,
        "[0, [], [], [], [], []]", "[1]", "{", [1, "undo", ["1"], 3, [2]], [1, "hop", [], "x", 5]]


def test_sound_checksums_around_nonsense(saved):
    race, text = saved
    rows = text.split("\n")[1:-1]
    plain = json.loads(rows[0])
    for at in range(len(plain)):
        for junk in JUNK:
            changed = list(plain)
            changed[at] = junk
            try:
                Race.load(framed([json.dumps(changed)] + rows[1:]), race.track, reactions.Game)
            except BadSave as error:
                assert len(str(error)) < 1000
    for row in ("", "[]", "{}", "null", "[" * 200, "[1,2,3]", json.dumps([1] * 10)):
        bad(framed([row] + rows[1:]), race.track)
    bad(framed(rows[:1]), race.track)
    bad(framed(rows[:-3]), race.track)
    bad(framed([]), race.track)


def test_journal_lines_that_do_not_follow(saved):
    race, text = saved
    rows = text.split("\n")[1:-1]
    for extra in ("1 roll 1 red | 00000000 00000000", "hello", "2 undo 1 | 00000000 00000000", "9 pass | 12345678 12345678"):
        bad(framed(rows + [extra]), race.track)


def test_a_finished_race_comes_back_finished():
    race = new_race(hidden_cards.Game, "PP")
    play(race)
    again = Race.load(race.save(), race.track, hidden_cards.Game)
    assert again.over and again.prompts == [] and facts(again) == facts(race)
    assert proof.replay(again.journal(), again.track, hidden_cards.Game)["problem"] is None


def test_a_sealed_race_clones_sealed():
    race = new_race(reactions.Game, "PB")
    sealed = Race(race.setup, race.track, None, reactions.Game, sealed=True)
    give(sealed, "1 roll 3 red")
    clone = copied(sealed)
    assert clone.sealed and clone.public_digest() == sealed.public_digest()
    give(clone, "1 " + clone.prompts[0].options()[0])
