"""An evening at an emulated board, as ``gridglow bench --engine pico`` watches it from outside: the power comes on, a host
greets, somebody sets up a race with a panel's keys, bots race. The board runs its own main.py throughout.

Times are the emulated clock's, in microseconds.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from gridglow import scratch
from gridglow.boards.boardfile import Board, board_json
from gridglow.lines import Lines
from gridglow.races.startup import RaceStart, race_setup
from gridglow.tracks import list_tracks, map_leds
from gridglow.virtual.pico.fitting import build_fitting
from gridglow.virtual.pico.flash import FlashImage
from gridglow.virtual.pico.machine import EmulatedPico
from gridglow.virtual.pico.parts import Console
from gridglow_workshop.bench.measures_pico import OK_APART_US, wait_for_light
from gridglow_workshop.bench.watch_pico import Watch
from shared_rules import games
from shared_rules.errors import GridglowError
from shared_rules.link_table import PROTOCOL
from shared_rules.track import Track

PANEL = 1
HELD_US, APART_US = 60_000, 130_000
BOOT_S, ANSWER_S, LIGHT_S, RACE_S = 20, 20, 20, 3600
GREETING_S = 0.5
#: The number of rows from the race menu's first one back to the pace.
PACE_BACK = 6
LIT_S = 2.0
#: What the board is doing while a host greets: this, plus its state.
GREETING = "greeting in "
#: What the board is doing when every tick counts.
JUDGED = ("start", "race", "greeting in idle", "greeting in race")


def largest(board: Board, game: str) -> RaceStart:
    """The largest race of a game: its last variant, as many bots as it takes, the most options, on the track with the most
    spaces that the board can light. One lap, if laps can be chosen: more laps need no more memory."""
    about = games.about(game)
    starts = []
    for source in list_tracks():
        if source.game == game:
            try:
                starts.append(race_setup(game, about.VARIANTS[-1], source.id, 1 if about.LAPS else None, about.SEATS[1],
                                         "all", "evening", options=getattr(about, "FULLEST", None), board=board))
            except GridglowError:
                continue                           # a track for another variant, or one that this board can't light
    if not starts:
        raise GridglowError(f"No track was found for the largest race of {game}; see: gridglow track list")
    return max(starts, key=lambda start: (start.track.track.count, start.track.id))


def keys_of(start: RaceStart, index: list[dict]) -> list[str]:
    """The keys that lead from the first row of the board's menu after a start to its last row, "Start the race",
    with this race set up. UNDO ends the change of a row like OK, and may follow an OK at once."""
    setup, about = start.setup, games.about(start.setup.game)
    tracks = [one for one in index if one["game"] == setup.game]
    rows = [_turns(games.NAMES, games.NAMES[0], setup.game), _turns(about.VARIANTS, about.VARIANTS[0], setup.variant),
            _turns([one["id"] for one in tracks], tracks[0]["id"], setup.track)]
    if about.LAPS:
        laps = next(one["laps"] for one in tracks if one["id"] == setup.track)
        rows.append(setup.laps - laps)
    chosen = dict(setup.options)
    rows += [_turns(values, default, chosen.get(key, default)) for key, values, default in about.OPTIONS]
    for chair in range(about.SEATS[1]):            # at first two people, all other seats empty
        kinds = ("person", "bot", "empty")
        wanted = setup.players[chair][0] if chair < len(setup.players) else "empty"
        rows.append(_turns(kinds, "person" if chair < 2 else "empty", wanted))
    keys: list[str] = []
    for turns in rows:
        if turns:
            keys += ["OK", *["NEXT" if turns > 0 else "PREV"] * abs(turns), "UNDO"]
        keys.append("NEXT")
    return keys[:-1] + ["PREV"] * len(rows)


def _turns(values, shown: str, wanted: str) -> int:
    """How often to press NEXT (or PREV, if below 0), the shorter way round."""
    values = list(values)
    ahead = (values.index(wanted) - values.index(shown)) % len(values)
    return ahead if 2 * ahead <= len(values) else ahead - len(values)


class Evening:
    """One board. Each step raises GridglowError with a sentence if the board doesn't do what it should."""

    def __init__(self, uf2: Path, board: Board, start: RaceStart) -> None:
        self.board, self.start = board, start
        with scratch.folder("bench") as folder:
            build_fitting(folder, board)
            flash = FlashImage.from_folder(folder)
        self.index = _index(flash)
        self.pico = EmulatedPico(uf2, flash, self._hear)
        self.console = Console(self.pico, board_json(board))
        self.watch = Watch(self.pico, self.console)
        self.watch.on_look = self._look
        self.lines = Lines(self.pico.write, end=b"\r\n")
        self.state = ""                            # of the firmware, as reported
        self.found: dict = {}
        self.last: dict[str, dict] = {}            # the last message of each type
        self.told: list[str] = []                  # the types of all messages since the last greeting
        self._confirmed_us = -OK_APART_US
        self._greets = False
        self._glass = -1
        self._text_us = 0.0

    # From the board

    def _hear(self, data: bytes) -> None:
        for message in self.lines.hear(data, self.pico.now_us / 1e6):
            self.last[message["t"]] = message
            self.told.append(message["t"])
            if message["t"] == "hello":
                self.found.setdefault("hello_us", round(self.pico.now_us))
                self.state = self.state or "idle"
            elif message["t"] == "race":
                self.state = message["state"]
            if self.state and not self._greets:
                self.watch.enter(self.state)

    def _look(self) -> None:
        if self.lines.missing:
            self.lines.look(self.pico.now_us / 1e6)
        glass = self.console.glass
        if glass is not None and "text_us" not in self.found and glass.changes != self._glass:
            self._glass = glass.changes
            self._text_us = glass.changed_ns / 1000

    def _until(self, what: str, limit_s: float, done: Callable[[], bool]) -> None:
        if not self.pico.run_s(limit_s, done):
            fault = self.last.get("fault", {}).get("say", "")
            last = f" Its last fault: {fault}" if fault else ""
            last += f" Messages since the greeting: {' '.join(self.told)}." if self.told else ""
            raise GridglowError(f"Expected {what} from the emulated board within {limit_s:g} s of its time, but it is in "
                                f"the state {self.state or 'power-on'!r}, and its display shows {self._shown()}.{last}")

    def _shown(self) -> str:
        glass = self.console.glass
        return repr(" / ".join(glass.lines()) if glass is not None else "")

    # The steps

    def power_on(self) -> None:
        """Runs until its first text is on the display, and it has said hello."""
        self._until("a hello", BOOT_S, lambda: "hello" in self.last)
        self.watch.follow_clocks()
        glass = self.console.glass
        settled_us = 60_000
        self._until("its first text", BOOT_S, lambda: glass is None or (
            glass.lines()[0] == "Gridglow" and self.pico.now_us - glass.changed_ns / 1000 > settled_us))
        self.found["text_us"] = round(self._text_us)

    def greet(self) -> None:
        """Greets it like a page followed by a command: who are you, everything there is to know, how are you."""
        self._greets = True
        self.told.clear()
        self.watch.enter(GREETING + self.state)
        for message, answer in (({"t": "hi", "v": PROTOCOL}, "race"), ({"t": "info"}, "info")):
            self.last.pop(answer, None)
            self.lines.send(message)
            self._until(f"the answer {answer}", ANSWER_S, lambda answer=answer: answer in self.last)
        self.pico.run_s(GREETING_S)
        self._greets = False
        self.watch.enter(self.state)

    def press(self, key: str) -> None:
        """Presses a key of the first panel and releases it."""
        if key == "OK":
            self.pico.run_us(max(0, self._confirmed_us + OK_APART_US - self.pico.now_us))
            self._confirmed_us = self.pico.now_us
        self.console.press(PANEL, key, HELD_US)
        self.pico.run_us(APART_US)

    def set_up(self, again: bool = False) -> None:
        """Goes through the menu to its last row; `again`: the choices for the previous race are still there."""
        self.press("MENU" if self.state == "podium" else "OK")
        self._until("the menu", ANSWER_S, lambda: self.state == "menu")
        for key in ["PREV"] if again else keys_of(self.start, self.index):
            self.press(key)
        self.pico.run_s(GREETING_S)

    def begin(self) -> dict:
        """Presses OK on "Start the race" and waits for the first light; how long that took: ``{"light_us", "first_us"}``."""
        pico, console = self.pico, self.console
        pico.run_us(max(0, self._confirmed_us + OK_APART_US - pico.now_us))
        pressed_us = self._confirmed_us = pico.now_us
        dials, track = (console.output_strip(self.board.dials_output - 1), console.output_strip(0))
        span = slice(0, 3 * self.board.dials[0][1])
        light_us = wait_for_light(console, pico, dials, span, PANEL, "OK")
        row = first_row(self.start.track.track, self.board)
        first: list[float] = []                    # when the first row became a start light

        def shown(strip) -> None:
            if not all_red(strip.outputs[0], row):
                first.clear()
            elif not first:
                first.append((strip.changed_ns or strip.begun_ns) / 1000)

        track.on_frame = shown                     # the light may come before the message about the start
        self._until("the first start light", LIGHT_S, lambda: self.state == "start" and bool(first))
        track.on_frame = None
        self._check()
        return {"light_us": round(light_us), "first_us": round(first[0] - pressed_us)}

    def _check(self) -> None:
        """Checks that it is the intended race."""
        told, setup = self.last["race"], self.start.setup
        wanted = [setup.game, setup.variant, setup.track, len(setup.players)]
        found = [told["game"], told["variant"], told["track"], len(told["seats"])]
        if wanted != found or any(kind != "bot" for kind, _ in told["seats"]):
            raise GridglowError(f"Expected the emulated board to race {wanted}, all bots; it races {found}: its menu has "
                                "rows unknown to gridglow_workshop.bench.evening_pico.")

    def race(self, seconds: float, greets: bool = True) -> None:
        """Runs some of the start lights, then this many seconds of the race; halfway through, a page comes and greets."""
        self.pico.run_s(LIT_S)
        if self.state == "start":
            self.press("OK")
        self._until("the race", LIGHT_S, lambda: self.state == "race")
        self.pico.run_s(seconds / 2)
        if greets and self.state == "race":
            self.greet()
        self.pico.run_s(seconds / 2, lambda: self.state == "podium")

    def to_podium(self) -> None:
        """Runs the rest of the race at the fastest pace in the race's menu."""
        for key in ["MENU", *["PREV"] * PACE_BACK, "OK", "UNDO"] if self.state == "race" else ():
            self.press(key)
        self._until("the podium", RACE_S, lambda: self.state == "podium")
        self.pico.run_s(2)

    def leave(self) -> None:
        """Has the host end a race that isn't over."""
        if self.state != "podium":
            self.lines.send({"t": "stop"})
            self._until("the end of the race", ANSWER_S, lambda: self.state == "idle")

    def figures(self) -> dict:
        """All observations, as a dict for JSON."""
        return {**self.found, **self.watch.figures(), "stops": self.pico.resets,
                "bad_frames": sum(strip.bad for strip in self.console.strips)}


def first_row(track: Track, board: Board) -> list[int]:
    """The pixels of the row behind the line, which is the first start light."""
    pixels = map_leds(track, board).leds
    return sorted({pixels[space] for space in track.row_spaces(1)})


def all_red(pixels: bytes, indexes: list[int]) -> bool:
    """Whether all pixels at these indexes have the colour of the start lights; a single car or mark may have it, too."""
    return all(pixels[3 * at] and not any(pixels[3 * at + 1:3 * at + 3]) for at in indexes)


def _index(flash) -> list[dict]:
    return json.loads(flash.read("tracks/index.json"))


def measure_evening(uf2: Path, board: Board, game: str, race_s: float = 5.0, races: int = 1, podium: bool = False,
                    say: Callable[[str], None] = lambda text: None) -> dict:
    """One game's largest race, `races` times: what was seen from outside, as a dict for JSON. Each race runs for `race_s`
    seconds, and then on to its podium if `podium` is set, else it is left. Raises GridglowError."""
    start = largest(board, game)
    evening = Evening(uf2, board, start)
    evening.power_on()
    evening.greet()
    starts = []
    for number in range(1, races + 1):
        say(f"{game}, race {number} of {races}: setting up, starting, running {race_s:g} s of it.")
        evening.set_up(number > 1)
        starts.append(evening.begin())
        evening.race(race_s, number in (1, races))
        if podium:
            say(f"{game}: on to the podium.")
            evening.to_podium()
        elif number < races:
            evening.leave()
    setup = start.setup
    return {"game": game, "variant": setup.variant, "track": setup.track, "seats": len(setup.players),
            "races": races, "podium": podium, "starts": starts, **evening.figures()}
