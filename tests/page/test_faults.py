"""The board's faults are shown on the pages for as long as they last, in each page's language."""

import pytest
from page_time import pass_ms
from seat_pages import path_of

from browser import chromium, fake_board, page  # noqa: F401 (fixtures)

SETUP = {"game": "ring_game", "variant": "basic", "track": "fabulous-driving-park", "laps": 1,
         "players": [["person", "Ann"], ["person", "Bo"]]}
DEAF = {"t": "fault", "n": 0, "say": "The computer doesn't read what the board says. The race goes on without it.",
        "text": ["board.host_deaf"], "about": "host", "on": 1}
OVER = {"t": "fault", "n": 0, "say": "", "about": "host", "on": 0}
GERMAN = "Der Computer liest nicht, was das Brett sagt."
ENGLISH = "The computer doesn't read what the board says."
LASTING = "#faults .lasting"


@pytest.fixture(params=["table", "seat"])
def german(request, page, tmp_path):
    """(page, board) in a race on a German board; the page is its main one, or a seat's."""
    with fake_board(tmp_path, "--quick", "--german", start=SETUP) as board:
        page.clock.install()  # for pass_ms
        page.goto(board.address + path_of(page, board, request.param))
        page.wait_for_selector("html[lang=de]")
        page.wait_for_selector("[data-answer=roll]")
        yield page, board
        page.goto("about:blank")


def test_a_fault_begins_and_ends_and_is_said_in_the_language_of_the_page(german):
    page, board = german
    board.hear(DEAF)
    page.wait_for_selector(f"{LASTING}:has-text('{GERMAN}')")
    pass_ms(page, 8000)
    assert page.locator(LASTING).count() == 1, "it stays as long as it lasts, longer than a notice"
    page.reload()
    page.wait_for_selector(f"{LASTING}:has-text('{GERMAN}')")
    page.evaluate("localStorage.setItem('gridglow.language', 'en')")
    page.reload()
    page.wait_for_selector(f'{LASTING}:has-text("{ENGLISH}")')
    board.hear(OVER)
    page.wait_for_selector(LASTING, state="detached")
    page.reload()
    page.wait_for_selector("[data-answer=roll]")
    assert page.locator(LASTING).count() == 0 and page.locator(".toast").count() == 0


def test_a_fault_that_was_closed_stays_away_until_it_begins_anew(german):
    page, board = german
    board.hear(DEAF)
    page.locator(f"{LASTING} button").click()
    board.hear(DEAF)
    pass_ms(page, 500)
    assert page.locator(LASTING).count() == 0
    board.hear(OVER)
    board.hear(DEAF)
    page.wait_for_selector(LASTING)


def test_a_fault_of_the_moment_and_that_something_works_again_are_notices(german):
    page, board = german
    board.hear({"t": "fault", "n": 0, "say": "x", "text": ["board.host_floods"]})
    page.wait_for_selector(".toast:has-text('Der Computer')")
    board.hear({"t": "fault", "n": 0, "say": "x", "about": "part reader", "on": 0,
                "text": ["board.part_back", "@board.parts_reader"]})
    page.wait_for_selector(".toast:has-text('Kartenleser')")
    assert page.locator(LASTING).count() == 0
    assert pass_ms(page, 12000, lambda: page.locator(".toast").count() == 0)


def test_a_fault_that_a_board_does_not_tell_anew_after_its_hello_is_over(german):
    page, board = german
    for message in (DEAF, {**DEAF, "about": "leds", "text": ["board.no_leds", "gp-ring"]}):
        board.hear(message)
    page.wait_for_function(f"document.querySelectorAll('{LASTING}').length === 2")
    hello, race = [next(one for one in reversed(board.messages) if one["t"] == kind) for kind in ("hello", "race")]
    for message in (hello, DEAF, race):
        board.hear(message)
    page.wait_for_selector(f"{LASTING}[data-about=leds]", state="detached")
    assert page.locator(LASTING).all_inner_texts()[0].startswith(GERMAN)
