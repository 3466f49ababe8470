"""``gridglow play``: a race on the virtual board."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from gridglow.boards.boardfile import load_board
from gridglow.cli.common import json_option, print_json, print_standings, say, standings_json
from gridglow.races.journal_files import check_journal_file, write_journal
from gridglow.races.startup import DEFAULT_GAME, RaceStart, race_setup
from gridglow.virtual.bot_races import choose_engine, run_bots

# With any of these, the race is set up at once; otherwise the board shows its menu.
RACE_WORDS = ("game", "variant", "track", "laps", "seats", "bots", "seed", "dice", "decks", "options")

# What may differ between the races of a season.
OF_AN_EVENING = ("seed", "dice", "decks")


class BotCount(click.ParamType):
    """A number of seats, or "all"."""

    name = "N|all"

    def convert(self, value, param, ctx):
        if value == "all" or isinstance(value, int):
            return value
        if value.isascii() and value.isdigit() and len(value) < 4:
            return int(value)
        self.fail(f"Expected the number of bots, or all, got {value!r}.", param, ctx)


SOURCES = click.Choice(["device", "table"])


@click.command()
@click.option("--game", metavar="GAME", help=f"The game. Default: the track's, or {DEFAULT_GAME}.")
@click.option("--variant", metavar="VARIANT", help="The variant, such as basic. Default: the game's first.")
@click.option("--track", metavar="ID", help='The track; "gridglow track list" names them. Default: the first.')
@click.option("--laps", metavar="N", type=int, help="Laps to race, 1 to 99. Default: what the track suggests.")
@click.option("--seats", metavar="N", type=int, help="Number of players. Default: the game's fewest.")
@click.option("--bots", metavar="N|all", type=BotCount(), default=0,
              help="How many of them are bots, counted from the last seat; or all.")
@click.option("--seed", metavar="S", help="The seed of the dice: same seed, same race. Default: a new one.")
@click.option("--engine", type=click.Choice(["micropython", "cpython", "pico"]),
              help="What the firmware runs on; pico emulates a board, slowly. Default: micropython where it is installed.")
@click.option("--uf2", metavar="FILE", type=click.Path(path_type=Path),
              help="What --engine pico runs instead of build/gridglow-rp2040.uf2.")
@click.option("--board-file", metavar="BOARD", default="full", show_default=True,
              help="The board: full, mini, mini-direct, or the name of a board file of your own.")
@click.option("--dice", type=SOURCES, default="device", show_default=True, help="Who rolls: the board, or real dice.")
@click.option("--decks", type=SOURCES, default="device", show_default=True, help="Who deals: the board, or real cards.")
@click.option("--option", "options", metavar="KEY=VALUE", multiple=True,
              help="An option of the game, such as bikes=2; can be repeated.")
@click.option("--season", metavar="NAME",
              help='Play the next race of this season, set up by "gridglow season new".')
@click.option("--port", metavar="N", type=click.IntRange(0, 65535),
              help="The page's port. Default: the usual one, or any free one.")
@click.option("--lan", is_flag=True, help="Serve the local network too: a page per seat for phones, and one to watch.")
@click.option("--strip", metavar="neopixel:PIN",
              help="Also light a strip on this computer's own pins, such as neopixel:D18 on a Raspberry Pi.")
@click.option("--headless", is_flag=True, help="No page: run a whole race of bots (--bots all) at full speed.")
@click.option("--journal", metavar="FILE", type=click.Path(path_type=Path),
              help="Write the race's journal here at the podium. Never overwrites a file.")
@json_option
@click.pass_context
def play(ctx: click.Context, engine: str | None, uf2: Path | None, board_file: str, port: int | None, lan: bool,
         strip: str | None, headless: bool, journal: Path | None, as_json: bool, season: str | None, **words) -> None:
    """Play a race on the virtual board.

    The board's own firmware runs on this computer, and its lights, panels and display are a page in your browser.
    The command prints the address; the page works on this computer only, and until you press Ctrl-C. Without any options
    for the race, the board shows its menu, and you set up the race there. With --lan, phones and computers on your
    local network can watch, and each seat can be played on a page of its own: choose Seats on the page.

    \b
    gridglow play                                      the menu
    gridglow play --track gp-ring --seats 3 --bots 2   you against two bots
    gridglow play --bots all --seats 6                 watch six bots
    gridglow play --lan --seats 3 --bots 1             with phones
    gridglow play --headless --bots all --seed 7       only the result
    """
    given = [word for word in RACE_WORDS if ctx.get_parameter_source(word) is ParameterSource.COMMANDLINE]
    if season is not None:
        settled = [word for word in given if word not in OF_AN_EVENING]
        if settled:
            word = settled[0].rstrip("s") if settled[0] == "options" else settled[0]
            raise click.UsageError(f"--season already sets --{word}; leave it out.", ctx)
    elif headless and words["bots"] != "all" and words["bots"] != words["seats"]:
        raise click.UsageError("--headless needs --bots all: without a page nobody can answer for a person.", ctx)
    if headless and lan:
        raise click.UsageError("--headless has no page for --lan to serve; leave out one of them.", ctx)
    if headless and strip:
        raise click.UsageError("--headless shows no frames for --strip to light; leave out one of them.", ctx)
    if uf2 is not None and engine != "pico":
        raise click.UsageError("--uf2 is for --engine pico; leave it out, or name that engine.", ctx)
    if headless and engine == "pico":
        raise click.UsageError("--headless runs on a fake clock, which a Pico lacks; choose another --engine.", ctx)
    board = load_board(board_file)
    if season is not None:
        from gridglow.seasons.beginning import (
            next_race,  # loads the database, which only a season needs
        )

        start = next_race(season, board, words["seed"], words["dice"], words["decks"])
        if headless and any(kind != "bot" for kind, _ in start.setup.players):
            raise click.UsageError("--headless is for a season of bots: without a page nobody can answer for a "
                                   "person.", ctx)
    else:
        start = race_setup(**{**words, "options": list(words["options"])}, board=board)
    if journal is not None:
        check_journal_file(journal)
    engine, announced = choose_engine(engine)
    if announced:
        say(announced)
    if headless:
        _headless(start, board, engine, journal, as_json)
        return
    from gridglow.cli.page import (
        serve_board,  # loads the page's server, which only a page needs
    )

    serve_board(start if given or season is not None else None, board, engine, port, journal, as_json, lan, uf2, strip)


def _headless(start: RaceStart, board, engine: str, journal: Path | None, as_json: bool) -> None:
    finish = run_bots(start, board, engine)
    setup = start.setup
    if journal is not None:
        write_journal(journal, finish.journal)
    if as_json:
        print_json({
            "game": setup.game, "variant": setup.variant, "track": setup.track, "seed": finish.seed,
            "engine": finish.engine, "answers": finish.answers, "turns": finish.turns, "digest": finish.digest,
            "standings": standings_json(finish.standings),
        })
    else:
        print_standings(finish.standings, setup.players)
        laps = "1 lap" if setup.laps == 1 else f"{setup.laps} laps"
        say(f"{setup.game} {setup.variant} on {setup.track}, {laps}: {finish.answers} answers in "
            f"{finish.turns} turns on {finish.engine}; seed {finish.seed}, digest {finish.digest}.")
    if journal is not None:
        say(f"The journal is in {journal}.")
