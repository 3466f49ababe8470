"""A race of a tiny game at a board with a card reader, and hands that put cards on it. Runs on both interpreters; the
fakes of a Pico's modules must be on the path (see both.py)."""

from cases_rc522 import bench
from drivers.cards import Presence
from parts import Card
from script_hal import Script, ScriptHal
from tiny_games import hidden_cards

from glow.app import App
from glow.table.deck import Deck
from shared_rules import games
from shared_rules.track import Track

SUN, SUN_TOO, RAIN = "04A1B2C3D4E5F6", "04A1B2C3D4E5F7", "11223344"


class CardTable(Script):
    """The board in a folder, with its reader."""

    def __init__(self, root, pace="instant", keep_messages=True):
        hal = ScriptHal(root, keep_messages=keep_messages)
        self.chip, reader = bench()
        hal.reader = Presence(reader)
        super().__init__(App(hal, pace=pace))
        self.on_tick = self._read
        self.deck = Deck(hal.path("save"))
        self.run(50)

    def _read(self):
        self.hal.reader.tick(self.hal.ticks_ms())

    def put(self, uid, ms=400):
        """Lays a card on the reader for a while."""
        card = Card(uid)
        self.chip.put(card)
        self.run(ms)
        self.chip.take_off(card)
        self.run(500)

    def texts(self):
        """The answers so far."""
        race = self.app.race
        return [race.line(number).text for number in range(1, race.lines + 1)]

    def asked(self):
        """What is open now, once nothing moves."""
        rests = self.until(self._rests)            # a board's modules are compiled without asserts
        assert rests
        self.run(400)
        return self.app.race.prompts

    def _rests(self):
        table = self.app.table
        return not table or not table.answering.moving and not table.answering.offers

    def finish_turn(self):
        """Everybody plays, stakes and rolls at the panels, up to the next draw."""
        while self.app.race.prompts and self.asked()[0].kind != "draw":
            for prompt in list(self.app.race.prompts):
                self.press(prompt.seat or 1, "OK")
                self.run(300)
            if self.app.state != "race":
                return


def serve(game):
    """Makes the engine know a tiny game, on any track. Call ``stop_serving`` with what is returned."""
    before = games.NAMES, games.load, games.about, Track._fill

    def known(name):
        return game

    def fill(self, *args):
        before[3](self, *args)
        self.game = game.ID

    games.NAMES = (game.ID,)
    games.load = games.about = known
    Track._fill = fill
    return before


def stop_serving(before):
    """Restores the engine."""
    games.NAMES, games.load, games.about, Track._fill = before


def begin(root, game, pace="instant", keep_messages=True, **more):
    """A CardTable with a race of that game under way."""
    driver = CardTable(root, pace, keep_messages)
    plain = {"game": game.ID, "track": "gp-ring", "laps": 1, "seed": "cards", "salt": "s", "decks": "table",
             "players": [["person", "Ann"], ["person", "Ben"]]}
    plain.update(more)
    say = driver.app.start_race(plain)
    if say:
        raise ValueError(say)
    begun = driver.until(lambda: driver.app.state in ("start", "race"))
    assert begun                                   # as in `asked`
    if driver.app.state == "start":
        driver.press(1, "OK")
        raced = driver.until(lambda: driver.app.state == "race")
        assert raced
    driver.run(100)                                # the first scene is shown a tick after the screen
    driver.asked()
    return driver


def whole_race(root):
    """A race whose draws are all made by cards; returns its answers and its digest."""
    before = serve(hidden_cards.Game)
    driver = begin(root, hidden_cards.Game, keep_messages=False)
    for uid, meaning in ((SUN, "sun"), (SUN_TOO, "sun"), (RAIN, "rain")):
        driver.deck.enrol(uid, meaning)
    for uid in (SUN_TOO, RAIN, SUN):
        driver.asked()
        driver.put(uid)
        driver.finish_turn()
    stop_serving(before)
    return driver.texts() + [driver.app.race.digest(), driver.app.state, str(driver.hal.errors), str(driver.app.faults)]
