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

# Given any of these, the race is set up at once; else the board shows its menu.
RACE_WORDS = ("game", "variant", "track", "laps", "seats", "bots", "seed", "dice", "decks", "options")

# What may differ from one race of a season to the next.
OF_AN_EVENING = ("seed", "dice", "decks")


class BotCount(click.ParamType):
    """A number of seats, or "all"."""

    name = "N|all"

    def convert(self, value, param, ctx):
        if value == "all" or isinstance(value, int):
            return value
        if value.isascii() and value.isdigit() and len(value) < 4:
            return int(value)
        self.fail(f"Expected how many seats are bots, or all, got {value!r}.", param, ctx)


SOURCES = click.Choice(["device", "table"])


@click.command()
@click.option("--game", metavar="GAME", help=f"The game. Default: that of the track, or {DEFAULT_GAME}.")
@click.option("--variant", metavar="VARIANT", help="How it is played, such as basic. Default: the game's first.")
@click.option("--track", metavar="ID", help='The track; "gridglow track list" names them. Default: the first.')
@click.option("--laps", metavar="N", type=int, help="Laps to race, 1 to 99. Default: what the track suggests.")
@click.option("--seats", metavar="N", type=int, help="How many play. Default: the fewest that the game takes.")
@click.option("--bots", metavar="N|all", type=BotCount(), default=0,
              help="How many of them are bots, from the last seat on; or all.")
@click.option("--seed", metavar="S", help="Where the dice begin: the same seed, the same race. Default: a new one.")
@click.option("--engine", type=click.Choice(["micropython", "cpython", "pico"]),
              help="What the firmware runs on; pico emulates a board, slowly. Default: micropython where it is installed.")
@click.option("--uf2", metavar="FILE", type=click.Path(path_type=Path),
              help="What --engine pico runs, in place of build/gridglow-rp2040.uf2.")
@click.option("--board-file", metavar="BOARD", default="full", show_default=True,
              help="The board: full, mini, mini-direct, or the name of a board file of your own.")
@click.option("--dice", type=SOURCES, default="device", show_default=True, help="Who rolls: the board, or real dice.")
@click.option("--decks", type=SOURCES, default="device", show_default=True, help="Who deals: the board, or real cards.")
@click.option("--option", "options", metavar="KEY=VALUE", multiple=True,
              help="An option of the game, such as bikes=2; may be given several times.")
@click.option("--season", metavar="NAME",
              help='The next race of this season, set up by "gridglow season new".')
@click.option("--port", metavar="N", type=click.IntRange(0, 65535),
              help="The page's port. Default: the usual one, or any that is free.")
@click.option("--lan", is_flag=True, help="Serve the local network too: pages of seats for phones, and for who watches.")
@click.option("--strip", metavar="neopixel:PIN",
              help="Light a strip on this computer's own pins too, such as neopixel:D18 on a Raspberry Pi.")
@click.option("--headless", is_flag=True, help="No page: run a whole race of bots (--bots all), as fast as it goes.")
@click.option("--journal", metavar="FILE", type=click.Path(path_type=Path),
              help="Write the race's journal here at the podium. A file that exists is never overwritten.")
@json_option
@click.pass_context
def play(ctx: click.Context, engine: str | None, uf2: Path | None, board_file: str, port: int | None, lan: bool,
         strip: str | None, headless: bool, journal: Path | None, as_json: bool, season: str | None, **words) -> None:
    """Play a race on the virtual board.

    The board's own firmware runs on this computer, and its lights, panels and display are a page in your browser.
    The address is printed; the page is there for this computer only, and until you press Ctrl-C. Without any word
    about the race the board shows its menu, and you set the race up there. With --lan phones and computers of your
    local network may watch, and each seat can be played on a page of its own: choose Seats on the page.

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
            raise click.UsageError(f"--season settles --{settled[0].rstrip('s') if settled[0] == 'options' else settled[0]} "
                                   "already; leave it out.", ctx)
    elif headless and words["bots"] != "all" and words["bots"] != words["seats"]:
        raise click.UsageError("--headless needs --bots all: without a page nobody could answer for a person.", ctx)
    if headless and lan:
        raise click.UsageError("--headless has no page that --lan could serve; leave out one of them.", ctx)
    if headless and strip:
        raise click.UsageError("--headless shows no frames that --strip could light; leave out one of them.", ctx)
    if uf2 is not None and engine != "pico":
        raise click.UsageError("--uf2 is for --engine pico; leave it out, or name that engine.", ctx)
    if headless and engine == "pico":
        raise click.UsageError("--headless runs on a fake clock, which a Pico has not; take another --engine.", ctx)
    board = load_board(board_file)
    if season is not None:
        from gridglow.seasons.beginning import (
            next_race,  # with the database: a race that is of no season needs none
        )

        start = next_race(season, board, words["seed"], words["dice"], words["decks"])
        if headless and any(kind != "bot" for kind, _ in start.setup.players):
            raise click.UsageError("--headless is for a season of bots: without a page nobody could answer for a "
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
        serve_board,  # with the page's server, which no race without a page waits for
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
