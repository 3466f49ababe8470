"""``gridglow``: the group of all commands, and the one place that handles their errors."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path

import click

from gridglow import __version__, paths
from gridglow.cli import output, signals
from gridglow.cli.common import FAULT, INTERRUPTED, report, say
from shared_rules.errors import GridglowError

# Command: (module, name in it, one line of help). A module is loaded when its command is called. The workshop's commands
# are for work on Gridglow itself: a checkout has them, an installed package hasn't.
WORKSHOP = "gridglow_workshop."
COMMANDS = {
    "play": ("gridglow.cli.play", "play", "Play a race on the virtual board, in the browser."),
    "flash": ("gridglow.cli.flash", "flash", "Turn a Pico into a board, whatever runs on it."),
    "boards": ("gridglow.cli.boards", "boards", "List the connected boards, and what's wrong with them."),
    "sync": ("gridglow.cli.sync", "sync", "Bring a connected board up to date."),
    "backup": ("gridglow.cli.backup", "backup", "Back up a board's saves to a file."),
    "restore": ("gridglow.cli.backup", "restore", "Put a backup's saves back on a board."),
    "doctor": ("gridglow.cli.doctor", "doctor", "Examine a board, part by part."),
    "walk": ("gridglow.cli.walk", "walk", "Find out which LED is under which space."),
    "test": ("gridglow.cli.test", "test", "Prove the rules on CPython and MicroPython."),
    "watch": ("gridglow.cli.watch", "watch", "Watch the race on a real board in the browser."),
    "cards": ("gridglow.cli.cards", "cards", "List, name, learn and forget the cards that a board knows."),
    "logs": ("gridglow.cli.logs", "logs", "Show a board's race, its faults and its crash box."),
    "replay": ("gridglow.cli.replay", "replay", "Check a race's journal, line by line."),
    "season": ("gridglow.cli.season", "season", "Keep a championship of several races."),
    "cheatsheet": ("gridglow.cli.cheatsheet", "cheatsheet", "Write a page to print for a game: turn, lights, keys."),
    "track": ("gridglow.cli.track", "track_group", "Check, show and list race tracks."),
    "hardware": ("gridglow.cli.hardware", "hardware_group", "Make drawings, parts lists and prints for a board."),
    "bench": ("gridglow_workshop.commands.bench", "bench", "Measure speed and memory."),
    "torture": ("gridglow_workshop.commands.torture", "torture",
                "Try to break what a table relies on: saves, faults, lights."),
    "new-game": ("gridglow_workshop.commands.new_game", "new_game", "Write the skeleton of a game, playable at once."),
    "emulate": ("gridglow.cli.emulate", "emulate", "Offer an emulated board on a serial port."),
    "firmware": ("gridglow.cli.firmware", "firmware_group", "Build the UF2 file that turns a Pico into a board."),
}


class Commands(click.Group):
    """Loads commands when they're called, and turns every error into sentences and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in COMMANDS if not _is_missing(name)]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        if _is_missing(name):
            return _missing(name)
        module, attribute, _ = COMMANDS[name]
        return getattr(importlib.import_module(module), attribute)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][2]) for name in self.list_commands(ctx)])

    def main(self, args=None, prog_name=None, complete_var=None, standalone_mode=True, **extra):
        words = list(sys.argv[1:] if args is None else args)
        if not standalone_mode:
            return super().main(words, prog_name, complete_var, standalone_mode=False, **extra)
        sys.exit(self._run(words, prog_name or "gridglow", complete_var, extra))

    def _run(self, words: list[str], prog_name: str, complete_var, extra: dict) -> int:
        with signals.caught(), output.told() as is_open:
            try:
                if not is_open:
                    raise output.OutputFault(output.NOWHERE)
                return self._command(words, prog_name, complete_var, extra)
            except BrokenPipeError:  # the reader of our output has gone: write no more
                return FAULT
            except output.OutputFault as error:
                say(f"gridglow: {error}")
                return FAULT

    def _command(self, words: list[str], prog_name: str, complete_var, extra: dict) -> int:
        as_json = "--json" in words
        try:
            code = super().main(words, prog_name, complete_var, standalone_mode=False, **extra)
            sys.stdout.flush()
            return code if isinstance(code, int) else 0
        except (KeyboardInterrupt, click.Abort):
            report(GridglowError("Stopped by Ctrl-C."), as_json)
            return INTERRUPTED
        except signals.Ended as ended:
            report(GridglowError(ended.say), as_json)
            return ended.code
        except (click.ClickException, GridglowError, OSError) as error:
            return report(error, as_json)


def _is_missing(name: str) -> bool:
    """Whether a command belongs to the workshop, and this is no checkout."""
    return COMMANDS[name][0].startswith(WORKSHOP) and importlib.util.find_spec(WORKSHOP.rstrip(".")) is None


def _missing(name: str) -> click.Command:
    """A stand-in for a missing workshop command: whatever its options, it says how to get the command."""
    @click.command(name, add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
    def missing() -> None:
        raise GridglowError(f"gridglow {name} is for work on Gridglow itself, and the installed package has no tools for "
                            f"that; clone the repository, run make setup in it, and call .venv/bin/gridglow {name} there.")

    return missing


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="gridglow")
@click.option("--data", metavar="DIR", type=click.Path(path_type=Path),
              help="The folder with your own tracks and boards, instead of the usual one.")
def main(data: Path | None) -> None:
    """Gridglow referees a racing board game on a lit-up board, real or in the browser.

    Start with "gridglow play": it prints an address; open it and set up a race.
    """
    paths.choose_data_folder(data)
