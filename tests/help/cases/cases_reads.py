"""Looking changes nothing: an evening in which a host greets, or asks, between any two pieces of an answer is
the same, light by light, as without it. On both interpreters; the board's flash is in the folder ``flash``.
"""

from script_hal import Script, ScriptHal, clear_save

from glow.app import App
from shared_rules.chance import Chance
from shared_rules.link_lines import PROTOCOL

GREETING = {"t": "hi", "v": PROTOCOL}
#: What else a host may ask at any moment.
QUESTIONS = ({"t": "view", "seat": 1}, {"t": "why", "seat": 1}, {"t": "journal"}, {"t": "info"},
             {"t": "read", "name": "board.json"}, {"t": "crash"}, {"t": "view", "seat": 2})
#: Takes a board just as long, but reads nothing.
NOTHING = {"t": "mirror", "on": 0}
#: Gives a tick room for one piece of work only: a host can come between any two of them.
LOOK_US = 3000
#: This many ticks after an answer it is saved, reported and shown; the last ones fall into the animation.
LATER = 11
UNDO_EVERY = 3


class Evening:
    """A race of a person at the link and two bots. The messages in ``said`` are heard one after another, each
    some ticks later after an answer than the previous one."""

    def __init__(self, plain, said):
        clear_save("flash")
        self.said = said
        self.looks = []                            # time, lights, display and sounds of every tick
        self.jumps = []
        self.events = []
        hal = self.hal = ScriptHal("flash")
        hal.look_us = LOOK_US
        self.driver = Script(App(hal, pace="fast"))
        self.driver.on_tick = self._look
        self.app = self.driver.app
        self._cars = None
        self._answered = 0
        assert self.app.start_race(plain) == ""
        while self.app.load_next():                # so that both evenings of a test start with everything a race needs
            pass
        self.driver.press(1, "OK")                 # no start lights
        self.chance = Chance("evening", plain["game"])

    def play(self, answers):
        """Plays this many answers, every few of them an undo; returns the race's save."""
        for number in range(1, answers + 1):
            assert self.driver.until(self._asked, 600000)
            if self.app.race.over:
                break
            prompt = self.app.race.prompt_of(1)
            text = "undo" if number % UNDO_EVERY == 0 else prompt.sample(self.chance)
            self.hal.say({"t": "answer", "seat": 1, "serial": prompt.serial, "text": text, "n": number})
            for _ in range(number % LATER):
                self.driver.tick()
            message = dict(self.said[number % len(self.said)])
            message["n"] = 1000 + number
            self.hal.say(message)
            assert self.driver.until(lambda count=number: self._answered == count, 20000), text
        self.driver.run(1500)
        assert not self.hal.errors and not self.app.faults, self.app.faults
        return self.app.race.save()

    def _asked(self):
        race = self.app.race
        return race.over or race.prompt_of(1) is not None and self.app.table and not self.app.table.answering.moving

    def _look(self):
        hal = self.hal
        self.looks.append((hal.ticks_ms(), [strip.crc() for strip in hal.pixels], list(hal.display.shown),
                           hal.display.private, len(hal.sound.played)))
        for message in hal.sent:
            if message["t"] == "scene":
                self.events.extend(message["events"])
                if self._cars is not None and self._cars != message["cars"] and not message["events"]:
                    self.jumps.append((hal.ticks_ms(), message["cars"]))
                self._cars = message["cars"]
            elif message["t"] in ("ok", "no") and message["re"] < 1000:
                self._answered = message["re"]
        hal.sent.clear()


def same(plain, said, answers):
    """The evening is the same with and without these questions."""
    quiet = Evening(plain, (NOTHING,))
    end = quiet.play(answers)
    asked = Evening(plain, said)
    came = asked.play(answers)
    for here, there in zip(asked.looks, quiet.looks):
        assert here == there, "the board shows %s, not %s" % (here, there)
    assert len(asked.looks) == len(quiet.looks) and came == end
    assert asked.events == quiet.events, "the host hears %s, not %s" % (asked.events, quiet.events)
    assert not asked.jumps, "cars jump on the page: %s" % list(asked.jumps[0])
    assert not quiet.app.race.over and quiet.app.race.lines > answers


def _moto(variant):
    return {"game": "moto_grand_prix", "track": "gp-ring", "laps": 4, "seed": "reads", "salt": "s", "variant": variant,
            "players": [["person", "Ann"], ["bot", "Bo"], ["bot", "Cy"]]}


def case_a_host_greets_between_any_two_pieces_of_an_answer():
    same(_moto("basic"), (GREETING,), LATER * UNDO_EVERY)


def case_a_host_asks_between_any_two_pieces_of_an_answer():
    same(_moto("standard"), QUESTIONS, LATER * UNDO_EVERY)


def case_a_host_asks_while_hands_are_hidden():
    same({"game": "full_throttle", "track": "track-a", "laps": 3, "seed": "reads", "salt": "s", "variant": "standard",
          "players": [["person", "Ann"], ["bot", "Bo"], ["bot", "Cy"]]}, (GREETING,) + QUESTIONS, LATER * UNDO_EVERY)


def case_a_host_asks_while_a_long_answer_is_worked_out():
    same({"game": "fast_and_furious", "track": "main-event", "laps": 4, "seed": "reads", "salt": "s", "variant": "street",
          "players": [["person", "Ann"], ["bot", "Bo"], ["bot", "Cy"]]}, (GREETING,) + QUESTIONS, LATER * UNDO_EVERY)
