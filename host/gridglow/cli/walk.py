"""``gridglow walk``: finds out which LED is under which space, and stores it."""

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
@click.option("--track", "track_id", metavar="ID", help="The track of the connected module.")
@click.option("--board-file", metavar="NAME", help="The board file, if not the one that the board names.")
@click.option("--again", is_flag=True, help="Start at the first LED again, ignoring an earlier walk.")
@click.option("--forget", is_flag=True, help="Discard the map: back to the usual wiring.")
@end_race_option
@json_option
def walk(board: str | None, port: str | None, track_id: str | None, board_file: str | None, again: bool, forget: bool,
         end_race: bool, as_json: bool) -> None:
    """Light the track's LEDs one by one, and say under which space each one is.

    On a well-built track just press Enter. An LED that is under no space stays dark, and the rest shifts; where the wire
    takes another way, name the space. Then a dot runs round each lane. The map is kept on the board and in the board
    file; a board file that comes with Gridglow is first copied to your data folder. Your answers are kept when you
    quit, and the next walk continues from there.

    \b
    gridglow walk --track gp-ring
    gridglow walk --track gp-ring --forget
    """
    found = chosen(board, port)
    person = somebody()
    if person is None and not forget:
        raise GridglowError("A walk needs somebody to look at the track; run it at a terminal.")
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
        say(f"The walk continues at LED {state.at}; --again starts at the first.")
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
    """Whether a running race may be ended; asks if no option says so. Raises GridglowError if it may not."""
    if not found.race_runs or end_race:
        return end_race
    if person is not None and person.yes(f"{found.title} is running a {found.doing}. End it? It stays saved.", "no"):
        return True
    raise GridglowError(f"{found.title} is running a {found.doing}, which goes on; finish it first, or end it with "
                        "--end-race (it stays saved).")


def _ask_track(person: Person | None, console: Board) -> str:
    """Asks which of the tracks that this board can light is connected."""
    fits = []
    for one in list_tracks():
        try:
            map_leds(load_track(one.id).track, console)
            fits.append(one.id)
        except DoesNotFit:
            continue
        except GridglowError:
            continue  # gridglow track check says what's wrong with it
    if person is None or not fits:
        raise GridglowError("Expected the connected track, got none; name it with --track ID.")
    for number, name in enumerate(fits, 1):
        person.say(f"{number:3}  {name}")
    return fits[person.number("Which track is connected?", 1, len(fits)) - 1]
