"""Fixtures for tests of host and page: a device folder with the fake firmware, a running board, a Chromium.

Browser tests are skipped, with a line that says so, where there is no Chromium (GRIDGLOW_CHROMIUM names another path).
"""

import asyncio
import math
import os
import pathlib
import shutil
import threading

import pytest

from gridglow.virtual import engine_named, serve

HERE = pathlib.Path(__file__).resolve().parent
ROWS, LANES, PITCH, LANE = 40, 3, 24.0, 20.0
CHROMIUM_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


def fake_root(folder):
    """Make a device folder with the fake firmware in `folder` and return it."""
    rules = folder / "shared_rules"
    rules.mkdir(parents=True, exist_ok=True)
    (rules / "__init__.py").write_text("")
    shutil.copy(HERE.parent / "shared_rules" / "link_table.py", rules / "link_table.py")
    shutil.copy(HERE / "fake_firmware.py", folder / "main.py")
    return folder


def with_arguments(engine, *arguments):
    """Give an engine arguments for each of its starts (the server starts it without any)."""
    start = engine.start
    engine.start = lambda more=(): start((*arguments, *more))
    return engine


def ring_geometry(track_id, by_row=False):
    """The drawing of the fake's track in the form of `gridglow.tracks`: a stadium of 40 rows and 3 lanes."""
    if track_id not in ("test-ring", "test-oval"):
        raise KeyError(track_id)
    straight, bend = 12 * PITCH, 8 * PITCH
    radius = bend / math.pi
    middle_x, middle_y = straight / 2 + radius + 60, radius + 60

    def at(row, across):
        """The point `row` rows after the line and `across` mm to the right of the middle, and the heading there."""
        way = row * PITCH % (2 * straight + 2 * bend)
        side = 1
        if way >= straight + bend:
            way, side = way - straight - bend, -1
        if way < straight:
            x, y, heading = -straight / 2 + way, -radius - across, 0.0
            y = -(radius - across)
        else:
            heading = (way - straight) / radius
            x = straight / 2 + (radius - across) * math.sin(heading)
            y = -(radius - across) * math.cos(heading)
        return [round(middle_x + side * x, 2), round(middle_y + side * y, 2)], math.degrees(heading) + (side < 0) * 180

    width = LANES * LANE
    spaces = []
    for row in range(ROWS):
        for lane in range(LANES):
            left, right = lane * LANE - width / 2, (lane + 1) * LANE - width / 2
            steps = [row + part / 4 for part in range(5)]
            polygon = [at(s, left)[0] for s in steps] + [at(s, right)[0] for s in reversed(steps)]
            centre, heading = at(row + 0.5, (left + right) / 2)
            spaces.append({
                "name": f"{row + 1}{'abc'[lane]}", "row": row + 1, "lane": lane + 1, "polygon": polygon,
                "centre": centre, "heading_deg": round(heading, 1), "led": row if by_row else row * LANES + lane,
            })  # fmt: skip
    edge = [part / 4 for part in range(ROWS * 4 + 1)]
    kerbs = []
    for first, section in ((12, 2), (32, 4)):
        stripes = [
            [at(first + k / 2, width / 2)[0], at(first + k / 2 + 0.5, width / 2)[0],
             at(first + k / 2 + 0.5, width / 2 + 4)[0], at(first + k / 2, width / 2 + 4)[0]]
            for k in range(16)
        ]  # fmt: skip
        kerbs.append({"section": section, "side": "right", "stripes": stripes})
    sections = [
        {"number": n, "kind": kind, "turn": turn, "difficulty": d, "first_row": first, "rows": rows,
         "middle": at(first - 1 + rows / 2, 0)[0], "heading_deg": at(first - 1 + rows / 2, 0)[1]}
        for n, kind, turn, d, first, rows in (
            (0, "straight", "", 0, 1, 12), (1, "corner", "right", 1, 13, 8),
            (0, "straight", "", 0, 21, 12), (2, "corner", "right", 3, 33, 8))
    ]  # fmt: skip
    return {
        "id": track_id, "name": track_id.replace("-", " ").title(), "laps": 3, "rows": ROWS, "lanes": LANES,
        "closed": True, "light": "row" if by_row else "lane", "output": 0,
        "bbox_mm": [0, 0, round(2 * middle_x), round(2 * middle_y)], "spaces": spaces, "kerbs": kerbs, "sections": sections,
        "left_edge": [at(s, -width / 2)[0] for s in edge], "right_edge": [at(s, width / 2)[0] for s in edge],
        "finish": [at(0, -width / 2)[0], at(0, width / 2)[0]],
    }  # fmt: skip


class RunningBoard:
    """A served board in a thread of its own, so that synchronous tests and Playwright can use it."""

    def __init__(self, engine, geometry=ring_geometry, start=None):
        self.engine = engine
        self.address = ""
        self.fault = None
        self.messages = []
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(geometry, start), daemon=True)

    def _run(self, geometry, start):
        async def main():
            await serve(self.engine, geometry, 0, self._opened, start, self._stop, self.messages.append)

        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(main())
        except Exception as error:
            self.fault = error
        finally:
            self._ready.set()
            self._loop.close()

    def _opened(self, address):
        self.address = address
        self._ready.set()

    def __enter__(self):
        self._thread.start()
        assert self._ready.wait(20), "the board did not open"
        if self.fault:
            raise self.fault
        return self

    def __exit__(self, *_):
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(15)


def fake_board(folder, *arguments, engine="cpython", **more):
    """A RunningBoard on the fake firmware with these arguments."""
    return RunningBoard(with_arguments(engine_named(engine, fake_root(folder)), *arguments), **more)


def chromium_path():
    """Return where Chromium is, or None."""
    named = os.environ.get("GRIDGLOW_CHROMIUM")
    for path in (named, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"):
        if path and os.access(path, os.X_OK):
            return path
    return shutil.which("chromium")


@pytest.fixture(scope="session")
def chromium():
    """A running Chromium for the whole session; skips where there is none."""
    path = chromium_path()
    if path is None:
        pytest.skip("No Chromium found: browser tests are skipped. Install it (Debian: apt install chromium).")
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed: browser tests skipped.")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=CHROMIUM_ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium):
    """A fresh page of desktop size. Errors in the page's own console fail the test."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    one = context.new_page()
    faults = []
    one.on("pageerror", lambda error: faults.append(str(error)))
    one.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    yield one
    context.close()
    expected = getattr(one, "expected_faults", ())
    assert [fault for fault in faults if not any(word in fault for word in expected)] == []
