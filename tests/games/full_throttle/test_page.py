"""Full Throttle! on the page with two seat pages open: the whole race by hand, and no page sees another's cards."""

import time

from page_race import before_the_end, check_own_views, played, replayed, seated, tap

from browser import chromium  # noqa: F401

RACE_S = 150
RACE = ("--engine", "micropython", "--game", "full_throttle", "--track", "track-a", "--laps", "1", "--seats", "2",
        "--seed", "two-pages")
#: What the first visible way to answer would answer; null if nothing is asked. In one call: it may disappear at any moment.
FIRST_ANSWER = """() => {
    const chip = document.querySelector(".question .chip");
    return chip && chip.checkVisibility() ? chip.dataset.answer || "" : null;
}"""


def test_a_race_with_two_seat_pages(chromium):
    with played(*RACE) as address:
        faults = []
        table, phones, heard = seated(chromium, address, faults, viewport={"width": 1280, "height": 800})
        table.wait_for_selector(".track .signs text")
        assert table.locator(".track .signs text").all_text_contents() == ["+2", "+2", "+2"]
        begun = time.time()
        chosen = [0, 0]
        while table.locator("html[data-race=podium]").count() == 0:
            assert time.time() - begun < RACE_S, "the race hasn't reached its podium"
            # Anybody may reveal, and skip movement; a hidden choice belongs to its seat's page.
            asked = [phone.evaluate(FIRST_ANSWER) for phone in phones]
            hidden = [answer is not None and "draw" not in answer for answer in asked]
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
        assert sum(" x" in line for line in lines) == 2, "each player's bet must be listed"
        check_own_views(heard)
        # Before the podium no page hears a hidden answer, or what another seat holds.
        for page in heard:
            public = "".join([str(one) for one in before_the_end(heard[page])])
            assert "chosen in secret" in public
            assert not [word for word in ("'bet ", "'order ", "'discard ", "Hand: ", "Bets: ") if word in public]
        text = table.request.get(address + "journal").text()
    assert replayed(text, "cpython")["over"] and replayed(text, "micropython")["over"]
