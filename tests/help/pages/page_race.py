"""Whole races on the pages: ``gridglow play`` as a child, the table and a phone for each seat, its journal replayed."""

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

from emulated import python_path

ROOT = Path(__file__).resolve().parents[3]
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}


@contextlib.contextmanager
def played(*arguments, data=None):
    """``gridglow play`` with these arguments and this data folder; yields its address."""
    environment = {**os.environ, "PYTHONPATH": python_path(), "CI": "1"}
    own = ["--data", str(data)] if data else []
    command = [sys.executable, "-m", "gridglow", *own, "play", "--json", "--port", "0", *arguments]
    child = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        yield json.loads(child.stdout.readline())["address"]
    finally:
        child.terminate()
        child.wait(20)


def replayed(journal, interpreter):
    """What ``gridglow replay --json`` says about a journal."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "host")])
    command = [sys.executable, "-m", "gridglow", "replay", "-", "--on", interpreter, "--json"]
    child = subprocess.run(command, input=journal, env={**os.environ, "PYTHONPATH": paths}, capture_output=True,
                           text=True, timeout=120, check=False)
    assert child.returncode == 0, child.stderr
    return json.loads(child.stdout)


def tap(page, which=-1, selectors=(".question .chip",)):
    """One tap on a page that is asked: on the given one of the ways that it shows, wrapping round; returns
    whether there was one."""
    for selector in selectors:
        buttons = page.locator(selector)
        ways = buttons.count()
        if ways:
            try:
                buttons.nth(which % ways).click(timeout=1000)
                return True
            except Exception:  # the question was answered meanwhile, or its buttons were redrawn
                return False
    return False


def listen(page, heard):
    """Keep every frame that this page's websockets receive."""
    page.on("websocket", lambda ws: ws.on("framereceived", lambda frame: heard.append(frame)))


def seated(chromium, address, faults, **window):
    """The main page and a phone for each seat, all open on the race; and what each of them receives on its websocket."""
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
    """What only one seat may see has reached that seat's phone alone, for each seat."""
    views = [[one for frame in frames for one in json.loads(frame) if one["t"] == "view"] for frames in heard.values()]
    assert views[0] == [] and all(views[1:])
    for seat, own in enumerate(views[1:], 1):
        assert {view["seat"] for view in own} == {seat}


def before_the_end(frames):
    """The messages that a page received until the race was over, without those for its seat alone."""
    out = []
    for one in [one for frame in frames for one in json.loads(frame)]:
        if one["t"] == "standings" and one["final"]:
            break
        if one["t"] != "view":
            out.append(one)
    return out
