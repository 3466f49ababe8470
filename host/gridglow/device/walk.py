"""The walk along a track module's wire: LEDs light one by one, and somebody says which space each is under.

`WalkMap` is what is known so far: the wire takes its usual way except where corrected. `walk` is the guided run:
COUNT, WALK, CHECK; `save` stores the result on the board and in the board file. Pixels count from 1 for people and
in board files, from 0 on the link.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from gridglow import paths
from gridglow.boards.boardedit import set_module
from gridglow.boards.boardfile import Board
from gridglow.device.person import Person, Stopped
from gridglow.device.service import Service
from gridglow.tracks.ledmap import LedMap, map_leds, map_walked, wire_order
from shared_rules.errors import GridglowError
from shared_rules.track import Track

NO_SPACE = "none"
RUN_S = 0.2
DOT_S = 0.08
LOOK_S = 0.05
WHITE = 0xFFFFFF

HELP = """For each lit LED, say where it is:
  Enter     right, it is under the space shown
  {}  it is under this {} instead; the wire goes on from there
  s         it is under no space and stays dark
  b         back to the previous LED
  +20, +    run on over 20 LEDs, or until you press Enter; five per second
  q         quit; your answers are kept for next time
On the board: OK right, PREV and NEXT another space, WHY no space, UNDO back."""


@dataclass
class WalkMap:
    """What is known of a wire of `pixels` pixels: `skip` and `jumps` as in the board file, `at` the next pixel."""

    track: Track
    light: str
    pixels: int
    at: int = 1
    skip: set[int] = field(default_factory=set)
    jumps: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.names = [name for name, _ in wire_order(self.track, self.light)]

    @property
    def done(self) -> bool:
        """Whether every pixel is settled."""
        return self.at > self.pixels

    def _index(self, pixel: int) -> int:
        """The index in `names` that the wire has reached at a pixel."""
        index = 0
        for one in range(1, pixel + 1):
            index = self.names.index(self.jumps[one]) if one in self.jumps else index
            if one < pixel and one not in self.skip:
                index += 1
        return index

    def predicted(self, pixel: int | None = None) -> str:
        """The space (or row) where a pixel should be, or NO_SPACE."""
        pixel = self.at if pixel is None else pixel
        index = self._index(pixel)
        return NO_SPACE if pixel in self.skip or index >= len(self.names) else self.names[index]

    def right(self) -> None:
        """The prediction is right."""
        if self.predicted() == NO_SPACE:
            self.skip.add(self.at)
        self.at += 1

    def another(self, name: str) -> None:
        """The pixel is under this space; the prediction goes on from there."""
        self.skip.discard(self.at)
        self.jumps.pop(self.at, None)
        if self.predicted() != name:
            self.jumps[self.at] = name
        self.at += 1

    def none(self) -> None:
        """The pixel is under no space; the rest shifts."""
        self.jumps.pop(self.at, None)
        self.skip.add(self.at)
        self.at += 1

    def back(self) -> None:
        """Returns to the previous pixel and shows again what was said of it."""
        self.at = max(1, self.at - 1)

    def leds(self, output: int = 0) -> LedMap:
        """The resulting map."""
        return map_walked(self.track, self.light, output, self.dark(), self.jumps.items())

    def dark(self) -> set[int]:
        """Skipped pixels; those after the last useful one don't count."""
        seen = [pixel for pixel in range(1, self.pixels + 1) if self.predicted(pixel) != NO_SPACE]
        return {pixel for pixel in self.skip if seen and pixel < seen[-1]}

    def without(self) -> list[str]:
        """The spaces (or rows) that no pixel lights."""
        leds = self.leds().leds
        return [name for name, spaces in wire_order(self.track, self.light) if leds[spaces[0]] < 0
                or leds[spaces[0]] >= self.pixels]

    def plain(self) -> dict:
        """All of it as data, for storing."""
        return {"track": self.track.id, "hash": self.track.hash, "light": self.light, "pixels": self.pixels, "at": self.at,
                "skip": sorted(self.skip), "jumps": sorted([pixel, name] for pixel, name in self.jumps.items())}

    def take(self, plain: object) -> bool:
        """Continues where `plain` ends; False if it belongs to another track, or is no such data."""
        try:
            assert isinstance(plain, dict)
            if (plain["track"], plain["hash"], plain["light"]) != (self.track.id, self.track.hash, self.light):
                return False
            pixels, at = int(plain["pixels"]), int(plain["at"])
            skip = {int(pixel) for pixel in plain["skip"]}
            jumps = {int(pixel): str(name) for pixel, name in plain["jumps"]}
        except (AssertionError, KeyError, TypeError, ValueError):
            return False
        if not 1 <= at <= pixels + 1 or any(name not in self.names for name in jumps.values()):
            return False
        self.pixels, self.at, self.skip, self.jumps = pixels, at, skip, jumps
        return True


# What is kept between walks

def progress_file(board_key: str, track: str) -> Path:
    """The file that keeps an unfinished walk of a track on a board (its serial number or name)."""
    key = "".join(letter if letter.isalnum() else "-" for letter in board_key) or "board"
    return paths.data_folder() / "walks" / f"{key}-{track}.json"


def keep(state: WalkMap, path: Path) -> None:
    """Keeps the walk; a disk that can't be written doesn't end it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(state.plain()), "utf-8")
    except OSError:
        pass


def begin(track: Track, board: Board, path: Path | None = None) -> tuple[WalkMap, bool]:
    """The map from the board file, and from an unfinished walk; True if it continues one. Raises DoesNotFit."""
    leds = map_leds(track, board)
    output = board.outputs[leds.output]
    module = next((one for one in board.modules if one.track == track.id and one.light == leds.mode), None)
    skip = {*output.skip, *(module.skip if module else ())}
    state = WalkMap(track, leds.mode, leds.pixels, skip=skip, jumps=dict(module.jumps if module else ()))
    if path is not None and path.is_file():
        try:
            return state, state.take(json.loads(path.read_text("utf-8")))
        except (OSError, ValueError):
            pass
    return state, False


# The guided run

class Walk:
    """A walk along output `output` (from 0) of a board in service mode."""

    def __init__(self, service: Service, person: Person, state: WalkMap, output: int, most: int,
                 keep: Callable[[WalkMap], None] = lambda state: None) -> None:
        self.service = service
        self.person = person
        self.state = state
        self.output = output
        self.most = most
        self.keep = keep

    def run(self) -> None:
        """COUNT, WALK and CHECK. Raises Stopped if the person quits; their answers are kept then."""
        try:
            if self.state.at == 1:
                self.count()
            self.service.attempt("keys", 1)
            while True:
                self.walk()
                if self.check():
                    break
            self.service.dark()
        finally:
            self.keep(self.state)

    def count(self) -> None:
        """Finds out how many LEDs the wire has."""
        person, state = self.person, self.state
        while True:
            self.service.attempt("count", self.output, state.pixels)
            self.service.say("LEDs: %d" % state.pixels, "the last one: green")
            person.say(f"Every tenth LED is white, and LED {state.pixels} is green. The track needs "
                       f"{len(state.names)} LEDs{f' and {len(state.skip)} that stay dark' if state.skip else ''}.")
            if person.yes("Is the green one the last LED of the wire?"):
                return
            state.pixels = person.number("How many LEDs are on the wire? Ten for each white one, plus those after the last",
                                         1, self.most)

    def walk(self) -> None:
        """Asks for each pixel, until the last."""
        if not self.state.done:
            self.person.say(self._help())
        while not self.state.done:
            self._show(self.state.at, self.state.predicted())
            self._one()

    def _show(self, pixel: int, name: str, ask: bool = True) -> None:
        self.service.attempt("pixel", self.output, pixel - 1, WHITE)
        told = "no space" if name == NO_SPACE else f"row {name}" if name.isdecimal() else name
        self.service.say(f"LED {pixel}/{self.state.pixels}", f"{told}{' ?' if ask else ''}", "", "OK: yes  WHY: none",
                         "PREV NEXT: another")
        if ask:
            self.person.say(f"LED {pixel}: {told}?")

    def _one(self) -> None:
        """Takes one answer about the lit pixel, typed at the terminal or given with the board's keys."""
        state = self.state
        offered = state.predicted()
        while True:
            typed = self.person.line(LOOK_S)
            if typed is not None:
                if self._typed(typed.strip().casefold()):
                    return
                continue
            for _, key, down in self.service.edges(LOOK_S):
                if not down:
                    continue
                if key == "OK":
                    state.right() if offered == state.predicted() else state.another(offered)
                elif key == "WHY":
                    state.none()
                elif key == "UNDO":
                    state.back()
                elif key in ("PREV", "NEXT"):
                    offered = self._turned(offered, 1 if key == "NEXT" else -1)
                    self._show(state.at, offered)
                    continue
                else:
                    continue
                return

    def _turned(self, offered: str, step: int) -> str:
        names = self.state.names
        at = names.index(offered) if offered in names else len(names) - (step > 0)
        return names[(at + step) % len(names)]

    def _typed(self, typed: str) -> bool:
        """Does what was typed; False if it makes no sense."""
        state = self.state
        if typed == "":
            state.right()
        elif typed == "s":
            state.none()
        elif typed == "b":
            state.back()
        elif typed in Person.leave_words:
            raise Stopped(f"The walk pauses at LED {state.at}; the next \"gridglow walk\" continues from there.")
        elif typed == "+" or typed.removeprefix("+").isdecimal() and (typed[0] == "+" or state.light == "lane"):
            self._run_on(int(typed.removeprefix("+") or state.pixels))
        elif typed in state.names:
            state.another(typed)
        else:
            self.person.say(self._help() if typed == "?" else self._no_such(typed))
            return False
        return True

    def _help(self) -> str:
        return HELP.format(*("12b     ", "space") if self.state.light == "lane" else ("12      ", "row"))

    def _no_such(self, typed: str) -> str:
        what = "space" if self.state.light == "lane" else "row"
        close = difflib.get_close_matches(typed, self.state.names, 1, 0.5)
        meant = f"did you mean {close[0]!r}?" if close else "? lists the possible answers."
        return f"The track has no {what} {typed!r}; {meant}"

    def _run_on(self, steps: int) -> None:
        """Moves on by itself, until somebody presses anything."""
        state = self.state
        for _ in range(steps):
            state.right()
            if state.done:
                return
            self._show(state.at, state.predicted(), ask=False)
            if self.person.line(RUN_S) is not None or any(down for _, _, down in self.service.edges(LOOK_S)):
                return

    def check(self) -> bool:
        """Runs a dot round each lane; True if it ran right. Otherwise the walk continues at the wrong pixel."""
        state, person = self.state, self.person
        without = state.without()
        if without:
            more = " …" if len(without) > 12 else ""
            person.say(f"No LED lights {', '.join(without[:12])}{more}.")
        person.say("Now a dot runs round the track, lane by lane. Press Enter as soon as it goes wrong.")
        leds = state.leds().leds
        lanes = range(1, (state.track.lanes if state.light == "lane" else 1) + 1)
        for lane in lanes:
            for row in range(1, state.track.rows + 1):
                space = state.track.space(row, lane)
                if space < 0 or not 0 <= leds[space] < state.pixels:
                    continue
                pixel, name = leds[space] + 1, state.track.space_name(space)
                self.service.attempt("pixel", self.output, pixel - 1, WHITE)
                if person.line(DOT_S) is not None:
                    person.say(f"It was at {name}, LED {pixel}.")
                    state.at = max(1, pixel - 2)
                    return False
        if person.yes("Did the dot run round every lane, space by space?"):
            return True
        state.at = person.number("At which LED should the walk continue?", 1, state.pixels, 1)
        return False


# The result

def save(service: Service, state: WalkMap, board: Board) -> list[str]:
    """Stores the map on the board and in the board file; returns a sentence about each."""
    track, leds = state.track, state.leds()
    output = next(i for i, one in enumerate(board.outputs) if one.use == "track")
    usual = leds.leds == map_walked(track, state.light).leds
    answer = service.attempt(f"leds {track.id}" + ("" if usual else " " + " ".join(map(str, leds.leds))))
    if answer.get("state") == "ok" and usual:
        said = ["The wiring is as usual, and the board uses it at once."]
    elif answer.get("state") == "ok":
        said = ["The board has stored the map; it applies at once, and stays when tracks are synced."]
    elif answer.get("why") == "no track":
        said = [f"The board has no track {track.id} yet; the map comes with it: gridglow sync --tracks {track.id}"]
    else:
        said = [f"The board couldn't store the map ({answer.get('why')}); make room on its flash, and walk again."]
    dark = state.dark() - set(board.outputs[output].skip)
    if not dark and not state.jumps and all(one.track != track.id for one in board.modules):
        return said
    try:
        path = set_module(board, track.id, state.light, dark, state.jumps.items())
        said.append(f"The board file {path} has it too; keep this file, and sync with it.")
    except GridglowError as error:
        said.append(str(error))
    return said
