"""The doctor: the test steps of a board, one after the other, each with what was found, why, and what to do next.

    found = connect.one()
    doctor = Doctor(found, load_board("full"), person)      person None: only what needs nobody
    for result in doctor.run(): …

Nothing here ends a race that runs, unless `end_race` says so. A board that vanishes fails the step that it vanished in,
and the steps behind it are skipped. What each step does stands in `alone`, `lights`, `panels`
and `hands`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from gridglow.boards.boardfile import Board
from gridglow.device.connect import GRIDGLOW, Found
from gridglow.device.person import Person, Stopped
from gridglow.device.port import PortError
from gridglow.device.service import Service
from gridglow.device.talk import SaysNo, Talk
from gridglow.tomlfile import nearest
from shared_rules.errors import GridglowError

OK, FAIL, SKIPPED = "ok", "fail", "skipped"


@dataclass(frozen=True)
class Result:
    """What came of a step: `state` "ok", "fail" or "skipped", `say` what was found and why, `next` what to do."""

    step: str
    title: str
    state: str
    say: str
    next: str = ""
    data: dict[str, Any] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        """The same for --json."""
        return {"step": self.step, "title": self.title, "state": self.state, "say": self.say, "next": self.next,
                "data": self.data}


class Finding(Exception):
    """Ends a step with what was found."""

    def __init__(self, state: str, say: str, next_: str, data: dict[str, Any]) -> None:
        super().__init__(say)
        self.state, self.say, self.next, self.data = state, say, next_, data


def ok(say: str, /, **data: Any) -> Finding:
    """All is well."""
    return Finding(OK, say, "", data)


def fail(say: str, next_: str, /, **data: Any) -> Finding:
    """Something is wrong: what and why, and what to do."""
    return Finding(FAIL, say, next_, data)


def skip(say: str, next_: str = "", /, **data: Any) -> Finding:
    """It could not be tried."""
    return Finding(SKIPPED, say, next_, data)


@dataclass(frozen=True)
class Step:
    """A test step: `run(doctor)` returns or raises a Finding. `needs`: "nothing", "service", or "person" (who sees it)."""

    name: str
    title: str
    needs: str
    run: Callable[[Doctor], Finding]


class Doctor:
    """Examines one board. `agree` is asked once whether a race that runs may be ended (False where nobody is there)."""

    def __init__(self, found: Found, board: Board | None, person: Person | None = None, end_race: bool = False,
                 again: Callable[[], Found] | None = None, say: Callable[[str], None] = lambda text: None) -> None:
        self.found = found
        self.board = board
        self.person = person
        self.end_race = end_race
        self.again = again                         # finds the board once more, after it was unplugged
        self.say = say                             # what somebody should know while they wait
        self.results: list[Result] = []
        self.about: dict[str, Any] = dict(found.about)
        self._talk: Talk | None = None
        self._service: Service | None = None
        self._out_of_reach = ""                    # why no part can be tried
        self._gone = False
        self._deaf = 0

    # What steps use

    @property
    def talk(self) -> Talk:
        """The link to the board. Raises GridglowError where there is none."""
        if self._talk is None:
            self._talk = self.found.talk()
        return self._talk

    @property
    def service(self) -> Service:
        """The board in service mode. Raises GridglowError where it can't be had."""
        if self._service is None:
            self._service = Service(self.talk, self._may_end(), self.say).__enter__()
        return self._service

    @property
    def somebody(self) -> Person:
        """The person in front of the board. Raises Finding (skipped) where nobody is there."""
        if self.person is None:
            raise skip("This needs somebody in front of the board; run it at a terminal.")
        return self.person

    def part(self, name: str) -> tuple[str, str]:
        """(state, detail) of a part as the board tells it; "off" where it does not tell."""
        for part in self.about.get("parts") or ():
            if len(part) >= 2 and part[0] == name:
                return str(part[1]), str(part[2]) if len(part) > 2 else ""
        return "off", ""

    def wired(self, *keys: str) -> str:
        """The pins of a part for a sentence, such as "SDA GP8, SCL GP9"; "" where the board file does not say."""
        place: Any = self.board.wiring if self.board else {}
        for key in keys:
            place = place.get(key) if isinstance(place, dict) else None
        if isinstance(place, int):
            return f"GP{place}"
        if not isinstance(place, dict):
            return ""
        names = [key for key in place if isinstance(place[key], int) and key != "address"]
        return ", ".join(f"{name.upper() if len(name) < 5 else name} GP{place[name]}" for name in names)

    @property
    def gone(self) -> bool:
        """Whether the board vanished, or answers no more."""
        return self._gone

    def leave(self) -> None:
        """Ends service mode and lets go of the port; the next step takes both again."""
        if self._service is not None:
            self._service.__exit__(None, None, None)
        if self._talk is not None:
            self._talk.close()
        self._service = self._talk = None

    def come_back(self) -> None:
        """After somebody has plugged the board in again. Raises GridglowError where it does not come."""
        if self.again is not None:
            self.found = self.again()
            self.about = dict(self.found.about)

    def _may_end(self) -> bool:
        if self.end_race or not self.found.race_runs:
            return self.end_race
        question = f"On {self.found.title} runs a {self.found.doing}. May it be ended? It stays saved."
        if self.person is not None and self.person.yes(question, "no"):
            self.end_race = True
        return self.end_race

    # The run

    def run(self, names: Sequence[str] | None = None) -> Iterator[Result]:
        """Does the steps, all or those with these names, and yields what came of each. Raises GridglowError for a name
        that there is not, before anything is done."""
        steps = choose(names)
        stopped = ""
        try:
            for step in steps:
                if stopped:
                    finding = skip(stopped)
                else:
                    try:
                        finding = self._do(step)
                    except Stopped as error:
                        stopped = str(error)
                        finding = skip(stopped)
                result = Result(step.name, step.title, finding.state, finding.say, finding.next, finding.data)
                self.results.append(result)
                yield result
        finally:
            with contextlib.suppress(GridglowError):
                self.leave()

    def _do(self, step: Step) -> Finding:
        if step.needs != "nothing":
            if self._out_of_reach:
                return skip(self._out_of_reach)
            if self.found.state != GRIDGLOW:
                return skip("Gridglow does not run on the board, so its parts can't be tried.")
        try:
            if step.needs == "person":
                self.somebody.say("")
                self.somebody.say(f"{step.title}")
            if step.needs != "nothing":
                self.service  # noqa: B018 - enters the mode
            finding = step.run(self)
            self._deaf = 0
            return finding
        except Finding as finding:
            return finding
        except Stopped:
            raise
        except PortError as error:
            self._out_of_reach = "The board has gone."
            self._gone = True
            self._service = self._talk = None
            return fail(str(error), "Plug it in again, and run gridglow doctor once more.")
        except SaysNo as error:
            if self._service is None:
                self._out_of_reach = "A race runs on the board, and it goes on."
                return skip(str(error), "Finish the race, or end it with gridglow doctor --yes (it stays saved).")
            return fail(f"The board refuses: {error}", "Bring it up to date with: gridglow flash")
        except GridglowError as error:
            self._deaf += 1
            if self._deaf > 1:
                self._out_of_reach = "The board does not answer any more."
                self._gone = True
            return fail(str(error), "Reset the board (unplug it and plug it in again), and run this step once more.")


def choose(names: Sequence[str] | None) -> list[Step]:
    """The steps with these names in the doctor's order, or all. Raises GridglowError with the nearest name."""
    steps = all_steps()
    known = tuple(step.name for step in steps)
    for name in names or ():
        if name not in known:
            raise GridglowError(f"There is no step {name!r}{nearest(name, known)}")
    return [step for step in steps if not names or step.name in names]


def all_steps() -> list[Step]:
    """All steps in their order."""
    from gridglow.device.doctor import alone as steps
    from gridglow.device.doctor import hands, lights
    from gridglow.device.doctor import panels as keys

    return [
        Step("power", "Supply, with a meter (T0, T1, T2)", "nothing", hands.power),
        Step("board", "What runs on the board", "nothing", steps.board),
        Step("supply", "5 V of the LEDs (T2)", "service", steps.supply),
        Step("colours", "Colours of the first LED (T3)", "person", lights.colours),
        Step("count", "Number of LEDs (T3)", "person", lights.count),
        Step("walk", "LEDs under their spaces", "person", lights.walk),
        Step("panels", "Panels, key by key (T4)", "service", keys.panels),
        Step("encoder", "Encoder (T5)", "person", keys.encoder),
        Step("sound", "Buzzer (T6)", "person", hands.sound),
        Step("display", "Display (T7)", "service", hands.display),
        Step("reader", "Card reader (T8)", "service", hands.reader),
        Step("memory", "Memory", "service", steps.memory),
        Step("flash", "Flash", "service", steps.flash),
        Step("rate", "Frame rate", "service", steps.rate),
        Step("latency", "From a press to its light", "person", keys.latency),
        Step("full", "All LEDs at the cap (T9)", "person", lights.full),
    ]
