"""Journals: read and written, and every cut or edited line is reported."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from racing import agree, give, new_race, play, short_track
from tiny_games import hidden_cards, reactions

from shared_rules import RULES_VERSION, proof
from shared_rules.errors import BadSave
from shared_rules.journal import JournalLine
from shared_rules.journal_file import Journal
from shared_rules.journal_log import EchoLog, MemoryLog

RULES = f"rules: {RULES_VERSION}"


@pytest.fixture(scope="module")
def whole():
    """A finished race of reactions with an undo, a consent, a correction, a source and a player who leaves."""
    race = new_race(reactions.Game, "PPBP", dice="table", laps=1)
    play(race, 9)
    race.answer(1, "undo 2")
    agree(race)
    play(race, 4)
    give(race, "2 source dice device")
    play(race, 12)
    give(race, "4 leave")
    play(race)
    return race


def replay(text, game=reactions):
    return proof.replay(text, short_track(game.Game.ID), game.Game)


def changed(text, line, edit):
    rows = text.split("\n")
    rows[line - 1:line] = edit(rows[line - 1])
    return "\n".join(rows)


def test_a_journal_reads_as_it_was_written(whole):
    for unseal in (True, False):
        text = whole.journal(unseal)
        journal = Journal.parse(text)
        assert journal.plain["game"] == "tiny_reactions" and journal.plain["laps"] == 1
        assert journal.plain["players"] == [list(player) for player in whole.setup.players]
        assert (journal.track, journal.track_hash) == ("short-ring", whole.track.hash)
        assert len(journal.lines) == whole.lines == text.count("\n") - journal.first + 1
        assert bool(journal.sealed) == (not unseal)
        assert [line.show(not unseal) for line in journal.lines] == text.split("\n")[journal.first - 1:-1]
        found = replay(text)
        assert found["problem"] is None and found["checked"] == found["lines"] == whole.lines
        assert found["over"] and found["standings"] == whole.standings()
        assert found["public_digest"] == whole.public_digest()
    assert replay(whole.journal())["digest"] == whole.digest()
    assert replay(whole.journal().replace("\n", "\r\n"))["problem"] is None


def test_pieces_make_the_whole(whole):
    assert "".join(whole.journal_lines()) == whole.journal()


def test_cut_anywhere_it_is_a_shorter_race_or_a_named_problem(whole):
    text = whole.journal()
    for length in range(0, len(text), 3):
        found = replay(text[:length])
        if found["problem"] is not None:
            assert found["problem"].endswith(".") and len(found["problem"]) < 1000
        else:
            assert found["checked"] <= whole.lines
        # A cut within a line is always noticed.
        if text[length - 1:length] != "\n" and text[length:length + 1] not in ("\n", "") and length > 300:
            row = text[:length].split("\n")[-1]
            if not row.endswith(whole.line(1).public):
                assert found["problem"] is not None or " | " in row, row


def test_every_edited_line_is_named(whole):
    text = whole.journal()
    first = Journal.parse(text).first
    digits = {"0": "1"}
    for line in range(first, first + whole.lines):
        row = text.split("\n")[line - 1]
        flip = digits.get(row[-1], "0")
        for edited in (row[:-1] + flip, row.replace(" | ", " | " + ("1" if row.split(" | ")[1][0] != "1" else "2"), 1)
                       .replace(row.split(" | ")[1][:8], row.split(" | ")[1][1:8], 1)):
            found = replay(changed(text, line, lambda _, edited=edited: [edited]))
            assert found["problem"] is not None and found["problem"].startswith("Line %d:" % line), (edited, found)


@pytest.mark.parametrize("bad", [
    "", "gridglow", "hello\n", "gridglow journal 2\n", "gridglow journal 1\n", "gridglow journal 1\nhello\n",
    "gridglow save 1 00000000\n[]\n", "\n\n\n", "\x00\x01", "gridglow journal 1\ngame: a\n",
])
def test_what_is_no_journal(bad):
    with pytest.raises(BadSave):
        Journal.parse(bad)
    assert replay(bad)["problem"].endswith(".")


@pytest.mark.parametrize("old, new, word", [
    ("game: tiny_reactions short", "game: tiny_reactions", "Line 2"),
    ("game: tiny_reactions short", "game: tiny_reactions endless", "variant"),
    ("game: tiny_reactions", "game: chess", "track"),
    (RULES, "rules: 99", f"rules version {RULES_VERSION}, got 99"),
    (RULES, "rules: x", "Line 3"),
    ("laps: 1", "laps: 0", "1 to 99 laps"),
    ("laps: 1", "laps: -1", "Line 5"),
    ("laps: 1", "laps: 1234567", "Line 5"),
    ("laps: 1\n", "", "lacks laps"),
    ("seat 1: person", "seat 1: ghost", "person or bot"),
    ("seat 2:", "seat 7:", "Line 7"),
    ("dice: table", "dice: mine", "device or table"),
    ("seed: seed salt\n", "", "lacks seed"),
    ("seed: seed salt", "seed: seed", "Line 12"),
    ("seed: seed salt", "sealed: 1234", "Line 12"),
    ("track: short-ring", "track: long-ring", "long-ring"),
])
def test_header_lines_that_are_wrong(whole, old, new, word):
    text = whole.journal()
    assert old in text
    found = replay(text.replace(old, new, 1))
    assert word in found["problem"], found["problem"]


@pytest.mark.parametrize("row", [
    "", "1", "1 roll", "1 roll 3 5 |", "1 roll 3 5 | 12", "x roll | 12345678", "10 roll | 12345678", "1 roll | 1234567g",
    "1 roll | 12345678 12345678 secret more", "1 roll | 12345678 12345678 open", "1 roll|12345678", " 1 roll | 12345678",
    "1 a | b | 12345678", "1 roll | 12345678 12345678 secret ", "١ roll | 12345678", "1 roll | 1234567A",
])
def test_lines_that_are_none(row):
    with pytest.raises(BadSave, match="Expected a line such as"):
        JournalLine.parse(row)


@pytest.mark.parametrize("row", ["1 roll | 12345678 12345678", "0 pick x | 00000000", "2 play 3 | 12345678 aaaaaaaa secret"])
def test_lines_there_and_back(row):
    line = JournalLine.parse(row)
    assert row in (line.show(), line.show(True))


def test_an_empty_line_between_answers_is_named(whole):
    text = whole.journal()
    first = Journal.parse(text).first
    assert replay(changed(text, first + 3, lambda row: ["", row]))["problem"].startswith("Line %d:" % (first + 3))
    assert replay(text + "\n\n")["problem"] is None


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_scrambled_journal_never_crashes(whole, data):
    text = whole.journal(data.draw(st.booleans()))
    rows = text.split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(rows) - 1))
        kind = data.draw(st.sampled_from(["cut", "swap", "double", "junk", "letter"]))
        if kind == "cut":
            del rows[at]
        elif kind == "swap":
            other = data.draw(st.integers(0, len(rows) - 1))
            rows[at], rows[other] = rows[other], rows[at]
        elif kind == "double":
            rows.insert(at, rows[at])
        elif kind == "junk":
            rows[at] = data.draw(st.text(max_size=30))
        elif rows[at]:
            place = data.draw(st.integers(0, len(rows[at]) - 1))
            rows[at] = rows[at][:place] + data.draw(st.characters()) + rows[at][place + 1:]
        if not rows:
            rows = [""]
    found = replay("\n".join(rows))
    assert found["problem"] is None or 10 < len(found["problem"]) < 1000


def test_answers_that_were_asked_together_and_cut():
    race = new_race(hidden_cards.Game, "PP")
    play(race, 5)
    while not race.line(race.lines).text.startswith("play"):
        play(race, 1)
    rows = race.journal(True).split("\n")[:-1]
    found = replay("\n".join(rows[:-1]) + "\n", hidden_cards)
    assert "other seats" in found["problem"] and found["problem"].startswith("Line %d:" % (len(rows) - 1))


# Logs

def test_a_log_keeps_truncates_and_goes_on():
    for count in (0, 1, 15, 16, 17, 40):
        log = MemoryLog(["line %d" % n for n in range(1, count + 1)])
        assert len(log) == count
        assert [log.line(n) for n in range(1, count + 1)] == ["line %d" % n for n in range(1, count + 1)]
        for keep in sorted({0, count // 2, count}, reverse=True):
            log.truncate(keep)
            assert len(log) == keep
            log.append("new")
            assert log.line(keep + 1) == "new"


def test_an_echo_compares():
    echo = EchoLog(MemoryLog(["a", "b"]), 0)
    echo.append("a")
    with pytest.raises(BadSave, match="Line 2"):
        echo.append("c")
    with pytest.raises(BadSave, match="Line 2 .* got 'no more lines'"):
        EchoLog(MemoryLog(["a"]), 1).append("b")
