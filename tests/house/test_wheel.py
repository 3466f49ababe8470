"""The wheel: it contains everything, and the installed command works away from the checkout."""

import json
import os
import shutil
import site
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from gridglow.device.firmware_file import id_of_here

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("firmware", "hardware", "hatch_build.py", "host", "shared_rules", "pyproject.toml", "README.md", "CHANGELOG.md",
          "LICENSE")
PROGRAM = ("gridglow-rp2040.uf2", "gridglow-rp2040.txt")


def run(*command, **more):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, **more)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of a copy of this checkout, built without the network."""
    copy = tmp_path_factory.mktemp("source")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, copy / name)
    (copy / "build").mkdir()                       # as after make uf2
    for name in PROGRAM:
        (copy / "build" / name).write_bytes(b"a program")
    (copy / "build" / "notes.txt").write_bytes(b"")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir",
        copy / "dist", copy)
    (found,) = (copy / "dist").glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """(folder of programs, environment) of a new environment with the wheel; its dependencies are borrowed from ours."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home / "venv", with_pip=True, symlinks=os.name == "posix")
    programs = home / "venv" / ("Scripts" if os.name == "nt" else "bin")
    python = programs / "python"
    run(python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel)
    (packages,) = json.loads(run(python, "-c", "import json, sysconfig; print(json.dumps([sysconfig.get_path('purelib')]))"))
    ours = [path for path in site.getsitepackages() if path.endswith("site-packages")]
    (Path(packages) / "borrowed.pth").write_text("\n".join(ours))  # no .pth in there is followed: not even our own
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    environment["PATH"] = os.pathsep.join([str(programs), environment["PATH"]])
    return programs, environment


def test_it_carries_firmware_rules_tracks_texts_boards_and_page(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    expected = {
        "gridglow/_bundle/firmware/main.py", "gridglow/_bundle/firmware/glow/app.py",
        "gridglow/_bundle/firmware/hal/virtual.py", "gridglow/_bundle/boards/full.toml",
        "gridglow/_bundle/boards/mini.toml", "gridglow/virtual/page/index.html", "gridglow/cli/__init__.py",
        "shared_rules/race.py", "shared_rules/tracks/moto_grand_prix/gp-ring.toml",
        "shared_rules/spec/moto_grand_prix.toml", "shared_rules/text/en.toml",
        *(f"gridglow/_bundle/{name}" for name in PROGRAM),
    }
    assert expected <= names and "gridglow/_bundle/notes.txt" not in names
    for folder, inside in (("firmware", "gridglow/_bundle/firmware"), ("host/gridglow", "gridglow"),
                           ("shared_rules", "shared_rules")):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and path.suffix in (".py", ".toml", ".js", ".css", ".html", ".svg"):
                assert f"{inside}/{path.relative_to(ROOT / folder).as_posix()}" in names
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == {"gridglow", "shared_rules"}
    assert not [name for name in names if "__pycache__" in name or name.startswith("tests")]
    assert (ROOT / "host" / "gridglow_workshop").is_dir() and not [name for name in names if "workshop" in name]


def test_the_installed_command_is_the_wheels(installed, tmp_path):
    programs, environment = installed
    where = run(programs / "python", "-c", "import gridglow, shared_rules; print(gridglow.__file__, shared_rules.__file__)",
                cwd=tmp_path, env=environment)
    assert str(ROOT) not in where
    assert "moto_grand_prix" in run(programs / "gridglow", "track", "list", cwd=tmp_path, env=environment)
    told = json.loads(run(programs / "gridglow", "hardware", "check", "mini", "--json", cwd=tmp_path, env=environment))
    assert told["ok"] and str(ROOT) not in told["file"]


@pytest.mark.parametrize("words", [["torture", "--quick"], ["bench", "--bots", "--duels", "2"], ["torture", "--help"]])
def test_a_command_of_the_workshop_says_that_it_needs_the_checkout(installed, tmp_path, words):
    programs, environment = installed
    found = subprocess.run([programs / "gridglow", *words], capture_output=True, text=True, timeout=300, check=False,
                           cwd=tmp_path, env=environment)
    say = (f"gridglow {words[0]} is for work on Gridglow itself, and the installed package has no tools for that; clone the "
           f"repository, run make setup in it, and call .venv/bin/gridglow {words[0]} there.")
    assert (found.returncode, found.stdout, found.stderr) == (1, "", f"gridglow: {say}\n")


def test_help_lists_the_commands_that_there_are(installed, tmp_path):
    programs, environment = installed
    names = {line.split()[0] for line in run(programs / "gridglow", "--help", cwd=tmp_path, env=environment).splitlines()
             if line.startswith("  ")}
    assert {"play", "flash", "test", "emulate"} <= names and not {"bench", "torture"} & names


def test_a_program_that_was_built_in_the_checkout_is_that_of_the_installed_command(installed, tmp_path):
    programs, environment = installed
    said = run(programs / "python", "-c", "from gridglow.device import firmware_file as f; print(f.id_of_here('rp2040'))",
               cwd=tmp_path, env=environment)
    assert said.strip() == id_of_here("rp2040")


@pytest.mark.parametrize("engine", ["micropython", "cpython"])
def test_a_race_is_run_away_from_the_checkout(installed, tmp_path, engine):
    programs, environment = installed
    race = ["play", "--headless", "--bots", "all", "--seats", "2", "--laps", "1", "--seed", "wheel", "--json"]
    told = json.loads(run(programs / "gridglow", *race, "--engine", engine, cwd=tmp_path, env=environment))
    assert [row["place"] for row in told["standings"]] == [1, 2]
