"""The page notices a connection that is silently dead, and what was asked on it counts once."""

import pytest
from page_time import pass_ms
from seat_pages import path_of
from silent_proxy import DOWN, UP, SilentProxy

from browser import chromium, fake_board, page  # noqa: F401 (fixtures)

SETUP = {"game": "ring_game", "variant": "basic", "track": "fabulous-driving-park", "laps": 1,
         "players": [["person", "Ann"], ["person", "Bo"]]}
#: Silence is noticed within this time: 5 s without a word, a beat, 4 s without its answer, and ticks of 1 s.
NOTICED_MS = 12000
#: How long a page waits for an answer.
ANSWER_MS = 12000


@pytest.fixture(params=["table", "seat"])
def played(request, page, tmp_path):
    """(page, board, proxy) of a race at its first question."""
    with fake_board(tmp_path, "--quick", start=SETUP) as board, SilentProxy(board.address) as proxy:
        page.clock.install()  # for pass_ms
        page.goto(proxy.address + path_of(page, board, request.param))
        page.wait_for_selector("[data-answer=roll]")
        pass_ms(page, 700)
        assert len(proxy.sockets) == 1
        yield page, board, proxy
        page.goto("about:blank")


def sockets(page, proxy, count, within_ms=NOTICED_MS):
    """Wait until this many websockets were opened."""
    assert pass_ms(page, within_ms, lambda: len(proxy.sockets) >= count), f"{len(proxy.sockets)} of {count} connections"


def rolls(board):
    """The journal lines in which somebody has rolled."""
    return [one["say"] for one in board.messages if one["t"] == "line" and one["text"].startswith("roll")]


def notices(page):
    return page.locator(".toast").all_inner_texts()


def test_a_page_notices_a_silent_connection_and_begins_a_new_one(played):
    page, board, proxy = played
    proxy.silence()
    sockets(page, proxy, 2)
    pass_ms(page, 1500)
    assert page.locator("#banner").is_hidden() and notices(page) == []
    page.locator("[data-answer=roll]").click()
    page.wait_for_selector("[data-answer='flip none']")
    assert len(rolls(board)) == 1
    pass_ms(page, NOTICED_MS)
    assert len(proxy.sockets) == 2, "a connection with a beat must stay"


@pytest.mark.parametrize("silent", [UP, DOWN])
def test_an_answer_that_is_lost_or_whose_answer_is_lost_counts_once(played, silent):
    page, board, proxy = played
    proxy.silence(silent)
    page.locator("[data-answer=roll]").click()
    sockets(page, proxy, 2)
    page.wait_for_selector("[data-answer='flip none']")
    assert len(rolls(board)) == 1
    pass_ms(page, ANSWER_MS)
    assert len(rolls(board)) == 1 and notices(page) == []


@pytest.mark.parametrize("event", ["document.dispatchEvent(new Event('visibilitychange'))",
                                   "window.dispatchEvent(new Event('pageshow'))",
                                   "window.dispatchEvent(new Event('online'))"])
def test_a_page_that_is_looked_at_again_begins_a_new_connection_at_once(played, event):
    page, board, proxy = played
    proxy.silence()
    page.evaluate(event)
    sockets(page, proxy, 2, 1000)
    page.locator("[data-answer=roll]").click()
    page.wait_for_selector("[data-answer='flip none']")
    assert len(rolls(board)) == 1 and notices(page) == []


def test_a_page_says_that_nobody_is_there_and_comes_back(played):
    page, board, proxy = played
    proxy.silence_all()
    assert pass_ms(page, 2 * NOTICED_MS, page.locator("#banner").is_visible)
    page.locator("[data-answer=roll]").click()
    page.wait_for_selector(".toast:has-text('no connection'), .refusal:has-text('no connection')")
    assert rolls(board) == []
    proxy.speak()
    assert pass_ms(page, 2 * NOTICED_MS, page.locator("#banner").is_hidden)
    page.locator("[data-answer=roll]").click()
    page.wait_for_selector("[data-answer='flip none']")
    assert len(rolls(board)) == 1


def test_reasons_are_an_answer(played):
    page, _board, _proxy = played
    page.click(".why-button" if page.locator(".why-button:visible").count() else "[data-key=WHY]")
    page.wait_for_selector(".reasons li")
    pass_ms(page, ANSWER_MS + 2000)
    assert notices(page) == []
