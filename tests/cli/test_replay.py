"""``gridglow replay``: whole journals verify, edited and cut ones are reported by line, nothing crashes."""

import json
import re
from functools import cache

import pytest
from commands import call
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gridglow.races.replays import read_journal, replay, spoken
from gridglow.races.startup import race_setup
from shared_rules import RULES_VERSION
from shared_rules.errors import BadSave, GridglowError
from shared_rules.race import Race


def played(answers=None, unseal=None):
    """The journal of a race of bots, or of its first answers."""
    start = race_setup(seats=3, bots="all", laps=1, seed="replay")
    race = Race(start.setup, start.track.track)
    while not race.over and (answers is None or race.lines < answers):
        prompt = race.prompts[0]
        race.answer(prompt.seat, race.bot_answer(prompt.seat))
    return race.journal(unseal)


@cache
def whole():
    """A race, played when a test first asks for it: not while tests are collected."""
    return played()


def lines():
    return whole().splitlines()


def first():
    """The index of the first answer."""
    return lines().index("") + 1


@cache
def sealed():
    return played(20)


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "race.txt"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def changed(number, old, new):
    """The journal with one line changed; ``number`` from 1 in the file."""
    found = lines()
    assert old in found[number - 1]
    found[number - 1] = found[number - 1].replace(old, new, 1)
    return "\n".join(found) + "\n"


def test_a_whole_journal_verifies_on_both(file, micropython):
    result = call("replay", file(whole()), "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["on"], found["over"], found["sealed"]) == (["cpython", "micropython"], True, False)
    assert found["lines"] == found["checked"] == len(lines()) - first()
    assert f"| {found['public_digest']} {found['digest']}" in lines()[-1]
    assert [sorted(row) for row in found["standings"]] == [["car", "place", "points", "seat"]] * 3
    assert {one["digest"] for one in found["results"].values()} == {found["digest"]}
    assert f"All draws and digests of {found['lines']} of {found['lines']} lines match." in result.stderr


def test_standings_for_people(file):
    result = call("replay", file(whole()), "--on", "cpython")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0].split() == ["PLACE", "PLAYER", "SEAT", "CAR", "POINTS"]
    assert len(result.stdout.splitlines()) == 4


def test_from_standard_input_with_other_line_ends():
    result = call("replay", "-", "--on", "cpython", input=b"\xef\xbb\xbf" + whole().replace("\n", "\r\n").encode())
    assert result.exit_code == 0, result.output


def test_a_sealed_journal_is_checked_as_far_as_it_goes(file, micropython):
    assert "\nsealed: " in sealed()
    result = call("replay", file(sealed()), "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["sealed"], found["over"], found["checked"]) == (True, False, 20)
    assert "The journal is sealed: the public digests of 20 of 20 lines match" in result.stderr
    assert "The race isn't over" in result.stderr


def test_a_changed_line_of_a_sealed_journal(file):
    number = next(n for n, line in enumerate(sealed().splitlines(), 1) if " roll 1 " in line or " roll 2 " in line)
    text = re.sub(r" roll [12] ", " roll 4 ", sealed(), count=1)
    result = call("replay", file(text), "--on", "cpython")
    assert result.exit_code == 1
    assert f"Line {number}: " in result.stderr


def test_a_race_that_is_not_over(file):
    result = call("replay", file(played(20, True)), "--on", "cpython")
    assert result.exit_code == 0
    assert "The race isn't over" in result.stderr


def roll_line():
    return next(n for n, line in enumerate(lines(), 1) if " roll " in line and n > first() + 12)


@pytest.mark.parametrize("text, number, said", [
    (lambda: re.sub(r"( roll \d) \d", r"\1 9", whole(), count=1), lambda: first() + 1, "the journal was changed"),
    (lambda: changed(roll_line(), "roll", "draw"), lambda: roll_line(), "can't be replayed"),
    (lambda: changed(first() + 5, " | ", " | 0"), lambda: first() + 5, "Expected a line such as"),
    (lambda: changed(first() + 3, lines()[first() + 2][-8:], "00000000"), lambda: first() + 3, "expected digest"),
    (lambda: changed(first() + 3, lines()[first() + 2].split(" | ")[1][:8], "00000000"), lambda: first() + 3,
     "expected public digest"),
    (lambda: changed(first() + 7, lines()[first() + 6][0], "9"), lambda: first() + 7, "seat"),
    (lambda: whole().replace("seed: replay 0", "seed: other 0"), lambda: first() + 1, "the journal was changed"),
    (lambda: "\n".join(lines()[:first() + 6] + lines()[first() + 7:]) + "\n", lambda: first() + 7, ""),
    (lambda: whole() + "1 pass | 00000000 00000000\n", lambda: len(lines()) + 1, "can't be replayed"),
    (lambda: whole() + "\n\n1 pass | 00000000 00000000\n", lambda: len(lines()) + 1, "got an empty line"),
    (lambda: whole().replace("laps: 1", "laps: one"), lambda: 5, "expected a header line"),
])
def test_a_changed_line_is_named_by_its_number(file, micropython, text, number, said):
    result = call("replay", file(text()), "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert told["error"].startswith(f"Line {number()}: ")
    assert said in told["error"]
    assert result.stderr == f"gridglow: {told['error']}\n"


@pytest.mark.parametrize("text, said", [
    (lambda: "", "The journal is empty"),
    (lambda: " \n\n", "The journal is empty"),
    (lambda: "hello", "Expected a Gridglow journal, but its first line is 'hello'."),
    (lambda: b"gridglow journal 1\n\xff\xfe", "Line 2: Expected a journal in UTF-8"),
    (lambda: whole().replace("journal 1", "journal 9"), "Expected a journal of format 1, got"),
    (lambda: whole().replace(f"rules: {RULES_VERSION}", "rules: 99"), "Expected a journal of rules version"),
    (lambda: whole().replace("moto_grand_prix basic", "chess standard"), "a race of 'chess'"),
    (lambda: whole().replace("moto_grand_prix basic", "full_throttle standard"), "expected one of full_throttle"),
    (lambda: whole().replace("prix basic", "prix basik"), "Expected a variant of basic, standard, expert, got 'basik'."),
    (lambda: whole().replace("track: fabulous", "track: fabulos"), "did you mean 'fabulous-driving-park'?"),
    (lambda: re.sub(r"(track: [a-z-]+) \w+", r"\1 00000000", whole()), "Expected track fabulous-driving-park 00000000"),
    (lambda: whole().replace("laps: 1", "laps: 0"), "Expected 1 to 99 laps, got 0."),
    (lambda: "\n".join(lines()[:4]), "The journal's header lacks"),
])
def test_journals_that_are_none(file, text, said):
    result = call("replay", file(text()), "--on", "cpython")
    assert result.exit_code == 1
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""


@pytest.mark.parametrize("name, said", [("none.txt", "There is no file"), (".", "is a folder, expected a file")])
def test_files_that_are_none(tmp_path, name, said):
    result = call("replay", tmp_path / name)
    assert result.exit_code == 1
    assert said in result.stderr


def test_a_file_that_is_too_long():
    with pytest.raises(BadSave, match="A journal has at most"):
        read_journal(b"x" * 4_000_001)


def verdict(text, on):
    """What a replay reports: its problems, or None; only a GridglowError may be raised."""
    try:
        return replay(read_journal(text), on).problems
    except GridglowError:
        return ["refused"]


def test_a_journal_cut_anywhere_never_crashes_the_replayer():
    data = whole().encode()
    for at in range(0, len(data), 101):
        problems = verdict(data[:at], ["cpython"])
        whole_lines = data[:at].endswith(b"\n") or data[at:at + 1] == b"\n"
        assert not any("stopped in" in problem for problem in problems)
        assert problems == [] or not whole_lines or at < 400 or "journal was cut" in problems[0]


def test_a_journal_cut_on_micropython(micropython):
    data = whole().encode()
    for at in (10, 150, 320, 900, len(data) - 4, len(data) - 9):
        assert not any("stopped in" in problem for problem in verdict(data[:at], ["micropython"]))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, 100_000), length=st.integers(0, 30), put=st.binary(max_size=12))
def test_a_journal_edited_anywhere_never_crashes_the_replayer(at, length, put):
    data = whole().encode()
    at %= len(data)
    problems = verdict(data[:at] + put + data[at + length:], ["cpython"])
    assert not any("stopped in" in problem for problem in problems), problems


def test_reasons_are_spoken():
    assert spoken("Line 3: '1 roll' can't be replayed: engine.dice_count (2, 1) [MG-11]") == (
        "Line 3: '1 roll' can't be replayed: Expected 2 dice, got 1. (MG-11)")
    assert spoken("engine.no_such_reason (3)") == "engine.no_such_reason (3)"
