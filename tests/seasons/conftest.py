"""What tests of seasons share: the command with its own data folder."""

import pytest
from click.testing import CliRunner

from gridglow import paths
from gridglow.cli.main import main


@pytest.fixture
def call(tmp_path, monkeypatch, capfd):
    """A function that runs the command: (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)

    def run(*words, data=None):
        if data is not None:
            result = CliRunner().invoke(main, ["--data", str(tmp_path / "data"), *words], input=data)
            return result.exit_code, result.stdout, result.stderr
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(["--data", str(tmp_path / "data"), *words])
        out, err = capfd.readouterr()
        return ended.value.code or 0, out, err

    yield run
    paths.choose_data_folder(None)
