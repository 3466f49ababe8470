"""``gridglow torture --quick``: a sample of each trial, and how the command reports the findings."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from gridglow.cli.main import main
from gridglow_workshop import torture
from gridglow_workshop.torture.trial import QUICK, Outcome
from shared_rules.errors import GridglowError


@pytest.mark.parametrize("name", torture.TRIALS)
def test_a_sample_of_the_trial_is_survived(name):
    said = []
    outcome = torture.trial(name).run(QUICK, 1, said.append)
    assert outcome.failures == []
    assert outcome.name == torture.trial(name).NAME == name
    assert outcome.survived == outcome.tried > 0 and not outcome.failed
    assert torture.trial(name).WHAT.endswith(".")
    assert all(fact.endswith(".") for fact in outcome.facts)


class Trial:
    """A trial with the result that the test wants."""

    WHAT = "Something holds."

    def __init__(self, result):
        self.result = result

    def run(self, amount, seed, say):
        if isinstance(self.result, Exception):
            raise self.result
        return Outcome(*self.result)


@pytest.fixture
def trials(monkeypatch):
    there = {}
    monkeypatch.setattr(torture, "trial", there.__getitem__)
    monkeypatch.setattr("gridglow_workshop.commands.torture.trial", there.__getitem__)
    monkeypatch.setattr("gridglow_workshop.commands.torture.TRIALS", ("cuts", "files"))
    there["cuts"] = Trial(("cuts", 3, 3, "power cuts", ["One race."]))
    there["files"] = Trial(("files", 2, 1, "files", [], ["Half a file lost the race (seed 1)."]))
    return there


def call(*words):
    return CliRunner().invoke(main, ["torture", *words])


def test_what_broke_is_told_and_the_exit_code_says_so(trials):
    found = call("--quick")
    assert found.exit_code == 1
    assert "Half a file lost the race (seed 1).\n" in found.stderr and "Something broke" in found.stderr
    assert [row.split() for row in found.stdout.splitlines()] == [
        ["TRIAL", "TRIED", "SURVIVED", "WHAT"], ["cuts", "3", "3", "power", "cuts"], ["files", "2", "1", "files"],
        ["cuts:", "One", "race."]]
    whole = call("--only", "cuts")
    assert whole.exit_code == 0 and "files" not in whole.stdout and "Nothing broke." in whole.stderr


def test_the_json(trials):
    found = json.loads(call("--json", "--seed", "4").stdout)
    assert (found["amount"], found["seed"], found["failed"]) == ("long", 4, True)
    assert found["trials"][0] == {"name": "cuts", "tried": 3, "survived": 3, "unit": "power cuts", "facts": ["One race."],
                                  "failures": []}


def test_a_trial_that_ends_early_or_tries_nothing_has_failed(trials):
    trials["cuts"].result = ValueError("no MicroPython")
    found = call("--quick", "--only", "cuts", "--seed", "5")
    assert found.exit_code == 1
    assert "The trial itself ended with ValueError: no MicroPython; run it again with: " in found.stderr
    assert ": gridglow torture --only cuts --seed 5 --quick." in found.stderr
    trials["cuts"].result = ("cuts", 0, 0, "power cuts")
    assert call("--only", "cuts").exit_code == 1


def test_a_name_that_is_no_trial(trials):
    found = call("--only", "cut")
    assert found.exit_code == 2 and "cuts" in found.stderr


def test_the_thousand_races_of_a_soak_wait_in_a_file_and_not_in_the_heap_of_a_board(monkeypatch):
    from gridglow_workshop.torture import soak

    jobs = []

    def run(script, job, heap_kb, root):
        jobs.append((len(json.dumps(job)), len(Path(job["races"]).read_text("utf-8").splitlines())))
        (Path(job["journals"]) / "races").write_text("", "utf-8")
        return {"presses": 0, "faults": 0, "resumed": 0, "failures": []}

    monkeypatch.setattr("gridglow_workshop.torture.child.run", run)
    monkeypatch.setattr(soak, "whole_image", lambda root: root)
    monkeypatch.setattr(soak, "setups", lambda count, *_: [[{"seed": "x" * 200}, "instant"]] * count)
    assert soak.run("long", 1, print).survived == 0
    assert jobs == [(jobs[0][0], 1002)] and jobs[0][0] < 1000


def test_what_a_script_found_is_read_though_it_has_told_of_errors_as_well(monkeypatch, tmp_path):
    from subprocess import CompletedProcess

    from gridglow.virtual import script
    from gridglow_workshop.torture import child

    ended = [CompletedProcess([], 0, b'word\n{"failures": ["x"]}\n', b"ValueError: y\n"),
             CompletedProcess([], 1, b"", b"why\n")]
    monkeypatch.setattr(script.subprocess, "run", lambda *_, **__: ended.pop(0))
    assert child.run("cut_races", {}, root=tmp_path) == {"failures": ["x"]}
    with pytest.raises(GridglowError, match="failed: why"):
        child.run("cut_races", {}, root=tmp_path)
