"""A Standard race on two phones: real firmware under MicroPython, each seat played on its own page to the podium."""

import json
import time

from browser import chromium  # noqa: F401
from tests.page.test_race import played, replayed

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}
RACE_S = 120
RACE = ("--engine", "micropython", "--variant", "standard", "--track", "fabulous-driving-park", "--laps", "1",
        "--seats", "2", "--seed", "phones")


def tap(page, which=-1, selectors=(".question .chip",)):
    """One tap on a page that is asked: on this one of the ways that it shows, counted round; whether there was one."""
    for selector in selectors:
        buttons = page.locator(selector)
        ways = buttons.count()
        if ways:
            try:
                buttons.nth(which % ways).click(timeout=1000)
                return True
            except Exception:  # the question was answered meanwhile, or its buttons were drawn anew
                return False
    return False


def listen(page, heard):
    """Keep every frame that this page's websockets get."""
    page.on("websocket", lambda ws: ws.on("framereceived", lambda frame: heard.append(frame)))


def seated(chromium, address, faults, **window):
    """The main page and a phone for each seat, all open on the race; and what each of them gets by its websocket."""
    table = chromium.new_context(**window).new_page()
    table.goto(address)
    table.wait_for_selector(".question, .gantry.on")
    rows = table.request.get(address + "seats.json").json()["seats"]
    # A context each: in one window only the page in front would draw.
    phones = [chromium.new_context(**PHONE).new_page() for _ in rows]
    heard = {page: [] for page in [table, *phones]}
    for page in heard:
        page.on("pageerror", lambda error: faults.append(str(error)))
    for phone, row in zip(phones, rows, strict=True):
        listen(phone, heard[phone])
        phone.goto(row["link"])
        phone.wait_for_selector(".seat-track .track")
    listen(table, heard[table])
    table.reload()
    return table, phones, heard


def check_own_views(heard):
    """What only one seat may see has come to the phone of that seat alone, and to each."""
    views = [[one for frame in frames for one in json.loads(frame) if one["t"] == "view"] for frames in heard.values()]
    assert views[0] == [] and all(views[1:])
    for seat, own in enumerate(views[1:], 1):
        assert {view["seat"] for view in own} == {seat}


def before_the_end(frames):
    """The messages that a page got until the race was over, without what is for its seat alone."""
    out = []
    for one in [one for frame in frames for one in json.loads(frame)]:
        if one["t"] == "standings" and one["final"]:
            break
        if one["t"] != "view":
            out.append(one)
    return out


def test_two_phones_play_a_standard_race(chromium):
    with played(*RACE) as address:
        faults = []
        table, phones, heard = seated(chromium, address, faults)
        begun = time.time()
        taps = [0, 0]
        warned = 0
        while table.locator("html[data-race=podium]").count() == 0:
            assert time.time() - begun < RACE_S, "the race has not come to its podium"
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
    assert warned, "taking the farthest space wears a bike out"
    found = replayed(journal, "cpython")
    assert sorted(row["place"] for row in found["standings"]) == [1, 2]
