"""The page for everybody: axe finds nothing serious on any screen, a race is set up and driven with the
keyboard alone, and a screen reader gets the question."""

import pytest
from season_races import begun

from browser import RunningBoard, chromium, fake_board, geometry, page  # noqa: F401 (fixtures)
from gridglow import paths
from gridglow.boards.boardfile import load_board
from gridglow.firmware.image import build
from gridglow.races.cheatsheets import sheet_html
from gridglow.races.startup import race_setup
from gridglow.races.trials import trials
from gridglow.seasons.database import opened
from gridglow.seasons.offers import Offers
from gridglow.seasons.page import page as season_page
from gridglow.seasons.tables import Tables, Words
from gridglow.tracks import load_track
from gridglow.virtual.engines import engine_named
from shared_rules import games

#: The rules of WCAG 2.2 up to AA, and what axe considers good practice.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
GRAVE = ("serious", "critical")
TRACKS = {game: trials(game).SHORT_TRACK for game in games.NAMES}
PHONE = {"width": 390, "height": 800}
WAIT_MS = 60000
SETTLED_MS = 1000


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    """A running board with a track of each game, set to run fast and to read aloud in English."""
    root = tmp_path_factory.mktemp("access")
    build(root, load_board("full"), [load_track(track) for track in TRACKS.values()], mpy=False, games=list(games.NAMES),
          target="virtual")
    (root / "save").mkdir(exist_ok=True)
    from glow.store.store import Settings
    for key, value in (("pace", "fast"), ("teach", 0)):
        Settings(str(root / "save")).put(key, value)
    paths.choose_data_folder(root / "data")
    begun(tracks=[TRACKS["ausgebremst"]] * 2, races=1)
    with RunningBoard(engine_named("cpython", root), geometry, seasons=Offers(load_board("full"))) as running:
        yield running
    paths.choose_data_folder(None)


def tell(board, message):
    """The board gets a message from elsewhere."""
    board._loop.call_soon_threadsafe(board.engine.send, message)


def start(board, page, game, people=1):
    """A race of a game at its first question."""
    about = games.about(game)
    seats = about.SEATS[1]
    variant = "standard" if "standard" in about.VARIANTS and game == "moto_grand_prix" else about.VARIANTS[0]
    plain = race_setup(game, variant, TRACKS[game], seats=seats, bots=seats - people, seed="access").setup.plain()
    tell(board, {"t": "start", "setup": plain})
    page.wait_for_selector("#race-title:has-text('%s')" % load_track(TRACKS[game]).track.name, timeout=WAIT_MS)
    page.evaluate("document.activeElement.blur()")
    while page.evaluate("document.documentElement.dataset.race") != "race":
        page.keyboard.press("Enter", delay=60)  # skips the lights
        page.wait_for_timeout(200)
    page.wait_for_selector("#prompt .question:not(.idle)", timeout=WAIT_MS)


def faults(page):
    """What axe considers serious or critical, a line for each."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    options = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
    found = axe.run(page, options=options).response
    assert len(found["passes"]) > 15, "axe has looked at nothing"
    return [f"{one['impact']} {one['id']}: {node['html'][:120]}" for one in found["violations"] if one["impact"] in GRAVE
            for node in one["nodes"]]


def button(page, words):
    return page.locator("#actions").get_by_text(words, exact=True)


def test_axe_finds_nothing_serious_on_any_screen(board, page, chromium):
    wrong = []

    def look(name, at=page):
        wrong.extend(f"{name}: {fault}" for fault in faults(at))

    page.goto(board.address)
    page.wait_for_selector("#track .track", timeout=WAIT_MS)
    look("start")
    button(page, "New race").click()
    page.wait_for_selector(".setup .track-card .preview .track")
    look("set-up")
    page.locator(".setup input[name=game]:checked").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.name") == "game", "choosing another game must not move the focus"
    page.locator(".season-picker .segment").nth(1).click()
    page.wait_for_selector(".season-body .track")
    look("set-up of a season's race")
    page.keyboard.press("Escape")
    for game in TRACKS:
        start(board, page, game)
        look(game)
    button(page, "Keys").click()
    page.wait_for_selector(".legend li[data-car]")
    look("help")
    page.keyboard.press("Escape")
    button(page, "Seats").click()
    page.wait_for_selector(".seat-links a")
    look("links of the seats")
    link = page.locator(".seat-links a").first.get_attribute("href")
    page.keyboard.press("Escape")
    phone = chromium.new_page(viewport=PHONE)
    phone.goto(link)
    phone.wait_for_selector("#prompt .question")
    look("seat", phone)
    phone.close()
    cars = page.evaluate("document.querySelectorAll('.places li').length")
    assert cars > 1
    board.hear(RACE | {"seats": [["person", f"Ann {seat}"] for seat in range(1, cars + 1)]})
    board.hear({"t": "standings", "list": [[seat, seat, seat, 30 - seat, "x"] for seat in range(1, cars + 1)], "final": 1})
    page.wait_for_selector(".podium:visible")
    look("podium")
    page.goto("about:blank")
    assert wrong == []


RACE = {"t": "race", "state": "podium", "game": "fast_and_furious", "variant": "street", "track": "main-event", "laps": 1,
        "lap": 0, "cars": [[1, 1, "Red", "red", 0], [2, 2, "Blue", "blue", 1]], "dice": "device", "decks": "device",
        "seed_hash": "", "panels": [[1], [2], [3], [4], [], []], "lights": 0}


def test_the_pages_of_a_season_and_the_cheat_sheets(board, page, tmp_path):
    """Exported or printed pages are checked too."""
    with opened() as database:
        kept = database.find("Winter")
    wrong = []
    for language in ("en", "de"):
        for text in (sheet_html("racing_rules", language), season_page(Tables(kept, Words(language)))):
            path = tmp_path / "page.html"
            path.write_text(text, encoding="utf-8")
            page.goto(path.as_uri())
            wrong += faults(page)
    assert wrong == []


def focused(page):
    """The element with the focus, in a word, and whether the focus is visible."""
    return page.evaluate("""() => {
        const node = document.activeElement, style = getComputedStyle(node);
        const near = node.nextElementSibling ? getComputedStyle(node.nextElementSibling) : style;
        const card = node.closest(".track-card");
        const shows = [style, near, card ? getComputedStyle(card) : style].some((one) =>
            one.outlineStyle !== "none" && parseFloat(one.outlineWidth) >= 2);
        return [node.tagName, node.getAttribute("aria-label") ?? node.textContent.trim().slice(0, 40), shows,
            Boolean(node.closest("dialog"))];
    }""")


def tab_to(page, reached, most=90):
    """Presses Tab until ``reached`` accepts the focused element; every stop on the way must show its focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        tag, name, shows, inside = focused(page)
        assert tag == "BODY" or shows, f"the focus on {tag} {name!r} does not show"
        if reached(tag, name, inside):
            return
    raise AssertionError(f"not reached by {most} tabs; the focus is at {name!r}")


def spoken(page):
    """The contents of the live regions, as the accessibility tree has them: {politeness: [text, …]}."""
    client = page.context.new_cdp_session(page)
    nodes = client.send("Accessibility.getFullAXTree")["nodes"]
    client.detach()
    by_id = {node["nodeId"]: node for node in nodes}

    def text(node):
        own = node.get("name", {}).get("value", "") if node.get("role", {}).get("value") == "StaticText" else ""
        return own + "".join(text(by_id[child]) for child in node.get("childIds", ()) if child in by_id)

    out = {}
    for node in nodes:
        for one in node.get("properties", ()):
            if one["name"] == "live" and one["value"]["value"] != "off" and not node.get("ignored"):
                out.setdefault(one["value"]["value"], []).append(text(node))
    return out


def asked(page):
    """The question for somebody at the page to answer, or ""."""
    question = "#prompt .question:not(.is-bot):not(.idle) .question-say"
    return page.evaluate(f"document.querySelector('{question}')?.innerText ?? ''")


def test_a_whole_race_by_keyboard_alone_and_each_question_is_read_out(page, tmp_path):
    with fake_board(tmp_path, "--quick") as board:
        page.goto(board.address)
        page.wait_for_selector("#prompt .question.idle", timeout=WAIT_MS)
        page.keyboard.press("Tab")
        assert focused(page)[1] == "Skip to the question"
        tab_to(page, lambda tag, name, inside: name == "New race")
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog.setup[open] .track-card .preview .track")
        stops = []
        while stops.count("Start the race") < 2:  # it comes round; the body stands for the browser's own bar
            page.keyboard.press("Tab")
            tag, name, shows, inside = focused(page)
            assert inside or tag == "BODY", f"the focus has left the dialog for {name!r}"
            assert shows or tag == "BODY", f"the focus on {name!r} does not show"
            stops.append(name)
            assert len(stops) < 120, "it does not come round"
        page.keyboard.press("Escape")
        assert page.locator("dialog[open]").count() == 0 and focused(page)[1] == "New race", "the focus doesn't come back"
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog.setup[open]")
        tab_to(page, lambda tag, name, inside: page.evaluate("document.activeElement.name") == "laps")
        page.keyboard.press("Control+a")
        page.keyboard.type("1")
        page.keyboard.press("Enter")
        page.wait_for_selector("#prompt .question:not(.idle)", timeout=WAIT_MS)
        read = set()
        for _ in range(1500):
            if page.locator(".podium:visible").count():
                break
            if len(read) == 3:
                page.keyboard.press("Enter", delay=15)
                continue
            sentence = asked(page)
            if sentence and sentence not in read:
                said = spoken(page).get("polite", [])
                assert any(sentence in one for one in said), (sentence, said)
                read.add(sentence)
            if sentence:
                page.keyboard.press("Enter", delay=15)
            for _ in range(SETTLED_MS // 20):  # a second Enter would answer the next question unread
                if asked(page) != sentence:
                    break
                page.wait_for_timeout(20)
        assert page.locator(".podium:visible").count() == 1, "the race hasn't reached its end"
        assert len(read) >= 3
        page.goto("about:blank")


def test_keys_for_the_left_hand_are_drawn_so(board, page):
    page.goto(board.address)
    page.wait_for_selector("#panels .panel .key", timeout=WAIT_MS, state="attached")
    hello = {"t": "hello", "v": 1, "fw": "1", "board": "Full", "outputs": [[420, "track"], [240, "dials"]], "panels": 6,
             "display": [21, 6], "impl": "cpython", "dials": [], "lang": "en", "left": [2]}
    board.hear(hello)
    page.wait_for_selector(".panel[data-panel='2'] .key:first-child[data-key=MENU]", state="attached")
    orders = page.evaluate("""() => [1, 2].map((panel) => [...document.querySelectorAll(
        `.panel[data-panel="${panel}"] [data-key]`)].map((key) => key.dataset.key))""")
    assert orders == [["PREV", "NEXT", "OK", "UNDO", "WHY", "MENU"], ["MENU", "WHY", "UNDO", "OK", "PREV", "NEXT"]]
    page.goto("about:blank")
