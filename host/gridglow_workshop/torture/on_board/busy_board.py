"""A board at work for the trials `faults` and `soak`: the firmware's own loop on a fake clock, a host that reads or doesn't,
and a director that is called once per tick. Runs in a device folder, under both interpreters.
"""

import gc
import json

import main

from glow.app import App
from hal.surface import Display
from hal.virtual import VirtualHal
from shared_rules.chance import Chance

TICK_MS = 34
WRAP_MS = 1 << 30


class Host:
    """The other end of the pipe: its messages wait in `says`; of the messages to it, it stores the faults."""

    def __init__(self):
        self.says = b""
        self.reads = True
        self.faults = []

    def read(self, _ms):
        data = self.says[:1024]
        if data:
            self.says = self.says[1024:]
        return data

    def write(self, data):
        if not self.reads:
            return 0
        count = len(data)
        data = bytes(data)
        if b'"fault"' in data:
            for line in data.split(b"\n"):
                if b'"fault"' in line:
                    self.faults.append(json.loads(line[1:-9])["say"])
        return count


class Seen(Display):
    """A display with somebody in front of it: private screens count too."""

    seen = ()

    def lines(self, lines, private_seat=0):
        self.seen = lines
        super().lines(lines, private_seat)


class Hal(VirtualHal):
    """The virtual board with the director acting between two ticks; its saves are below the folder ``flash``."""

    def __init__(self, flash, start_ms=1000):
        self.flash_folder = flash
        self.host = Host()
        super().__init__(".", fake_clock=True, pipe=self.host, start_ms=start_ms, mirror=False)
        self.display = Seen()
        self.director = None
        self.errors = []  # caught exceptions, each as text

    def path(self, name):
        return self.flash_folder + "/" + name if name[:4] == "save" else super().path(name)

    def sleep_ms(self, ms):
        self.advance(TICK_MS)
        try:
            self.director.step()
        except Exception as error:                    # the loop itself would ignore it
            self.director.crashed(error)

    def ticks_us(self):
        return self.ticks_ms() * 1000 & 0x3FFFFFFF    # ticks take no time: nothing may depend on this computer

    def trace(self, error):
        self.errors.append((type(error).__name__ + " " + str(error), error))

    def jump_to(self, moment):
        """Sets the clock."""
        self.advance((moment - self.ticks_ms()) % WRAP_MS)

    def note(self, part, state, detail=""):
        """A part vanishes or comes back."""
        for one in self.parts:
            if one[0] == part:
                one[1] = state
                one[2] = detail
        self.parts_serial += 1

    def shown(self):
        """The display's content, without spaces: words are broken at the end of a line."""
        return "".join(self.display.seen).replace(" ", "")


def switched_on(flash, start_ms, pace):
    """The app of a board that has just been switched on."""
    app = App(Hal(flash, start_ms), pace=pace)
    app.settings.put("teach", 0)
    return app


def run(app, director):
    """Lets the board run until the director stops it."""
    app.stopped = False
    app.hal.director = director
    main.run(app.hal, app)


def answer_of(race, seed):
    """(seat, serial, text) of a person's next answer, which follows from the seed and the place in the race alone."""
    prompt = [prompt for prompt in race.prompts if not race.is_for_bot(prompt)][0]
    chance = Chance(seed, "hands/%d/%d" % (race.lines, prompt.seat))
    return prompt.seat or first_person(race), prompt.serial, prompt.sample(chance)


def first_person(race):
    """The first seat with a person still in the race."""
    for seat in race.setup.seats():
        if not race.setup.is_bot(seat) and seat not in race.left:
            return seat
    return 1


def is_asked(app):
    """Whether the table is waiting for a person."""
    table = app.table
    return (app.state == "race" and table is not None and not table.answering.moving and not table.answering.offers
            and not table.menu and not app.race.over and table.questions.waits_for_people())


def free_bytes():
    """The free heap in bytes; 0 if that can't be determined."""
    gc.collect()
    gc.collect()
    return gc.mem_free() if hasattr(gc, "mem_free") else 0
