"""The compliance kit can fail: every broken tiny game is caught by the check meant for it."""

import ast
from pathlib import Path

import compliance
import pytest
from tiny_games import broken, hidden_cards, reactions, roll_and_go

TEXTS = [Path(hidden_cards.__file__).parent / "en.toml"]

CAUGHT = [
    ("ForgetsAField", "save_and_load_at_every_step"),
    ("ForgetsAField", "resume_at_every_step"),
    ("ForgetsAField", "undo_to_the_start_and_forward_again"),
    ("SharesItsTokens", "clones_are_independent"),
    ("ShowsTheDeck", "hidden_draws_change_nothing_public"),
    ("ForgetsSecrecy", "hidden_draws_change_nothing_public"),
    ("ShowsTheCards", "hidden_choices_change_nothing_public"),
    ("LosesTokens", "the_inventory_is_conserved"),
    ("OffersTooMuch", "every_option_is_accepted"),
    ("NamesNoClause", "every_near_miss_is_refused"),
    ("LapsTooFar", "the_lap_stays_in_its_limits"),
    ("TwoWinners", "standings_rank_everybody_once"),
    ("OffTheTrack", "scenes_are_sound"),
    ("KeepsADict", "boundaries_are_plain_data"),
    ("StaysAfterLeaving", "everybody_may_leave_at_any_time"),
    ("ReshufflesTheOthers", "the_others_keep_their_order"),
    ("RemembersTheLastRace", "a_second_race_starts_clean"),
    ("RemembersTheLastRace", "one_seed_is_one_race"),
    ("HashesWords", "hashing_makes_no_difference"),
    ("TrustsSorting", "both_interpreters_agree"),
    ("HasIllegalBots", "bots_are_legal_everywhere"),
    ("LacksAText", "every_text_is_there"),
    ("LacksAnArgument", "every_text_is_there"),
    ("AsksASeatTwice", "prompts_are_well_formed"),
    ("IgnoresTheSeed", "another_seed_is_another_race"),
    ("LooksChangeIt", "whoever_looks_changes_nothing"),
    ("NeverEnds", "random_play_ends"),
]


def subject_of(name):
    game_class = getattr(broken, name)
    parent = hidden_cards if issubclass(game_class, hidden_cards.Game) else reactions
    return compliance.subject_of_class(game_class, parent.CLAUSES, TEXTS)


@pytest.mark.parametrize("name, check", CAUGHT)
def test_a_mistake_is_caught(name, check, monkeypatch):
    monkeypatch.setattr("shared_rules.proof.MOST_ANSWERS", 1500)
    wanted = [one for one in compliance.CHECKS if one.__name__ == "check_" + check]
    with pytest.raises(Exception) as caught:
        wanted[0](subject_of(name))
    print(caught.value)
    # A mistake in the kit itself would prove nothing.
    assert caught.type not in (NameError, AttributeError, ImportError), caught.value


@pytest.mark.parametrize("most", [1, 5, 12, 20, 40])
def test_places_of_every_question_are_looked_at(most):
    subject = compliance.subject_of_class(roll_and_go.Game, roll_and_go.CLAUSES, TEXTS)
    for played in subject.playthroughs():
        some = played.some_steps(most)
        asked = [step.prompt.ask for step in some]
        assert min(asked.count(ask) for ask in ("tiny_roll_and_go.ask_roll", "tiny_roll_and_go.ask_go")) >= 3
        assert some[-1] is played.steps[-1] and [step.lines for step in some] == sorted({step.lines for step in some})


def test_every_assertion_of_the_kit_says_a_sentence():
    for path in sorted(Path(compliance.__file__).parent.glob("compliance*.py")):
        bare = [node.lineno for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Assert)
                and not (isinstance(node.msg, ast.Constant | ast.JoinedStr) and " " in ast.unparse(node.msg))]
        assert bare == [], f"{path.name}, lines {bare}: an assertion must say in words what is wrong"


def test_there_are_checks_enough_and_all_are_run():
    assert len(compliance.CHECKS) >= 20
    suite = compliance.suite("moto_grand_prix")
    assert len([name for name in vars(suite) if name.startswith("test_")]) == len(compliance.CHECKS)
    assert all(vars(suite)["test_" + check.__name__[6:]].__doc__ for check in compliance.CHECKS)


def test_what_is_missing_fails_and_does_not_skip(monkeypatch, tmp_path):
    import compliance_same
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(AssertionError, match="there is no micropython"):
        compliance_same._program("micropython")
