"""A seat's page on a phone, in Chromium with the fake firmware; the links dialog; the page in German."""

import json
import re

import pytest
from seat_pages import PHONE, links

from browser import chromium, fake_board, page  # noqa: F401 (fixtures)

PLAYERS = [["person", "Ann"], ["person", "Zoë"], ["bot", "Jürgen"]]
SETUP = {"game": "ring_game", "variant": "basic", "track": "fabulous-driving-park", "laps": 2, "players": PLAYERS}


@pytest.fixture
def phone(page):
    page.set_viewport_size(PHONE)
    return page


def seat(page, board, number=1):
    page.goto(board.address + links(page, board)[number])
    page.wait_for_selector(".seat-track-frame .track")
    return page


def fits(page):
    """Whether nothing is wider than the phone."""
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_turn_on_the_phone(phone, tmp_path):
    with fake_board(tmp_path, "--quick", "--dials", "2", start=SETUP) as board:
        seat(phone, board)
        assert "Ann" in phone.locator("#who").inner_text() and "Seat 1" in phone.locator("#who").inner_text()
        assert phone.locator("#seat-lap").inner_text() == "Lap 1/2"
        assert phone.title().startswith("● Your turn")
        phone.locator("[data-answer=roll]").click()
        phone.locator("[data-answer='flip none']").click()
        phone.wait_for_selector(".target-space")
        assert fits(phone)
        # Three spaces in one row: no row needs to be chosen first.
        chips = phone.locator(".lane-picker .chip")
        assert chips.count() >= 2
        name = chips.first.locator(".space-name").inner_text()
        assert chips.first.inner_text().endswith(f"lane {name[-1]}")
        assert phone.evaluate("document.querySelector('.track').getAttribute('viewBox')").split(" ")[2] != "0"
        chips.first.click()
        phone.wait_for_selector(".question.idle")
        assert phone.locator(".question.idle").inner_text().startswith("Now: Zoë")
        assert phone.locator(".chip").count() == 0
        low = phone.locator(".gauge.low")
        assert low.count() == 1 and low.get_attribute("aria-label") == "Grip: only 2 of 8 left"
        assert phone.locator(".gauge[data-label=Lap]:not(.low)").count() == 1
        assert phone.locator(".places li").count() == 3
        assert phone.locator("#latest").inner_text().startswith("Latest: Ann runs to")
        phone.goto("about:blank")


def test_rows_first_where_there_are_many_spaces(phone, tmp_path):
    with fake_board(tmp_path, "--quick", start=SETUP) as board:
        seat(phone, board)
        phone.locator("[data-answer=roll]").wait_for()
        # The fake has only one row of ends: give the page a question with many.
        choices = [f"go {row}{lane}" for row in (9, 10, 11) for lane in "abc"] + ["pass"]
        phone.route_web_socket(re.compile("/ws$"), lambda ws: _more_choices(ws, choices))
        phone.reload()
        phone.wait_for_selector(".row-button")
        assert [row.get_attribute("data-row") for row in phone.locator(".row-button").all()] == ["9", "10", "11"]
        assert phone.locator("[data-answer=pass]").count() == 1
        assert phone.locator(".target").count() == 9 and fits(phone)
        phone.locator("[data-row='10']").click()
        assert [one.inner_text() for one in phone.locator(".space-name").all()] == ["10a", "10b", "10c"]
        assert phone.locator(".target.aside").count() == 6
        phone.locator("[data-target='11b']").dispatch_event("click")  # a tap on the track opens that row
        assert phone.locator(".space-name").first.inner_text() == "11a"
        phone.get_by_text("Other row").click()
        assert phone.locator(".row-button").count() == 3
        phone.goto("about:blank")


def _more_choices(ws, choices):
    server = ws.connect_to_server()

    def change(message):
        def walk(value):
            if isinstance(value, dict):
                if value.get("kind") == "roll" and value.get("dice"):
                    value.update(kind="choose", choices=choices, labels=["Way " + one for one in choices], dice=[])
                for part in value.values():
                    walk(part)
            elif isinstance(value, list):
                for part in value:
                    walk(part)

        found = json.loads(message)
        walk(found)
        ws.send(json.dumps(found))

    server.on_message(change)


def test_real_dice_are_entered_on_the_phone(phone, tmp_path):
    with fake_board(tmp_path, "--quick", "--table", start=SETUP) as board:
        seat(phone, board)
        phone.locator("[data-answer='die 0 3']").click()
        phone.locator("[data-answer='die 1 6']").click()
        phone.wait_for_selector("[data-answer='flip none']")
        assert fits(phone)
        phone.goto("about:blank")


def test_a_secret_question_and_the_hand(phone, chromium, tmp_path):
    with fake_board(tmp_path, "--quick", "--secret", start=SETUP) as board:
        seat(phone, board)
        phone.locator("#hand").get_by_text("HAND-1").wait_for()
        other = chromium.new_page()
        seat(other, board, 2)
        table = chromium.new_page()
        table.goto(board.address)
        phone.locator("[data-answer=roll]").click()
        phone.get_by_text("SECRET-1 Keep").wait_for()
        table.wait_for_selector(".is-hidden")
        for one in (other, table):
            assert "SECRET-1" not in one.content() and "HAND-1" not in one.content()
        other.locator("#hand").get_by_text("HAND-2").wait_for()
        assert table.locator("#hand").count() == 0
        phone.get_by_text("SECRET-1 Keep").click()
        phone.wait_for_selector(".lane-picker")
        for one in (phone, other, table):
            one.goto("about:blank")
        other.close()
        table.close()


def test_why_and_undo(phone, tmp_path):
    with fake_board(tmp_path, "--quick", start=SETUP) as board:
        seat(phone, board)
        phone.locator("[data-answer=roll]").wait_for()
        phone.get_by_role("button", name="Why not?").click()
        phone.get_by_text("Another bike stands on 12a.").wait_for()
        assert fits(phone)
        phone.get_by_role("button", name="Undo").click()
        phone.locator(".toast").get_by_text("Nothing can be taken back here").wait_for()
        phone.goto("about:blank")


def test_a_page_whose_connection_breaks_comes_back(phone, tmp_path):
    with fake_board(tmp_path, "--quick", start=SETUP) as board:
        opened = []

        def break_the_first(ws):
            ws.connect_to_server()
            opened.append(ws)

        phone.route_web_socket(re.compile("/ws$"), break_the_first)
        seat(phone, board)
        phone.locator("[data-answer=roll]").wait_for()
        opened[0].close(code=1011)
        for _ in range(60):
            if len(opened) > 1:
                break
            phone.wait_for_timeout(100)
        assert len(opened) == 2
        phone.locator("[data-answer=roll]").click()
        phone.locator("[data-answer='flip none']").wait_for()
        phone.goto("about:blank")


def test_an_old_link_says_so(phone, tmp_path):
    with fake_board(tmp_path, "--quick", start=SETUP) as board:
        seat(phone, board)
        phone.locator("[data-answer=roll]").wait_for()
        phone.expected_faults = ("404",)
        players = [["person", "Eve"], ["bot", "Bo"]]
        start = {"t": "start", "setup": {**SETUP, "players": players}, "id": 1}
        phone.evaluate(
            "([address, start]) => { const s = new WebSocket(address); s.onopen = () => s.send(start); }",
            [board.address.replace("http", "ws") + "ws", json.dumps(start)],
        )
        phone.locator(".seat-gone").wait_for()
        assert "get your seat's new link at the board" in phone.locator(".seat-gone").inner_text()
        phone.goto("about:blank")


def test_the_dialog_with_the_links(page, tmp_path):
    with fake_board(tmp_path, "--quick", start=SETUP) as board:
        page.goto(board.address)
        links(page, board)
        page.get_by_role("button", name="Seats").click()
        page.wait_for_selector(".seat-links li")
        assert page.locator(".seat-links li").count() == 2
        assert "gridglow play --lan" in page.locator(".seat-links .warn").inner_text()
        code = page.locator(".seat-links img").first
        assert code.get_attribute("alt") == "QR code with Ann's link"
        assert code.evaluate("image => image.complete && image.naturalWidth > 50")
        link = page.locator(".seat-links a").first.inner_text()
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.get_by_role("button", name="Copy link").first.click()
        page.get_by_role("button", name="Copied").wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == link
        page.get_by_role("button", name="Close").click()
        page.wait_for_selector(".seat-links li", state="detached")
        assert link not in page.content()
        page.goto("about:blank")


def test_who_watches_gets_no_keys(page, tmp_path):
    with fake_board(tmp_path, "--quick", start=SETUP) as board:
        page.route_web_socket(re.compile("/ws$"), _as_watcher)
        page.goto(board.address)
        page.wait_for_selector(".question")
        page.get_by_text("You're watching.").wait_for()
        for name in ("New race", "Seats", "Resume"):
            assert page.get_by_role("button", name=name, exact=True).count() == 0, name
        assert page.locator(".key:visible").count() == 0 and page.locator(".question .chip").count() == 0
        page.goto("about:blank")


def _as_watcher(ws):
    server = ws.connect_to_server()
    server.on_message(lambda text: ws.send(text.replace('"role":"table"', '"role":"watch"')))


def test_the_page_speaks_the_boards_language(page, tmp_path):
    with fake_board(tmp_path, "--quick", "--german", start=SETUP) as board:
        page.goto(board.address)
        page.wait_for_selector("[data-answer=roll]")
        assert page.get_attribute("html", "lang") == "de"
        assert page.get_by_role("button", name="Neues Rennen").count() == 1
        assert page.locator("#standings h2").inner_text().lower() == "stand"
        assert page.locator("#prompt").get_attribute("aria-label") == "Frage"
        assert "Jürgen" in page.locator("#standings").inner_text() or "Jürgen" in page.content()
        # The other language is this browser's choice, and stays.
        page.get_by_role("button", name="Sprache: Deutsch").click()
        page.get_by_role("button", name="New race").wait_for()
        page.reload()
        page.get_by_role("button", name="New race").wait_for()
        assert page.get_attribute("html", "lang") == "en"
        page.set_viewport_size(PHONE)
        page.evaluate("localStorage.clear()")
        seat(page, board, 2)
        assert "Zoë" in page.locator("#who").inner_text() and "Platz 2" in page.locator("#who").inner_text()
        assert page.locator(".question").inner_text().startswith("Jetzt: Ann") and fits(page)
        page.expected_faults = ("404",)
        answer = page.goto(board.address + "seat/nobody")
        assert answer.status == 404 and "gehört zu keinem Platz dieses Rennens" in page.content()
        page.goto("about:blank")


def test_both_languages_have_all_words():
    from gridglow.virtual.server import PAGE

    found = []
    for name in ("words.js", "words_de.js"):
        text = (PAGE / name).read_text("utf-8")
        words = dict(re.findall(r'^  (\w+):\s*(.*?)(?=^  \w+:|^};)', text, re.M | re.S))
        found.append({key: sorted(re.findall(r"\{\d\}", value)) for key, value in words.items()})
    assert found[0] == found[1] and len(found[0]) > 150
    said = set()
    for file in PAGE.glob("*.js"):
        said |= set(re.findall(r'\bsay\("(\w+)"', file.read_text("utf-8")))
    for file in PAGE.glob("*.html"):
        said |= set(re.findall(r'data-say(?:-label)?="(\w+)"', file.read_text("utf-8")))
    assert said <= set(found[0]), said - set(found[0])


def test_a_word_goes_by_its_number(page, tmp_path):
    with fake_board(tmp_path, "--quick", start=SETUP) as board:
        page.goto(board.address)
        said = """async (all) => {
            const { say } = await import("/static/words.js");
            return all.map((one) => say(...one));
        }"""
        assert page.evaluate(said, [["podiumPoints", 1], ["podiumPoints", 0], ["trackLaps", 1, 1], ["trackLaps", 57, "2"],
                                    ["rowOptions", "1"], ["skipped"]]) == [
            "1 point", "0 points", "1 row · 1 lap", "57 rows · 2 laps", "1 way", " unreadable lines"]
        page.evaluate("localStorage.setItem('gridglow.language', 'de')")
        page.reload()
        assert page.evaluate(said, [["podiumPoints", 1], ["trackLaps", 1, 3]]) == ["1 Punkt", "1 Reihe · 3 Runden"]
        page.evaluate("localStorage.clear()")
        page.goto("about:blank")


def test_a_board_that_changes_its_language_takes_the_page_along(page, tmp_path):
    with fake_board(tmp_path, "--quick", start=SETUP) as board:
        page.goto(board.address)
        page.get_by_role("button", name="New race").wait_for()
        picture = {"t": "hello", "v": 1, "fw": "x", "board": "x", "outputs": [], "panels": 1, "display": [21, 6],
                   "impl": "x", "lang": "de"}
        board.hear(picture)
        page.get_by_role("button", name="Neues Rennen").wait_for()
        page.goto("about:blank")
