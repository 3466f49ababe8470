"""What each seat has rolled: counted from the journal, in ``gridglow replay --dice`` and at the page's podium."""

import asyncio
import json

import pytest
from commands import call

from browser import chromium, fake_board, page  # noqa: F401 (fixtures)
from gridglow.races.dice_counts import DieCount, count_dice
from gridglow.races.startup import race_setup
from gridglow.virtual.dice_page import DicePage
from gridglow.virtual.engine import EngineFault
from shared_rules.errors import GridglowError
from shared_rules.race import Race

SIX = ("1", "2", "3", "4", "5", "6")


def begun(bots="all", **words):
    start = race_setup(**{"track": "gp-ring", "seats": 3, "bots": bots, "laps": 1, "seed": "dice", **words})
    return Race(start.setup, start.track.track)


def play(race, answers=10_000):
    while not race.over and answers:
        answers -= 1
        prompt = race.prompts[0]
        race.answer(prompt.seat, race.bot_answer(prompt.seat))
    return race


def said(race):
    """Faces by seat, read from the lines of the journal."""
    found = {}
    for row in race.journal(True).split("\n\n", 1)[1].splitlines():
        seat, verb, *faces = row.split(" | ")[0].split(" ")
        if verb == "roll":
            found.setdefault(int(seat), []).extend(faces)
    return found


def test_every_face_of_every_seat_is_counted():
    race = play(begun())
    counted = count_dice(race.journal())
    faces = said(race)
    assert [one.seat for one in counted] == [1, 2, 3] and [one.name for one in counted] == ["Bot 1", "Bot 2", "Bot 3"]
    for one in counted:
        own = faces[one.seat]
        assert one.faces == SIX and one.counts == tuple(own.count(face) for face in SIX)
        assert one.rolled == len(own) and one.mean == sum(map(int, own)) / len(own) and one.expected == 3.5


def test_the_faces_of_a_die_of_colours_count_by_their_numbers():
    counted = count_dice(play(begun(track="house-board")).journal())
    assert counted[0].faces[0] == "red-1" and counted[0].expected == 4.5
    own = [int(face.rpartition("-")[2]) for face in said(play(begun(track="house-board")))[1]]
    assert counted[0].mean == sum(own) / len(own)
    assert DieCount(1, "Ann", ("red", "blue"), (1, 2)).mean is None is DieCount(1, "Ann", ("red", "blue"), (1, 2)).expected


def test_a_roll_that_was_taken_back_counts_once_and_a_corrected_one_as_it_stands():
    race = begun(bots=0, dice="table")
    for seat in (1, 2, 3):
        race.answer(seat, "roll 6 6")
    race.answer(1, "undo")
    for seat in (2, 3):
        race.answer(seat, "ok")
    for seat, faces in ((1, "1 2"), (2, "5 5"), (3, "4 4")):
        race.answer(seat, "roll " + faces)
    race.answer(1, "correct 3 roll 3 3")
    for seat in (2, 3):
        race.answer(seat, "ok")
    counts = {one.seat: one.counts for one in count_dice(race.journal())}
    assert counts == {1: (0, 0, 2, 0, 0, 0), 2: (0, 0, 0, 0, 2, 0), 3: (0, 0, 0, 2, 0, 0)}


def test_a_sealed_journal_is_counted_and_one_of_cards_has_no_dice():
    race = play(begun(), 25)
    assert count_dice(race.journal()) == count_dice(race.journal(True)) != []
    assert count_dice(play(begun(track="track-a"), 10).journal()) == []


def test_what_is_no_journal_is_refused_with_a_sentence():
    text = play(begun(), 10).journal(True)
    edited = [text.replace(old, new, 1) for old, new in (("gp-ring ", "gp-ring 0"), ("roll", "rool"), ("1 roll", "7 roll"))]
    for wrong in ("", "x", *edited):
        with pytest.raises(GridglowError, match=r"[.'\])]"):
            count_dice(wrong)


def test_the_command_prints_a_table(tmp_path):
    race = play(begun())
    path = tmp_path / "race.txt"
    path.write_text(race.journal(), encoding="utf-8")
    rows = call("replay", path, "--on", "cpython", "--dice").stdout.splitlines()
    at = next(at for at, row in enumerate(rows) if row.startswith("DICE OF"))
    assert rows[at].split() == ["DICE", "OF", "ROLLED", *SIX, "MEAN", "EXPECTED"]
    own = said(race)[1]
    assert rows[at + 1].split()[:3] == ["Bot", "1", str(len(own))] and rows[at + 1].endswith(" 3.50")
    told = json.loads(call("replay", path, "--on", "cpython", "--dice", "--json").stdout)["dice"]
    assert told[0]["rolled"] == len(own) and told[0]["expected"] == 3.5
    assert "dice" not in json.loads(call("replay", path, "--on", "cpython", "--json").stdout)


class Board:
    """A board with this text for a journal, or with none; counts how often it is asked."""

    def __init__(self, text):
        self.text = text

    async def journal(self):
        if self.text is None:
            raise EngineFault("No race.")
        return "race", self.text


def test_the_server_counts_the_journal_of_the_board_once(monkeypatch):
    asked = []
    monkeypatch.setattr("gridglow.virtual.dice_page.count_dice", lambda text: asked.append(text) or count_dice(text))

    def rows(handler):
        return json.loads(asyncio.run(handler.counts(None)).body)["dice"]

    text = play(begun()).journal()
    handler = DicePage(Board(text))
    assert rows(handler) == rows(handler) == [one.plain() for one in count_dice(text)]
    assert asked == [text]
    assert rows(DicePage(Board(None))) == rows(DicePage(Board("no journal"))) == []


def test_the_podium_shows_who_rolled_what(page, tmp_path):
    rows = [one.plain() for one in count_dice(play(begun()).journal())]
    players = [["bot", name] for name in ("Ann", "Bo", "Cleo")]
    setup = {"game": "ring_game", "variant": "basic", "track": "gp-ring", "laps": 1, "players": players}
    with fake_board(tmp_path, "--quick", "--german", start=setup) as board:
        page.route("**/dice.json", lambda route: route.fulfill(json={"dice": rows}))
        page.goto(board.address)
        page.wait_for_selector(".podium:visible")
        page.locator(".podium-dice summary").click()
        shown = page.locator(".podium-dice").inner_text()
        assert all(word in shown for word in ("Wer was gewürfelt hat", "Mittel", "im Mittel 3,50.")), shown
        cells = page.locator(".podium-dice tbody tr").first.locator("th, td").all_inner_texts()
        assert cells == [rows[0]["name"], str(rows[0]["rolled"]), *map(str, rows[0]["counts"]),
                         f"{rows[0]['mean']:.2f}".replace(".", ",")]
        assert page.locator(".podium-dice tbody tr").count() == 3
