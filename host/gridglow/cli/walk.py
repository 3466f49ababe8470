"""``gridglow walk``: finds out which LED lies under which space, and keeps it."""

from __future__ import annotations

import click

from gridglow.boards.boardedit import own_file
from gridglow.boards.boardfile import Board, load_board
from gridglow.cli.board_options import board_options, chosen, end_race_option
from gridglow.cli.common import json_option, print_json, say
from gridglow.device import walk as walking
from gridglow.device.connect import Found
from gridglow.device.person import Person, somebody
from gridglow.device.service import Service
from gridglow.targets import check_folder
from gridglow.tracks import DoesNotFit, load_track, map_leds
from gridglow.tracks.catalogue import list_tracks
from shared_rules.errors import GridglowError


@click.command()
@board_options
@click.option("--track", "track_id", metavar="ID", help="The track whose module is plugged in.")
@click.option("--board-file", metavar="NAME", help="The board file, where it is not the one that the board names.")
@click.option("--again", is_flag=True, help="From the first LED on, whatever was kept of a walk.")
@click.option("--forget", is_flag=True, help="Take the map back: the wire is as usual again.")
@end_race_option
@json_option
def walk(board: str | None, port: str | None, track_id: str | None, board_file: str | None, again: bool, forget: bool,
         end_race: bool, as_json: bool) -> None:
    """Light one LED of the track after the other and say under which space it lies.

    A well-built track needs Enter only. A LED that lies under no space stays dark, and the rest shifts; where the wire
    goes another way, name the space. Then a dot runs round each lane. The map is kept on the board and in the board
    file; a board file that comes with Gridglow is copied to your data folder for it. What you have said is kept when you
    leave, and the next walk goes on from there.

    \b
    gridglow walk --track gp-ring
    gridglow walk --track gp-ring --forget
    """
    found = chosen(board, port)
    person = somebody()
    if person is None and not forget:
        raise GridglowError("A walk needs somebody who looks at the track; run it at a terminal.")
    console = load_board(board_file or str(found.about.get("board") or ""))
    track = load_track(track_id or _ask_track(person, console)).track
    output = map_leds(track, console).output
    path = walking.progress_file(found.serial or found.name, track.id)
    check_folder(path.parent, "what is kept of a walk")
    check_folder(own_file(console).parent, "the board file")
    may = may_end(found, end_race, person)
    state, resumed = walking.begin(track, console, None if again or forget else path)
    if forget:
        state.skip, state.jumps = set(), {}
    elif resumed:
        say(f"The walk goes on at LED {state.at}; --again begins at the first.")
    with found.talk() as talk, Service(talk, may, say) as service:
        if again or forget:
            path.unlink(missing_ok=True)
        if not forget and person is not None:
            most = console.outputs[output].pixels_max
            walking.Walk(service, person, state, output, most, lambda kept: walking.keep(kept, path)).run()
        said = walking.save(service, state, console)
    path.unlink(missing_ok=True)
    for sentence in said:
        say(sentence)
    if as_json:
        print_json({"track": track.id, "light": state.light, "pixels": state.pixels, "skip": sorted(state.skip),
                    "jumps": sorted(map(list, state.jumps.items())), "without": state.without(), "say": said})


def may_end(found: Found, end_race: bool, person: Person | None) -> bool:
    """Whether a race that runs may be ended; asked where nobody has said so. Raises GridglowError where it may not."""
    if not found.race_runs or end_race:
        return end_race
    if person is not None and person.yes(f"On {found.title} runs a {found.doing}. End it? It stays saved.", "no"):
        return True
    raise GridglowError(f"On {found.title} runs a {found.doing}, and it goes on; finish it first, or end it with "
                        "--end-race (it stays saved).")


def _ask_track(person: Person | None, console: Board) -> str:
    """Which of the tracks that this board can light."""
    fits = []
    for one in list_tracks():
        try:
            map_leds(load_track(one.id).track, console)
            fits.append(one.id)
        except DoesNotFit:
            continue
        except GridglowError:
            continue  # gridglow track check tells what is wrong with it
    if person is None or not fits:
        raise GridglowError("Expected a track that is plugged in, got none; name it with --track ID.")
    for number, name in enumerate(fits, 1):
        person.say(f"{number:3}  {name}")
    return fits[person.number("Which track is plugged in?", 1, len(fits)) - 1]
