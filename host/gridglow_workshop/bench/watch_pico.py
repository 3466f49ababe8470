"""Watches an emulated board from outside while its own main.py runs: its heap, its ticks, its first light and text.

Nothing is asked of the firmware. The heap is read from the RAM. A tick begins when the loop feeds the watchdog, which
it does once per tick during a race. Without a race nothing outside marks a tick, but words in the heap do: objects store
the time at which their tick began. Which words those are is known later, when they agree with the watchdog's feeds.
"""

from __future__ import annotations

from collections import defaultdict

from gridglow.virtual.pico.heap import RAM_BEGIN, Collections, HeapTable, find
from gridglow.virtual.pico.machine import EmulatedPico
from gridglow.virtual.pico.parts import Console
from gridglow_workshop.bench.measures_pico import percentile

LOOK_US = 4000.0
CLOCK_LOOK_US = 1000.0
WATCHDOG_CTRL, WATCHDOG_LOAD, WATCHDOG_ENABLE = 0x00, 0x04, 1 << 30
TIMER_US = 0x40054028
POWER_ON = "power-on"
#: What the board is doing while the watchdog is on, and what the message says that comes a little later than the first tick.
START, RACE = "start", "race"


class Least:
    """The least value of a figure in each state: `of` has (figure, when in microseconds) by state name."""

    def __init__(self) -> None:
        self.of: dict[str, tuple[int, float]] = {}

    def take(self, state: str, figure: int, now_us: float) -> None:
        """Notes a figure."""
        if state not in self.of or figure < self.of[state][0]:
            self.of[state] = (figure, now_us)

    def least(self) -> tuple[str, int, float]:
        """(state, figure, when) of the overall least; ("", 0, 0.0) if nothing was noted."""
        if not self.of:
            return "", 0, 0.0
        state = min(self.of, key=lambda one: self.of[one][0])
        return (state, *self.of[state])


class ClockWords:
    """Words in the heap that look like the board's clock, in ms. `seek` finds them, `look` follows them."""

    recent_ms = 40
    #: This share of the feeds must be in a word's history for it to count as the tick's clock.
    agrees = 0.98
    feeds_least = 50

    def __init__(self) -> None:
        self._seen: dict[int, list[int]] = {}

    def seek(self, table: HeapTable, ram, now_ms: int) -> None:
        """Notes all words that hold a recent time, as MicroPython stores a small integer."""
        least, most = 2 * (now_ms - self.recent_ms) + 1, 2 * now_ms + 1
        for index, word in enumerate(table.words(ram)):
            if least <= word <= most and word & 1:
                self._seen.setdefault(table.pool + 4 * index - RAM_BEGIN, [word >> 1])

    def look(self, ram, now_ms: int) -> None:
        """Notes the words that have advanced; skips those that now hold something else."""
        for at, seen in list(self._seen.items()):
            word = int.from_bytes(ram[at:at + 4], "little")
            value = word >> 1
            if value != seen[-1]:
                if word & 1 and seen[-1] < value <= now_ms + 1:
                    seen.append(value)
                else:
                    del self._seen[at]

    def ticks(self, feeds_ms: list[int]) -> list[int]:
        """The times at which ticks began, by the word that agrees best with the watchdog's feeds; [] if none does."""
        if len(feeds_ms) < self.feeds_least:
            return []
        best, moments = 0.0, []
        for seen in self._seen.values():
            known = set(seen)
            share = sum(1 for feed in feeds_ms if known & {feed - 1, feed, feed + 1}) / len(feeds_ms)
            if share > best:
                best, moments = share, seen
        return moments if best >= self.agrees else []


class Ticks:
    """How long ticks take, from the beginning of one to the next: (microseconds, state, when it began) each."""

    def __init__(self) -> None:
        self.all: list[tuple[float, str, float]] = []
        self.feeds_ms: list[int] = []
        self._begun: tuple[float, str] | None = None

    def feed(self, now_us: float, now_ms: int, state: str) -> None:
        """Notes the beginning of a tick."""
        self.stop(now_us)
        self._begun = now_us, state
        self.feeds_ms.append(now_ms)

    def stop(self, now_us: float) -> None:
        """The watchdog is switched off: the tick has lasted at least this long."""
        if self._begun is not None:
            begun_us, state = self._begun
            self.all.append((now_us - begun_us, state, begun_us))
        self._begun = None


def spread(ticks: list[tuple[float, str, float]]) -> dict:
    """``{"count", "p99_us", "most_us", "state", "at_us"}``: the last two say in which state the longest one began, and
    when."""
    if not ticks:
        return {"count": 0, "p99_us": 0, "most_us": 0, "state": "", "at_us": 0}
    inorder = sorted(ticks)
    most_us, state, at_us = inorder[-1]
    return {"count": len(ticks), "p99_us": round(percentile([one[0] for one in inorder], 99)), "most_us": round(most_us),
            "state": state, "at_us": round(at_us)}


def while_watched(state: str) -> str:
    """What the board is doing in a tick while the watchdog is on: a state that isn't a race's was reported too late."""
    return state if state.endswith((START, RACE)) else START


class Watch:
    """Observes a board from its power-on to the last call of its machine's `run_us`. `state` is what the board is doing,
    set by whoever listens to it. Attach it before the board starts."""

    def __init__(self, pico: EmulatedPico, console: Console) -> None:
        self.pico = pico
        self.console = console
        self.state = POWER_ON
        self.table: HeapTable | None = None
        self.raw, self.after = Least(), Least()
        self.collections = Collections()
        self.ticks = Ticks()
        self.lit_us = 0.0                          # time of the first light, 0 while it's dark
        self.on_look = lambda: None
        self._states: list[tuple[float, str]] = [(0.0, POWER_ON)]
        self._clocks = ClockWords()
        self._clocks_on = False
        self._look_alarm = pico.clock.create_alarm(self._look)
        self._clock_alarm = pico.clock.create_alarm(self._look_at_clocks)
        self._look_alarm.schedule(0)
        self._write = pico.mcu.watchdog.write_uint32
        pico.mcu.watchdog.write_uint32 = self._watchdog
        for strip in console.strips:
            strip.on_frame = self._frame

    def enter(self, state: str) -> None:
        """Notes a change of what the board is doing."""
        if state != self.state:
            self.state = state
            self._states.append((self.pico.now_us, state))

    def follow_clocks(self) -> None:
        """Looks for the heap's clocks, now that the loop is running, and follows them from here on."""
        if self.table is not None:
            self._clocks.seek(self.table, self.pico.mcu.sram, self._now_ms())
            if not self._clocks_on:
                self._clocks_on = True
                self._look_at_clocks()

    def _now_ms(self) -> int:
        return self.pico.mcu.read_uint32(TIMER_US) // 1000

    def _look(self) -> None:
        self.console.settle()
        ram = self.pico.mcu.sram
        if self.table is None:
            self.table = find(ram)
        if self.table is not None:
            now_us = self.pico.now_us
            free_bytes, marked = self.table.read(ram)
            self.raw.take(self.state, free_bytes, now_us)
            left = self.collections.take(now_us, free_bytes, marked)
            if left is not None:
                self.after.take(self.state, left, now_us)
        self.on_look()
        self._look_alarm.schedule(1000 * (Collections.look_us if self.collections.watches else LOOK_US))

    def _look_at_clocks(self) -> None:
        self._clocks.look(self.pico.mcu.sram, self._now_ms())
        self._clock_alarm.schedule(1000 * CLOCK_LOOK_US)

    def _watchdog(self, offset: int, value: int) -> None:
        self._write(offset, value)
        if offset == WATCHDOG_LOAD:
            self.ticks.feed(self.pico.now_us, self._now_ms(), while_watched(self.state))
        elif offset == WATCHDOG_CTRL and not value & WATCHDOG_ENABLE:
            self.ticks.stop(self.pico.now_us)

    def _frame(self, strip) -> None:
        if not self.lit_us and any(strip.last):
            self.lit_us = (strip.changed_ns or strip.begun_ns) / 1000
            for one in self.console.strips:
                one.on_frame = None

    def idle_ticks(self) -> list[tuple[float, str, float]]:
        """The ticks without the watchdog, to the millisecond; [] if no clock was found."""
        moments = self._clocks.ticks(self.ticks.feeds_ms)
        offset_us = self.pico.now_us - self.pico.mcu.read_uint32(TIMER_US)
        fed = {feed + near for feed in self.ticks.feeds_ms for near in (-1, 0, 1)}
        found = []
        for begun, ended in zip(moments, moments[1:]):
            if begun not in fed:
                begun_us = 1000.0 * begun + offset_us
                found.append((1000.0 * (ended - begun), self._state_at(begun_us), begun_us))
        return found

    def _state_at(self, at_us: float) -> str:
        return next((state for since_us, state in reversed(self._states) if since_us <= at_us + 1000), POWER_ON)

    def figures(self) -> dict:
        """The observations, as a dict for JSON; heaps in bytes and as a percentage of the whole heap."""
        size = self.table.bytes if self.table else 0

        def least(of: Least) -> dict:
            state, free, at_us = of.least()
            return {"bytes": free, "percent": round(100 * free / size, 1) if size else 0.0, "state": state,
                    "at_us": round(at_us), "states": {name: found for name, (found, _) in of.of.items()}}

        by_state = defaultdict(list)
        for one in self.ticks.all + self.idle_ticks():
            by_state[one[1]].append(one)
        return {"heap": size, "raw": least(self.raw), "after": least(self.after),
                "collections": self.collections.count, "collection_us": round(self.collections.longest_us),
                "ticks": {state: spread(ticks) for state, ticks in by_state.items()},
                "lit_us": round(self.lit_us)}
