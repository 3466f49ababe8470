"""Ausgebremst on the page with three seat pages open: a race by hand to the podium; no page sees another's hand."""

import json
import time

import pytest
from page_race import before_the_end, check_own_views, played, replayed, seated, tap

from browser import chromium  # noqa: F401

RACE_S = 200


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
            assert time.time() - begun < RACE_S, "the race hasn't reached its podium"
            asked = False
            for at, phone in enumerate(phones):
                done = tap(phone, sum(taps))
                taps[at] += done
                asked = asked or done
            if not asked:
                table.keyboard.press("Enter")      # movement is skipped
            table.wait_for_timeout(40)
        table.wait_for_selector(".podium .block")
        assert min(taps) >= 5 and faults == []
        for phone in phones:
            phone.locator("html[data-race=podium]").wait_for(state="attached")
            assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
        check_own_views(heard)
        for page in heard:
            public = "".join([json.dumps(one) for one in before_the_end(heard[page])])
            assert "Hand" not in public and "Stack 1:" not in public
            assert "plays" in public, "a played card must be visible"
        text = table.request.get(address + "journal").text()
    assert replayed(text, "cpython")["over"] and replayed(text, "micropython")["over"]
