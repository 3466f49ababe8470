"""``gridglow bench``: counts and ratios; verdicts only on budgets of an emulated Pico, whose clock is its own."""

from __future__ import annotations

from pathlib import Path

import click

from gridglow.cli.common import Failed, json_option, print_json, print_table, say
from gridglow.races.duels import measure_duels
from gridglow.races.measures import measure
from gridglow.tomlfile import nearest
from shared_rules import games

START_STEPS = (("setup", "set-up of a race"), ("drawing", "its track for the page"), ("tracks", "all tracks for the menu"),
               ("files", "files of the board"))


@click.command()
@click.option("--races", metavar="N", type=click.IntRange(1, 1000), default=20, show_default=True,
              help="Random races whose decisions are counted.")
@click.option("--board-races", metavar="N", type=click.IntRange(1, 100), default=2, show_default=True,
              help="How often the largest race is run, one after the other, for the heap.")
@click.option("--frames", metavar="N", type=click.IntRange(1, 100_000), default=300, show_default=True,
              help="Frames of the largest board that are timed.")
@click.option("--variant", metavar="VARIANT", help="Of the largest race. Default: the game's first.")
@click.option("--bots", is_flag=True, help="Measure the bots instead: duels against random players.")
@click.option("--duels", metavar="N", type=click.IntRange(2, 10_000), default=200, show_default=True,
              help="Duels a game and variant, with --bots.")
@click.option("--heaps", is_flag=True, help="Measure the heap that each game's largest race takes instead.")
@click.option("--on", type=click.Choice(["micropython", "cpython"]), default="micropython", show_default=True,
              help="Where the duels run, with --bots; CPython is faster, and takes no times.")
@click.option("--game", metavar="GAME", help="Only this game, with --bots or --heaps. Default: all.")
@click.option("--engine", type=click.Choice(["pico"]), help="Measure on an emulated Pico instead, in its own time.")
@click.option("--uf2", metavar="FILE", type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help="What --engine pico runs, in place of build/gridglow-rp2040.uf2.")
@click.option("--race-seconds", metavar="N", type=click.FloatRange(0.5, 3600), default=5, show_default=True,
              help="How long each of these races runs, with --engine pico.")
@click.option("--presses", metavar="N", type=click.IntRange(0, 1000), default=100, show_default=True,
              help="Presses whose lights are timed in each of two races, with --engine pico.")
@json_option
def bench(races: int, board_races: int, frames: int, variant: str | None, bots: bool, duels: int, heaps: bool, on: str,
          game: str | None, engine: str | None, uf2: Path | None, race_seconds: float, presses: int, as_json: bool) -> None:
    """Measure speed and memory on this computer.

    Four things: how many decisions a second the rules take in random play; how much heap the largest
    race takes in the whole firmware under MicroPython (six bots on 140 rows of three lanes, every pixel of the full board;
    its own data, no code), and how long a frame of its lights takes; the size of what a virtual board holds; and what a
    start of "gridglow play" takes of the processor, with an empty cache and then again, in multiples of a fixed loop of
    three million steps. Times are this computer's; compare the ratios.

    With --bots: duels of one bot against one player who answers at random, on all tracks in turn, seats swapped in every
    second one. The bot is ahead where it ranks first and has not retired. They run on MicroPython, which also takes the
    time of each decision, that is, of each choice between at least two answers. A game may name set-ups of its own, which
    are measured on each track, such as one bot among cars that nobody drives.

    With --heaps: each variant of each game with as many bots as it takes, on its track with the most spaces, under
    MicroPython: what the race's own data takes of the heap at most. A Pico has other sizes (--engine pico measures them).

    With --engine pico: the firmware and its drivers on an emulated Pico, which takes many minutes here. Each figure stands
    beside its budget. Times are a real Pico's, about 1.15 times the emulated ones (those stand in --json). Nothing is
    told about flash, which takes no time there.
    """
    if game is not None and not (bots or heaps):
        raise click.UsageError("--game is for --bots and --heaps, which measure game by game; leave it out, or add one.")
    if game is not None and game not in games.NAMES:
        raise click.UsageError(f"There is no game {game!r}{nearest(game, games.NAMES)}")
    if engine == "pico":
        _pico(uf2, race_seconds, presses, variant, board_races, as_json)
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


def _pico(uf2: Path | None, race_s: float, presses: int, variant: str | None, races: int, as_json: bool) -> None:
    from gridglow.firmware import built
    from gridglow.races.measures_pico import measure_pico

    found = measure_pico(built.find(uf2), race_s, presses, variant, races, say)
    if as_json:
        print_json(found)
        return
    print_table(["WHAT", "FIGURE", "BUDGET", ""], pico_rows(found))


def pico_rows(found: dict) -> list[list[str]]:
    """What an emulated Pico needs: figure, budget, and whether it holds. Times are a real Pico's: the factor is in them."""
    from gridglow.races.measures_pico import BUDGETS

    factor = found["factor"]
    lights, limits = found["lights"], found["frame_ratio_percent"]
    races = len(found["least_of_races"])

    def ms(us: float) -> str:
        return f"{us * factor / 1000:.1f} ms"

    def row(what: str, figure: str, budget: str = "", holds: bool | None = None) -> list[str]:
        return [what, figure, budget, "" if holds is None else "holds" if holds else "FAILS"]

    rows = [
        row("heap at the prompt", f"{found['heap']:,} bytes"),
        row(f"least free in {races} races" if races > 1 else "least free in the race",
            f"{found['least']:,} bytes, {found['free_percent']} %",
            f"at least {BUDGETS['free_percent']} %", found["free_percent"] >= BUDGETS["free_percent"]),
        row("effects, filling and limits of a frame, median", ms(lights[1])),
        row("of the CPU at 30 frames a second", f"{found['cpu_percent']} %", f"under {BUDGETS['cpu_percent']} %",
            found["cpu_percent"] < BUDGETS["cpu_percent"]),
        row("stock neopixel, the same pixels", ms(found["neopixel_us"])),
        row("limits, copy and DMA start against it", f"{limits / 100:.2f}",
            f"at most {BUDGETS['frame_ratio_percent'] / 100:.2f}", limits <= BUDGETS["frame_ratio_percent"]),
        row("frames on the wires, wrong ones", f"{found['frames']}, {found['bad_frames']}", "none wrong",
            not found["bad_frames"]),
        row("ticks of the race: median, 95th percentile, longest", ", ".join(ms(us) for us in found["ticks"][1:])),
        *(line for heavy in found["heavy"] for line in (
            row(f"options of the heaviest prompt, {heavy['name']} ({heavy['options']})", ms(heavy["options_us"])),
            row(f"the longest of {heavy['pieces']} pieces", ms(heavy["piece_us"]),
                f"at most {ms(BUDGETS['piece_us'] / factor)}", heavy["piece_us"] * factor <= BUDGETS["piece_us"]),
            *([row("what is done before it is answered", ms(heavy["foresee_us"])),
               row("the longest of its pieces", ms(heavy["foresee_piece_us"]), f"at most {ms(BUDGETS['piece_us'] / factor)}",
                   heavy["foresee_piece_us"] * factor <= BUDGETS["piece_us"])] if heavy["foresee_us"] else []),
            row("the answer that brings it", ms(heavy["answer_us"])))),
        row("from the prompt to the idle screen", ms(found["boot_us"])),
        row("start of the largest race", ms(found["start_us"])),
    ]
    for name, pressed in found.get("presses", {}).items():
        what = f"press to light, {name}: median, 99th percentile, longest of {pressed['answered']}"
        figure = ", ".join(ms(pressed[key]) for key in ("median_us", "p99_us", "most_us"))
        rows.append(row(what, figure, f"99 % within {ms(BUDGETS['press_us'] / factor)}",
                        pressed["p99_us"] * factor <= BUDGETS["press_us"]))
        rows.append(row(f"presses without a light, {name}", str(len(pressed["late"])), "none", not pressed["late"]))
    return rows


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
    from gridglow.hardware.boardfile import load_board
    from gridglow.races.heaps import measure_heaps

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
    """What was not measured, because a race broke off, is left out."""
    decisions, board, sizes, starts = found["decisions"], found["board"], found["sizes"], found["starts"]
    speed, frame = decisions["a_second"], board["frame_us"]
    rows = [
        ["random races, decisions", f"{decisions['races']}, {decisions['answers']:,}"],
        ["decisions a second, CPython", f"{speed['cpython']:,}"],
        [f"decisions a second, MicroPython ({decisions['heap_kb']} kB)", f"{speed['micropython']:,}"],
        ["CPython : MicroPython", f"{decisions['ratio_percent'] / 100:.2f}"],
        [f"largest race: {board['variant']}, {board['seats']} seats, {board['rows']} rows, {board['pixels']} pixels",
         f"{board['races']} run, {board['answers']:,} answers"],
        ["heap in use with all code and no race, MicroPython", f"{board['idle_bytes']:,} bytes"],
    ]
    if board["races"]:
        rows.append(["what the race takes besides", f"{board['race_bytes']:,} bytes"])
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
    ]
