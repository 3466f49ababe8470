"""``gridglow new-game``: the new game plays at once and passes every gate, with no line outside its own files."""


import json

import pytest
from click.testing import CliRunner
from new_game_copy import GAME, IMAGE, copy_with_a_game

from gridglow import paths
from gridglow.cli.main import main
from gridglow_workshop.commands import new_game
from shared_rules import games

#: Checks of the kit that play on CPython only; a new game's own test starts by running the whole kit.
QUICK = ("test_every_text_is_there or test_every_near_miss_is_refused or test_corrections_keep_what_stays_legal or "
         "test_everybody_may_leave_at_any_time or test_journals_replay")


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    return copy_with_a_game(tmp_path_factory.mktemp("checkout"))


def test_it_writes_files_of_its_own_and_changes_no_other(copy):
    new = {path for path in copy.root.rglob("*") if path.is_file()} - set(copy.texts)
    assert {path.relative_to(copy.root).as_posix() for path in new} == set(copy.written.split("\n\n")[0].split("\n"))
    assert len(new) == 15 and all(GAME in path.as_posix() for path in new)
    assert all(path.read_bytes() == text for path, text in copy.texts.items())


def test_it_passes_the_gates(copy):
    ours = [f"shared_rules/games/{GAME}", f"tests/compliance/test_{GAME}.py"]
    copy("-m", "ruff", "check", "--no-cache", *ours)
    copy("tools/subset_lint.py", ours[0])
    told = copy("-m", "gridglow", "test", "--game", GAME, "--races", "1")
    assert "2 of 2" in told and told.count("1 of 1") >= 2
    track = f"shared_rules/tracks/{GAME}/{new_game.track_of(GAME)}.toml"
    assert "no errors" in copy("-m", "gridglow", "track", "check", track)
    copy("-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", ours[1], "-k", QUICK)


def test_a_board_gets_it_as_changed_modules(copy):
    """All other modules are the ones frozen into a board."""
    (names, before), (more, after) = json.loads(copy.before), json.loads(copy("-c", IMAGE))
    assert [name for name in more if name != GAME] == names == list(games.NAMES) and GAME in more
    changed = {name for name in after if before.get(name) != after[name]}
    modules = ("__init__", "about", "about_why", "bots", "rules", "spec_view")
    assert changed == {"shared_rules/games/__init__.py", *(f"shared_rules/games/{GAME}/{one}.py" for one in modules)}


@pytest.mark.parametrize("words, said", [
    (["My-Race"], "Expected an id of at most 20 small letters, digits and _, such as my_race, got 'My-Race'."),
    (["full_throttle"], "shared_rules/games/full_throttle already exists; choose another id, or remove the old game's "
                        "files."),
    (["my_race", "--name", 'My "Race"'], "Expected a name that begins with a letter or digit and has no quotes, braces or "
                                         "backslashes, got 'My \"Race\"'."),
])
def test_what_is_no_good_is_told_and_nothing_is_written(words, said, monkeypatch, tmp_path):
    (tmp_path / "shared_rules" / "games" / "full_throttle").mkdir(parents=True)
    monkeypatch.setattr(paths, "CHECKOUT", tmp_path)
    result = CliRunner().invoke(main, ["new-game", *words])
    assert result.exit_code != 0 and said in result.stderr
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
