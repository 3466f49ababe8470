"""A Standard race on two phones: real firmware under MicroPython, each seat played on its own page up to the podium."""

import time

from page_race import played, replayed, seated, tap

from browser import chromium  # noqa: F401

RACE_S = 120
RACE = ("--engine", "micropython", "--variant", "standard", "--track", "fabulous-driving-park", "--laps", "1",
        "--seats", "2", "--seed", "phones")


def test_two_phones_play_a_standard_race(chromium):
    with played(*RACE) as address:
        faults = []
        table, phones, heard = seated(chromium, address, faults)
        begun = time.time()
        taps = [0, 0]
        warned = 0
        while table.locator("html[data-race=podium]").count() == 0:
            assert time.time() - begun < RACE_S, "the race hasn't reached its podium"
            for at, phone in enumerate(phones):
                taps[at] += tap(phone, selectors=(".row-button", ".question .chip"))
                warned = max(warned, phone.locator(".gauge.low").count())
            table.wait_for_timeout(40)
        for phone in phones:
            phone.locator("html[data-race=podium]").wait_for(state="attached")
            assert phone.locator(".place-points").count() == 2
            assert phone.locator(".gauge").count() == 3
            assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert '"t":"view"' in "".join(heard[phone])
        assert '"t":"view"' not in "".join(heard[table]) and len(heard[table]) > 10
        journal = table.request.get(address + "journal").text()
        for one in (table, *phones):
            one.context.close()
    assert faults == [] and min(taps) > 5
    assert warned, "taking the farthest space must wear a bike out"
    found = replayed(journal, "cpython")
    assert sorted(row["place"] for row in found["standings"]) == [1, 2]
