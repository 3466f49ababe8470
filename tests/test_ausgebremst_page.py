"""Ausgebremst on the page with three seat pages open: a race by hand to the podium; no page sees another's hand."""

import json
import time

import pytest
from test_page_race import played, replayed
from test_page_seat_race import seated, tap

from browser import chromium  # noqa: F401

RACE_S = 200


def heard_before_the_end(frames):
    """All that a page heard as text, but what seats see, until the race was over."""
    out = []
    for one in [one for frame in frames for one in json.loads(frame)]:
        if one["t"] == "standings" and one["final"]:
            break
        if one["t"] != "view":
            out.append(json.dumps(one))
    return "".join(out)


@pytest.mark.parametrize("variant, laps", [("family", 2), ("pro", 1)])
def test_a_race_with_three_seat_pages(chromium, variant, laps):
    race = ("--engine", "micropython", "--game", "ausgebremst", "--variant", variant, "--track", "bleifuss-drom",
            "--laps", str(laps), "--seats", "3", "--seed", "three-pages")
    with played(*race) as address:
        faults = []
        table, phones, heard = seated(chromium, address, faults, viewport={"width": 1280, "height": 800})
        begun = time.time()
        taps = [0, 0, 0]
        while table.locator("html[data-race=podium]").count() == 0:
            assert time.time() - begun < RACE_S, "the race has not come to its podium"
            asked = False
            for at, phone in enumerate(phones):
                done = tap(phone, sum(taps))
                taps[at] += done
                asked = asked or done
            if not asked:
                table.keyboard.press("Enter")      # what moves is skipped
            table.wait_for_timeout(40)
        table.wait_for_selector(".podium .block")
        assert min(taps) >= 5 and faults == []
        for phone in phones:
            phone.locator("html[data-race=podium]").wait_for(state="attached")
            assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
        views = [[one for frame in heard[page] for one in json.loads(frame) if one["t"] == "view"] for page in heard]
        assert views[0] == [] and all(views[1:])
        for seat, own in enumerate(views[1:], 1):
            assert {view["seat"] for view in own} == {seat}
        for page in heard:
            public = heard_before_the_end(heard[page])
            assert "Hand" not in public and "Stack 1:" not in public
            assert "plays" in public, "a card that was played lies open"
        text = table.request.get(address + "journal").text()
    assert replayed(text, "cpython")["over"] and replayed(text, "micropython")["over"]
