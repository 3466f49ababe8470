"""Full Throttle! on the page with two seat pages open: the whole race by hand, and no page sees another's cards."""

import json
import time

from test_page_race import played, replayed
from test_page_seat_race import seated, tap

from browser import chromium  # noqa: F401

RACE_S = 150
RACE = ("--engine", "micropython", "--game", "full_throttle", "--track", "track-a", "--laps", "1", "--seats", "2",
        "--seed", "two-pages")


def test_a_race_with_two_seat_pages(chromium):
    with played(*RACE) as address:
        faults = []
        table, phones, heard = seated(chromium, address, faults, viewport={"width": 1280, "height": 800})
        table.wait_for_selector(".track .signs text")
        assert table.locator(".track .signs text").all_text_contents() == ["+2", "+2", "+2"]
        begun = time.time()
        chosen = [0, 0]
        while table.locator("html[data-race=podium]").count() == 0:
            assert time.time() - begun < RACE_S, "the race has not come to its podium"
            # Anybody may reveal, and skip what moves; a hidden choice is for the page of its seat.
            hidden = [phone.locator(".question .chip").first.is_visible()
                      and "draw" not in (phone.locator(".question .chip").first.get_attribute("data-answer") or "")
                      for phone in phones]
            for at, phone in enumerate(phones):
                if hidden[at]:
                    chosen[at] += tap(phone, 0)
            if not any(hidden) and not tap(table, 0):
                table.keyboard.press("Enter")
            table.wait_for_timeout(40)
        assert min(chosen) >= 3 and faults == []
        table.wait_for_selector(".podium-lines")
        lines = table.locator(".podium-lines li").all_inner_texts()
        assert [line.split(":")[0] for line in lines[:3]] == ["Podium 1", "Podium 2", "Podium 3"]
        assert sum(" x" in line for line in lines) == 2, "what each player had bet on"
        views = [[one for frame in heard[page] for one in json.loads(frame) if one["t"] == "view"] for page in heard]
        assert views[0] == [] and all(views[1:])
        for seat, own in enumerate(views[1:], 1):
            assert {view["seat"] for view in own} == {seat}
        # Before the podium no page hears an answer that was hidden, or what another holds.
        for page in heard:
            public = []
            for one in [one for frame in heard[page] for one in json.loads(frame)]:
                if one["t"] == "standings" and one["final"]:
                    break
                public += [str(one)] if one["t"] != "view" else []
            public = "".join(public)
            assert "chosen in secret" in public
            assert not [word for word in ("'bet ", "'order ", "'discard ", "Hand: ", "Bets: ") if word in public]
        text = table.request.get(address + "journal").text()
    assert replayed(text, "cpython")["over"] and replayed(text, "micropython")["over"]
