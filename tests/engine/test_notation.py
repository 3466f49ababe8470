"""The notation of answers: every verb there and back, and everything that isn't an answer."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared_rules import notation
from shared_rules.errors import BadText

WORD = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=6).map(str.lower)
NUMBER = st.integers(0, 999999)
SPACE = st.tuples(st.integers(1, 999999), st.sampled_from("abcdefgh")).map(lambda pair: f"{pair[0]}{pair[1]}")


def words_of(form):
    if form == "none":
        return st.just([])
    if form == "number":
        return st.lists(NUMBER.map(str), max_size=1)
    if form == "space":
        return st.tuples(SPACE, st.lists(WORD | NUMBER.map(str), max_size=3)).map(lambda pair: [pair[0], *pair[1]])
    return st.lists(WORD | NUMBER.map(str), max_size=6)


VERBS = [(verb, form) for form, verbs in notation.VERBS for verb in verbs.split()]
ANSWER = st.sampled_from(VERBS).flatmap(
    lambda verb: st.tuples(st.just(verb[0]), words_of(verb[1])))


@settings(max_examples=300, deadline=None)
@given(ANSWER)
def test_every_answer_there_and_back(answer):
    verb, words = answer
    text = notation.canonical(notation.show(verb, words))
    assert notation.canonical(text) == text
    assert notation.show(*notation.parse(text)) == text
    assert text.split(" ")[0] == verb


@settings(max_examples=200, deadline=None)
@given(ANSWER, st.integers(1, 3), st.booleans())
def test_blanks_case_and_leading_zeros_do_not_matter(answer, blanks, upper):
    verb, words = answer
    text = notation.canonical(notation.show(verb, words))
    parts = ["0" + part if part.isdigit() and len(part) < 6 else part for part in text.split(" ")]
    typed = " " + (" " * blanks).join(parts) + " "
    if len(typed) <= notation.LONGEST:
        assert notation.canonical(typed.upper() if upper else typed) == text


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=100) | st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=100))
def test_any_text_is_an_answer_or_bad_text(text):
    try:
        verb, words = notation.parse(text)
    except BadText as error:
        assert str(error).startswith("Expected ") and str(error).endswith(".")
    else:
        assert notation.show(verb, words) == notation.canonical(notation.show(verb, words))


@pytest.mark.parametrize("text", [
    "", " ", "\t", "hop", "hop 3", "roll ٣ ٥", "flip ²", "go １２b", "roll 3\n5", "roll 3\u00a05",
    "roll 3\u20285", "go", "go b", "go 0b", "go 12",
    "go 12B2", "go 1234567a", "leave now", "ok 1", "pass pass", "undo x", "undo 1 2", "undo -1", "undo 1234567",
    "number 1.5", "number 1e3", "flip none\0", "röll", "roll " + "1 " * 60, "İ",
] + ["undo " + "9" * 75])
def test_what_is_no_answer(text):
    with pytest.raises(BadText) as caught:
        notation.parse(text)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("thing", [None, 3, b"roll 3", ["roll"], True, 1.5])
def test_what_is_no_text(thing):
    with pytest.raises(BadText, match="isn.t text"):
        notation.parse(thing)


def test_worked_examples():
    assert notation.canonical("  ROLL  03 5") == "roll 3 5"
    assert notation.canonical("go 012B") == "go 12b"
    assert notation.canonical("Go 12b COST 09") == "go 12b cost 9"
    assert notation.canonical("flip NONE") == "flip none"
    assert notation.space("12b") == (12, 2) and notation.space_name(12, 2) == "12b"
    assert notation.number("000007") == 7 and notation.number("1234567") is None and notation.number("") is None
