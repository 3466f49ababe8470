"""``gridglow test``: its JSON, what it prints, and that no error gets past it."""

import json

import pytest
from commands import call
from spec_text import GOOD

from gridglow.races.spec import load_games

KEYS = ["clauses", "covered", "table", "vectors", "failed", "races", "equal"]
FAILING = GOOD.replace('offers = ["flip none"]', 'offers = ["flip 7"]')


def test_the_json(micropython):
    result = call("test", "--game", "moto_grand_prix", "--races", "2", "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert list(found) == ["on", "games"]
    assert found["on"] == ["cpython", "micropython"]
    game = found["games"]["moto_grand_prix"]
    assert list(game) == KEYS
    assert all(type(value) is int for value in game.values())
    assert game["covered"] + game["table"] == game["clauses"]
    assert (game["failed"], game["races"], game["equal"]) == (0, 6, 6)  # two for each variant
    assert game["vectors"] == len(load_games()["moto_grand_prix"].vectors)


def test_one_interpreter_and_one_game():
    result = call("test", "--on", "cpython", "--game", "moto_grand_prix", "--races", "0")
    assert result.exit_code == 0
    head, row = result.stdout.splitlines()
    assert row.split()[:2] == ["moto_grand_prix", "cpython"]
    assert result.stderr.splitlines()[-1] == "Nothing failed."


def test_a_failing_vector_is_named_and_counted_on_each_interpreter(tmp_path, micropython):
    (tmp_path / "mine.toml").write_text(FAILING)
    whole = len(load_games()["moto_grand_prix"].vectors)
    result = call("test", "--game", "moto_grand_prix", "--races", "0", "--vectors", tmp_path, "--json")
    assert result.exit_code == 1
    game = json.loads(result.stdout)["games"]["moto_grand_prix"]
    assert (game["vectors"], game["failed"]) == (whole + 1, 2)
    assert result.stderr.splitlines() == [
        f"{tmp_path / 'mine.toml'}:4: mine.first on cpython and micropython: Step 1: expected 'flip 7' among the "
        "options, got flip none, flip 1, flip 2, flip 1 2"
    ]


def test_a_vector_that_can_not_be_set_up_fails(tmp_path):
    (tmp_path / "mine.toml").write_text(GOOD.replace("1 1a 1", "9 1a 1"))
    result = call("test", "--on", "cpython", "--game", "moto_grand_prix", "--races", "0", "--vectors", tmp_path)
    assert result.exit_code == 1
    assert "mine.first on cpython: The arranged state can't be put up" in result.stderr


@pytest.mark.parametrize("text, said", [
    (GOOD.replace("MG-11", "MG-999"), "There is no clause 'MG-999'"),
    (GOOD + '\n[[clause]]\nid = "X-1"\ntext = "x"\nkind = "rule"\n', "The clause X-1 has no vector"),
])
def test_what_is_wrong_with_the_whole_fails_too(tmp_path, text, said):
    (tmp_path / "mine.toml").write_text(text)
    result = call("test", "--on", "cpython", "--game", "moto_grand_prix", "--races", "0", "--vectors", tmp_path, "--json")
    assert result.exit_code == 1
    assert said in result.stderr
    assert json.loads(result.stdout)["games"]["moto_grand_prix"]["failed"] == 0


def test_files_that_can_not_be_read_are_told_all_at_once(tmp_path):
    (tmp_path / "a.toml").write_text(GOOD.replace("steps", "stebs"))
    (tmp_path / "b.toml").write_text("game = ")
    result = call("test", "--on", "cpython", "--vectors", tmp_path, "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)["problems"]
    assert any("a.toml:9: vector 1 stebs: There is no key 'stebs' here; did you mean 'steps'?" in one for one in told)
    assert any("b.toml:1: This is not TOML" in one for one in told)


def test_a_vector_on_an_unknown_track(tmp_path):
    (tmp_path / "a.toml").write_text(GOOD.replace('layout = "S8 R4d1 S6 L4d2 S6"', 'track = "gp-rink"'))
    result = call("test", "--on", "cpython", "--vectors", tmp_path)
    assert result.exit_code == 1
    assert "a.toml:4: mine.first track: There is no track 'gp-rink'; did you mean 'gp-ring'?" in result.stderr


@pytest.mark.parametrize("words, said", [
    (["--game", "moto"], "There is no game 'moto'"),
    (["--vectors", "no-such-folder"], "no-such-folder doesn't exist"),
])
def test_words_that_name_nothing(words, said):
    result = call("test", *words)
    assert result.exit_code == 1
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_no_micropython_fails(monkeypatch, tmp_path):
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    result = call("test", "--on", "micropython", "--races", "0")
    assert result.exit_code == 1
    assert "MicroPython was not found" in result.stderr
