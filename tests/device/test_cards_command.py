"""`gridglow cards`: the cards that a board knows, on the fake board with its reader, and what is refused beforehand."""

import json
import threading
import time

import pytest
from commands import call
from fake_board import racing_board

from gridglow.device import cards
from gridglow.device.connect import one
from shared_rules.errors import GridglowError

RED, BLUE = "04A1B2C3D4E5F6", "04112233445566"


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    with racing_board(tmp_path_factory.mktemp("cards"), "full") as one_board:
        yield one_board


def told(board, *words):
    result = call("cards", *words, "--port", board.port, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_cards_are_named_listed_and_forgotten(board):
    result = call("cards", "list", "--port", board.port)
    assert result.exit_code == 0 and "No card has been learnt" in result.stderr
    title = f"the board at {board.port}"
    assert told(board, "name", RED, "Red-3") == {"board": title, "card": RED, "meaning": "red 3", "say": ""}
    assert told(board, "name", BLUE.lower(), "red", "3")["say"] == "Saved; another card is red 3 too."
    assert told(board, "name", BLUE, "blue", "3")["say"] == "Until now this card was red 3."
    assert told(board, "list")["cards"] == {RED: "red 3", BLUE: "blue 3"}
    shown = call("cards", "list", "--port", board.port).stdout.splitlines()
    assert shown == ["CARD            STANDS FOR", f"{BLUE}  blue 3", f"{RED}  red 3"]
    result = call("cards", "forget", RED, "--port", board.port)
    assert result.stdout == f"Forgot the card {RED}, which stood for 'red 3', on the board at {board.port}.\n"
    assert told(board, "list")["cards"] == {BLUE: "blue 3"}
    assert one(None, [board.port]).about["state"] == "idle"
    result = call("cards", "forget", RED, "--port", board.port)
    assert result.exit_code == 1 and f"doesn't know the card {RED}" in result.stderr
    result = call("cards", "clear", "--port", board.port)
    assert result.exit_code == 1 and "1 card would be forgotten. Give --yes to agree" in result.stderr
    assert told(board, "clear", "--yes")["forgotten"] == 1
    assert told(board, "list")["cards"] == {}


def test_a_card_is_learnt_from_the_reader(board):
    threading.Timer(1.5, lambda: board.do(card=RED)).start()
    result = call("cards", "learn", "red", "3", "--port", board.port, "--seconds", "20")
    assert result.exit_code == 0, result.output
    assert result.stdout == f"The card {RED} now stands for 'red 3', on the board at {board.port}.\n"
    board.do(card=None)
    assert told(board, "list")["cards"] == {RED: "red 3"}
    result = call("cards", "learn", "red", "4", "--port", board.port, "--seconds", "1")
    assert result.exit_code == 1 and "No card was put down within 1" in result.stderr


def test_a_card_that_lies_there_already_is_learnt_too(board):
    board.do(card=BLUE)
    time.sleep(2)  # the board's welcome screen uses it up
    result = call("cards", "learn", "blue", "3", "--port", board.port, "--seconds", "20")
    assert result.exit_code == 0 and f"The card {BLUE} now stands for 'blue 3'" in result.stdout, result.output
    board.do(card="08112233")
    time.sleep(2)
    result = call("cards", "learn", "red", "4", "--port", board.port, "--seconds", "20")
    board.do(card=None)
    assert result.exit_code == 1 and "Put one card down by itself" in result.stderr, result.output
    there = told(board, "list")["cards"]
    assert there[BLUE] == "blue 3" and "red 4" not in there.values()


def test_a_race_goes_on_until_the_user_agrees(board):
    setup = {"game": "moto_grand_prix", "track": "gp-ring", "laps": 1, "players": [["person", "Ann"], ["person", "Ben"]]}
    with one(None, [board.port]).talk() as talk:
        talk.ask({"t": "start", "setup": setup})
    assert "cards" in told(board, "list")
    result = call("cards", "name", RED, "red", "5", "--port", board.port)
    assert result.exit_code == 1 and "--end-race" in result.stderr
    assert one(None, [board.port]).race_runs
    assert told(board, "name", RED, "red", "5", "--yes")["meaning"] == "red 5"
    assert one(None, [board.port]).about["saved"] == 1


@pytest.mark.parametrize("uid, words", [
    ("red", "is not the id of a card"), ("04A1", "is not the id of a card"), ("04A1B2C3D4E5F", "is not the id of a card"),
    ("08112233", "makes up a new id each time"),
])
def test_ids_that_can_mean_nothing(uid, words):
    with pytest.raises(GridglowError, match=words):
        cards.check_uid(uid)
    result = call("cards", "name", uid, "red", "3")
    assert result.exit_code == 1 and words in result.stderr


@pytest.mark.parametrize("text", ["", " - ", "x" * 41, "a\x07b"])
def test_meanings_that_can_not_be_kept(text):
    with pytest.raises(GridglowError, match="Expected what the card stands for"):
        cards.check_meaning(text)


def test_lines_that_are_not_whole_are_passed_over():
    assert cards.parse(b"04A1B2C3 red 3 *00000000\n\xff\xfe\n\n04A1B2C3") == {}
    assert cards.check_uid("04:a1:b2:c3") == "04A1B2C3"
