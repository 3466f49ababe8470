"""``gridglow season``: a championship of several races, fed by their journals."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import click

from gridglow.cli.board_options import board_options, chosen
from gridglow.cli.common import Failed, json_option, print_json, print_table, say
from gridglow.cli.sync import agree_by
from gridglow.races.replays import read_journal
from gridglow.seasons import adding, beginning, tables
from gridglow.seasons import pull as pulling
from gridglow.seasons.database import KeptSeason, opened
from gridglow.seasons.page import page
from gridglow.seasons.tables import LANGUAGES, Row, Tables, Words
from shared_rules import games
from shared_rules.errors import BadSetup, GridglowError
from shared_rules.journal_file import Journal

ON = ["cpython"]
KINDS = ("html", "csv", "json")
season_option = click.option("--season", metavar="NAME", help="The season's name or id. Default: the one under way.")


@click.group()
def season() -> None:
    """Keep a championship: several races by the same players, whose points add up.

    \b
    gridglow season new Winter --player Anna --player Ben --player Cleo
    gridglow play --season Winter --journal race-1.txt     the next race
    gridglow season add race-1.txt                         verify and count it
    gridglow season show
    gridglow season export winter.html
    gridglow season pull                                   fetch a board's races
    """


@season.command("new")
@click.argument("name")
@click.option("--game", metavar="GAME", help="The game. Default: the first that has a championship.")
@click.option("--variant", metavar="VARIANT", help="The variant. Default: the game's first.")
@click.option("--track", "tracks", metavar="ID", multiple=True,
              help="A track, in the order of the races; can be repeated. Default: all that fit the variant.")
@click.option("--player", "people", metavar="NAME", multiple=True,
              help="A player, in seat order; can be repeated.")
@click.option("--bots", metavar="N", type=click.IntRange(0, 9), default=0, help="Number of bots, seated after the players.")
@click.option("--laps", metavar="N", type=click.IntRange(1, 99), help="Laps of every race. Default: each track's own.")
@click.option("--option", "options", metavar="KEY=VALUE", multiple=True,
              help="An option of the game; can be repeated.")
@json_option
def new(name: str, game: str | None, variant: str | None, tracks: Sequence[str], people: Sequence[str], bots: int,
        laps: int | None, options: Sequence[str], as_json: bool) -> None:
    """Begin a season called NAME, with races on any tracks in any order.

    Players, game and options are the same in every race. In some games the finish of one race is the grid of
    the next.
    """
    having = beginning.games_with_seasons()
    if not having:
        raise GridglowError("No game has a championship yet.")
    game = game or having[0]
    if not people and not bots:
        people = [f"Player {at + 1}" for at in range(games.about(game).SEATS[0])] if game in having else []
    players = [["person", person] for person in people]
    players += [["bot", f"Bot {len(people) + at + 1}"] for at in range(bots)]
    begun = beginning.new_season(name, game, variant, list(tracks), players, laps, _pairs(options))
    with opened(write=True) as kept:
        kept.begin(begun, date.today().isoformat())
    if as_json:
        print_json({"id": begun.id, "name": begun.name, "game": game, "variant": begun.variant, "tracks": begun.tracks,
                    "players": [{"name": who, "kind": kind} for kind, who in begun.players], "next": begun.next_setup()})
        return
    names = [who for _, who in begun.players]
    if names != [who for _, who in players]:
        say(f"The players are called {', '.join(names)}: every name is unique.")
    say(f"{begun.name} ({begun.id}) has begun: {game} {begun.variant}, {_count(len(begun.tracks), 'race')} of "
        f"{_count(len(begun.players), 'player')}.")
    say(f"The first race is on {begun.tracks[0]}: gridglow play --season {_word(begun.name)} --journal FILE")


@season.command("add")
@click.argument("journals", metavar="JOURNAL...", nargs=-1, required=True)
@season_option
@json_option
def add(journals: Sequence[str], season: str | None, as_json: bool) -> None:
    """Count a race: JOURNAL is a file written by "gridglow play --journal" or by the page.

    The race is first replayed and verified, draw by draw. It must be the season's next one: same game, players, options
    and track, and the grid of the last finish. The same race never counts twice, whatever its file is called. Of several
    journals, those before the first invalid one are counted. - reads one from standard input.
    """
    added, problem, kept = [], "", None
    for file in journals:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        try:
            text = read_journal(data)
            with opened(write=True) as database:
                kept = adding.season_of(database, Journal.parse(text), season)
                race = adding.checked(database, kept, text, ON)
                database.take(kept.season, race)
        except GridglowError as error:
            problem = str(error) if len(journals) == 1 else f"{file}: {error}"
            break
        added.append((kept.season, race))
        say(f"Race {race.number} of {kept.season.name} counts: {kept.season.tracks[race.number - 1]}, all {race.answers} "
            "answers verified.")
    if as_json:
        found = {"added": [{"season": one.name, "number": race.number, "track": one.tracks[race.number - 1],
                            "answers": race.answers, "digest": race.digest} for one, race in added]}
        print_json({"error": problem, "problems": [problem]} | found if problem else found)
    elif added:
        _print_standings(_tables(added[-1][0].id))
    if problem:
        say(f"gridglow: {problem}")
        raise Failed


@season.command("list")
@json_option
def list_(as_json: bool) -> None:
    """List the seasons, latest first."""
    with opened() as database:
        every = database.all()
    words = Words()
    rows = []
    for kept in every:
        shown = Tables(kept, words)
        leaders = [row.name for row in shown.riders if row.place == 1] if kept.races else []
        one = kept.season
        rows.append({"name": one.name, "id": one.id, "game": one.game, "variant": one.variant, "raced": len(kept.races),
                     "races": len(one.tracks), "over": one.over, "leaders": leaders, "begun": kept.begun})
    if as_json:
        print_json({"seasons": rows})
    elif rows:
        print_table(["NAME", "ID", "GAME", "VARIANT", "RACES", "LEADER", "BEGUN"],
                    [[row["name"], row["id"], row["game"], row["variant"], f"{row['raced']} of {row['races']}",
                      ", ".join(row["leaders"]), row["begun"]] for row in rows])
    else:
        say("There is no season yet; to begin one:  gridglow season new NAME")


@season.command("show")
@click.argument("name", required=False)
@json_option
def show(name: str | None, as_json: bool) -> None:
    """Show the standings of the season NAME, its races, and what comes next. Without NAME, the one under way."""
    shown = _tables(name)
    if as_json:
        print_json(tables.plain(shown))
        return
    one = shown.season
    click.echo(f"{one.name} ({one.id}): {shown.game}, {len(one.results)} of {_count(len(one.tracks), 'race')}")
    _print_standings(shown)
    click.echo("")
    print_table(["RACE", "TRACK", "BEST", "ADDED"], [
        [at + 1, track, _best(shown, at) if at < len(shown.kept.races) else "",
         shown.kept.races[at].added if at < len(shown.kept.races) else ""] for at, track in enumerate(one.tracks)])
    if one.over:
        names = " and ".join(row.name for row in shown.champions())
        say(f"The season is over. Champion: {names}.")
    else:
        say(f"Next is race {one.round}: gridglow play --season {_word(one.name)} --journal FILE")


@season.command("export")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@season_option
@click.option("--as", "kind", type=click.Choice(KINDS), help="The format. Default: by the ending of FILE.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True, help="The page's language.")
@click.option("--yes", is_flag=True, help="Replace a file that exists.")
def export(file: Path, season: str | None, kind: str | None, lang: str, yes: bool) -> None:
    """Write a season to FILE: .html (one page, made to print), .csv (for a spreadsheet) or .json; - is standard output."""
    kind = kind or file.suffix[1:].lower()
    if kind not in KINDS:
        raise click.UsageError(f"Expected a file that ends in .html, .csv or .json, got {str(file)!r}; or give --as.")
    shown = _tables(season, lang)
    text = {"html": lambda: page(shown), "csv": lambda: tables.as_csv(shown), "json": lambda: _json(shown)}[kind]()
    data = (("\ufeff" if kind == "csv" else "") + text).encode("utf-8")  # spreadsheets detect UTF-8 by its mark
    if str(file) == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return
    if file.exists() and not yes:
        raise GridglowError(f"{file} already exists; give --yes to replace it, or name another.")
    if not file.absolute().parent.is_dir():
        raise GridglowError(f"The folder {file.absolute().parent} doesn't exist; create it first, or name another file.")
    new_file = file.with_name(file.name + ".new")
    try:
        new_file.write_bytes(data)
        os.replace(new_file, file)
    except OSError as error:
        raise GridglowError(f"The season can't be written to {file} ({error.strerror or error}).") from None
    say(f"{shown.season.name} is in {file}.")


@season.command("rename")
@click.argument("name")
@click.argument("new_name", metavar="NEW")
@json_option
def rename(name: str, new_name: str, as_json: bool) -> None:
    """Rename the season NAME to NEW. Its id, races and journals stay as they are."""
    wrong: list[str] = []
    beginning.check_name(new_name, wrong)
    if wrong:
        raise BadSetup(wrong)
    with opened(write=True) as database:
        one = adding.named(database, name).season
        old = one.name
        database.rename(one, new_name)
    if as_json:
        print_json({"id": one.id, "name": one.name, "was": old})
    else:
        say(f"{old} is now called {one.name}.")


@season.command("remove")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Agree to remove the season and its races for good.")
@json_option
def remove(name: str, yes: bool, as_json: bool) -> None:
    """Remove the season NAME with all its races and their journals, for good.

    Your own journal files stay. A season on a board stays there, and "gridglow season pull" would fetch it again.
    """
    with opened() as database:
        kept = adding.named(database, name)
    races = _count(len(kept.races), "race")
    say_so = f"{kept.season.name} ({kept.season.id}) would be removed for good, with {races} and " + (
        "their journals." if len(kept.races) != 1 else "its journal.")
    if not agree_by(yes, as_json)([say_so]):
        raise GridglowError(f"{say_so} Give --yes to agree; nothing was removed.")
    with opened(write=True) as database:
        database.remove(kept.season)
    if as_json:
        print_json({"removed": kept.season.name, "id": kept.season.id, "races": len(kept.races)})
    else:
        say(f"Removed {kept.season.name}, with {races}.")


@season.command("pull")
@click.option("--name", metavar="NAME", help="The season's name here, if it isn't stored here yet.")
@board_options
@json_option
def pull(name: str | None, board: str | None, port: str | None, as_json: bool) -> None:
    """Fetch the season kept on a board, with the journals of its races, and count them.

    Every race is replayed and verified like one from a file. The board keeps its season and goes on with it; repeat the
    command after the next evening. A running race goes on.
    """
    found = chosen(board, port)
    with found.talk() as talk:
        there = pulling.fetch(talk)
    with opened(write=True) as database:
        taken, added, problem = pulling.take_over(database, there, name, date.today().isoformat(), ON)
    if as_json:
        told = {"season": taken.name, "id": taken.id, "added": [race.number for race in added], "board": found.title}
        print_json({"error": problem, "problems": [problem]} | told if problem else told)
    else:
        numbers = ", ".join(str(race.number) for race in added)
        say(f"{taken.name} ({taken.id}) of {found.title}: " + (
            f"race{'s' if len(added) > 1 else ''} {numbers} verified and counted." if added else "no new race."))
        _print_standings(_tables(taken.id))
    if problem:
        say(f"gridglow: {problem}")
        raise Failed


def _tables(name: str | None, language: str = "en") -> Tables:
    with opened() as database:
        kept: KeptSeason = adding.named(database, name)
    return Tables(kept, Words(language))


def _print_standings(shown: Tables) -> None:
    several = any(row.car for row in shown.riders)
    rows = [[row.place, row.name, *([row.car] if several else []), row.wins, row.points] for row in shown.riders]
    print_table(["PLACE", "PLAYER", *(["CAR"] if several else []), "WINS", "POINTS"], rows)
    if shown.teams:
        click.echo("")
        rows = [[row.place, row.name, row.wins, row.points] for row in shown.teams]
        print_table(["PLACE", "TEAM", "WINS", "POINTS"], rows)


def _best(shown: Tables, at: int) -> str:
    """The best scorers of a race, who needn't have won it; "nobody" if nobody scored."""
    rows: list[Row] = [row for row in shown.riders if row.each[at][1] > 0]
    best = min(rows, key=lambda row: row.each[at][0], default=None)
    if best is None:
        return "nobody"
    place = best.each[at][0]
    return f"{best.name} {best.car}".strip() + (f" (place {place})" if place > 1 else "")


def _json(shown: Tables) -> str:
    return json.dumps(tables.plain(shown), ensure_ascii=False, indent=2) + "\n"


def _pairs(options: Sequence[str]) -> list[list[str]]:
    wrong = [word for word in options if "=" not in word]
    if wrong:
        raise BadSetup([f"Expected an option as KEY=VALUE, got {word!r}." for word in wrong])
    return [list(word.split("=", 1)) for word in options]


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' if number != 1 else ''}"


def _word(name: str) -> str:
    """A name quoted as one word of the command line."""
    return name if name.replace("-", "").replace("_", "").isalnum() else f'"{name}"'
