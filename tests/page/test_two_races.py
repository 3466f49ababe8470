"""Nothing of a race stays on the pages when another one begins: they are as if they had only then been opened."""

import pytest
from seat_pages import path_of

from browser import chromium, fake_board, page  # noqa: F401 (fixtures)

SETUP = {"game": "ring_game", "variant": "basic", "track": "fabulous-driving-park", "laps": 1,
         "players": [["person", "Ann"], ["person", "Bo"], ["bot", "Cleo"]]}
#: What a page has of its race, and where its cars are.
LOOK = """() => {
    const text = (node) => node.innerText.replace(/\\s+/g, " ").trim();
    const parts = ["#race-title", "#lap", "#dice", "#standings", "#podium", "#prompt", "#log", "#panels", "#toasts",
                   "#faults", "#live-prompt", "#live-log", "#who", "#seat-lap", "#hand", "#gauges", "#latest",
                   "dialog[open]"];
    const found = parts.map((part) => [part, [...document.querySelectorAll(part)].map(text).join(" | ")]);
    const cars = [...document.querySelectorAll(".car")].map((car) => [car.dataset.car, car.dataset.space,
        car.getAttribute("visibility"), car.getAttribute("transform"), car.getAttribute("class")]).sort();
    return { ...Object.fromEntries(found), cars, targets: document.querySelectorAll(".target").length,
             chooser: document.querySelectorAll(".chooser, .car-way, .token").length, title: document.title,
             race: document.documentElement.dataset.race, podium: document.querySelector("#podium")?.hidden ?? true };
}"""


def begin(page, board, setup):
    """Begins another race, from elsewhere."""
    page.evaluate("""([address, start]) => new Promise((done) => {
        const socket = new WebSocket(address);
        socket.onopen = () => socket.send(JSON.stringify(start));
        socket.onmessage = (event) => /"re":1[,}]/.test(event.data) && (socket.close(), done()); })""",
                  [board.address.replace("http", "ws") + "ws", {"t": "start", "id": 1, "setup": setup}])


def at_the_question(page):
    """The page is at the first question of a race, and nothing moves any more."""
    page.wait_for_selector("[data-answer=roll]")
    page.wait_for_function("document.documentElement.dataset.race === 'race'")
    page.wait_for_function("""() => {
        const now = [...document.querySelectorAll(".car")].map((car) => car.getAttribute("transform")).join();
        const same = now === window.before && now.length > 0;
        window.before = now;
        return same; }""", polling=400)


def play(page, answers):
    for which in answers:
        page.locator(f"[data-answer='{which}']").first.click()


def to_the_podium(page):
    for _ in range(60):
        if page.locator("html[data-race=podium]").count():
            return
        chips = page.locator(".question:not(.is-bot) .chip")
        if chips.count():
            chips.last.click()
        page.wait_for_timeout(60)
    raise AssertionError("no podium")


def in_the_middle(page):
    play(page, ["roll", "flip none"])
    page.wait_for_selector(".target")


def refused_and_asked_why(page):
    play(page, ["roll"])
    page.wait_for_selector("[data-answer='flip none']")
    if page.locator(".why-button:visible").count():
        page.click(".why-button")
    else:
        page.click("[data-key=WHY]")
    page.wait_for_selector(".reasons li")
    if page.locator(".seat-key").count():
        page.get_by_role("button", name="Undo").click()
        page.wait_for_selector(".toast")


@pytest.mark.parametrize("which", ["table", "seat"])
@pytest.mark.parametrize("left", [in_the_middle, refused_and_asked_why, to_the_podium])
def test_a_second_race_looks_as_if_it_were_the_first(page, chromium, tmp_path, which, left):
    with fake_board(tmp_path, "--quick", start=SETUP) as board:
        path = path_of(page, board, which)
        page.goto(board.address + path)
        at_the_question(page)
        if which == "seat" and left is to_the_podium:
            table = page.context.new_page()
            table.goto(board.address)
            to_the_podium(table)
            table.close()
            page.bring_to_front()
        else:
            left(page)
        begin(page, board, SETUP)
        page.wait_for_selector(".lines li, .reasons, .refusal, .toast", state="detached")
        at_the_question(page)
        found = page.evaluate(LOOK)
        context = chromium.new_context(viewport=page.viewport_size)
        fresh = context.new_page()
        fresh.goto(board.address + path)
        at_the_question(fresh)
        wanted = fresh.evaluate(LOOK)
        context.close()
        differ = {part: (found[part], wanted[part]) for part in wanted if found[part] != wanted[part]}
        assert not differ
        page.goto("about:blank")


STATES = """async ([module, name, first, second]) => {
    const State = (await import(module))[name];
    const plain = (state) => {
        const kept = { ...state };
        for (const name of ["listeners", "eventListeners", "leavers", "changed", "frame", "timer", "logBegins"])
            delete kept[name];
        return JSON.parse(JSON.stringify(kept, (_, value) => (value instanceof Map ? [...value] : value)));
    };
    const one = new State();
    one.takeAll([...first, ...second]);
    const alone = new State();
    alone.takeAll(second);
    return [plain(one), plain(alone)];
}"""
HELLO = [{"t": "hello", "v": 1, "outputs": [], "panels": 2, "display": [21, 6]}, {"t": "you", "role": "seat", "seat": 1}]


def race(seal, state="race", game="ring_game"):
    return {"t": "race", "state": state, "game": game, "variant": "basic", "track": "gp-ring", "laps": 2, "lap": 1,
            "seats": [["person", "Ann"]], "cars": [], "panels": [], "seed_hash": seal}


def whole(seal):
    """Everything that a board and its computer say about a race."""
    prompt = {"serial": 3, "seat": 1, "kind": "choose", "choices": ["go 1a"], "secret": False, "say": "Where to?"}
    return [race(seal), {"t": "scene", "cars": [[1, "3a", "run"]], "lap": 2, "laps": 2, "lines": ["White turns a 5."],
                         "dials": [], "events": [["rolled", 1, 1, [3]]], "marks": []},
            {"t": "prompts", "list": [prompt]}, {"t": "standings", "list": [[1, 1, 1, 0, "Ann"]], "final": 0},
            {"t": "line", "i": 1, "seat": 1, "say": "Ann rolls 3."}, {"t": "why", "seat": 1, "items": []},
            {"t": "view", "seat": 1, "prompt": prompt, "private": ["a card"]}]


@pytest.mark.parametrize("second", [[race("b")], [race("b", "start")], [race("a", "start")], [race("", "idle", "")]])
@pytest.mark.parametrize("name", ["State", "SeatState"])
def test_what_a_page_knows_of_a_race_goes_with_it(page, tmp_path, name, second):
    with fake_board(tmp_path, "--quick") as board:
        page.goto(board.address)
        module = "/static/state.js" if name == "State" else "/static/seat_state.js"
        found, alone = page.evaluate(STATES, [module, name, HELLO + whole("a"), HELLO + second])
        assert found == alone
        page.goto("about:blank")


def test_a_new_picture_of_the_same_race_is_no_new_race(page, tmp_path):
    with fake_board(tmp_path, "--quick", "--table", start=SETUP) as board:
        page.goto(board.address)
        page.wait_for_selector(".face")
        page.locator(".faces").nth(0).locator(".face").nth(2).click()
        page.wait_for_timeout(600)
        with page.expect_websocket():
            page.evaluate("window.dispatchEvent(new Event('online'))")
        page.wait_for_timeout(500)
        assert page.locator(".face[aria-pressed=true]").count() == 1
        page.locator(".faces").nth(1).locator(".face").nth(4).click()
        page.wait_for_selector("[data-answer='flip none']")
        page.goto("about:blank")


def test_the_links_of_the_seats_are_those_of_the_race(page, tmp_path):
    with fake_board(tmp_path, "--quick", start=SETUP) as board:
        page.goto(board.address)
        at_the_question(page)
        page.get_by_role("button", name="Seats").click()
        page.wait_for_selector(".seat-links li")
        assert page.locator(".seat-links h3").all_inner_texts() == ["Ann", "Bo"]
        begin(page, board, {**SETUP, "players": [["person", "Eve"], ["bot", "Bob"]]})
        page.wait_for_selector(".seat-links h3:has-text('Eve')")
        assert page.locator(".seat-links h3").all_inner_texts() == ["Eve"]
        page.goto("about:blank")


def test_the_help_tells_of_the_cars_of_the_race(page, tmp_path):
    with fake_board(tmp_path, "--quick", start=SETUP) as board:
        page.goto(board.address)
        at_the_question(page)
        page.keyboard.press("h")
        page.wait_for_selector(".legend [data-car='3']")
        begin(page, board, {**SETUP, "players": SETUP["players"][:2]})
        page.wait_for_selector(".legend [data-car='3']", state="detached")
        page.goto("about:blank")
