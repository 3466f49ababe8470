"""Commands of gridglow, called as people call them; their output is captured."""

from click.testing import CliRunner

from gridglow.cli.main import main


def call(*words, **more):
    """``gridglow WORDS``: exit code, output and errors."""
    return CliRunner().invoke(main, [str(word) for word in words], prog_name="gridglow", **more)


def call_alone(command, *words):
    """One command without its group, which turns exceptions into sentences: here ``exception`` has them."""
    return CliRunner().invoke(command, [str(word) for word in words])
