"""A whole race in the browser, on the real firmware under MicroPython: set up on the page, played by clicks
and keys, and its journal replayed on both interpreters with the public digests that the page showed."""

import pathlib
import time

from page_race import played, replayed

from browser import chromium, page  # noqa: F401

ROOT = pathlib.Path(__file__).resolve().parents[2]
RACE_S = 240


def answer_by_page(page, count):
    """Answers an open question by a click on the track, by a chip, or by the panel's OK key, in turn; returns
    whether it did."""
    targets = page.locator(".target")
    chips = page.locator(".question:not(.is-bot) .chip")
    try:
        if count % 3 == 0 and targets.count():
            targets.first.locator(".target-space").click(timeout=1500)
        elif count % 3 == 1:
            page.keyboard.press("Enter")
        elif chips.count():
            chips.last.click(timeout=1500)
        else:
            return False
    except Exception:  # the question was answered meanwhile
        return False
    return True


def test_a_race_set_up_and_played_by_hand_in_the_browser(page):
    with played("--engine", "micropython") as address:
        page.goto(address)
        assert "Gridglow" in page.content()
        page.get_by_text("New race", exact=True).first.click()
        page.locator(".seat-row").nth(0).locator("input[type=text]").fill("Jürgen")
        page.fill("input[name=laps]", "1")
        page.get_by_text("Start the race").click()
        begun = time.time()
        answers = 0
        while not page.locator(".podium:visible").count():
            assert time.time() - begun < RACE_S, "the race hasn't reached its podium"
            answers += answer_by_page(page, answers)
            page.wait_for_timeout(120)
        page.wait_for_timeout(800)
        shown = page.eval_on_selector_all("#log li", "lines => lines.map(line => [line.dataset.line, line.title])")
        journal = page.request.get(address.rstrip("/") + "/journal").text()
        page.goto("about:blank")    # before the board stops
    rows = [row for row in journal.split("\n\n", 1)[1].splitlines() if row]
    assert len(rows) == len(shown) > 30
    for row, (number, title) in zip(rows, shown, strict=True):
        assert row.split(" | ")[1].split(" ")[0] in title, f"line {number}: {row} against {title}"
    assert "seat 1: person Jürgen" in journal and "seed: " in journal
    for interpreter in ("cpython", "micropython"):
        found = replayed(journal, interpreter)
        assert sorted(row["place"] for row in found["standings"]) == list(range(1, len(found["standings"]) + 1))
