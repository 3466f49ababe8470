"""Keeps the emulated PIO's state machines going while the processor sleeps.

While asleep, rp2040py jumps from one alarm of its clock to the next and lets each state machine execute one instruction per
jump; so a wave fed by DMA stands still until something else happens. The beat sets an alarm for each instruction that
is due, so that jumps end where a state machine goes on. It knows the instruction's own delay, so one alarm per instruction
is enough, and nothing is rounded to a grid.
"""

from __future__ import annotations

from rp2040py.utils.fifo import FIFO

CYCLE_NS = 8.0  # at 125 MHz, as rp2040py assumes
CYCLE = 256  # rp2040py counts cycles in 256ths
LATE_CYCLES = 8 * CYCLE  # a machine later than this restarts at the current time


class PioBeat:
    """Install it once on a machine; it works until the machine is gone."""

    RESTING_NS = 20_000.0  # used when machines are on and all wait for something
    STOPPED_NS = 1_000_000.0
    ROUNDED_NS = 0.3  # an alarm is a little later than its instruction, so that a rounded jump still reaches it
    UNKNOWN_NS = 40_000.0

    def __init__(self, mcu, clock) -> None:
        self._core = mcu.core
        self._clock = clock
        self._pios = [(pio, list(pio.machines)) for pio in mcu.pio]
        self._at_ns = 0.0
        self._reached = [0 for _ in self._pios]
        self._resting = True
        self._alarm = clock.create_alarm(self._beat)
        for _, machines in self._pios:
            for machine in machines:
                machine.tx_fifo = _WakingFifo(machine.tx_fifo.size, self._wake)
        self._alarm.schedule(self.RESTING_NS)

    def _wake(self) -> None:
        """A word has arrived for a state machine that may be waiting for it."""
        if self._resting:
            self._resting = False
            self._alarm.schedule(CYCLE_NS)

    def _beat(self) -> None:
        now_ns = self._clock.nanos
        since_ns = now_ns - self._at_ns
        self._at_ns = now_ns
        asleep = self._core.waiting
        soonest = -1
        running = False
        for index, (pio, machines) in enumerate(self._pios):
            if pio.stopped:
                continue
            running = True
            # How far this block will be once the current jump has been counted. Each jump loses a fraction of a
            # cycle, and other alarms may have cut ours in two: too little is better than too much, as an instruction that
            # wasn't reached gets another alarm a cycle later.
            at = pio.cycle_fp
            if asleep and since_ns < self.UNKNOWN_NS:
                others = at - self._reached[index]
                jump_ns = since_ns - others * (CYCLE_NS / CYCLE) - (CYCLE_NS if others else 0.01)
                if jump_ns > 0:
                    at += int(jump_ns / CYCLE_NS) * CYCLE
            self._reached[index] = at
            for machine in machines:
                if machine.enabled and not machine.waiting:
                    due = machine.next_due_fp
                    if due <= at:  # executed in this jump
                        if at - due > LATE_CYCLES:
                            due = at
                        due += _length(pio, machine)
                    away = due - at
                    if soonest < 0 or away < soonest:
                        soonest = away
        self._resting = soonest < 0
        if soonest >= 0:
            self._alarm.schedule(max(soonest, CYCLE) * (CYCLE_NS / CYCLE) + self.ROUNDED_NS)
        else:
            self._alarm.schedule(self.RESTING_NS if running else self.STOPPED_NS)


def _length(pio, machine) -> int:
    """The duration of the next instruction, including its delay, in 256ths of a cycle."""
    delay_and_side = (pio.instructions[machine.pc] >> 8) & 0x1F
    side_bits = (machine.pin_ctrl >> 29) & 7
    delay = delay_and_side & ((1 << (5 - side_bits)) - 1)
    return (1 + delay) * machine.div_fp


class _WakingFifo(FIFO):
    """A state machine's queue that reports when a word arrives."""

    def __init__(self, size: int, wake) -> None:
        super().__init__(size)
        self._wake = wake

    def push(self, value: int) -> None:
        super().push(value)
        self._wake()
