"""Cards: the reader as the board uses it, the deck that knows their meanings, and a race played with them."""

import shutil

import pytest
from both import HELP, cases, run_here, run_micropython
from card_table import RAIN, SUN, SUN_TOO, begin, serve, stop_serving, whole_race
from golden_frames.board_root import micropython_root
from golden_frames.board_root import run_micropython as run_micropython_in
from parts import Card
from tiny_games import hidden_cards
from tiny_games.bots import Anyhow

from glow.store.store import Settings
from glow.table.card import put as put_card
from glow.texts.texts import wrap
from gridglow.firmware.compiler import compile_mpy
from gridglow.texts import read_language
from shared_rules.game import Game
from shared_rules.prompts import Choose
from shared_rules.prompts_cards import Draw
from shared_rules.race import Race


@pytest.mark.parametrize("name", cases("cases_cards"))
def test_on_cpython(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_here("cases_cards", name)


@pytest.mark.parametrize("name", cases("cases_cards"))
def test_on_micropython(micropython, tmp_path, name):
    run_micropython(micropython, "cases_cards", name, tmp_path)


# A race of a tiny game with its cards on the table

class OpenCards(Game):
    """What the tiny game doesn't ask for: several draws at once, two cards in one draw, and an open choice of a card."""

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
def start(request, pristine, tmp_path):
    """A function that starts a race of a tiny game, Ann against Ben."""
    root = str(shutil.copytree(pristine, tmp_path / "flash"))
    before = serve(request.param)
    yield lambda **more: begin(root, request.param, **more)
    stop_serving(before)


def test_a_card_on_the_reader_answers_the_draw_at_the_table(start):
    driver = start()
    deck = driver.deck
    deck.enrol(SUN, "sun")
    deck.enrol(RAIN, "rain")
    assert driver.asked()[0].kind == "draw" and driver.asked()[0].source == "table"
    driver.put(SUN)
    assert driver.texts() == ["draw sun"]
    assert [prompt.kind for prompt in driver.asked()] == ["choose", "choose"]
    driver.put(SUN)                                # nobody is asking for it now
    assert driver.shows("This card is sun; that isn't asked for now") and driver.texts() == ["draw sun"]
    driver.finish_turn()
    before = driver.app.race.lines
    driver.put(RAIN)
    assert driver.texts()[before:] == ["draw rain"]
    driver.hal.sound.mute = True


def test_a_whole_race_with_cards_is_the_race_of_its_journal(start):
    driver = start()
    for uid, meaning in ((SUN, "sun"), (SUN_TOO, "sun"), (RAIN, "rain")):
        driver.deck.enrol(uid, meaning)
    for uid in (SUN_TOO, RAIN, SUN):
        assert driver.asked()[0].kind == "draw"
        driver.put(uid)
        driver.finish_turn()
    race = driver.app.race
    assert race.over and driver.app.state == "podium"
    assert [text for text in driver.texts() if text.startswith("draw")] == ["draw sun", "draw rain", "draw sun"]
    assert 0 not in [race.line(number).seat for number in range(1, race.lines + 1)], "each answer must be somebody's"
    again = Race(race.setup, race.track, game_class=hidden_cards.Game)
    for number in range(1, race.lines + 1):
        again.feed(race.line(number).show())
    assert again.digest() == race.digest() and race.setup.decks == "table"


def test_the_same_race_on_micropython(pristine, tmp_path):
    """The whole firmware, with fakes of reader, cards and hands: the same answers and digest."""
    here = whole_race(str(shutil.copytree(pristine, tmp_path / "flash")))
    assert here[-3:] == ["podium", "[]", "[]"] and here.count("draw sun") == 2
    root = micropython_root(tmp_path / "device")
    Settings(str(root / "save")).put("teach", 0)
    names = ["cases/cases_rc522", "in_memory/card_table"]
    names += ["fakes/fake_pico/lib/" + name for name in ("fake_pico", "machine", "parts")]
    sources = {name.split("/")[-1]: (HELP / (name + ".py")).read_bytes() for name in names}
    sources |= {"tiny_games/" + path.stem: path.read_bytes() for path in (HELP / "tiny_games").glob("*.py")}
    (root / "tiny_games").mkdir()
    for name, source in sources.items():
        (root / (name + ".mpy")).write_bytes(compile_mpy(name + ".py", source))
    code = "import sys; sys.path[:] = ['.frozen', '.']; import card_table; print('|'.join(card_table.whole_race('.')))"
    printed, errors = run_micropython_in(root, code)
    assert printed.strip().split("|") == here and not errors


def test_an_unknown_card_is_learnt_where_the_table_draws(start):
    driver = start()
    driver.put(SUN)
    assert driver.shows("Unknown card: choose what it is") and driver.texts() == []
    while "[sun]" not in driver.hal.display.text():
        driver.press(1, "NEXT")
        driver.run(4500)                           # the sentence disappears from the display
    driver.press(1, "OK")
    driver.run(300)
    assert driver.texts() == ["draw sun"]
    assert driver.shows("The board now knows this card: sun.")
    assert driver.deck.meaning(SUN) == "sun"
    driver.put(SUN_TOO)                            # nothing is drawn now
    assert driver.shows("Unknown card; teach it when one is drawn")
    assert driver.deck.meaning(SUN_TOO) == ""
    driver.finish_turn()
    driver.put(SUN_TOO)
    before = driver.app.race.lines
    driver.put(SUN)                                # a known card answers instead: the unknown one wasn't that
    assert driver.texts()[before:] == ["draw sun"]
    assert driver.deck.meaning(SUN_TOO) == ""


def test_a_hidden_choice_is_not_made_by_a_card(start):
    driver = start()
    deck = driver.deck
    deck.enrol(SUN, "sun")
    deck.enrol(RAIN, "7")
    driver.put(SUN)
    assert driver.asked()[0].secret and "play 7" in driver.asked()[0].options()
    driver.put(RAIN)
    assert driver.shows("A hidden choice: make it on your own panel.") and driver.texts() == ["draw sun"]
    driver.press(1, "OK")
    driver.run(5000)
    driver.put(RAIN)                               # one hidden question only is open, and still no card answers it
    assert driver.shows("A hidden choice: make it on your own panel.")
    assert [prompt.seat for prompt in driver.app.race.prompts] == [2]
    public = str([message for message in driver.hal.sent if message["t"] != "view"])
    assert "play 7" not in public


def test_a_card_that_is_not_left_in_the_deck_is_not_asked_for(start):
    driver = start()
    driver.deck.enrol(RAIN, "rain")
    driver.put(RAIN)
    driver.finish_turn()
    before = driver.app.race.lines
    driver.put(RAIN)                               # the only one has been drawn already
    assert driver.app.race.lines == before and driver.shows("This card is rain; that isn't asked for")


def test_two_cards_and_random_ids_are_told(start):
    driver = start()
    driver.deck.enrol(SUN, "sun")
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
    driver = start(pace="slow")
    driver.deck.enrol(SUN, "sun")
    driver.put(SUN)
    app = driver.app
    driver.press(2, "NEXT")                        # a different card from the other player's, so that a car will move
    while not (app.table.answering.moving and app.race.prompts[0].kind == "draw"):
        prompt = app.race.prompts[0]
        driver.hal.edge(prompt.seat or 1, "OK", 1)
        driver.run(30)
        driver.hal.edge(prompt.seat or 1, "OK", 0)
        driver.until(lambda: app.table.answering.moving and app.race.prompts[0].kind == "draw", 300)
    before = app.race.lines
    driver.put(SUN)
    assert driver.texts()[before:] == ["draw sun"] and app.race.line(before + 1).seat


open_cards = pytest.mark.parametrize("start", [OpenCards], indirect=True)


@open_cards
def test_a_card_answers_only_where_one_question_can_be_meant(start):
    driver = start()
    deck = driver.deck
    for uid, meaning in ((SUN, "red 3"), (RAIN, "blue 2")):
        deck.enrol(uid, meaning)
    driver.put(SUN)
    assert driver.shows("Several are asked") and driver.texts() == []
    driver.put(SUN_TOO)
    assert driver.shows("teach it when one is drawn")
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
    driver = start(decks="device", players=[["person", "Ann"], ["bot", "Bo"]], pace="slow")
    driver.deck.enrol(SUN, "red 3")
    driver.put(SUN)                                # the board draws itself
    assert driver.shows("that isn't asked for now")
    driver.press(1, "OK")
    assert driver.until(lambda: len(driver.texts()) == 2)    # the bot has drawn too
    driver.asked()
    driver.press(1, "OK")
    assert driver.until(lambda: [p.kind for p in driver.app.race.prompts] == ["choose"])
    lines = driver.app.race.lines
    driver.put(SUN)                                # a bot at a slow pace thinks longer
    assert driver.shows("that isn't asked for now") and driver.app.race.lines == lines


@open_cards
def test_a_card_for_a_question_that_nobody_has_read_is_too_early(start):
    driver = start(pace="slow")
    driver.deck.enrol(SUN, "red 3")
    driver.press(2, "OK")
    driver.put(SUN)
    driver.put(SUN)
    driver.put(SUN)
    app = driver.app
    assert driver.texts()[2:] == ["draw red-3 red-3"] and app.race.prompts[0].kind == "choose"
    driver.asked()
    app.table.answering.moving = True              # no car moves in this game
    put_card(app, SUN)
    assert driver.shows("Too early") or "Too early" in app.note
    assert len(driver.texts()) == 3


def test_a_board_whose_reader_has_gone_races_on(start):
    driver = start()
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
    texts = read_language(language)
    said = {key: text for key, text in texts.items() if key.startswith("board.card_")}
    assert len(said) == 11
    for key, text in said.items():
        assert len(wrap(text.replace("{0}", "orange 10"), 21)) <= 3, key
