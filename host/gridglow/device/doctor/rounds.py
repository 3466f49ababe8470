"""The doctor: a board's test steps, one after the other, each with what was found, why, and what to do next.

    found = connect.one()
    doctor = Doctor(found, load_board("full"), person)      person None: only what needs nobody
    doctor = Doctor(found, load_board("full"), person)      person None: only what needs nobody

Nothing here ends a running race, unless `end_race` says so. A board that vanishes fails the current step, and the
remaining steps are skipped. The steps are in `alone`, `lights`, `panels` and `hands`, and what they work with
is in `examiner`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from gridglow.boards.boardfile import Board
from gridglow.device.connect import GRIDGLOW, Found
from gridglow.device.doctor import alone, hands, lights, panels
from gridglow.device.doctor.examiner import Examiner, Finding, Result, fail, skip
from gridglow.device.person import Person, Stopped
from gridglow.device.port import PortError
from gridglow.device.talk import SaysNo
from gridglow.tomlfile import nearest
from shared_rules.errors import GridglowError


@dataclass(frozen=True)
class Step:
    """A test step: `run(doctor)` returns or raises a Finding. `needs`: "nothing", "service", or "person" (who watches)."""

    name: str
    title: str
    needs: str
    run: Callable[[Examiner], Finding]


class Doctor(Examiner):
    """Examines one board, step by step. `gone`: whether it vanished or stopped answering; `results`: of the steps so far."""

    def __init__(self, found: Found, board: Board | None, person: Person | None = None, end_race: bool = False,
                 again: Callable[[], Found] | None = None, say: Callable[[str], None] = lambda text: None) -> None:
        super().__init__(found, board, person, end_race, again, say)
        self.results: list[Result] = []
        self.gone = False
        self._out_of_reach = ""                    # why no part can be tested
        self._deaf = 0                             # how many steps in a row got no answer

    def run(self, names: Sequence[str] | None = None) -> Iterator[Result]:
        """Runs all steps, or those with these names, and yields their results. Raises GridglowError for an unknown name,
        before anything is done."""
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
                return skip("Gridglow isn't running on the board, so its parts can't be tested.")
        try:
            if step.needs == "person":
                self.somebody.say("")
                self.somebody.say(f"{step.title}")
            if step.needs != "nothing":
                self.service  # noqa: B018 - enters service mode
            finding = step.run(self)
            self._deaf = 0
            return finding
        except Finding as finding:
            return finding
        except Stopped:
            raise
        except PortError as error:
            self._out_of_reach = "The board is gone."
            self.gone = True
            self.lose()
            return fail(str(error), "Plug it in again, and run gridglow doctor again.")
        except SaysNo as error:
            if not self.serves:
                self._out_of_reach = "A race is running on the board, and goes on."
                return skip(str(error), "Finish the race, or end it with gridglow doctor --yes (it stays saved).")
            return fail(f"The board refuses: {error}", "Update it with: gridglow flash")
        except GridglowError as error:
            self._deaf += 1
            if self._deaf > 1:
                self._out_of_reach = "The board no longer answers."
                self.gone = True
            return fail(str(error), "Reset the board (unplug it and plug it in again), and run this step again.")


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
    return [
        Step("power", "Supply, with a meter (T0, T1, T2)", "nothing", hands.power),
        Step("board", "What runs on the board", "nothing", alone.board),
        Step("supply", "5 V of the LEDs (T2)", "service", alone.supply),
        Step("colours", "Colours of the first LED (T3)", "person", lights.colours),
        Step("count", "Number of LEDs (T3)", "person", lights.count),
        Step("walk", "LEDs under their spaces", "person", lights.walk),
        Step("panels", "Panels, key by key (T4)", "service", panels.panels),
        Step("encoder", "Encoder (T5)", "person", panels.encoder),
        Step("sound", "Buzzer (T6)", "person", hands.sound),
        Step("display", "Display (T7)", "service", hands.display),
        Step("reader", "Card reader (T8)", "service", hands.reader),
        Step("memory", "Memory", "service", alone.memory),
        Step("flash", "Flash", "service", alone.flash),
        Step("rate", "Frame rate", "service", alone.rate),
        Step("latency", "From a press to its light", "person", panels.latency),
        Step("full", "All LEDs at the cap (T9)", "person", lights.full),
    ]
