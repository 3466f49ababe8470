"""``gridglow track``: check track files, show a track, list the tracks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gridglow.boards.boardfile import list_boards, load_board
from gridglow.cli.common import Failed, json_option, print_json, say
from gridglow.tomlfile import FileProblems, Problem
from gridglow.tracks.advice import advise
from gridglow.tracks.catalogue import load_track, read_catalogue
from gridglow.tracks.compiled import CompiledTrack, compile_file, compile_source
from gridglow.tracks.layout import write_layout
from gridglow.tracks.ledmap import DoesNotFit, map_leds
from gridglow.tracks.reachability import unraceable_problems
from gridglow.tracks.source import reverse_source
from gridglow.tracks.svg import draw_svg
from shared_rules.errors import BadTrack, GridglowError


@click.group(name="track")
def track_group() -> None:
    """Check, show and list race tracks.

    A track is a TOML file: a few facts and one [[section]] for each straight and corner, starting at the finish
    line. Put your own tracks in the folder "tracks" of your data folder, where every command finds them.
    """


@track_group.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@json_option
def check(files: tuple[str, ...], as_json: bool) -> None:
    """Check track files and give advice.

    All errors are listed at once, each with its line. A file without errors is then checked for
    reachability: whether races on it can end, with its own die and cards. Last come the building guidelines of the
    game's rulebook: advice that you may ignore. The exit code is 1 if a file has errors, 0 if there is only advice.
    """
    reports = [_check_file(file) for file in files]
    wrong = [_sentence(problem) for report in reports for problem in report["problems"]]
    if as_json:
        found = {"ok": not wrong, "files": reports}
        print_json({"error": " ".join(wrong), "problems": wrong} | found if wrong else found)
    else:
        for report in reports:
            _print_report(report)
    for sentence in wrong:
        say(f"gridglow: {sentence}")
    if wrong:
        raise Failed


@track_group.command()
@click.argument("track", metavar="ID")
@click.option(
    "--svg",
    "svg",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Also write a drawing to scale to this file.",
)
@click.option("--reverse", is_flag=True, help="Show it driven the other way round, if it may be.")
@json_option
def show(track: str, svg: Path | None, reverse: bool, as_json: bool) -> None:
    """Show one track: its sections, its size on the board, and how the boards can light it.

    ID is the id of a track ("gridglow track list" names them) or the path of a TOML file.
    """
    compiled = compile_file(track) if track.endswith(".toml") or Path(track).is_file() else load_track(track)
    if reverse:
        if not compiled.source.reversible:
            raise BadTrack(f"The track {compiled.id} can only be driven one way; leave --reverse out.")
        compiled = compile_source(reverse_source(compiled.source))
    if svg is not None:
        _write(svg, draw_svg(compiled))
    facts = _facts(compiled)
    if as_json:
        print_json(facts | {"svg": str(svg) if svg else None})
        return
    _print_facts(facts)
    if svg is not None:
        say(f"The drawing is in {svg}.")


@track_group.command(name="list")
@click.option("--game", metavar="GAME", help="Only the tracks of this game, such as moto_grand_prix.")
@json_option
def list_(game: str | None, as_json: bool) -> None:
    """List all tracks: those that come with Gridglow and your own."""
    catalogue = read_catalogue()
    games = sorted({source.game for source in catalogue.tracks})
    if game is not None and game not in games:
        raise GridglowError(f"There are no tracks for a game {game!r}; there are tracks for {', '.join(games)}.")
    tracks = [
        {
            "id": source.id,
            "name": source.name,
            "game": source.game,
            "level": source.level,
            "number": source.number,
            "rows": source.rows,
            "lanes": source.lanes,
            "laps": source.laps,
            "file": str(source.path),
        }
        for source in catalogue.tracks
        if game in (None, source.game)
    ]
    if as_json:
        print_json({"tracks": tracks, "problems": [problem.plain() for problem in catalogue.problems]})
    else:
        _print_table(
            [["ID", "NAME", "GAME", "LEVEL", "ROWS", "LAPS"]]
            + [
                [one["id"], one["name"], one["game"], one["level"], str(one["rows"]), str(one["laps"])]
                for one in tracks
            ]
        )
    for problem in catalogue.problems:
        say(f"left out: {problem}")


def _check_file(file: str) -> dict[str, Any]:
    try:
        compiled = compile_file(file)
        lacking = unraceable_problems(compiled.source)
        if lacking:
            raise FileProblems(lacking)
    except FileProblems as error:
        return {
            "file": file,
            "ok": False,
            "id": None,
            "problems": [one.plain() for one in error.problems],
            "advice": [],
        }
    hints = [hint.plain() for hint in advise(compiled.track)]
    return {
        "file": file,
        "ok": True,
        "id": compiled.id,
        "problems": [],
        "advice": hints,
        "rows": compiled.track.rows,
        "spaces": compiled.track.count,
    }


def _sentence(problem: dict[str, Any]) -> str:
    return str(Problem(problem["file"], problem["line"], problem["key"], problem["say"]))


def _print_report(report: dict[str, Any]) -> None:
    if report["ok"]:
        click.echo(
            f"{report['file']}: no errors ({report['id']}, {report['rows']} rows, {report['spaces']} spaces)"
        )
    for hint in report["advice"]:
        click.echo(f"{report['file']}: advice ({hint['id']}): {hint['say']}")


def _facts(compiled: CompiledTrack) -> dict[str, Any]:
    source, track, geometry = compiled.source, compiled.track, compiled.geometry
    facts: dict[str, Any] = {
        "id": track.id,
        "name": track.name,
        "game": track.game,
        "level": track.level,
        "number": track.number,
        "laps": track.laps,
        "rows": track.rows,
        "lanes": track.lanes,
        "spaces": track.count,
        "closed": track.closed,
        "reversible": source.reversible,
        "hash": track.hash,
        "file": str(source.path),
        "layout": write_layout(source),
        "sections": [
            {
                "kind": section.kind,
                "number": section.number,
                "turn": section.turn,
                "difficulty": section.difficulty,
                "first_row": section.first_row,
                "rows": section.rows,
                "hill": section.hill,
            }
            for section in track.sections
        ],
        "drawing": None,
        "lights": [_light(compiled, board) for board in list_boards()],
        "advice": [hint.plain() for hint in advise(track)],
    }
    if geometry is not None:
        facts["drawing"] = {
            "board_mm": [round(side) for side in geometry.board_mm],
            "pitch_mm": round(geometry.pitch_mm, 2),
            "lane_mm": round(geometry.lane_mm, 2),
            "size_mm": [round(side, 1) for side in geometry.size_mm],
            "correction_deg": round(geometry.correction_deg, 3),
        }
    return facts


def _light(compiled: CompiledTrack, board_name: str) -> dict[str, Any]:
    try:
        leds = map_leds(compiled.track, load_board(board_name))
    except DoesNotFit as error:
        return {"board": board_name, "light": None, "pixels": 0, "say": str(error)}
    except GridglowError:
        return {
            "board": board_name,
            "light": None,
            "pixels": 0,
            "say": f"The board file {board_name} has errors.",
        }
    return {"board": board_name, "light": leds.mode, "pixels": leds.pixels, "say": ""}


def _print_facts(facts: dict[str, Any]) -> None:
    click.echo(f"{facts['name']} ({facts['id']})")
    click.echo(
        f"{facts['game']}, level {facts['level']}, number {facts['number']}, {facts['laps']} laps"
        + (", reversible" if facts["reversible"] else "")
    )
    click.echo(
        f"{facts['rows']} rows of {facts['lanes']} lanes, {facts['spaces']} spaces, hash {facts['hash']}"
    )
    drawing = facts["drawing"]
    if drawing:
        click.echo(
            f"on a board of {drawing['board_mm'][0]} × {drawing['board_mm'][1]} mm: "
            f"{drawing['pitch_mm']:.1f} mm per row, lanes {drawing['lane_mm']:.1f} mm wide, "
            f"angles corrected by at most {drawing['correction_deg']:.2f}°"
        )
    click.echo("")
    table = [["ROWS", "SECTION", "DIFFICULTY", "HILL"]]
    for one in facts["sections"]:
        last = one["first_row"] + one["rows"] - 1
        name = f"corner {one['number']}, {one['turn']}" if one["kind"] == "corner" else "straight"
        table.append([f"{one['first_row']}–{last}", name, str(one["difficulty"] or ""), one["hill"]])
    _print_table(table)
    click.echo("")
    for one in facts["lights"]:
        how = {"lane": "one pixel per space", "row": "one pixel per row"}.get(one["light"])
        click.echo(
            f"board {one['board']}: {how}, {one['pixels']} pixels"
            if how
            else f"board {one['board']}: {one['say']}"
        )
    for hint in facts["advice"]:
        click.echo(f"advice ({hint['id']}): {hint['say']}")


def _print_table(rows: list[list[str]]) -> None:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise GridglowError(
            f"The drawing can't be written to {path} ({error.strerror or error}); choose a folder "
            "that exists and that you can write to."
        ) from None
