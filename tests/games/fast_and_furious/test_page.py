"""Fast & Furious on the page with two seat pages open: upgrades in secret, a race by hand, the photo finish reported."""

import json
import time

from page_race import before_the_end, check_own_views, played, replayed, seated

from browser import chromium  # noqa: F401
from shared_rules.games.fast_and_furious.car import UPGRADES

RACE_S = 240
RACE = ("--engine", "micropython", "--game", "fast_and_furious", "--track", "short-run", "--seats", "2", "--seed", "photo")
#: A free course, short enough for a test: a corner, an obstacle.
COURSE = """id = "short-run"
name = "Short Run"
number = 40
game = "fast_and_furious"
level = "street"
laps = 1
board_cm = [60, 40]
lanes = 3
closed = false

[[section]]
kind = "straight"
rows = 5

[[section]]
kind = "corner"
turn = "right"
rows = 3
angle = 70
limit = 5

[[section]]
kind = "straight"
rows = 6

[[mark]]
space = "12b"
word = "obstacle"
sign = "X"
"""
#: The upgrades' names in English.
NAMES = ("Nitrous", "Engine power", "Tuning", "Tires", "Turbo", "Handling", "Transmission", "Aerodynamics", "Steering")


def wanted(texts, gear):
    """The one of these answers that a player in a hurry gives."""
    if "shift up" in texts and gear < 2 and not any(text.startswith(("pick", "go", "ok")) for text in texts):
        return texts.index("shift up")
    for verb in ("play", "pick", "go", "ok", "discard", "draw", "pass"):
        found = [at for at, text in enumerate(texts) if text.split(" ")[0] == verb]
        if found:
            return max(found, key=lambda at: (texts[at].split(" ")[-1] if verb == "play" else "", at))
    return 0


def answer(phone, gear):
    """One tap on a page that is asked: the row first, then its last lane; returns what was tapped, or ""."""
    try:
        rows = phone.locator(".row-button")
        if rows.count():
            rows.last.click(timeout=1000)
            return "row"
        chips = phone.locator(".question .chip")
        texts = chips.evaluate_all("chips => chips.map(one => one.dataset.answer)")
        if not texts:
            return ""
        at = wanted(texts, gear)
        chips.nth(at).click(timeout=1000)
        return texts[at]
    except Exception:  # the question was answered meanwhile, or its buttons were redrawn
        return ""


def said(frames):
    """The texts of the messages to everybody, until the first car takes its place."""
    out = []
    for one in before_the_end(frames):
        if one["t"] == "line" and one["clause"] == "FF-12":
            break
        if one["t"] in ("line", "scene", "prompts", "why"):
            out.append(json.dumps(one))
    return "".join(out)


def test_a_race_with_two_seat_pages(chromium, tmp_path, monkeypatch):
    (tmp_path / "tracks").mkdir()
    (tmp_path / "tracks" / "short-run.toml").write_text(COURSE, encoding="utf-8")
    monkeypatch.setenv("GRIDGLOW_DATA", str(tmp_path))
    with played(*RACE) as address:
        faults = []
        table, phones, heard = seated(chromium, address, faults, viewport={"width": 1280, "height": 800})
        begun = time.time()
        tapped = [[], []]
        chosen = {0: "", 1: ""}
        while table.locator("html[data-race=podium]").count() == 0:
            assert time.time() - begun < RACE_S, "the race hasn't reached its podium"
            asked = False
            for at, phone in enumerate(phones):
                gears = phone.locator(".gauge[data-label=Gear] .gauge-value").all_text_contents()
                if not chosen[at] and phone.locator(".question .chip").count() == 9:
                    chosen[at] = phone.locator(".question").inner_text()
                    shown = table.locator("body").inner_text()
                    assert not any(name + ":" in shown for name in NAMES), "the table's page must say nothing"
                done = answer(phone, int(gears[0]) if gears else 0)
                tapped[at] += [done] if done else []
                asked = asked or bool(done)
            if not asked:
                table.keyboard.press("Enter")      # movement is skipped
            table.wait_for_timeout(30)
        table.wait_for_selector(".podium .block")
        assert table.locator(".token[data-token=obstacle] title").all_text_contents() == ["Obstacle, 12b"]
        podium = table.locator(".podium").inner_text()
        for phone in phones:
            phone.locator("html[data-race=podium]").wait_for(state="attached")
            assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert phone.locator("#seat-lap").inner_text() == "" and phone.locator(".gauge").count() == 3
            assert phone.locator(".token[data-space='12b']").count() == 1
        text = table.request.get(address + "journal").text()
    assert faults == [] and min(len(one) for one in tapped) > 12
    for own in chosen.values():
        assert "4 to place" in own and all(name + ":" in own for name in NAMES), "each upgrade must say what it does"
    check_own_views(heard)
    for frames in heard.values():
        assert not any(f"pick {name}" in said(frames) for name in UPGRADES), "nobody may hear what others take"
        public = "".join(json.dumps(one) for one in before_the_end(frames))
        assert "Hand: " not in public and "plays" in public, "a played set must be visible"
    assert "speed left" in podium and "wins" in podium and "points" not in podium
    assert replayed(text, "cpython")["over"] and replayed(text, "micropython")["over"]
