"""The group of all commands: help, errors as sentences, one JSON object, exit codes."""

import json
import os
import subprocess
import sys

import pytest
from commands import call

from gridglow import __version__
from gridglow.cli import common
from gridglow.cli.main import COMMANDS


def test_help_names_every_command():
    result = call("--help")
    assert result.exit_code == 0
    for name in COMMANDS:
        assert f"  {name} " in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name):
    result = call(name, "--help")
    assert result.exit_code == 0
    assert f"gridglow {name}" in result.stdout
    for line in result.stdout.splitlines():
        assert len(line) <= 80


@pytest.mark.parametrize("words", [[], ["track"]])
def test_a_group_alone_shows_its_help(words):
    result = call(*words)
    assert result.exit_code == 2
    assert "Commands:" in result.stderr.splitlines()


def test_version():
    assert call("--version").stdout == f"gridglow, version {__version__}\n"


@pytest.mark.parametrize("words, said", [
    (["plai"], "No such command 'plai'"),
    (["--dta", "x"], "No such option '--dta'"),
    (["play", "--lap", "3"], "No such option '--lap'"),
    (["play", "--laps"], "Option '--laps' requires an argument"),
    (["play", "--laps", "many"], "'many' is not a valid integer"),
    (["replay"], "Missing argument 'FILE'"),
    (["test", "--races", "-1"], "-1 is not in the range"),
    (["test", "--on", "pypy"], "Expected interpreters of cpython, micropython, serial, separated by commas, got 'pypy'"),
    (["bench", "--frames", "0"], "0 is not in the range"),
])
@pytest.mark.parametrize("json_", [False, True])
def test_usage_errors(words, said, json_):
    if json_:
        words = [words[0], "--json", *words[1:]]
    result = call(*words)
    assert result.exit_code == 2
    lines = result.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("gridglow: ")
    assert said in lines[0]
    assert lines[0].endswith("--help.")
    if json_:
        told = json.loads(result.stdout)
        assert said in told["error"]
        assert told["problems"] == [told["error"]]
    else:
        assert result.stdout == ""


def test_ctrl_c_ends_without_a_traceback(monkeypatch):
    def pressed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("gridglow.cli.replay.read_journal", pressed)
    result = call("replay", "-", input="x")
    assert result.exit_code == 130
    assert result.stderr.strip() == "gridglow: Stopped by Ctrl-C."


def test_a_fault_of_the_system_is_a_sentence(monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device", "race.txt")

    monkeypatch.setattr("gridglow.cli.replay.read_journal", full)
    result = call("replay", "-", "--json", input="x")
    assert result.exit_code == 1
    said = "race.txt can't be used: No space left on device."
    assert json.loads(result.stdout) == {"error": said, "problems": [said]}


def test_tables_are_plain_columns_away_from_a_terminal(capsys):
    common.print_table(["WHO", "POINTS"], [["Ann", 25], ["Bo [b]", 4]])
    assert capsys.readouterr().out == "WHO     POINTS\nAnn         25\nBo [b]       4\n"


def test_tables_are_ruled_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    common.print_table(["WHO", "POINTS"], [["Ann", 25], ["Bo [b]", 4]])
    out = capsys.readouterr().out
    assert "Bo [b]" in out
    assert "━" in out


@pytest.mark.parametrize("module", ["gridglow", "gridglow.cli"])
def test_as_a_module(module):
    result = subprocess.run([sys.executable, "-m", module, "--version"], capture_output=True, text=True, check=True,
                            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert result.stdout == f"gridglow, version {__version__}\n"


def test_output_that_nobody_reads_is_no_fault():
    command = [sys.executable, "-m", "gridglow", "track", "list"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    child.stdout.close()
    assert child.stderr.read() == b""
    child.stderr.close()
    child.wait()


def test_data_folder_of_the_command_line(tmp_path):
    (tmp_path / "boards").mkdir()
    result = call("--data", tmp_path, "track", "list", "--json")
    assert result.exit_code == 0
    from gridglow import paths
    assert paths.data_folder() == tmp_path
    call("track", "list")
    assert paths.data_folder() != tmp_path
