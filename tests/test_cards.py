"""Cards: the reader as the board has it, the deck that knows what they mean, and a race that they play in."""

import shutil
from pathlib import Path

import pytest
from both import cases, run_here, run_micropython
from cases_rc522 import bench
from drivers.cards import Presence
from golden_frames.board_root import board_root
from parts import Card
from script_hal import Script, ScriptHal
from tiny_games import hidden_cards
from tiny_games.bots import Anyhow

from glow import table_card
from glow.app import App
from glow.deck import Deck
from glow.texts import wrap
from gridglow.texts import read_texts
from shared_rules import games
from shared_rules.game import Game
from shared_rules.journal_file import Journal
from shared_rules.prompts import Choose
from shared_rules.prompts_cards import Draw
from shared_rules.race import Race
from shared_rules.track import Track

SUN, SUN_TOO, RAIN = "04A1B2C3D4E5F6", "04A1B2C3D4E5F7", "11223344"
TEXTS = Path(__file__).resolve().parent.parent / "shared_rules" / "text"


@pytest.mark.parametrize("name", cases("cases_cards"))
def test_on_cpython(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_here("cases_cards", name)


@pytest.mark.parametrize("name", cases("cases_cards"))
def test_on_micropython(micropython, tmp_path, name):
    run_micropython(micropython, "cases_cards", name, tmp_path)


# A race of a tiny game whose cards lie on the table

@pytest.fixture(scope="session")
def pristine(tmp_path_factory):
    return board_root(tmp_path_factory.mktemp("board"))


class CardTable(Script):
    """The board with a reader, and hands that put cards on it."""

    def __init__(self, app, chip):
        super().__init__(app)
        self.chip = chip
        self.on_tick = lambda: self.hal.reader.tick(self.hal.ticks_ms())

    def put(self, uid, ms=400):
        """Lays a card on the reader for a while."""
        card = Card(uid)
        self.chip.put(card)
        self.run(ms)
        self.chip.take_off(card)
        self.run(500)

    def texts(self):
        race = self.app.race
        return [race.line(number).text for number in range(1, race.lines + 1)]

    def asked(self):
        """What is open now, once nothing moves."""
        app = self.app
        assert self.until(lambda: not app.table or not app.table.moving and not app.table.offers)
        self.run(400)
        return app.race.prompts


class OpenCards(Game):
    """What the tiny game doesn't ask: several draws at once, two cards in one draw, and an open choice of a card."""

    ID = "open_cards"
    VARIANTS = ("one",)
    SEATS = (2, 6)
    DECKS = True
    BOTS = Anyhow
    fields = ("round",)
    deck = ("blue-2", "red-3", "red-3", "yellow-4")

    def __init__(self, setup, track, deal):
        super().__init__(setup, track, deal)
        self.round = 0

    def turn(self):
        yield [Draw(seat, list(self.deck), "board.opt_draw") for seat in self.setup.seats()]
        yield Draw(1, list(self.deck), "board.opt_draw", count=2)
        yield Choose(2, ["play blue-2", "play red-3", "pass"], "board.opt_play", ("", "x"))
        self.round += 1

    def over(self):
        return self.round > 1

    def cars(self):
        return []

    def standings(self):
        return [[seat, 0, seat, 0] for seat in self.setup.seats()]

    def scene(self, scene):
        pass


@pytest.fixture(params=[hidden_cards.Game])
def start(request, pristine, tmp_path, monkeypatch):
    """A function that starts a race of a tiny game with the players of these names."""
    root = str(shutil.copytree(pristine, tmp_path / "flash"))
    game = request.param
    load, about, fill = games.load, games.about, Track._fill
    monkeypatch.setattr(games, "NAMES", (*games.NAMES, game.ID))
    monkeypatch.setattr(games, "load", lambda name: game if name == game.ID else load(name))
    monkeypatch.setattr(games, "about", lambda name: game if name == game.ID else about(name))
    monkeypatch.setattr(Track, "_fill", lambda self, *args: (fill(self, *args), setattr(self, "game", game.ID))[0])

    def begin(*who, pace="instant", **more):
        hal = ScriptHal(root)
        chip, reader = bench()
        hal.reader = Presence(reader)
        driver = CardTable(App(hal, pace=pace), chip)
        driver.run(50)
        plain = {"game": game.ID, "track": "gp-ring", "laps": 1, "seed": "cards", "salt": "s", "decks": "table",
                 "players": [["person", name] for name in who]}
        plain.update(more)
        assert driver.app.start_race(plain) == ""
        driver.run(300)
        if driver.app.state == "start":
            driver.press(1, "OK")
        driver.asked()
        return driver

    return begin


def finish_turn(driver):
    """Everybody plays, stakes and rolls at the panels, up to the next draw."""
    while driver.app.race.prompts and driver.asked()[0].kind != "draw":
        for prompt in list(driver.app.race.prompts):
            driver.press(prompt.seat or 1, "OK")
            driver.run(300)
        if driver.app.state != "race":
            return


def test_a_card_on_the_reader_answers_the_draw_at_the_table(start):
    driver = start("Ann", "Ben")
    deck = Deck(driver.hal.path("save"))
    deck.enrol(SUN, "sun")
    deck.enrol(RAIN, "rain")
    assert driver.asked()[0].kind == "draw" and driver.asked()[0].source == "table"
    driver.put(SUN)
    assert driver.texts() == ["draw sun"]
    assert [prompt.kind for prompt in driver.asked()] == ["choose", "choose"]
    driver.put(SUN)                                # nobody asks for it now
    assert driver.shows("This card is sun; that isn't asked for now") and driver.texts() == ["draw sun"]
    finish_turn(driver)
    before = driver.app.race.lines
    driver.put(RAIN)
    assert driver.texts()[before:] == ["draw rain"]
    driver.hal.sound.mute = True


def test_a_whole_race_with_cards_is_the_race_of_its_journal(start):
    driver = start("Ann", "Ben")
    deck = Deck(driver.hal.path("save"))
    for uid, meaning in ((SUN, "sun"), (SUN_TOO, "sun"), (RAIN, "rain")):
        deck.enrol(uid, meaning)
    for uid in (SUN_TOO, RAIN, SUN):
        assert driver.asked()[0].kind == "draw"
        driver.put(uid)
        finish_turn(driver)
    race = driver.app.race
    assert race.over and driver.app.state == "podium"
    assert [text for text in driver.texts() if text.startswith("draw")] == ["draw sun", "draw rain", "draw sun"]
    assert 0 not in [race.line(number).seat for number in range(1, race.lines + 1)], "each answer is somebody's"
    head = Journal.parse(race.journal().split("\n\n")[0] + "\n\n")
    again = Race(race.setup, race.track, game_class=hidden_cards.Game)
    for number in range(1, race.lines + 1):
        again.feed(race.line(number).show())
    assert again.digest() == race.digest() and head.plain["decks"] == "table"


def test_an_unknown_card_is_learnt_where_the_table_draws(start):
    driver = start("Ann", "Ben")
    driver.put(SUN)
    assert driver.shows("Unknown card: choose what it is") and driver.texts() == []
    while "[sun]" not in driver.hal.display.text():
        driver.press(1, "NEXT")
        driver.run(4500)                           # what was told goes from the display
    driver.press(1, "OK")
    driver.run(300)
    assert driver.texts() == ["draw sun"]
    assert driver.shows("The board now knows this card: sun.")
    assert Deck(driver.hal.path("save")).meaning(SUN) == "sun"
    driver.put(SUN_TOO)                            # nothing is drawn now
    assert driver.shows("Unknown card; it can be learnt when one is drawn")
    assert Deck(driver.hal.path("save")).meaning(SUN_TOO) == ""
    finish_turn(driver)
    driver.put(SUN_TOO)
    before = driver.app.race.lines
    driver.put(SUN)                                # a known one answers instead: the unknown one isn't that
    assert driver.texts()[before:] == ["draw sun"]
    assert Deck(driver.hal.path("save")).meaning(SUN_TOO) == ""


def test_a_hidden_choice_is_not_made_by_a_card(start):
    driver = start("Ann", "Ben")
    deck = Deck(driver.hal.path("save"))
    deck.enrol(SUN, "sun")
    deck.enrol(RAIN, "7")
    driver.put(SUN)
    assert driver.asked()[0].secret and "play 7" in driver.asked()[0].options()
    driver.put(RAIN)
    assert driver.shows("A hidden choice") and driver.texts() == ["draw sun"]
    public = str([message for message in driver.hal.sent if message["t"] != "view"])
    assert "play 7" not in public


def test_a_card_that_is_not_left_in_the_deck_is_not_asked_for(start):
    driver = start("Ann", "Ben")
    Deck(driver.hal.path("save")).enrol(RAIN, "rain")
    driver.put(RAIN)
    finish_turn(driver)
    before = driver.app.race.lines
    driver.put(RAIN)                               # the only one has been drawn
    assert driver.app.race.lines == before and driver.shows("This card is rain; that isn't asked for")


def test_two_cards_and_random_ids_are_told(start):
    driver = start("Ann", "Ben")
    Deck(driver.hal.path("save")).enrol(SUN, "sun")
    phone = Card("08112233", random=True)
    driver.chip.put(phone)
    driver.run(500)
    assert driver.shows("Its id changes each time")
    driver.chip.take_off(phone)
    driver.run(5000)
    both = [Card(SUN), Card(SUN_TOO)]
    for card in both:
        driver.chip.put(card)
    driver.run(500)
    assert driver.shows("Several cards at once") and driver.texts() == []
    for card in both:
        driver.chip.take_off(card)
    driver.run(500)
    driver.put(SUN)
    assert driver.texts() == ["draw sun"]


def test_a_card_laid_down_while_cars_move_still_counts_for_a_draw(start):
    driver = start("Ann", "Ben", pace="slow")
    Deck(driver.hal.path("save")).enrol(SUN, "sun")
    driver.put(SUN)
    app = driver.app
    driver.press(2, "NEXT")                        # another card than the other's, so that a car will move
    while not (app.table.moving and app.race.prompts[0].kind == "draw"):
        prompt = app.race.prompts[0]
        driver.hal.edge(prompt.seat or 1, "OK", 1)
        driver.run(30)
        driver.hal.edge(prompt.seat or 1, "OK", 0)
        driver.until(lambda: app.table.moving and app.race.prompts[0].kind == "draw", 300)
    before = app.race.lines
    driver.put(SUN)
    assert driver.texts()[before:] == ["draw sun"]


open_cards = pytest.mark.parametrize("start", [OpenCards], indirect=True)


@open_cards
def test_a_card_answers_only_where_one_question_can_be_meant(start):
    driver = start("Ann", "Ben")
    deck = Deck(driver.hal.path("save"))
    for uid, meaning in ((SUN, "red 3"), (RAIN, "blue 2")):
        deck.enrol(uid, meaning)
    driver.put(SUN)
    assert driver.shows("Several are asked") and driver.texts() == []
    driver.put(SUN_TOO)
    assert driver.shows("it can be learnt when one is drawn")
    driver.press(2, "OK")
    driver.put(SUN)                                # Ann's is the only question left
    assert [driver.app.race.line(n).show().split(" |")[0] for n in (1, 2)] == ["1 draw red-3", "2 draw blue-2"]
    assert driver.asked()[0].count == 2
    driver.put(RAIN)
    assert driver.shows(" blue-2 [") and len(driver.texts()) == 2
    driver.put(SUN)
    assert driver.texts()[2] == "draw blue-2 red-3"
    assert driver.asked()[0].kind == "choose"
    driver.put(SUN)
    assert driver.texts()[3] == "play red-3"


@open_cards
def test_a_bots_question_is_not_answered_by_a_card(start):
    driver = start("Ann", "Ben", decks="device", players=[["person", "Ann"], ["bot", "Bo"]], pace="slow")
    Deck(driver.hal.path("save")).enrol(SUN, "red 3")
    driver.put(SUN)                                # the board draws itself
    assert driver.shows("that isn't asked for now")
    driver.press(1, "OK")
    assert driver.until(lambda: [p.kind for p in driver.app.race.prompts] == ["draw"])
    driver.press(1, "OK")
    assert driver.until(lambda: [p.kind for p in driver.app.race.prompts] == ["choose"])
    lines = driver.app.race.lines
    driver.put(SUN)                                # a bot at a slow pace thinks for longer
    assert driver.shows("that isn't asked for now") and driver.app.race.lines == lines


@open_cards
def test_a_card_for_a_question_that_nobody_has_read_is_too_early(start):
    driver = start("Ann", "Ben", pace="slow")
    Deck(driver.hal.path("save")).enrol(SUN, "red 3")
    driver.press(2, "OK")
    driver.put(SUN)
    driver.put(SUN)
    driver.put(SUN)
    app = driver.app
    assert driver.texts()[2:] == ["draw red-3 red-3"] and app.race.prompts[0].kind == "choose"
    driver.asked()
    app.table.moving = True                        # no car of this game moves
    table_card.put(app, SUN)
    assert driver.shows("Too early") or "Too early" in app.note
    assert len(driver.texts()) == 3


def test_a_board_whose_reader_has_gone_races_on(start):
    driver = start("Ann", "Ben")
    driver.chip.unplug()
    driver.run(3000)
    assert driver.hal.reader.state == "missing" and driver.hal.errors == []
    driver.press(1, "OK")
    assert driver.texts()[0][:5] == "draw "
    driver.chip.plug()
    driver.run(1500)
    assert driver.hal.reader.state == "ok"


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_cards_say_fits_the_foot_of_the_display(language):
    texts = read_texts(TEXTS / (language + ".toml"))
    said = {key: text for key, text in texts.items() if key.startswith("board.card_")}
    assert len(said) == 11
    for key, text in said.items():
        assert len(wrap(text.replace("{0}", "orange 10"), 21)) <= 3, key
