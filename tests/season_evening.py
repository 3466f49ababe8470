"""Evenings with a season on the board: keys pressed, races of bots run to their podium. For tests of both interpreters."""

from script_hal import Script, ScriptHal

from glow.app import App

TRACKS = ("fabulous-driving-park", "gp-ring")


def board(root, pace="instant"):
    """A board that has just been switched on."""
    driver = Script(App(ScriptHal(root), pace=pace))
    driver.run(200)
    return driver


def menu(driver):
    """To its set-up menu."""
    if driver.app.state != "menu":
        driver.press(1, "OK" if driver.app.state == "idle" else "MENU")
    assert driver.app.state == "menu", driver.app.state
    return driver.app.screen


def go_to(driver, holder, row):
    """Moves the cursor of the menu, or of the season's rows, to a row."""
    for _ in range(60):
        if holder.rows[holder.at] == row:
            return
        driver.press(1, "NEXT")
    raise AssertionError("no row %s in %s" % (row, holder.rows))


def choose(driver, holder, row):
    """OK on a row."""
    go_to(driver, holder, row)
    driver.press(1, "OK")


def open_season(driver):
    """The season's rows."""
    screen = menu(driver)
    if not screen.season:
        choose(driver, screen, ("season", 0))
    return screen.season


def bots_sit(driver, count):
    """Bots at the first seats."""
    seats = menu(driver).choice["seats"]
    for at in range(len(seats)):
        seats[at] = ["bot" if at < count else "empty", ""]


def begin(driver, tracks=TRACKS, bots=2):
    """A season of races on these tracks."""
    bots_sit(driver, bots)
    rows = open_season(driver)
    ids = [entry["id"] for entry in rows.tracks]
    for track in tracks:
        choose(driver, rows, ("track", ids.index(track)))
    choose(driver, rows, ("begin", 0))
    return rows


def race(driver):
    """The season's next race, to its podium."""
    rows = open_season(driver)
    choose(driver, rows, ("race", 0))
    assert driver.app.race, driver.hal.display.text()
    to_podium(driver)


def to_podium(driver):
    """Runs until the race is over and its journal is written."""
    assert driver.until(lambda: driver.app.state == "podium", 10**9)
    driver.run(50)
    assert driver.until(lambda: not driver.app.screen.copying)


def says(driver, words):
    """Whether the display shows these words, however many blanks are between them."""
    return words in " ".join(" ".join(driver.hal.display.shown).split())
