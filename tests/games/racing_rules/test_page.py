"""Racing Rules on the page with two seat pages open: a race by hand to the podium, with both results visible
before the choice."""

import time

import pytest
from page_race import played, replayed, seated, tap

from browser import chromium  # noqa: F401

RACE_S = 120
#: The races of this seed are short.
SEED = "home-50"


def whole(page, selector):
    """How many of these elements are fully visible, cut off neither by their parents nor by the window."""
    return page.evaluate("""selector => [...document.querySelectorAll(selector)].filter(one => {
        const box = one.getBoundingClientRect();
        const middle = [(box.left + box.right) / 2, box.bottom - 3];
        return one.contains(document.elementFromPoint(...middle));
    }).length""", selector)


@pytest.mark.parametrize("variant, ways", [("race-6", ("Colours: ", "Numbers: ")), ("turbocharge", ("", "Stop: "))])
def test_a_race_with_two_seat_pages(chromium, variant, ways):
    race = ("--engine", "micropython", "--game", "racing_rules", "--variant", variant, "--seats", "2", "--seed", SEED)
    with played(*race) as address:
        faults = []
        table, phones, _ = seated(chromium, address, faults, viewport={"width": 1280, "height": 800})
        begun = time.time()
        clicks = [0, 0]
        chosen = 0
        while table.locator("html[data-race=podium]").count() == 0:
            assert time.time() - begun < RACE_S, "the race hasn't reached its podium"
            asked = False
            for at, phone in enumerate(phones):
                says = phone.locator(".question .chip").all_inner_texts()
                told = 0 if ways[0] else 1         # this one identifies the question
                if len(says) == 2 and says[told].startswith(ways[told]):
                    assert says[1].startswith(ways[1])
                    if not chosen:
                        assert whole(phone, ".question .chip") == 2
                        table.wait_for_function("document.querySelectorAll('.question .chip').length == 2")
                        shown = table.locator(".question .chip").all_inner_texts()
                        assert says[0].endswith(shown[0]) and says[1] == shown[1]
                        assert whole(table, ".question .chip") == 2
                    chosen += 1
                done = tap(phone, sum(clicks))
                clicks[at] += done
                asked = asked or done
            if not asked:
                table.keyboard.press("Enter")      # movement is skipped
            table.wait_for_timeout(40)
        table.wait_for_selector(".podium .block")
        for phone in phones:
            phone.locator("html[data-race=podium]").wait_for(state="attached")
            assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert phone.locator("#seat-lap").inner_text() == "", "a game without laps must not count any"
        assert min(clicks) >= 3 and chosen and faults == []
        assert "wins" in table.locator(".podium").inner_text() and "points" not in table.locator(".podium").inner_text()
        text = table.request.get(address + "journal").text()
    assert replayed(text, "cpython")["over"] and replayed(text, "micropython")["over"]
