"""The page in Chromium, with the fake firmware: it shows what the board sends, and every way to answer works."""

import re

import pytest

from browser import chromium, fake_board, geometry_by_row, page  # noqa: F401 (fixtures)

PLAYERS = [["person", "Ann"], ["person", "Zoë"], ["bot", "Bo"]]
SETUP = {"game": "ring_game", "variant": "basic", "track": "fabulous-driving-park", "laps": 2, "players": PLAYERS}


@pytest.fixture
def quick(tmp_path):
    with fake_board(tmp_path, "--quick", start=SETUP) as board:
        yield board


def opened(page, board):
    page.goto(board.address)
    page.wait_for_selector(".track")
    return page


def text(page, selector):
    return page.locator(selector).first.inner_text()


def last(board, kind, **fields):
    for message in reversed(board.messages):
        if message["t"] == kind and all(message[key] == value for key, value in fields.items()):
            return message
    raise AssertionError(kind)


def test_the_page_shows_the_whole_board(page, quick):
    opened(page, quick)
    page.wait_for_selector("[data-answer=roll]")
    assert "Gridglow" in page.title()
    assert page.locator(".space").count() == 44 * 3
    assert page.locator(".corner-badge").count() == 4
    assert page.locator(".finish-dark").count() > 10 and page.locator(".arrow").count() == 3
    assert page.locator(".panel:visible").count() == 3
    assert page.locator(".panel").count() == 6
    assert [page.locator(".panel-name").nth(at).inner_text() for at in range(3)] == ["Ann", "Zoë", "Bo"]
    assert page.locator(".panel").first.locator(".key").count() == 6
    assert page.locator(".panel").first.locator(".dot").count() == 40
    assert text(page, ".lap-number").replace("\n", "") == "1/2"
    assert text(page, "#race-title") == "Ring Game · Basic · Fabulous Driving Park"


def test_every_led_has_exactly_the_colour_of_the_board(page, quick):
    opened(page, quick)
    page.wait_for_selector("[data-answer=roll]")
    page.wait_for_timeout(300)
    frame = last(quick, "px", o=0)["d"]
    shown = page.eval_on_selector_all(".led", "leds => leds.map(led => [Number(led.dataset.led), led.getAttribute('fill')])")
    assert len(shown) == 132
    for led, fill in shown:
        colour = frame[led * 6 : led * 6 + 6]
        assert fill == (None if colour == "000000" else "#" + colour)
    dials = last(quick, "px", o=1)["d"]
    dots = page.eval_on_selector_all(".panel:first-child .dot", "dots => dots.map(dot => dot.style.backgroundColor)")
    for at, shown in enumerate(dots):
        colour = tuple(int(dials[at * 6 + k : at * 6 + k + 2], 16) for k in (0, 2, 4))
        assert shown == ("rgb(%d, %d, %d)" % colour if any(colour) else "")


def test_rows_may_share_an_led(page, tmp_path):
    with fake_board(tmp_path, "--quick", "--row", start=SETUP, geometry=geometry_by_row) as board:
        opened(page, board)
        page.wait_for_selector("[data-answer=roll]")
        assert page.locator(".led").count() == 44
        page.wait_for_selector(".led[data-led='43'][fill^='#']")


def test_cars_differ_by_shape_and_letters_and_stand_on_their_spaces(page, quick):
    opened(page, quick)
    page.wait_for_selector(".car")
    shapes = page.eval_on_selector_all(".car .car-shape", "all => all.map(one => one.getAttribute('d'))")
    letters = page.eval_on_selector_all(".car .car-letters", "all => all.map(one => one.textContent)")
    assert len(set(shapes)) == 3 and letters == ["B1", "Y1", "R1"]
    assert page.eval_on_selector_all(".car", "all => all.map(one => one.dataset.space)") == ["44a", "44b", "44c"]


def test_a_turn_by_chips_and_a_space_on_the_track(page, quick):
    opened(page, quick)
    page.click("[data-answer=roll]")
    page.wait_for_selector("[data-answer='flip 1']")
    rolled = page.eval_on_selector_all("#dice .die-face", "all => all.map(one => Number(one.getAttribute('aria-label')))")
    assert last(quick, "line", i=1)["text"] == "roll %d %d" % tuple(rolled)
    page.click("[data-answer='flip 1']")
    page.wait_for_selector(".target")
    assert page.locator(".was-flipped").count() == 1 and text(page, ".die-was") == f"was {rolled[0]}"
    names = page.eval_on_selector_all(".target", "all => all.map(one => one.dataset.target)")
    assert len(names) == 3
    page.click(f".target[data-target='{names[2]}'] .target-space")
    page.wait_for_selector(f".car[data-car='1'][data-space='{names[2]}']")
    page.wait_for_selector(".question:has-text('Zoë') [data-answer=roll]")
    assert page.locator(".target").count() == 0
    lines = page.locator(".lines li")
    assert lines.count() == 3
    assert re.sub(r"\s+", " ", lines.nth(2).locator("summary").inner_text()) == (
        f"3 B1 Ann runs to {names[2]}, {7 - rolled[0] + rolled[1]} rows. MG-15"
    )
    digest = last(quick, "line", i=3)["pd"]
    assert digest in lines.nth(2).get_attribute("title")
    lines.nth(2).locator("summary").click()
    assert digest in lines.nth(2).locator(".line-more").inner_text()


def test_a_turn_by_keyboard(page, quick):
    opened(page, quick)
    page.wait_for_selector("[data-answer=roll]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-answer='flip 2']")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".screen-line:has-text('> Flip the first')")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".screen-line:has-text('> Flip the first')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".target")
    page.keyboard.press("?")
    page.wait_for_selector(".reasons")
    page.keyboard.press("Backspace")
    page.wait_for_selector(".toast:has-text('Nothing can be taken back')")
    page.keyboard.press("2")  # another panel: not asked
    assert page.locator(".panel.keyboard .panel-name").inner_text() == "Zoë"
    page.keyboard.press("Enter")
    page.wait_for_timeout(200)
    assert page.locator(".target").count() > 0
    page.keyboard.press("0")
    page.keyboard.press("Enter")
    page.wait_for_selector(".question:has-text('Zoë')")
    assert page.locator(".panel.keyboard .panel-name").inner_text() == "Zoë"


def test_the_keys_of_a_panel_are_held_as_long_as_they_are_pressed(page, quick):
    opened(page, quick)
    page.wait_for_selector("[data-answer=roll]")
    sent = []
    page.on("websocket", lambda _: None)
    page.evaluate("""() => { const send = WebSocket.prototype.send; window.sent = [];
        WebSocket.prototype.send = function (data) { window.sent.push(JSON.parse(data)); send.call(this, data); }; }""")
    key = page.locator(".panel").nth(1).locator("[data-key=WHY]")
    key.hover()
    page.mouse.down()
    page.wait_for_timeout(150)
    assert "down" in key.get_attribute("class")
    sent = page.evaluate("window.sent")
    assert [(m["p"], m["k"], m["d"]) for m in sent] == [(2, "WHY", 1)]
    page.mouse.move(5, 400)
    page.mouse.up()
    key.focus()
    page.keyboard.press(" ")
    page.locator(".panel").nth(0).locator("[data-key=OK]").click()
    page.wait_for_selector("[data-answer='flip none']")
    sent = page.evaluate("window.sent")
    assert [(m["p"], m["k"], m["d"]) for m in sent] == [
        (2, "WHY", 1), (2, "WHY", 0), (2, "WHY", 1), (2, "WHY", 0), (1, "OK", 1), (1, "OK", 0)
    ]  # fmt: skip


def test_why_lists_the_near_misses_with_their_clauses(page, quick):
    opened(page, quick)
    page.click(".why-button")
    page.wait_for_selector(".reasons li")
    assert re.sub(r"\s+", " ", text(page, ".reasons li")) == (
        "flip 1 2 Both dice may not be flipped here: the corner allows only the lower one. MG-13"
    )
    page.click(".reasons button")
    page.wait_for_selector(".reasons", state="detached")


def test_a_refused_answer_stands_at_its_question(page, quick):
    opened(page, quick)
    page.wait_for_selector("[data-answer=roll]")
    page.evaluate("""() => { const send = WebSocket.prototype.send; WebSocket.prototype.send = function (data) {
        send.call(this, data.replace('"text":"roll"', '"text":"go 99z"')); }; }""")
    page.click("[data-answer=roll]")
    page.wait_for_selector(".refusal:has-text('Expected one of roll; got go 99z.')")
    assert text(page, ".refusal .clause") == "MG-11"


def test_dice_of_the_table_are_tapped_in(page, tmp_path):
    with fake_board(tmp_path, "--quick", "--table", start=SETUP) as board:
        opened(page, board)
        page.wait_for_selector(".face")
        assert page.locator(".faces").count() == 2 and page.locator(".face").count() == 12
        page.locator(".faces").nth(0).locator(".face").nth(2).click()
        assert page.locator(".face[aria-pressed=true]").count() == 1
        page.locator(".faces").nth(1).locator(".face").nth(4).click()
        page.wait_for_selector("[data-answer='flip none']")
        assert last(board, "line", i=1)["text"] == "roll 3 5"


def test_a_new_race_is_set_up_from_what_the_board_offers(page, tmp_path):
    with fake_board(tmp_path, "--quick") as board:
        opened(page, board)
        assert text(page, "#race-title") == "No race yet"
        page.click("text=New race")
        assert page.locator(".track-card").count() == 2
        page.wait_for_selector(".track-card .track")
        page.locator(".track-card").nth(1).click()
        assert page.input_value("input[name=laps]") == "2"
        page.locator(".seat-row").nth(1).locator("text=Empty").click()
        assert text(page, ".complaint") == "Choose 2 to 6 players."
        page.click("text=Start the race")
        assert page.locator("dialog.setup[open]").count() == 1
        page.locator(".seat-row").nth(3).locator("text=Person").click()
        page.locator(".seat-row").nth(3).locator("input[type=text]").fill("Jürgen ß 😀")
        page.click("text=More")
        page.select_option("select[name='option bikes']", "2")
        page.fill("input[name=seed]", "abc")
        page.click("text=Start the race")
        page.wait_for_selector("dialog.setup", state="hidden")
        page.wait_for_selector("[data-answer=roll]")
        race = last(board, "race")
        assert race["track"] == "gp-ring" and race["laps"] == 2 and race["variant"] == "basic"
        assert race["seats"] == [["person", "Player 1"], ["person", "Jürgen ß 😀"]]
        assert page.locator(".space").count() == 57 * 3
        assert "GP Ring" in text(page, "#race-title")


def test_what_the_board_refuses_stands_in_the_dialog(page, tmp_path):
    with fake_board(tmp_path, "--quick") as board:
        opened(page, board)
        page.click("text=New race")
        page.evaluate("""() => { const send = WebSocket.prototype.send; WebSocket.prototype.send = function (data) {
            const message = JSON.parse(data); if (message.setup) message.setup.players.pop();
            send.call(this, JSON.stringify(message)); }; }""")
        page.click("text=Start the race")
        page.wait_for_selector(".complaint:has-text('Expected 2 to 6 seats, got 1')")
        assert page.locator("dialog.setup[open]").count() == 1
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog.setup", state="hidden")


def test_five_lights_start_the_race(page, tmp_path):
    with fake_board(tmp_path, start=SETUP) as board:
        opened(page, board)
        page.wait_for_selector(".gantry.on")
        for count in (3, 5):
            page.wait_for_function(f"document.querySelectorAll('.lamp.lit').length === {count}")
        assert page.locator(".lamps").get_attribute("aria-label") == "5 of 5 start lights are lit"
        page.wait_for_selector(".gantry.off-now")
        page.wait_for_selector("[data-answer=roll]")
        assert page.locator(".lamp.lit").count() == 0


def test_the_podium_with_points_and_the_journal(page, tmp_path):
    players = [["bot", name] for name in ("Ann", "Bo", "Cleo", "Dan")]
    with fake_board(tmp_path, "--quick", start={**SETUP, "track": "gp-ring", "laps": 1, "players": players}) as board:
        opened(page, board)
        page.wait_for_selector(".podium:visible")
        rows = last(board, "standings")["list"]
        winner = players[rows[0][0] - 1][1]
        assert text(page, ".podium h2") == f"{winner} wins"
        assert winner in text(page, ".step1") and "25 points" in text(page, ".step1")
        assert page.locator(".rest li").count() == 1
        assert page.locator(".places li").count() == 4
        with page.expect_download() as download:
            page.click("text=Download journal")
        assert download.value.suggested_filename == "journal-ring.txt"
        assert download.value.path().read_text().startswith("gridglow journal 1")
        page.click("text=Look at the track")
        assert not page.locator(".podium").is_visible()
        assert page.locator("#track .space").count() == 57 * 3
        left = {**last(board, "race"), "state": "idle", "game": "", "variant": "", "track": "", "cars": [], "seats": []}
        page.evaluate("""async (left) => {
            const send = WebSocket.prototype.send;
            const socket = await new Promise((found) => {
                WebSocket.prototype.send = function (data) { found(this); send.call(this, data); };
                document.querySelector(".panel [data-key=OK]").click();
            });
            socket.dispatchEvent(new MessageEvent("message", { data: JSON.stringify([left]) })); }""", left)
        page.wait_for_function("document.querySelector('#race-title').textContent.includes('No race yet')")
        page.wait_for_function("document.querySelectorAll('.places li, .told li').length === 0")
        assert page.locator("#track .space").count() == 57 * 3, "its lights must still be on the race's track"


def test_death_is_shown_and_the_race_can_be_resumed(page, tmp_path):
    page.expected_faults = ("503",)
    with fake_board(tmp_path, "--quick", "--die", "2", engine="micropython", start=SETUP) as board:
        opened(page, board)
        page.click("[data-answer=roll]")
        page.click("[data-answer='flip none']")
        page.wait_for_selector(".banner:has-text('The board has stopped.')")
        assert "ended with code 1: RuntimeError: the fake was told to die." in text(page, ".banner")
        page.click("text=Resume the race")
        page.wait_for_selector(".banner", state="hidden")
        page.wait_for_selector(".toast:has-text('There is no saved race on this board')")
        page.wait_for_selector(".question.idle")


def test_a_lost_connection_is_told_and_comes_back(page, tmp_path):
    page.expected_faults = ("WebSocket", "ERR_")
    with fake_board(tmp_path / "a", "--quick", start=SETUP) as board:
        opened(page, board)
        port = int(board.address.split(":")[2].strip("/"))
    page.wait_for_selector(".banner:has-text('Connection lost')")
    with fake_board(tmp_path / "b", "--quick", start=SETUP, port=port):
        page.wait_for_selector(".banner", state="hidden", timeout=15000)
        page.wait_for_selector("[data-answer=roll]")


def test_two_browsers_see_the_same(page, chromium, quick):
    opened(page, quick)
    page.click("[data-answer=roll]")
    page.wait_for_selector("[data-answer='flip none']")
    other = chromium.new_page()
    opened(other, quick)
    other.wait_for_selector("[data-answer='flip none']")
    for selector in (".lines", ".places", ".dice", ".screen-glass", ".question"):
        assert text(other, selector) == text(page, selector), selector
    other.click("[data-answer='flip none']")
    page.wait_for_selector(".target")
    other.close()


def test_a_secret_question_offers_nothing_here(page, tmp_path):
    with fake_board(tmp_path, "--quick", "--secret", start=SETUP) as board:
        opened(page, board)
        page.click("[data-answer=roll]")
        page.wait_for_selector(".question:has-text('A secret answer')")
        assert page.locator(".chip").count() == 0 and page.locator(".why-button").count() == 0


def test_names_are_text_and_never_html(page, tmp_path):
    players = [["person", "<img src=x onerror=a>"], ["bot", "</script><b>"]]
    with fake_board(tmp_path, "--quick", start={**SETUP, "players": players}) as board:
        opened(page, board)
        page.wait_for_selector("[data-answer=roll]")
        assert text(page, ".panel-name") == "<img src=x onerror=a>"
        assert page.locator("img").count() == 0


@pytest.mark.parametrize("size", [(360, 740), (390, 844), (820, 1180), (1100, 640), (1280, 720), (1920, 1080)])
@pytest.mark.parametrize("large", [False, True])
def test_nothing_sticks_out_at_any_size(page, quick, size, large):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(quick.address + ("?large" if large else ""))
    page.wait_for_selector(".track")
    page.click("[data-answer=roll]")
    page.wait_for_selector("[data-answer='flip none']")
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    for selector in (".question", ".track", ".lap", ".panel.turn [data-key=OK]"):
        box = page.locator(selector).first.bounding_box()
        assert box["width"] > 40 and box["x"] >= 0 and box["x"] + box["width"] <= size[0] + 1, selector
    for button in page.locator(".chip, .panel.turn .key").all():
        assert button.bounding_box()["height"] >= 30


def test_motion_can_be_reduced(chromium, quick):
    context = chromium.new_context(reduced_motion="reduce")
    page = opened(context.new_page(), quick)
    page.click("[data-answer=roll]")
    page.click("[data-answer='flip none']")
    target = page.locator(".target").first
    name = target.get_attribute("data-target")
    assert page.evaluate("getComputedStyle(document.querySelector('.target-space')).animationName") == "none"
    target.locator(".target-space").click()
    page.wait_for_selector(f".car[data-space='{name}']")
    assert page.evaluate("document.getAnimations().length") == 0
    context.close()


def test_texts_have_enough_contrast(page, quick):
    opened(page, quick)
    page.click("[data-answer=roll]")
    page.wait_for_selector("[data-answer='flip none']")
    poor = page.evaluate(
        """() => {
        const linear = (v) => v / 255 <= .03928 ? v / 255 / 12.92 : ((v / 255 + .055) / 1.055) ** 2.4;
        const light = (c) => { const [r, g, b] = c.map(linear);
          return .2126 * r + .7152 * g + .0722 * b; };
        const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
        const poor = [];
        for (const node of document.querySelectorAll('body *')) {
          const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
          if (!own || node.closest('svg, .quiet, .skip, noscript, [hidden], .gantry, .free') || !node.offsetParent) continue;
          let back = null;
          for (let at = node; at && !back; at = at.parentElement) {
            const style = getComputedStyle(at);
            const colour = parse(style.backgroundColor);
            const painted = style.backgroundImage.match(/rgba?\\([^)]*\\)/);
            if (painted) back = parse(painted[0]).slice(0, 3);
            else if (colour.length === 3 || colour[3] > .9) back = colour.slice(0, 3);
          }
          const front = parse(getComputedStyle(node).color).slice(0, 3);
          const [a, b] = [light(front), light(back || [9, 11, 16])].sort((x, y) => y - x);
          const ratio = (a + .05) / (b + .05);
          if (ratio < 4.5) poor.push(node.className + ': ' + node.textContent.trim().slice(0, 20) + ' ' + ratio.toFixed(1));
        }
        return poor; }"""
    )
    assert poor == []


def test_screen_readers_are_told(page, quick):
    opened(page, quick)
    page.wait_for_function("document.querySelector('#live-prompt').textContent === 'Ann: Blue 1: roll two dice.'")
    page.click("[data-answer=roll]")
    page.wait_for_function("document.querySelector('#live-log').textContent.includes('Ann rolls')")
    unnamed = page.eval_on_selector_all(
        "button, a, input, [role=button]",
        "all => all.filter(one => one.offsetParent !== null && !(one.textContent.trim() || one.getAttribute('aria-label')"
        " || one.labels?.length)).map(one => one.outerHTML)",
    )
    assert unnamed == []


def test_the_page_keeps_up_with_a_long_log(page, tmp_path):
    with fake_board(tmp_path, "--flood", "3000") as board:
        opened(page, board)
        page.wait_for_selector("[data-line='3000']")
        assert page.locator(".lines li").count() <= 400
        below = page.eval_on_selector(".lines", "l => l.scrollHeight - l.scrollTop - l.clientHeight")
        assert below < 40
