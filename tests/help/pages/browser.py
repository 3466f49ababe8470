"""Fixtures for tests of host and page: a device folder with the fake firmware, a running board, a Chromium.

Browser tests are skipped, with a line that says so, if there is no Chromium (GRIDGLOW_CHROMIUM names another path).
"""

import asyncio
import os
import pathlib
import shutil
import threading

import pytest

from gridglow.tracks import load_track, page_geometry
from gridglow.virtual.engines import engine_named
from gridglow.virtual.server import serve

HELP = pathlib.Path(__file__).resolve().parents[1]
CHROMIUM_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


def fake_root(folder):
    """Make a device folder with the fake firmware in `folder` and return it."""
    rules = folder / "shared_rules"
    rules.mkdir(parents=True, exist_ok=True)
    (rules / "__init__.py").write_text("")
    for name in ("link_lines.py", "link_read.py", "link_table.py"):
        shutil.copy(HELP.parents[1] / "shared_rules" / name, rules / name)
    shutil.copy(HELP / "fakes" / "fake_firmware.py", folder / "main.py")
    return folder


def with_arguments(engine, *arguments):
    """Give an engine arguments for each of its starts (the server starts it without any)."""
    start = engine.start
    engine.start = lambda more=(): start((*arguments, *more))
    return engine


def geometry(track_id):
    """The drawing of one of our tracks, with an LED for every space."""
    return page_geometry(load_track(track_id))


def geometry_by_row(track_id):
    """The same, lit row by row."""
    return page_geometry(load_track(track_id), light="row")


class RunningBoard:
    """A served board in its own thread, so that synchronous tests and Playwright can use it."""

    def __init__(self, engine, geometry=geometry, start=None, port=0, lan="", seasons=None):
        self.engine = engine
        self.lan = lan
        self.seasons = seasons
        self.address = ""
        self.fault = None
        self.messages = []
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(geometry, start, port), daemon=True)

    def _run(self, geometry, start, port):
        async def main():
            await serve(self.engine, geometry, port, self._opened, start, self._stop, self.messages.append,
                        self.lan, self.seasons)

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

    def hear(self, message):
        """Act as if the firmware had sent this."""
        self._loop.call_soon_threadsafe(self.engine._queue.put_nowait, message)

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
    """Return the path of Chromium, or None; its headless shell comes first, as it takes about half as long."""
    named = os.environ.get("GRIDGLOW_CHROMIUM")
    for path in (named, "/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/chromium-browser",
                 "/usr/bin/google-chrome"):
        if path and os.access(path, os.X_OK):
            return path
    return shutil.which("chromium")


@pytest.fixture(scope="module")
def chromium():
    """A running Chromium for one module (while it runs, no other asyncio loop can: a browser module has no
    asyncio tests of its own); skips if there is none."""
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
    """A new page of desktop size. Errors in the page's own console fail the test."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    one = context.new_page()
    faults = []
    one.on("pageerror", lambda error: faults.append(str(error)))
    one.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    yield one
    context.close()
    expected = getattr(one, "expected_faults", ())
    assert [fault for fault in faults if not any(word in fault for word in expected)] == []
