"""The doctor's command and its bundle: what it prints, and what a fault report contains."""

import json
import zipfile
from pathlib import Path

import pytest
from app_talk import ScriptedPerson
from click.testing import CliRunner
from doctor_room import (
    found_of,
    home,  # noqa: F401
    panel_board,
)

from gridglow.cli import doctor as cli_doctor
from gridglow.device.doctor import bundle as doctor_bundle
from gridglow.device.doctor.rounds import all_steps
from shared_rules.errors import GridglowError


def command(monkeypatch, driver, *words, person=None, **more):
    monkeypatch.setattr(cli_doctor, "chosen", lambda board, port: found_of(driver, **more))
    monkeypatch.setattr(cli_doctor, "somebody", lambda: person)
    return CliRunner().invoke(cli_doctor.doctor, list(words))


def test_the_command_prints_each_step_and_a_verdict(root, monkeypatch):
    driver = panel_board(root)
    result = command(monkeypatch, driver, "--steps", "board, supply,flash")
    assert result.exit_code == 0 and [line.split()[:2] for line in result.stdout.splitlines()] == [
        ["ok", "board"], ["ok", "supply"], ["ok", "flash"]]
    assert "3 steps are fine." in result.stderr
    driver.hal.supply.mv = 0
    result = command(monkeypatch, driver, "--steps", "supply,flash")
    assert result.exit_code == 1 and "FAIL    supply" in result.stdout and "→ Switch the supply on" in result.stdout
    assert "1 of 2 steps failed; start with supply." in result.stderr


def test_json_asks_nobody_and_has_everything(root, monkeypatch):
    driver = panel_board(root)
    result = command(monkeypatch, driver, "--json", person=ScriptedPerson())
    told = json.loads(result.stdout)
    assert result.exit_code == 0 and told["ok"] and told["board"] == "Attic"
    assert [step["step"] for step in told["steps"]] == [step.name for step in all_steps()]
    assert set(told["steps"][0]) == {"step", "title", "state", "say", "next", "data"}
    driver.hal.supply.mv = 0
    told = json.loads(command(monkeypatch, driver, "--json").stdout)
    assert not told["ok"] and told["problems"][0].startswith("supply: There is no voltage")


def test_an_unknown_board_file_is_told_and_the_rest_is_examined(root, monkeypatch):
    result = command(monkeypatch, panel_board(root), "--steps", "flash,colours", board="atic")
    assert result.exit_code == 0 and "There is no board 'atic'" in result.stderr and "--board-file" in result.stderr
    result = command(monkeypatch, panel_board(root), "--board-file", "atic")
    assert isinstance(result.exception, GridglowError)


def test_the_bundle_has_what_a_report_needs_and_no_secrets(root, monkeypatch, tmp_path):
    driver = panel_board(root)
    plain = {"game": "moto_grand_prix", "track": "gp-ring", "laps": 1, "seed": "verysecretseed", "salt": "saltysalt",
             "players": [["person", "Annegret"], ["bot", "Bo"]]}
    assert driver.app.start_race(plain) == ""
    driver.run(12000)
    files = {"manifest.txt": b"gridglow manifest 1 fw=1\n", "crash": b"Traceback\nValueError: Annegret\n12 screen race\n"}
    race = {"game": "moto_grand_prix", "variant": "basic", "track": "gp-ring", "answers": 2, "seed": "verysecretseed"}
    more = {"files": files, "faults": ["A part has failed: Annegret."], "race": race}
    path = tmp_path / "report.zip"
    result = command(monkeypatch, driver, "--bundle", str(path), **more)
    assert result.exit_code == 1 and "start with board" in result.output, "a fault must be reported"
    with zipfile.ZipFile(path) as bundle:
        held = {name: bundle.read(name) for name in bundle.namelist()}
    assert set(held) == {"board.toml", "crash.txt", "doctor.json", "host.json", "info.json", "manifest.txt"}
    whole = b"".join(held.values())
    saved = b"".join(one.read_bytes() for one in (Path(root) / "save").iterdir())
    assert b"verysecretseed" in saved and b"Annegret" in saved, "the board's own saves have them"
    for secret in (b"verysecretseed", b"saltysalt", b"Annegret", b"Attic", str(Path.home()).encode() + b"/"):
        assert secret not in whole, secret
    assert b"(a player)" in held["crash.txt"] and json.loads(held["host.json"])["pyserial"]
    assert driver.app.state == "race", "it goes on"


def test_a_bundle_of_a_board_that_has_gone_has_what_was_found(root, monkeypatch, tmp_path):
    path = tmp_path / "report.zip"
    result = command(monkeypatch, panel_board(root), "--bundle", str(path), gone_after=3)
    assert result.exit_code == 1
    with zipfile.ZipFile(path) as bundle:
        assert set(bundle.namelist()) == {"board.toml", "doctor.json", "host.json", "info.json"}
        assert "disappeared while in use" in bundle.read("doctor.json").decode()


def test_a_bundle_that_can_not_be_written_is_told_before_anything_is_done(root, monkeypatch, tmp_path):
    result = command(monkeypatch, panel_board(root), "--bundle", str(tmp_path / "no" / "report.zip"))
    assert isinstance(result.exception, GridglowError) and "doesn't exist" in str(result.exception)
    with pytest.raises(GridglowError, match="can't be written"):
        doctor_bundle.write(tmp_path, {})
