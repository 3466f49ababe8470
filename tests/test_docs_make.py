"""What `make` says where Python lacks something, and that it does nothing then."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

NO_VENV = """#!/bin/sh
case "$*" in *ensurepip*) exit 1;; esac
exit 0
"""
TOO_OLD = """#!/bin/sh
exit 1
"""


@pytest.fixture
def make(tmp_path):
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)

    def run(target, python):
        programs = tmp_path / "programs"
        programs.mkdir(exist_ok=True)
        for name in ("python3", "python3.11", "python3.12", "python3.13"):
            (programs / name).write_text(python)
            (programs / name).chmod(0o755)
        environment = {**os.environ, "PATH": os.pathsep.join([str(programs), os.environ["PATH"]])}
        return subprocess.run(["make", target], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)

    return run


@pytest.mark.parametrize("target", ["play", "test", "setup"])
@pytest.mark.parametrize("python, remedy", [(NO_VENV, "apt-get install python3-venv"), (TOO_OLD, "Python 3.11 or newer")])
def test_what_is_missing_is_one_sentence_with_the_remedy(make, tmp_path, target, python, remedy):
    result = make(target, python)
    assert result.returncode != 0
    said = [line for line in result.stderr.splitlines() if not line.startswith("make")]
    assert len(said) == 1 and remedy in said[0]
    assert not (tmp_path / ".venv").exists()
