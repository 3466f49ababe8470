"""Nothing of a race outlives it: an evening's second race shows, says and lights what it would alone on a new board."""

import shutil
from binascii import crc32

import pytest
from golden_frames.board_root import board_root
from script_hal import Script, ScriptHal

from glow.app import App
from gridglow.races.startup import race_setup
from gridglow.races.trials import trials
from shared_rules import games

#: For each game a variant in which much happens; for others the last one.
VARIANTS = {"moto_grand_prix": "standard", "racing_rules": "turbocharge", "fast_and_furious": "street"}
SEATS = 3
ANSWERS = 8
#: What a board says about itself, and when, has nothing to do with its races.
OF_ITSELF = ("stat", "px", "hello", "menu")
#: No light flashes more than three times in any second, whichever race it belongs to: the limits look back
#: that far, at what they let through, and that may in turn depend on the second before it; and one tick.
FLASHES_MS = 2010


@pytest.fixture(scope="module", params=games.NAMES)
def flash(request, tmp_path_factory):
    """(game, the flash of a board with its tracks)."""
    game = request.param
    return game, board_root(tmp_path_factory.mktemp(game), "full", game)


def plain(game, seed, bots):
    variant = VARIANTS.get(game, games.about(game).VARIANTS[-1])
    track = trials(game).SHORT_TRACK
    found = race_setup(game, variant, track, laps=1, seats=SEATS, bots=bots, seed=seed).setup.plain()
    return {**found, "salt": seed + "salt"}


class Evening:
    """A board on a fake clock that starts at `start_ms`."""

    def __init__(self, root, start_ms):
        self.driver = Script(App(ScriptHal(str(root), start_ms=start_ms), pace="fast"))
        self.app = self.driver.app
        self.hal = self.driver.hal
        self.hal.look_us = 0                       # all pieces of a start fit into one tick, whatever else that tick does
        self.driver.run(100)

    def begin(self, setup):
        """Start a race, as a new board would."""
        self.hal._random = 7
        self.hal.sent.clear()
        self.hal.sound.played.clear()
        self.hal.say({"t": "start", "n": 1, "setup": setup})
        assert self.driver.until(lambda: self.app.state == "start") and self.hal.kinds("ok")
        # Anything sent before, while the new race was being set up, belongs to the end of the previous one.
        starts = [place for place, one in enumerate(self.hal.sent) if one["t"] == "race" and one["state"] == "start"]
        if starts:
            del self.hal.sent[:starts[0]]

    def hurry(self):
        """Skip the movement: nobody watches it in the first race."""
        if self.app.table:
            self.app.table.answering.skip()

    def ready(self):
        app = self.app
        return app.state != "race" or (not app.table.answering.moving and not app.table.answering.offers
                                       and app.table.questions.waits_for_people())

    def play(self, answers):
        """Answer with panel keys, and secretly on seat pages, until the race is over or `answers` are given."""
        app = self.app
        for _ in range(answers):
            assert self.driver.until(self.ready, 600000)
            if app.state != "race":
                return
            prompt = self.asked()
            if prompt.secret:
                self.answer(prompt)
                self.driver.run(200)
            else:
                self.driver.press(app.panels.panel_of(prompt.seat or 1), "OK")

    def asked(self):
        setup = self.app.race.setup
        return [one for one in self.app.race.prompts if not one.seat or not setup.is_bot(one.seat)][0]

    def answer(self, prompt):
        """On a page: the first option offered."""
        options = prompt.options()
        text = options[0] if options else "roll"
        self.hal.say({"t": "answer", "seat": prompt.seat or 1, "serial": prompt.serial, "text": text})

    def watched(self, answers):
        """What the race under way shows: (frames and display of each tick, what the strips show once the
        limits have forgotten earlier frames, what the host heard, what the buzzer played)."""
        seen = []
        lit = []
        strips = self.app.lights.limits.strips
        begun_ms = self.hal.clock_ms

        def look():
            self.app.lights._due = True  # a frame each tick, because two boards haven't started theirs at the same moment
            seen.append((self.app.state, [crc32(strip.frame) for strip in strips], list(self.hal.display.shown),
                         self.hal.display.private))
            if self.hal.clock_ms - begun_ms > FLASHES_MS:
                lit.append([strip.crc() for strip in self.hal.pixels])
        self.driver.on_tick = look
        self.driver.run(1500)
        self.driver.press(1, "OK")  # the start lights go out
        assert self.app.state == "race"
        self.play(answers)
        self.driver.run(2000)
        self.driver.on_tick = None
        told = [{**one, "re": 0} if "re" in one else one for one in self.hal.sent if one["t"] not in OF_ITSELF]
        return seen, lit, told, list(self.hal.sound.played)


def first_difference(found, wanted):
    """A sentence about the first difference between two lists, or ""."""
    for at, (one, other) in enumerate(zip(found, wanted)):
        if one != other:
            return f"at {at}: {str(one)[:600]}, alone {str(other)[:600]}"
    return "" if len(found) == len(wanted) else f"{len(found)} things, alone {len(wanted)}"


def quit_in_the_menu(evening):
    evening.play(ANSWERS)
    evening.app.stop_race()
    evening.driver.run(100)


def at_the_podium(evening):
    evening.play(10000)
    assert evening.app.state == "podium"


def in_mid_move(evening):
    evening.play(ANSWERS)
    evening.app.tell("A line of the last race.")
    evening.answer(evening.asked())
    evening.driver.tick()
    evening.driver.tick()


def after_an_undo(evening):
    evening.play(ANSWERS)
    for _ in range(3):
        evening.driver.press(1, "UNDO")
        evening.driver.press(1, "WHY")


@pytest.mark.parametrize("left", [quit_in_the_menu, at_the_podium, in_mid_move, after_an_undo])
def test_a_second_race_is_like_the_first_of_a_board(flash, left, tmp_path):
    game, root = flash
    second = plain(game, "second", 1)
    one = Evening(shutil.copytree(root, tmp_path / "one"), 1000)
    one.begin(plain(game, "first", 0 if left is in_mid_move else 1))
    one.driver.press(1, "OK")
    one.driver.on_tick = one.hurry
    left(one)
    now = one.hal.clock_ms
    one.begin(second)
    found = one.watched(ANSWERS)
    fresh = Evening(shutil.copytree(root, tmp_path / "fresh"), now - 100)
    assert fresh.hal.clock_ms == now
    fresh.begin(second)
    wanted = fresh.watched(ANSWERS)
    differ = {what: first_difference(*both) for what, both in zip(("shown", "lit", "told", "played"), zip(found, wanted))}
    assert not any(differ.values()), differ
    assert not one.hal.errors and not fresh.hal.errors
