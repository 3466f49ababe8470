"""Evenings with a season on the board: keys pressed, races of bots run to their podium. For tests on both interpreters."""

from script_hal import Script, ScriptHal

from glow.app import App

TRACKS = ("fabulous-driving-park", "gp-ring")


def board(root, pace="instant", keep_messages=True):
    """A board that has just been switched on."""
    driver = Script(App(ScriptHal(root, keep_messages=keep_messages), pace=pace))
    driver.run(200)
    return driver


def menu(driver):
    """Goes to its set-up menu."""
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
    """Puts bots on the first seats."""
    seats = menu(driver).choice["seats"]
    for at in range(len(seats)):
        seats[at] = ["bot" if at < count else "empty", ""]


def begin(driver, tracks=TRACKS, bots=2):
    """Begins a season of races on these tracks."""
    bots_sit(driver, bots)
    ids = [entry["id"] for entry in open_season(driver).tracks]
    for track in tracks:
        choose(driver, open_season(driver), ("track", ids.index(track)))
    choose(driver, open_season(driver), ("begin", 0))


def race(driver):
    """Runs the season's next race to its podium."""
    go_to(driver, open_season(driver), ("race", 0))
    driver.press(1, "OK")                              # nothing here holds the rows while the race needs their memory
    if not driver.app.race:
        raise ValueError("no race: " + driver.hal.display.text())
    to_podium(driver)


def to_podium(driver):
    """Runs until the race is over and its journal is written."""
    reached = driver.until(lambda: driver.app.state != "race", 10**9)
    driver.run(50)
    if not reached or driver.app.state != "podium" or not driver.until(lambda: not driver.app.screen.copying):
        raise ValueError("no podium: " + driver.hal.display.text())


def says(driver, words):
    """Whether the display shows these words, with any number of blanks between them."""
    return words in " ".join(" ".join(driver.hal.display.shown).split())


def whole(root):
    """A whole season of two races up to its standings; prints what the display and the heap say."""
    import gc
    driver = board(root, keep_messages=False)
    begin(driver)
    for _ in range(2):
        race(driver)
        gc.collect()
        print("\n".join(driver.app.screen.rows))
        if hasattr(gc, "mem_free"):
            print("free", gc.mem_free(), "used", gc.mem_alloc())
    choose(driver, open_season(driver), ("standings", 0))
    print(driver.hal.display.text())
    gc.collect()
    if hasattr(gc, "mem_free"):
        print("free", gc.mem_free(), "used", gc.mem_alloc())
    print("faults", driver.app.faults, driver.hal.errors)
