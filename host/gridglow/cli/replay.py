"""``gridglow replay``: checks a journal."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from gridglow.cli.common import (
    Failed,
    json_option,
    print_json,
    print_standings,
    print_table,
    say,
    standings_json,
)
from gridglow.cli.test import on_option, take_names_here
from gridglow.races.dice_counts import DieCount, count_dice
from gridglow.races.replays import Replay, read_journal
from gridglow.races.replays import replay as replay_journal


@click.command()
@click.argument("file", metavar="FILE")
@on_option(take_names_here)
@click.option("--dice", is_flag=True, help="Also count each seat's rolls: how often each face, and the mean.")
@json_option
def replay(file: str, on: list[str], dice: bool, as_json: bool) -> None:
    """Check a race's journal and print its standings.

    FILE is a journal written by "gridglow play --journal FILE" or by the page; - reads it from standard input.
    The race is run again: dice and decks are drawn again from its seed, every answer is given again, and after each
    answer both digests must match the journal. A changed line is named by its number.

    A sealed journal (of an unfinished race) holds neither seed nor secrets; only its public digests are
    checked, up to the first secret answer.

    \b
    gridglow replay race.txt
    gridglow replay race.txt --on cpython
    gridglow replay race.txt --dice
    """
    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    text = read_journal(data)
    played = replay_journal(text, on)
    problems = played.problems
    counted = count_dice(text) if dice and not problems else []
    if as_json:
        print_json(_json(played, on, problems) | ({"dice": [one.plain() for one in counted]} if dice else {}))
    if not as_json and "standings" in played.best:
        print_standings(played.best["standings"], played.journal.plain["players"])
        if dice and not problems:
            _print_dice(counted)
    for problem in problems:
        say(f"gridglow: {problem}")
    if problems:
        raise Failed
    say(_verdict(played, on))


def _print_dice(counted: list[DieCount]) -> None:
    """Prints a table for each kind of die."""
    for faces in dict.fromkeys(one.faces for one in counted):
        rows = [one for one in counted if one.faces == faces]
        head = ["DICE OF", "ROLLED", *faces]
        cells = [[one.name or "the table", one.rolled, *one.counts] for one in rows]
        if rows[0].expected is not None:
            head += ["MEAN", "EXPECTED"]
            cells = [[*cell, f"{one.mean:.2f}", f"{one.expected:.2f}"] for cell, one in zip(cells, rows)]
        print_table(head, cells)
    if not counted:
        say("No dice were rolled in this race.")


def _verdict(played: Replay, on: list[str]) -> str:
    result = played.best
    lines = f"{result['checked']} of {result['lines']} lines"
    if result["sealed"]:
        said = f"The journal is sealed: the public digests of {lines} match; draws and secrets were not checked."
    else:
        said = f"All draws and digests of {lines} match."
    where = " and ".join(on)
    end = "" if result["over"] else " The race isn't over: the standings are those after its last line."
    return f"{said} Replayed on {where}.{end}"


def _json(played: Replay, on: list[str], problems: list[str]) -> dict:
    plain, result = played.journal.plain, played.best
    found = {"game": plain["game"], "variant": plain["variant"], "track": played.journal.track, "on": on}
    for key in ("sealed", "lines", "checked", "over", "turns", "digest", "public_digest"):
        found[key] = result.get(key)
    found["standings"] = standings_json(result.get("standings", []))
    found["results"] = {name: {"problem": one.get("problem"), "digest": one.get("digest"),
                               "public_digest": one.get("public_digest")} for name, one in played.results.items()}
    if problems:
        found = {"error": " ".join(problems), "problems": problems} | found
    return found
