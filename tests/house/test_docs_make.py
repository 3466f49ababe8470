"""What `make` says when Python or the folder lacks something, and that it remakes what Ctrl-C left half made."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("python", "python3", "python3.11", "python3.12", "python3.13", "python3.14")

NO_VENV = """#!/bin/sh
case "$*" in *ensurepip*) exit 1;; esac
exit 0
"""
DOES_NOT_RUN = """#!/bin/sh
exit 1
"""
#: Acts like Python 3.9.2, as far as the Makefile asks.
TOO_OLD = f"""#!{sys.executable}
import sys
sys.version_info = (3, 9, 2, "final", 0)
code, sys.argv = sys.argv[2], sys.argv[2:]
exec(code)
"""
#: Makes environments of scripts that record what they are asked; answers only that it is new enough.
GOOD = """#!/bin/sh
[ "$1 $2" = "-m venv" ] || exit 0
echo "venv $3" >> "$LOG"
mkdir -p "$3/bin"
for name in python gridglow; do
    printf '#!/bin/sh\\necho "%s $*" >> "$LOG"\\n' $name > "$3/bin/$name"
    chmod +x "$3/bin/$name"
done
"""


@pytest.fixture
def make(tmp_path):
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)

    def run(target, python, names=NAMES, **more):
        programs = tmp_path / "programs"
        programs.mkdir(exist_ok=True)
        for name in NAMES:
            (programs / name).write_text(python if name in names else DOES_NOT_RUN)
            (programs / name).chmod(0o755)
        environment = {**os.environ, "PATH": os.pathsep.join([str(programs), os.environ["PATH"]]),
                       "LOG": str(tmp_path / "log"), **more}
        return subprocess.run(["make", target], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)

    return run


def said(result):
    return [line for line in result.stderr.splitlines() if not line.startswith("make")]


@pytest.mark.parametrize("target", ["play", "test", "setup"])
@pytest.mark.parametrize("python, remedy", [
    (NO_VENV, "apt-get install python3-venv"), (DOES_NOT_RUN, "Gridglow needs Python 3.11 or newer; name another"),
    (TOO_OLD, "Gridglow needs Python 3.11 or newer, and {programs}/python3 is Python 3.9.2; install a newer one"),
])
def test_what_is_missing_is_one_sentence_with_the_remedy(make, tmp_path, target, python, remedy):
    result = make(target, python)
    assert result.returncode != 0
    assert len(said(result)) == 1 and remedy.format(programs=tmp_path / "programs") in said(result)[0]
    assert not (tmp_path / ".venv").exists()


@pytest.mark.parametrize("name", ["python3.11", "python3.14"])
def test_a_python_of_any_name_is_found(make, tmp_path, name):
    result = make("play", GOOD, names=(name,))
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "log").read_text().splitlines()[0] == "venv .venv"


def log_of(tmp_path):
    """What was done since the last call."""
    log = tmp_path / "log"
    lines = log.read_text().splitlines() if log.exists() else []
    log.write_text("")
    return [line.replace(" --disable-pip-version-check --quiet", "") for line in lines]


def test_a_second_start_makes_nothing(make, tmp_path):
    assert make("play", GOOD).returncode == 0
    assert log_of(tmp_path) == ["venv .venv", "python -m pip install --editable .", "gridglow play"]
    assert make("play", DOES_NOT_RUN).returncode == 0, "it must not ask for a Python either"
    assert log_of(tmp_path) == ["gridglow play"]


def leave_no_pip(venv):
    """Ctrl-C while the environment was being made: the interpreter is there, pip isn't."""
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").write_text(DOES_NOT_RUN)
    (venv / "bin" / "python").chmod(0o755)


def leave_half(venv):
    """Ctrl-C while pip was installing: everything runs, and nobody knows what is missing."""
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").write_text("#!/bin/sh\n")
    (venv / "bin" / "python").chmod(0o755)
    (venv / "unfinished").touch()


def leave_no_python(venv):
    """The Python that it was made from is gone."""
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").symlink_to(venv / "gone")


@pytest.mark.parametrize("leave", [leave_no_pip, leave_half, leave_no_python])
@pytest.mark.parametrize("target", ["play", "setup"])
def test_an_environment_that_was_left_half_made_is_made_anew(make, tmp_path, leave, target):
    leave(tmp_path / ".venv")
    (tmp_path / ".venv" / "left").touch()
    result = make(target, GOOD)
    assert result.returncode == 0, result.stderr
    assert log_of(tmp_path)[:2] == ["venv .venv", "python -m pip install --editable ."]
    assert not (tmp_path / ".venv" / "left").exists() and not (tmp_path / ".venv" / "unfinished").exists()


def test_where_pip_fails_the_next_start_begins_anew(make, tmp_path):
    failing = GOOD.replace('echo "%s $*"', 'case "$*" in *install*) exit 1;; esac; echo "%s $*"')
    assert make("play", failing).returncode != 0
    assert (tmp_path / ".venv" / "unfinished").exists() and not (tmp_path / ".venv" / "ready-to-play").exists()
    log_of(tmp_path)
    assert make("play", GOOD).returncode == 0
    assert log_of(tmp_path) == ["venv .venv", "python -m pip install --editable .", "gridglow play"]


def test_a_folder_that_can_not_be_written_is_one_sentence(make, tmp_path):
    """The root user may write everywhere; nobody can write in a folder that doesn't exist."""
    where = tmp_path / "locked"
    if os.geteuid():
        where.mkdir(mode=0o500)
    result = make("play", GOOD, MAKEFLAGS=f"VENV={where / '.venv'}")
    assert result.returncode != 0
    assert len(said(result)) == 1 and f"{where}/.venv can't be written here" in said(result)[0]
    assert "make VENV=" in said(result)[0]
