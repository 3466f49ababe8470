"""Whether a game keeps its secrets on a board: a race answered on the seats' pages, and everything that leaves the board.

    @pytest.fixture(scope="module")
    def flash(tmp_path_factory):
        return secrecy.flash(tmp_path_factory, "full_throttle")

    evening = secrecy.Evening(flash, tmp_path / "a", 3, game="full_throttle", track="track-a")
    evening.answer("draw")             # for the seat that is asked first
    evening.choose(2, -1)              # the last option of seat 2, whoever else is asked at the same time

Two evenings that differ only in what is hidden are ``same`` for everybody else.
"""

import shutil

from golden_frames.board_root import board_root
from script_hal import Script, ScriptHal

from glow.app import App

SEED, SALT = "hush", "grain-of-salt"


def flash(tmp_path_factory, game):
    """The files of a full board with this game; each evening copies them."""
    return board_root(tmp_path_factory.mktemp("board"), "full", game)


class Evening(Script):
    """A race at the board; ``out`` is everything that everybody can see, tick by tick, ``views`` what each
    seat alone was told, ``given`` the answers, as (seat, text)."""

    def __init__(self, flash, folder, seats, pace="fast", **setup):
        super().__init__(App(ScriptHal(str(shutil.copytree(flash, folder))), pace=pace))
        self.out = []
        self.given = []
        self.views = {seat: [] for seat in range(1, seats + 1)}
        self.on_tick = self._note
        self._seen = 0
        self._number = 0
        plain = {"laps": 3, "seed": SEED, "salt": SALT,
                 "players": [["person", "Player %d" % seat] for seat in self.views], **setup}
        say = self.app.start_race(plain)
        assert not say, say
        self.run(200)
        if self.app.state == "start":
            self.press(1, "OK")
        self.rest()

    def _note(self):
        hal = self.hal
        lines = tuple(hal.display.shown) if not hal.display.private else ("hidden", hal.display.private)
        self.out.append((tuple(strip.crc() for strip in hal.pixels), lines, len(hal.sound.played)))
        for message in hal.sent[self._seen:]:
            if message["t"] == "view":
                self.views[message["seat"]].append(message)
            elif message["t"] != "stat":
                self.out.append(message)
        self._seen = len(hal.sent)

    def rest(self):
        """Waits until nothing moves and somebody is asked."""
        assert self.until(lambda: self.app.state != "race" or not self.app.table.answering.moving and self.app.race.prompts
                          and not self.app.table.answering.offers)
        self.run(120)

    def say(self, message):
        """Sends a message over the link, with its own number; returns the number."""
        self._number += 1
        self.hal.say({**message, "n": self._number})
        return self._number

    def answer(self, text, seat=None):
        """Sends an answer over the link, for the seat that is asked first unless one is named; then every
        seat's page asks again. Seats asked at the same time answer in any order: the journal has none of
        their lines before the last answer."""
        race = self.app.race
        prompt = race.prompts[0] if seat is None else race.prompt_of(seat)
        number = self.say({"t": "answer", "seat": prompt.seat or 1, "serial": prompt.serial, "text": text})
        self.run(60)
        self.rest()
        assert [one for one in self.hal.sent if one["t"] == "ok" and one["re"] == number], f"{text!r} was not taken"
        self.given.append((prompt.seat, text))
        for other in self.views:
            self.look(other)

    def choose(self, seat, at):
        """The seat takes its option number ``at``; returns its text."""
        text = self.app.race.prompt_of(seat).options()[at]
        self.answer(text, seat)
        return text

    def look(self, seat):
        """What the page of a seat is told now."""
        self.say({"t": "view", "seat": seat})
        self.run(20)
        return self.views[seat][-1]

    def public(self):
        """Every message except the views, the display and the lights, as one text."""
        return str(self.out)


def same(first, second):
    """Raises AssertionError if everybody can see a difference: LEDs, display, sounds, messages, journal,
    public digest, standings, log. The answers must differ, or this would prove nothing."""
    assert first.given != second.given, "both were given the same answers"
    for tick, (here, there) in enumerate(zip(first.out, second.out, strict=False)):
        assert here == there, f"what is hidden shows in output {tick}"
    assert len(first.out) == len(second.out), "what is hidden shows: one board put out more"
    one, other = first.app.race, second.app.race
    assert one.journal() == other.journal() and one.public_digest() == other.public_digest()
    assert one.standings() == other.standings()
    assert [row[1:] for row in first.app.events] == [row[1:] for row in second.app.events]
