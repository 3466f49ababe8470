"""Commands whose output goes to a full disk, nowhere, or to a closed pipe; and users without a home folder."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from gridglow import paths
from gridglow.cli.main import COMMANDS, main
from gridglow.firmware.compiler import compile_mpy
from gridglow.seasons.database import opened

FULL = Path("/dev/full")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs Unix streams and users")

#: Some arguments for each command that make it end at once: with a result, a refusal, or a fault of its own.
WORDS = {
    "play": ["--headless", "--bots", "all", "--laps", "1", "--engine", "cpython", "--json"],
    "flash": ["--port", "/nonexistent"],
    "boards": ["--port", "/nonexistent", "--json"],
    "sync": ["--port", "/nonexistent"],
    "backup": ["--port", "/nonexistent"],
    "restore": ["/nonexistent", "--json"],
    "doctor": ["--port", "/nonexistent", "--json"],
    "walk": ["--port", "/nonexistent"],
    "test": ["--on", "cpython", "--game", "full_throttle", "--races", "0", "--sample", "50", "--json"],
    "watch": ["--port", "/nonexistent"],
    "cards": ["list", "--port", "/nonexistent"],
    "logs": ["--port", "/nonexistent"],
    "replay": ["/nonexistent", "--json"],
    "season": ["list", "--json"],
    "cheatsheet": ["full_throttle", "--out", os.devnull],
    "track": ["list"],
    "hardware": ["check", "mini", "--json"],
    "bench": ["--game", "none"],
    "torture": ["--only", "none"],
    "new-game": ["No-Good"],
    "emulate": ["--uf2", "/nonexistent"],
    "firmware": ["build", "--sources", "/nonexistent", "--json"],
}


HOMES = ("HOME", "GRIDGLOW_DATA", "GRIDGLOW_CACHE", "XDG_DATA_HOME", "XDG_CACHE_HOME")


def gridglow(*words, before=(), without=(), **streams):
    """Runs a command in its own process."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    env = {name: value for name, value in env.items() if name not in without}
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.run([*before, sys.executable, "-m", "gridglow", *words], env=env, text=True, timeout=280, **streams)


def sentences(result):
    """The lines of output, every one of them ours; a traceback isn't."""
    lines = result.stderr.splitlines()
    assert not [line for line in lines if "Traceback" in line or line.startswith((" ", "Exception"))], result.stderr
    return lines


def test_every_command_has_words_here():
    assert set(WORDS) == set(COMMANDS)


@pytest.mark.parametrize("command", WORDS)
def test_a_full_disk_is_told_in_a_sentence(command):
    with FULL.open("w") as full:
        result = gridglow(command, *WORDS[command], stdout=full)
    said = sentences(result)
    assert said
    if result.returncode == 0:
        assert command == "cheatsheet", "its file is its only result"
        return
    assert result.returncode in (1, 2)
    if "--json" in WORDS[command] or command == "track":
        assert said[-1] == ("gridglow: The results can't be written to standard output (No space left on device); make "
                            "room there, or send them elsewhere.")
    if command in ("restore", "replay"):
        assert len(said) == 2 and "/nonexistent" in said[0], "the command's own fault is reported too"


@pytest.mark.parametrize("words", [["track", "list"], ["track", "list", "--json"], ["--help"], ["season", "export", "-"]])
@pytest.mark.parametrize("buffered", ["", "1"])
def test_a_full_disk_with_and_without_a_buffer(words, buffered, monkeypatch):
    monkeypatch.setenv("PYTHONUNBUFFERED", buffered)
    with FULL.open("w") as full:
        result = gridglow(*words, stdout=full)
    assert len(sentences(result)) == 1
    assert result.returncode in (1, 2)


def closed(*numbers):
    """Closes these streams in the child before it starts."""
    def close():
        for number in numbers:
            os.close(number)
    return close


@pytest.mark.parametrize("words", [["track", "list", "--json"], ["--version"], ["season", "list"], ["boards", "--all"]])
def test_a_closed_output_is_told_before_anything_is_done(words):
    result = gridglow(*words, stdout=None, preexec_fn=closed(1))
    assert result.returncode == 1
    assert sentences(result) == ["gridglow: The results have nowhere to go, as standard output is closed; send them to "
                                 "a file, or to /dev/null."]


def test_with_no_stream_at_all_the_exit_code_is_left():
    result = gridglow("track", "list", stdin=None, stdout=None, stderr=None, preexec_fn=closed(0, 1, 2))
    assert result.returncode == 1


@pytest.mark.parametrize("numbers", [(0,), (2,), (0, 2)])
def test_without_input_and_talk_the_results_are_the_same(numbers):
    whole = gridglow("track", "list", "--json")
    result = gridglow("track", "list", "--json", preexec_fn=closed(*numbers))
    assert (result.returncode, result.stdout) == (0, whole.stdout)
    asked = gridglow("sync", "--port", "/nonexistent", preexec_fn=closed(*numbers))
    assert asked.returncode == 1


def test_talk_that_nobody_can_take_is_left_unsaid():
    with FULL.open("w") as full:
        result = gridglow("replay", "/nonexistent", "--json", stderr=full)
    assert result.returncode == 1 and "There is no file" in json.loads(result.stdout)["error"]


def test_letters_that_an_old_terminal_lacks_are_no_reason_to_break_off(monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    players = ["--player", "Łukasz", "--player", "Zoë"]
    words = ["season", "new", "Wyścig", "--game", "moto_grand_prix", "--track", "gp-ring", *players]
    result = subprocess.run([sys.executable, "-m", "gridglow", *words, "--json"], env=env, capture_output=True, timeout=280)
    assert result.returncode == 0, result.stderr
    assert [one["name"] for one in json.loads(result.stdout)["players"]] == ["Łukasz", "Zoë"]
    result = subprocess.run([sys.executable, "-m", "gridglow", "season", "show", "Wyścig"], env=env, capture_output=True,
                            timeout=280)
    assert result.returncode == 0 and "Zoë" in result.stdout.decode("latin-1"), result.stderr


# A user without a home folder

NOBODY = 54321
#: Runs a command as a user who may read whatever we may.
AS_NOBODY = ("unshare", "--user", f"--map-user={NOBODY}", f"--map-group={NOBODY}")


@pytest.fixture
def homeless(monkeypatch):
    """Acts like a user who has no HOME and no entry in the user list."""
    for name in HOMES:
        monkeypatch.delenv(name, raising=False)

    def nowhere(path):
        if str(path).startswith("~"):
            raise RuntimeError("Could not determine home directory.")
        return path

    monkeypatch.setattr(Path, "expanduser", nowhere)
    monkeypatch.setattr(Path, "home", lambda: nowhere("~"))


def test_without_a_home_there_is_nothing_of_ones_own(homeless):
    assert paths.own("tracks") == []
    with opened() as database:
        assert database.all() == []
    assert compile_mpy("glow/odd.py", b"a = 1\n")[:1] == b"M"


@pytest.mark.parametrize("place", [paths.data_folder, paths.cache_folder])
def test_what_is_written_wants_a_place(homeless, place):
    with pytest.raises(paths.NoHome, match="this user has no home folder; set HOME, or name a folder"):
        place()


@pytest.mark.parametrize("words", [
    ["track", "list"], ["track", "show", "gp-ring"], ["season", "list"], ["hardware", "check", "mini"],
    ["play", "--headless", "--bots", "all", "--laps", "1", "--engine", "cpython"],
])
def test_commands_that_keep_nothing_run_without_a_home(homeless, words):
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("words", [
    ["season", "new", "Winter", "--track", "gp-ring", "--player", "Anna", "--player", "Ben"],
    ["--data", "~/gridglow", "track", "list"], ["play", "--season", "Winter"],
])
def test_others_say_what_to_set(homeless, words):
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1
    assert "home folder" in result.stderr or "There is no season" in result.stderr


def can_be_nobody():
    """Whether this system lets us use another user number."""
    try:
        return not subprocess.run([*AS_NOBODY, "true"], capture_output=True, timeout=60).returncode
    except OSError:
        return False


@pytest.mark.parametrize("command", WORDS)
def test_a_user_in_no_list_gets_results_or_sentences(command, tmp_path):
    """As in a container that runs under an arbitrary number."""
    if not can_be_nobody():
        pytest.skip("unshare can't make a user here")
    result = gridglow(command, *WORDS[command], before=AS_NOBODY, without=HOMES, cwd=tmp_path)
    said = sentences(result)
    if result.returncode:
        assert said[-1].startswith("gridglow: "), result.stderr


def test_a_file_is_no_data_folder(tmp_path):
    file = tmp_path / "file"
    file.touch()
    result = CliRunner().invoke(main, ["--data", str(file), "track", "list"])
    assert result.exit_code == 1
    assert result.stderr == f"gridglow: Expected a folder with --data, {file} is a file; name the folder that it lies in.\n"
