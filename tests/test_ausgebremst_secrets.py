"""Nothing of a hand, a deck or a stack leaves the board but to its owner: all outputs of races that differ in what is hidden
alone are compared tick by tick, and what is public is searched."""

import shutil

import pytest
from golden_frames.board_root import board_root
from script_hal import Script, ScriptHal

from glow.app import App

SEED, SALT = "hush", "grain-of-salt"


@pytest.fixture(scope="module")
def flash(tmp_path_factory):
    return board_root(tmp_path_factory.mktemp("board"), "full", "ausgebremst")


class Evening(Script):
    """A race at the board whose answers come from the seats' pages; keeps all that comes out of the board."""

    def __init__(self, root, **more):
        super().__init__(App(ScriptHal(str(root)), pace="fast"))
        self.out = []                              # what everybody can see, tick by tick
        self.views = {1: [], 2: [], 3: []}
        self.on_tick = self._note
        self._seen = 0
        self._number = 0
        plain = {"game": "ausgebremst", "track": "bleifuss-drom", "laps": 3, "seed": SEED, "salt": SALT,
                 "players": [["person", "Player %d" % seat] for seat in self.views], "grid": [4, 5, 6, 1, 2, 3], **more}
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
        """Until nothing moves and somebody is asked."""
        assert self.until(lambda: self.app.state != "race" or not self.app.table.moving and self.app.race.prompts
                          and not self.app.table.offers)
        self.run(120)

    def say(self, message):
        self._number += 1
        self.hal.say({**message, "n": self._number})

    def answer(self, seat, text):
        """An answer over the link; then every seat's page asks anew."""
        self.say({"t": "answer", "seat": seat, "serial": self.app.race.prompt_of(seat).serial, "text": text})
        self.run(60)
        self.rest()
        for other in self.views:
            self.say({"t": "view", "seat": other})
            self.run(20)


def prepared(evening, deck, stack):
    """Decks and stacks up to the first turn: seat 1 as it is told, the others always alike."""
    race = evening.app.race
    evening.answer(1, "pick " + deck)
    evening.answer(2, "pick slow")
    evening.answer(3, "pick slow")
    while race.game.phase == "stacks":
        evening.answer(1, stack(race.game.step))
        evening.answer(2, "pick 2")
        evening.answer(3, "pick 3")
    while race.game.phase == "take":
        for seat in (1, 2, 3):
            evening.answer(seat, race.prompt_of(seat).options()[0])
    return race


def test_decks_and_stacks_change_nothing_that_others_see(flash, tmp_path):
    """LEDs, display, sounds, messages, journal, standings, dials: the same whatever deck and stacks seat 1 has."""
    first = Evening(shutil.copytree(flash, tmp_path / "a"), variant="pro")
    one = prepared(first, "fast", lambda step: "pick %d" % (1 + step % 4))
    second = Evening(shutil.copytree(flash, tmp_path / "b"), variant="pro")
    other = prepared(second, "slow", lambda step: "pick %d" % (1 + step // 3))
    assert one.game.hands[0] != other.game.hands[0] or one.game.stacks[0] != other.game.stacks[0]
    assert len(first.out) == len(second.out) > 100
    for tick, (here, there) in enumerate(zip(first.out, second.out, strict=True)):
        assert here == there, f"what is hidden shows in output {tick}"
    assert first.views[2] == second.views[2] and first.views[3] == second.views[3]
    assert first.views[1] != second.views[1]
    assert one.journal() == other.journal() and one.public_digest() == other.public_digest()
    assert one.digest() != other.digest()


@pytest.mark.parametrize("variant", ["family", "pro"])
def test_a_hand_is_in_its_own_view_alone(flash, tmp_path, variant):
    evening = Evening(shutil.copytree(flash, tmp_path / variant), variant=variant)
    race = evening.app.race if variant == "family" else prepared(evening, "average", lambda step: "pick 1")
    for _ in range(9):
        if race.over:
            break
        prompt = race.prompts[0]
        hand = "Hand: " + " ".join(reversed(race.game.hands[prompt.seat - 1]))
        evening.say({"t": "view", "seat": prompt.seat})
        evening.run(20)
        view = evening.views[prompt.seat][-1]
        assert hand in view["private"] and view["prompt"]["choices"] == prompt.options()
        for seat in (1, 2, 3):
            if seat != prompt.seat and evening.views[seat]:
                other = evening.views[seat][-1]["prompt"]
                assert other is None or other["choices"] is None
        evening.answer(prompt.seat, prompt.options()[0])
    text = str(evening.out)
    for word in ("Hand:", "Stacks:", "Deck:", "in_hand", "has_stacks", SEED, SALT, race.digest()):
        assert word not in text, f"{word!r} is public"
    assert "sealed" in race.journal() and "play " not in race.journal()
    assert "Player 1 plays " in text and "has chosen in secret." in text if variant == "pro" else "plays " in text
