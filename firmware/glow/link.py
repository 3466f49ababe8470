"""Messages to and from the host: what happens in the race goes out, what the page asks comes in.

The race never waits for any of it. What a seat may not see leaves only in the answer to `view` for that
seat; secret answers go out as "sealed" until the podium.
"""

import gc

from hal import ticks_diff
from shared_rules.link_table import PROTOCOL

STAT_EVERY_MS = 5000


class Link:
    """Speaks for one App."""

    def __init__(self, app):
        self.app = app
        self._files = []
        self._stat_ms = app.now
        self._frames = 0

    def send(self, kind, droppable=False, **fields):
        """Sends one message; False where it had to be dropped."""
        fields["t"] = kind
        return self.app.hal.send(fields, droppable)

    # In

    def take(self):
        """Handles what has come."""
        for message in self.app.hal.messages():
            handle = getattr(self, "_take_" + message["t"], None)
            if handle:
                handle(message)
        if self.app.hal.lost:
            self.app.hal.lost = False
            self.all()

    def _take_hi(self, message):
        if message["v"] != PROTOCOL:
            self.no(message, "board.other_protocol", (PROTOCOL, message["v"]))
        self.all()

    def _take_answer(self, message):
        table = self.app.table
        if table is None:
            self.no(message, "board.no_race")
        else:
            table.offer(message["seat"], message["serial"], message["text"], message)

    def _take_start(self, message):
        say = self.app.start_race(message["setup"])
        if say:
            self.no_text(message, say)
        else:
            self.ok(message)

    def _take_resume(self, message):
        say = self.app.resume_race()
        if say:
            self.no_text(message, say)
        else:
            self.ok(message)

    def _take_stop(self, message):
        self.ok(message)
        self.app.stop_race()

    def _take_view(self, message):
        race = self.app.race
        seat = message["seat"]
        if race is None or not 1 <= seat <= len(race.setup.players):
            self.no(message, "board.no_such_seat")
            return
        seen = race.view(seat)
        prompt = race.prompt_of(seat)
        plain = self._prompt(prompt, seen["prompt"]) if prompt else None
        self.send("view", seat=seat, prompt=plain, private=[self.app.speech.say(item) for item in seen["private"]])

    def _take_why(self, message):
        race = self.app.race
        seat = message["seat"]
        prompt = race.prompt_of(seat) if race else None
        if prompt is None or prompt.secret:
            self.no(message, "board.nothing_asked")
            return
        items = [[near.text, self.app.speech.text(near.reason, near.args_), near.clause] for near in prompt.refused()]
        self.send("why", seat=seat, items=items)

    def _take_journal(self, message):
        if self.app.race is None:
            self.no(message, "board.no_race")
        else:
            self.file("journal", self.app.race)

    # Out

    def ok(self, message):
        """Accepts a message of the host."""
        if message is not None:
            self.send("ok", re=message.get("n", 0))

    def no(self, message, key, args=(), clause=""):
        """Refuses a message of the host with a sentence of the text files."""
        self.no_text(message, self.app.speech.text(key, args), clause)

    def no_text(self, message, say, clause=""):
        """Refuses a message of the host with a sentence."""
        if message is not None:
            self.send("no", re=message.get("n", 0), say=say, clause=clause)

    def hello(self):
        """Who this board is, and what can be played here."""
        self._more("hello")
        self._more("menu")

    def all(self):
        """The whole picture, for a host that has just come or has missed something."""
        self.hello()
        self.race()
        self.app.hal.refresh()
        if self.app.race:
            self._more("lines")
            self.prompts()
            self.scene(None)
            self.standings()

    def _more(self, name):
        """Says what is said once in a while: the code for it is loaded and dropped again."""
        from glow import link_more
        getattr(link_more, name)(self)
        del link_more
        self.app.forget("glow.link_more")

    def race(self):
        """The state of the board and the head of its race."""
        app = self.app
        setup = app.race.setup if app.race else None
        cars = [[c[0], c[1], app.speech.text(c[2]), c[3], c[4]] for c in app.cars]
        self.send("race", state=app.state, game=setup.game if setup else "", variant=setup.variant if setup else "",
                  track=setup.track if setup else "", laps=setup.laps if setup else 0,
                  lap=app.race.lap if setup else 0, seats=setup.players if setup else [], cars=cars,
                  dice=setup.dice if setup else "", decks=setup.decks if setup else "", seed_hash=app.seed_hash(),
                  panels=[app.panels.seats(panel + 1) for panel in range(app.panel_count)],
                  lights=max(0, min(5, app.start_lights)))

    def prompts(self):
        """Everything that is asked; the choices of secret prompts aren't in it."""
        race = self.app.race
        if race:
            self.send("prompts", list=[self._prompt(prompt, prompt.plain()) for prompt in race.prompts])

    def _prompt(self, prompt, plain):
        plain["say"] = self.app.speech.ask(prompt)
        plain["labels"] = []
        if plain["choices"]:
            labels = prompt.labels()
            for text, label in zip(plain["choices"], labels):
                plain["labels"].append(self.app.speech.option(text, label))
        return plain

    def scene(self, scene):
        """What can be seen of the race; None: as it stands, without events."""
        app = self.app
        track = app.race.track
        if scene is None:
            scene = app.table.last_scene if app.table and app.table.last_scene else app.race.scene()
            events = []
        else:
            events = [_named(event, track) for event in scene.events]
        cars = [[car, track.space_name(space) if space >= 0 else "", status] for car, space, status in scene.cars]
        dials = [[seat, car, app.speech.text(key), value, most] for seat, car, key, value, most in scene.dials]
        marks = [[track.space_name(space), word] for space, word in scene.marks]
        self.send("scene", cars=cars, lap=max(0, scene.lap), laps=scene.laps,
                  lines=[app.speech.say(line) for line in scene.lines], dials=dials, events=events, marks=marks)

    def standings(self):
        """The ranking, best first."""
        race = self.app.race
        rows = [[seat, car, place, points, self.app.speech.who(seat, car)]
                for seat, car, place, points in race.standings()]
        self.send("standings", list=rows, final=1 if race.over else 0)

    def line(self, number, line, say, clause):
        """One line of the journal as it may be seen by all."""
        self.send("line", i=number, seat=line.seat, text=public_text(self.app.race, line), say=say, clause=clause,
                  pd=line.public)

    def file(self, name, race):
        """Sends the journal as a file, a part in each tick."""
        from glow.link_more import parts
        self._files.append(parts(name, race))
        self.app.forget("glow.link_more")

    def file_waits(self):
        """True while a file is on its way."""
        return bool(self._files)

    def fault(self, say):
        """A part of the board has failed."""
        self.send("fault", say=say)

    def done(self):
        """The end of a race that was driven from outside."""
        race = self.app.race
        rows = [list(row) for row in race.standings()]
        self.send("done", digest=race.digest(), public=race.public_digest(), answers=race.lines, turns=race.turns,
                  standings=rows, seed=race.setup.seed)

    def tick(self, now):
        """Sends the next part of a file, and now and then how the board is."""
        if self._files:
            part = next(self._files[0], None)
            if part is None:
                self._files.pop(0)
            else:
                self.app.hal.send(part)
        if ticks_diff(now, self._stat_ms) >= STAT_EVERY_MS:
            self._stat_ms = now
            free = gc.mem_free() if hasattr(gc, "mem_free") else 0
            self.send("stat", True, heap_free=free, frames=self.app.frames,
                      dropped=self.app.hal.counts().get("dropped", 0), tick_us=self.app.tick_us)


def public_text(race, line):
    """The answer of a line, or "sealed" while nobody else may know it."""
    return "sealed" if line.secret and not race.over else line.text


def _named(event, track):
    """An event with the names of spaces in the place of their numbers."""
    event = list(event)
    if event[0] == "moved":
        event[2] = [track.space_name(space) for space in event[2]]
    elif event[0] in ("grid", "bumped"):
        event[2] = track.space_name(event[2]) if event[2] >= 0 else ""
    return event
