"""The page shows the board of ``--board-file``: its panels and dials, its display, and the pixels under its track."""

import re

import pytest
from page_race import played

from browser import chromium, page  # noqa: F401
from gridglow import paths

# Three panels, each with a bar of six and a ring of twelve; one pixel a row.
OWN = (
    (r'^id = "full"', 'id = "own"'), (r'^name = ".*"', 'name = "Own console"'), (r"^count = 6", "count = 3"),
    (r"^pixels_max = 420", "pixels_max = 60"), (r"^seats = 6", "seats = 3"),
    (r"^shapes = .*", 'shapes = ["bar", "ring"]'), (r"^pixels = .*", "pixels = [6, 12]"),
)
WAIT_MS = 60000


def own_board(folder):
    text = (paths.boards_folder() / "full.toml").read_text("utf-8")
    for old, new in OWN:
        assert re.search(old, text, re.MULTILINE), old
        text = re.sub(old, new, text, count=1, flags=re.MULTILINE)
    path = folder / "own.toml"
    path.write_text(text, "utf-8")
    return str(path)


@pytest.mark.parametrize(("board", "panels", "dials", "pixels"), [
    ("mini", 2, [("ring", 8)] * 3, 57),
    ("full", 6, [("ring", 8)] * 3 + [("bar", 8)] * 2, 171),
    ("own", 3, [("ring", 12), ("bar", 6)], 57),  # the page shows rings first
])
def test_the_page_shows_the_built_board(board, panels, dials, pixels, page, tmp_path):
    name = own_board(tmp_path) if board == "own" else board
    words = ("--board-file", name, "--track", "gp-ring", "--laps", "1", "--seats", "2", "--bots", "1")
    with played(*words, data=tmp_path / "data") as address:
        page.goto(address)
        page.wait_for_selector("#panels .panel .dial", timeout=WAIT_MS, state="attached")
        page.wait_for_selector("#display:has-text('L1/1')", timeout=WAIT_MS)
        shown = page.evaluate("""() => [...document.querySelectorAll("#panels .panel")].map((panel) => ({
            keys: panel.querySelectorAll("[data-key]").length,
            dials: [...panel.querySelectorAll(".dial")].map((dial) => [
                dial.classList.contains("bar-dial") ? "bar" : "ring", dial.querySelectorAll(".dot").length]),
        }))""")
        assert len(shown) == panels
        for panel in shown:
            assert panel["keys"] == 6 and [tuple(dial) for dial in panel["dials"]] == dials
        assert page.locator("#track .led").count() == pixels
        page.goto("about:blank")  # a board that ends under an open page is reported as a fault
