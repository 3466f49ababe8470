"""The tiny games pass the compliance kit: together they exercise the whole engine."""

from pathlib import Path

import compliance
from tiny_games import hidden_cards, reactions, roll_and_go

TEXTS = [Path(hidden_cards.__file__).parent / "en.toml"]

TestHiddenCards = compliance.suite(
    lambda: compliance.subject_of_class(hidden_cards.Game, hidden_cards.CLAUSES, TEXTS))
TestReactions = compliance.suite(
    lambda: compliance.subject_of_class(reactions.Game, reactions.CLAUSES, TEXTS))
TestRollAndGo = compliance.suite(
    lambda: compliance.subject_of_class(roll_and_go.Game, roll_and_go.CLAUSES, TEXTS))
