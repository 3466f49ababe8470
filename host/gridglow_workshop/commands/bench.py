"""``gridglow bench``: counts and ratios; verdicts only on budgets of an emulated Pico, which has its own clock."""

from __future__ import annotations

from pathlib import Path

import click

from gridglow.boards.boardfile import load_board
from gridglow.cli.common import Failed, json_option, print_json, print_table, say
from gridglow.firmware import built
from gridglow.tomlfile import nearest
from gridglow_workshop.bench.duels import measure_duels
from gridglow_workshop.bench.heaps import measure_heaps
from gridglow_workshop.bench.measures import measure
from shared_rules import games

START_STEPS = (("setup", "set-up of a race"), ("drawing", "its track for the page"), ("tracks", "all tracks for the menu"),
               ("files", "files of the board"))


@click.command()
@click.option("--races", metavar="N", type=click.IntRange(1, 1000), default=20, show_default=True,
              help="Number of random races for counting decisions.")
@click.option("--board-races", metavar="N", type=click.IntRange(1, 100), default=2, show_default=True,
              help="How often to run the largest race in a row, for the heap; with evenings, that of each game.")
@click.option("--frames", metavar="N", type=click.IntRange(1, 100_000), default=300, show_default=True,
              help="Number of frames to time on the largest board.")
@click.option("--variant", metavar="VARIANT", help="The largest race's variant. Default: the game's first.")
@click.option("--bots", is_flag=True, help="Measure the bots instead: duels against random players.")
@click.option("--duels", metavar="N", type=click.IntRange(2, 10_000), default=200, show_default=True,
              help="Duels per game and variant, with --bots.")
@click.option("--heaps", is_flag=True, help="Measure the heap that each game's largest race takes instead.")
@click.option("--on", type=click.Choice(["micropython", "cpython"]), default="micropython", show_default=True,
              help="Where the duels run, with --bots; CPython is faster, but measures no times.")
@click.option("--game", metavar="GAME", help="Only this game, with --bots, --heaps or --engine pico. Default: all.")
@click.option("--engine", type=click.Choice(["pico"]), help="Measure on an emulated Pico instead, in its own time.")
@click.option("--part", type=click.Choice(["script", "evening"]),
              help="With --engine pico: only the script at the board's prompt, or only the evenings seen from "
                   "outside. Default: both.")
@click.option("--podium", is_flag=True, help="Run each race of an evening to its podium, with --engine pico.")
@click.option("--uf2", metavar="FILE", type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help="What --engine pico runs instead of build/gridglow-rp2040.uf2.")
@click.option("--race-seconds", metavar="N", type=click.FloatRange(0.5, 3600), default=5, show_default=True,
              help="How long each of these races runs, with --engine pico.")
@click.option("--presses", metavar="N", type=click.IntRange(0, 1000), default=100, show_default=True,
              help="Number of presses to time in each of two races, with --engine pico.")
@json_option
def bench(races: int, board_races: int, frames: int, variant: str | None, bots: bool, duels: int, heaps: bool, on: str,
          game: str | None, engine: str | None, part: str | None, podium: bool, uf2: Path | None, race_seconds: float,
          presses: int, as_json: bool) -> None:
    """Measure speed and memory on this computer.

    It measures four things: decisions per second of the rules in random play; the heap that the largest
    race takes in the whole firmware under MicroPython (six bots on 140 rows of three lanes, every pixel of the full board;
    its own data, no code), and the time for a frame of its lights; the size of a virtual board's content; and the processor
    time for a start of "gridglow play", with an empty cache and then again, in multiples of a fixed loop of
    three million steps. Times are this computer's; compare the ratios.

    With --bots: duels of one bot against one player who answers at random, on all tracks in turn, seats swapped in every
    second one. The bot is ahead if it ranks first and hasn't retired. They run on MicroPython, which also measures the
    time of each decision, that is, each choice between at least two answers. A game may define its own set-ups, which
    are measured on each track, such as one bot among cars without drivers.

    With --heaps: each variant of each game with as many bots as it takes, on its track with the most spaces, under
    MicroPython: the most heap that the race's own data takes. Sizes on a Pico differ (--engine pico measures them).

    With --engine pico: the firmware and its drivers on an emulated Pico, which takes many minutes. Each figure is shown
    beside its budget. Times are a real Pico's, about 1.15 times the emulated ones (those are in --json). Flash isn't
    measured, as it takes no time there. There are two parts. A script at the board's prompt times the largest race
    of all. And an evening with each game's largest race is watched from outside, from power-on: a host greets, keys
    set up the race, bots race. The heap is read from the emulated memory every 4 ms, and the watchdog marks the ticks.
    Everything together takes an hour or more; --part, --game, --race-seconds and --board-races make it shorter.
    """
    if game is not None and not (bots or heaps or engine):
        raise click.UsageError("--game is for --bots, --heaps and --engine pico, which measure game by game; leave it out, "
                               "or add one.")
    if game is not None and game not in games.NAMES:
        raise click.UsageError(f"There is no game {game!r}{nearest(game, games.NAMES)}")
    if engine == "pico":
        only = (game,) if game else games.NAMES
        _pico(uf2, part or "", only, race_seconds, presses, variant, board_races, podium, as_json)
        return
    if bots:
        _bots(duels, on, game, as_json)
        return
    if heaps:
        _heaps(game, as_json)
        return
    say("Measuring; this takes a minute.")
    found = measure(races, board_races, frames, variant)
    if as_json:
        print_json(found)
    else:
        print_table(["WHAT", "FIGURE"], _rows(found))
    for problem in found["board"]["problems"]:
        say(f"gridglow: {problem}")
    if found["board"]["problems"]:
        raise Failed


def _pico(uf2: Path | None, part: str, only: tuple[str, ...], race_s: float, presses: int, variant: str | None, races: int,
          podium: bool, as_json: bool) -> None:
    # The emulator is an optional extra; everything else is measured without it.
    from gridglow.virtual.pico.machine import REAL_FACTOR
    from gridglow_workshop.bench.evening_pico import measure_evening
    from gridglow_workshop.bench.measures_pico import measure_pico
    from gridglow_workshop.commands.bench_pico import HEAD, evening_rows, pico_rows

    path = built.find(uf2)
    found: dict = {"factor": REAL_FACTOR}
    rows = []
    if part != "evening":
        found |= measure_pico(path, race_s, presses, variant, races, say)
        rows += pico_rows(found)
    if part != "script":
        board = load_board("full")
        found["evenings"] = [measure_evening(path, board, game, race_s, races, podium, say) for game in only]
        rows += [row for one in found["evenings"] for row in evening_rows(one, REAL_FACTOR)]
    if as_json:
        print_json(found)
        return
    print_table(HEAD, rows)


def _bots(duels: int, on: str, game: str | None, as_json: bool) -> None:
    say("Racing; this takes some minutes.")
    found = measure_duels(duels, on, [] if game is None else [game])
    if as_json:
        print_json({"bots": found})
        return
    print_table(
        ["GAME", "VARIANT", "SET-UP", "TRACK", "RACES", "BOT", "WANTED", "BOTS OUT", "DECISIONS", "MEAN MS", "LARGEST MS"],
        [[one["game"], one["variant"], one["setup"], one["track"] or "all", str(one["duels"]),
          f"{one['counts']} {one['won_percent']} %",
          f"{one['wanted_percent']} %" if one["wanted_percent"] else "-", str(one["bots_out"]),
          f"{one['decisions']:,}", f"{one['mean_us'] / 1000:.2f}", f"{one['most_us'] / 1000:.2f}"] for one in found])
    told = [f"{one['game']} {one['variant']}, {one['track']}: {one['reason']}" for one in found
            if one["won_percent"] < one["wanted_percent"] and one["reason"]]
    for line in dict.fromkeys(told):
        say(line)


def _heaps(game: str | None, as_json: bool) -> None:
    found = measure_heaps(load_board("full"), (game,) if game else ())
    if as_json:
        print_json({"heaps": found})
    else:
        print_table(["GAME", "VARIANT", "TRACK", "BOTS", "ANSWERS", "TAKES"],
                    [[one["game"], one["variant"], one["track"], str(one["seats"]), str(one["answers"]),
                      one["problem"] or f"{one['race_bytes']:,} bytes"] for one in found])
    if any(one["problem"] for one in found):
        raise Failed


def _rows(found: dict) -> list[list]:
    """The rows; what wasn't measured because a race failed is left out."""
    decisions, board, sizes, starts = found["decisions"], found["board"], found["sizes"], found["starts"]
    speed, frame = decisions["a_second"], board["frame_us"]
    rows = [
        ["random races, decisions", f"{decisions['races']}, {decisions['answers']:,}"],
        ["decisions per second, CPython", f"{speed['cpython']:,}"],
        [f"decisions per second, MicroPython ({decisions['heap_kb']} kB)", f"{speed['micropython']:,}"],
        ["CPython : MicroPython", f"{decisions['ratio_percent'] / 100:.2f}"],
        [f"largest race: {board['variant']}, {board['seats']} seats, {board['rows']} rows, {board['pixels']} pixels",
         f"{board['races']} run, {board['answers']:,} answers"],
        ["heap in use with all code and no race, MicroPython", f"{board['idle_bytes']:,} bytes"],
    ]
    if board["races"]:
        rows.append(["what the race takes in addition", f"{board['race_bytes']:,} bytes"])
    if frame["cpython"] and frame["micropython"]:
        rows += [
            ["a frame, CPython", f"{frame['cpython']:,} µs"],
            ["a frame, MicroPython", f"{frame['micropython']:,} µs"],
            ["MicroPython : CPython", f"{board['frame_ratio_percent'] / 100:.2f}"],
        ]
    return rows + [
        ["modules as .mpy", f"{sizes['modules']}, {sizes['mpy_bytes']:,} bytes"],
        ["all files of a virtual board", f"{sizes['files']}, {sizes['bytes']:,} bytes"],
        *([f"a start, {what}", f"{starts['first'][step] / 100:.2f}, then {starts['again'][step] / 100:.2f} fixed loops"]
          for step, what in START_STEPS),
        *([["a second start of gridglow play : loading the command line", f"{starts['play_percent'] / 100:.1f}"]]
          if starts["play_percent"] else []),
    ]
