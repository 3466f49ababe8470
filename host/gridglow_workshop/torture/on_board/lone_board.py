"""A board in one process with nobody at its link, for trials: its saves are where the trial wants them, its clock is
fake, and its players answer as a seed says. Runs in a device folder, under MicroPython.
"""

import binascii
import json

from roomy import spare

from glow.app import App
from hal.virtual import VirtualHal
from shared_rules.chance import Chance

TICK_MS = 34
#: Every tick takes an answer; a race that does nothing for this many ticks hangs.
TICKS_MOST = 400
#: A trial's heap is collected at one in this many requests of the firmware.
SELDOM = 8
#: One in this many lines is followed by somebody who wants to undo something.
UNDO_EVERY = 13


spare(SELDOM)


class Nobody:
    """The other end of a pipe where nobody is."""

    def read(self, _ms):
        return b""

    def write(self, data):
        return len(data)


class Hal(VirtualHal):
    """The virtual board with its saves below the folder ``flash``."""

    def __init__(self, flash):
        self.saves = flash
        super().__init__(".", fake_clock=True, mirror=False, pipe=Nobody())

    def path(self, name):
        return self.saves + "/" + name if name[:4] == "save" else super().path(name)


def switched_on(flash):
    """The app of a board that has just been switched on. Its lights stay dark: other trials test them."""
    app = App(Hal(flash), pace="instant", quiet=True)
    app.lights = None
    return app


def tick(app):
    """Runs one tick and advances the clock."""
    app.tick(app.hal.ticks_ms())
    app.hal.poll(app.hal.ticks_ms())
    app.hal.advance(TICK_MS)


def settle(app):
    """Lets the board run until only people are asked, or the race is at its podium. Raises ValueError if neither
    happens."""
    for _ in range(TICKS_MOST):
        table = app.table
        if app.state != "race" or not (table.answering.moving or table.answering.offers or app.race.over
                                       or bot_of(app.race)):
            return
        tick(app)
    raise ValueError("nothing is asked any more: " + "; ".join(app.faults))


def bot_of(race):
    """The first prompt that a bot answers, or None."""
    for prompt in race.prompts:
        if race.is_for_bot(prompt):
            return prompt
    return None


def answer(race, seat, text):
    """Gives an answer to the rules alone, and then those of the bots."""
    race.answer(seat, text)
    prompt = bot_of(race)
    while prompt:
        race.answer(prompt.seat, race.bot_answer(prompt.seat))
        prompt = bot_of(race)


def give(app, seat, text):
    """Gives an answer like a panel."""
    app.table.answering.offer(seat, 0, text)
    tick(app)
    settle(app)


def choose(race, seed):
    """(seat, text) of what comes next, from the seed and the place in the race alone: mostly a bot's answer, now
    and then anything, an undo, a no."""
    lines = race.lines
    chance = Chance(seed, "hands/%d/%d" % (lines, len(race.pending_answers())))
    prompt = chance.die(race.prompts)
    seat = prompt.seat or 1
    if lines and lines % UNDO_EVERY == 0 and not race.asking and not race.pending_answers():
        return seat, "undo 1"
    if race.asking:
        return seat, "ok" if chance.below(4) else "no"
    if prompt.seat and chance.below(8):
        return seat, race.bot_answer(seat)
    return seat, prompt.sample(chance)


def place(race):
    """8 hex characters for where a race is: its state, what waits, and what is asked of whom, with what options."""
    asking = race.asking.plain() if race.asking else None
    rows = [race.digest(), race.lines, sorted([list(entry) for entry in race.pending_answers()]), asking]
    for prompt in race.prompts:
        rows.append([prompt.kind, prompt.seat, prompt.car, prompt.ask, prompt.args, prompt.note, prompt.source,
                     prompt.options()])
    return "%08x" % (binascii.crc32(json.dumps(rows).encode()) & 0xFFFFFFFF)
