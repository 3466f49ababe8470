"""``gridglow play``: what it refuses and why, whole races without a page, and the page."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest
from aiohttp import web
from commands import call

from gridglow.cli import page
from gridglow.races.startup import race_setup

KEYS = ["game", "variant", "track", "seed", "engine", "answers", "turns", "digest", "standings"]
BOTS = ["--headless", "--bots", "all"]

BAD = [
    (["--seats", "0"], "Expected 2 to 6 seats for moto_grand_prix, got 0."),
    (["--seats", "1"], "Expected 2 to 6 seats for moto_grand_prix, got 1."),
    (["--seats", "7"], "Expected 2 to 6 seats for moto_grand_prix, got 7."),
    (["--seats", "-3"], "Expected 2 to 6 seats for moto_grand_prix, got -3."),
    (["--laps", "0"], "Expected 1 to 99 laps, got 0."),
    (["--laps", "-2"], "Expected 1 to 99 laps, got -2."),
    (["--laps", "100"], "Expected 1 to 99 laps, got 100."),
    (["--game", "moto_grand_pri"], "There is no game 'moto_grand_pri'; did you mean 'moto_grand_prix'?"),
    (["--variant", "basik"], "There is no variant 'basik' of moto_grand_prix; did you mean 'basic'?"),
    (["--track", "gp-rink"], "There is no track 'gp-rink'; did you mean 'gp-ring'?"),
    (["--track", "../gp-ring"], "There is no track '../gp-ring'"),
    (["--option", "bike=2"], "There is no option 'bike' for moto_grand_prix; did you mean 'bikes'?"),
    (["--option", "bikes=3"], "Expected bikes to be 1 or 2, got '3'."),
    (["--option", "bikes"], "Expected an option as KEY=VALUE, got 'bikes'."),
    (["--option", "bikes=1", "--option", "bikes=2"], "The option bikes is given twice; give it once."),
    (["--option", "bikes=2", "--seats", "4"], "Expected 2 or 3 players where each runs a team of two bikes, got 4."),
    (["--seed", ""], "got an empty one"),
    (["--seed", "two words"], "Expected a seed"),
    (["--seed", "x" * 65], "Expected a seed"),
]


@pytest.mark.parametrize("words, said", BAD)
def test_a_race_that_can_not_be(words, said):
    result = call("play", *BOTS, *words, "--json")
    told = json.loads(result.stdout)
    assert said in told["error"]
    assert [line.removeprefix("gridglow: ") for line in result.stderr.splitlines()] == told["problems"]
    assert result.exit_code == 2
    assert len(told["problems"]) == 1


def test_everything_wrong_is_told_at_once():
    result = call("play", *BOTS, "--seats", "9", "--laps", "0", "--track", "none", "--option", "x=1", "--variant", "y")
    assert len(result.stderr.splitlines()) == 5
    assert result.exit_code == 2


@pytest.mark.parametrize("words, said", [
    (["--bots", "3", "--seats", "2"], "Expected 0 to 2 bots at 2 seats, got 3; for all seats give --bots all."),
    (["--bots", "-1"], "Expected the number of bots, or all, got '-1'"),
    (["--bots", "some"], "Expected the number of bots, or all, got 'some'"),
    (["--bots", "²"], "Expected the number of bots, or all, got '²'"),
    (["--dice", "mine"], "'mine' is not one of 'device', 'table'"),
    (["--engine", "pypy"], "'pypy' is not one of 'micropython', 'cpython'"),
    (["--port", "70000"], "70000 is not in the range"),
    (["--port", "-1"], "-1 is not in the range"),
    (["--headless"], "--headless needs --bots all"),
    (["--headless", "--bots", "1"], "--headless needs --bots all"),
])
def test_words_that_make_no_sense(words, said):
    result = call("play", *words)
    assert said in result.stderr
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""


def test_the_track_says_the_game():
    start = race_setup(track="track-a", bots="all")
    assert (start.setup.game, start.setup.variant, start.track.track.id) == ("full_throttle", "standard", "track-a")
    assert race_setup(bots="all").setup.game == race_setup(track="gp-ring", bots="all").setup.game == "moto_grand_prix"
    result = call("play", *BOTS, "--game", "racing_rules", "--track", "track-a")
    assert "The track track-a belongs to the game full_throttle, expected one of racing_rules" in result.stderr


def test_a_track_of_another_game():
    result = call("play", *BOTS, "--game", "moto_grand_prix", "--track", "plattfuss-drom")
    assert "The track plattfuss-drom belongs to the game ausgebremst, expected one of moto_grand_prix" in result.stderr
    assert result.exit_code == 2


TRACK = """
id = "ID"
name = "Mine"
number = 90
game = "moto_grand_prix"
level = "basic"
laps = 1
board_cm = [60, 90]
lanes = 3
""" + 4 * """
[[section]]
kind = "straight"
rows = 7
[[section]]
kind = "corner"
turn = "left"
rows = 4
difficulty = 1
angle = 90
"""


def test_a_track_that_the_board_can_not_light(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDGLOW_DATA", str(tmp_path))
    (tmp_path / "tracks").mkdir()
    text = TRACK.replace("ID", "long-one").replace("rows = 7", "rows = 20")
    (tmp_path / "tracks" / "long-one.toml").write_text(text)
    result = call("play", *BOTS, "--track", "long-one", "--board-file", "mini")
    assert "The track long-one doesn't fit the board mini: it needs 288 pixels lit by space and 96 lit" in result.stderr
    assert "carries 64" in result.stderr
    assert result.exit_code == 1


@pytest.mark.parametrize("name, text, said", [
    ("fulll", None, "There is no board 'fulll'; did you mean 'full'?"),
    ("none.toml", None, "There is no such board file"),
    ("empty.toml", "", "The board file is empty"),
    ("broken.toml", "id = ", "This is not TOML"),
    ("odd.toml", "idd = 3\n", "There is no key 'idd' here"),
])
def test_board_files(tmp_path, name, text, said):
    where = name
    if name.endswith(".toml"):
        where = tmp_path / name
        if text is not None:
            where.write_text(text)
    result = call("play", *BOTS, "--board-file", where, "--json")
    told = json.loads(result.stdout)
    assert any(said in problem for problem in told["problems"])
    assert result.exit_code == 1


@pytest.mark.parametrize("make, said", [
    (lambda folder: folder, "is a folder, expected a file for the journal; name a file in it"),
    (lambda folder: (folder / "old.txt", (folder / "old.txt").write_text("x"))[0], "a journal never overwrites a file"),
    (lambda folder: folder / "none" / "race.txt", "doesn't exist; create it first"),
])
def test_journals_that_can_not_be_written(tmp_path, make, said):
    result = call("play", *BOTS, "--journal", make(tmp_path))
    assert said in result.stderr
    assert result.exit_code == 1
    assert result.stdout == ""


def test_no_micropython_is_announced(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    from gridglow.virtual.bot_races import choose_engine

    engine, said = choose_engine(None)
    assert engine == "cpython"
    assert said.startswith("MicroPython isn't installed here")
    result = call("play", *BOTS, "--engine", "micropython")
    assert "MicroPython was not found" in result.stderr
    assert result.exit_code == 1


@pytest.mark.skipif(os.name != "posix", reason="needs a Unix program")
@pytest.mark.parametrize("program, why", [
    ("echo 'error while loading shared libraries: libstdc++.so.6: cannot open shared object file' >&2; exit 127",
     "error while loading shared libraries: libstdc++.so.6: cannot open shared object file"),
    ("exit 1", "it ended with code 1"), ("echo 2", "it ended with code 0"), ("kill -9 $$", "it ended with code -9"),
])
def test_a_micropython_that_can_not_be_loaded_is_announced(monkeypatch, tmp_path, race, program, why):
    file = tmp_path / "micropython"
    file.write_text(f"#!/bin/sh\n{program}\n")
    file.chmod(0o755)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", str(tmp_path / "python"))
        patch.setenv("PATH", os.pathsep.join([str(tmp_path), os.environ["PATH"]]))
        from gridglow.virtual.bot_races import choose_engine

        said = f"MicroPython can't be loaded here ({why}), so the firmware runs on CPython (--engine cpython)."
        assert choose_engine(None) == ("cpython", said)
        assert choose_engine("micropython") == ("micropython", ""), "anybody who asks for it is told why it doesn't start"
    journal = tmp_path / "race.txt"
    journal.write_text(race[1], "utf-8")
    monkeypatch.setattr("gridglow.micropython.find_micropython", lambda: str(file))
    result = call("replay", journal)
    assert result.exit_code == 0, result.output
    assert f"MicroPython can't be loaded here ({why}), so only CPython is tested (--on cpython)." in result.stderr
    assert call("replay", journal, "--on", "micropython").exit_code == 1


# Whole races without a page

@pytest.fixture(scope="module")
def race(tmp_path_factory):
    """One race on CPython with its journal."""
    file = tmp_path_factory.mktemp("race") / "race.txt"
    words = ["--seats", "3", "--laps", "1", "--seed", "same", "--engine", "cpython"]
    result = call("play", *BOTS, *words, "--json", "--journal", file)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout), file.read_text("utf-8")


def test_the_json_of_a_race(race):
    found, journal = race
    assert list(found) == KEYS
    assert (found["game"], found["variant"], found["track"]) == ("moto_grand_prix", "basic", "fabulous-driving-park")
    assert (found["seed"], found["engine"]) == ("same", "cpython")
    assert re.fullmatch("[0-9a-f]{8}", found["digest"])
    assert [row["place"] for row in found["standings"]] == [1, 2, 3]
    assert [row["points"] for row in found["standings"]] == [25, 20, 16]
    assert sorted(row["seat"] for row in found["standings"]) == [1, 2, 3]
    assert sorted(row["car"] for row in found["standings"]) == [1, 2, 3]
    lines = journal.splitlines()
    assert "seed: same 0" in lines
    assert lines[-1].endswith(found["digest"])
    assert len(lines) - lines.index("") - 1 == found["answers"]


def test_the_same_seed_on_the_other_engine(race, micropython, tmp_path):
    file = tmp_path / "race.txt"
    words = ["--seats", "3", "--laps", "1", "--seed", "same", "--engine", "micropython"]
    result = call("play", *BOTS, *words, "--json", "--journal", file)
    assert result.exit_code == 0, result.output
    assert {**json.loads(result.stdout), "engine": "cpython"} == race[0]
    assert file.read_text("utf-8") == race[1]


def test_a_new_seed_each_time():
    words = ["--laps", "1", "--engine", "cpython", "--json"]
    seeds = [json.loads(call("play", *BOTS, *words).stdout)["seed"] for _ in range(2)]
    assert all(re.fullmatch("[0-9a-f]{32}", seed) for seed in seeds)
    assert seeds[0] != seeds[1]


def test_the_table_of_a_race_for_people():
    result = call("play", *BOTS, "--laps", "1", "--option", "bikes=2", "--engine", "cpython", "--seed", "5")
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["PLACE", "PLAYER", "SEAT", "CAR", "POINTS"]
    assert len(lines) == 5
    assert "seed 5, digest" in result.stderr


# The page

@pytest.mark.parametrize("environment, here", [
    ({}, False), ({"DISPLAY": ":0"}, True), ({"WAYLAND_DISPLAY": "x"}, True), ({"DISPLAY": ":0", "CI": "1"}, False),
])
def test_a_browser_only_where_somebody_sees_it(monkeypatch, environment, here):
    for key in ("CI", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(key, raising=False)
    for key, value in environment.items():
        monkeypatch.setenv(key, value)
    monkeypatch.setattr(sys, "platform", "linux")
    assert page.browser_here() is here


@pytest.fixture
def served():
    """Starts ``gridglow play`` with arguments; returns (process, its first line on stdout)."""
    children = []

    def start(*words):
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "CI": "1"}
        child = subprocess.Popen([sys.executable, "-m", "gridglow", "play", "--engine", "cpython", *words],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
        children.append(child)
        return child, child.stdout.readline()

    yield start
    for child in children:
        if child.poll() is None:
            child.kill()
        child.communicate()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_page_is_served_until_it_is_ended(served, how):
    child, line = served("--port", "0", "--bots", "all", "--json")
    found = json.loads(line)
    assert found["engine"] == "cpython"
    assert found["track"] == "fabulous-driving-park"
    with urllib.request.urlopen(found["address"], timeout=10) as answer:
        assert "Gridglow" in answer.read().decode()
    with urllib.request.urlopen(found["address"] + "geometry/gp-ring.json", timeout=10) as answer:
        assert json.load(answer)["row_count"] == 57
    child.send_signal(how)
    out, err = child.communicate(timeout=20)
    assert child.returncode == 0
    assert out == ""
    assert err.splitlines() == ["Stopped."]


def test_the_address_is_the_first_line(served):
    child, line = served("--port", "0")
    assert re.fullmatch(r"http://127\.0\.0\.1:[0-9]+/\n", line)
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=20)
    assert child.returncode == 0


def test_a_port_that_is_taken(served):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        child, line = served("--port", port, "--json")
        assert f"Port {port} of 127.0.0.1 isn't available" in json.loads(line)["error"]
        assert child.wait(20) == 1


def test_the_journal_is_written_at_the_podium(tmp_path, capsys):
    """Once for each podium, and never over another file."""
    file = tmp_path / "race.txt"
    served = []

    async def journal(_request):
        served.append(1)
        return web.Response(text="gridglow journal 1\n…\n") if len(served) == 1 else web.Response(status=503, text="No.")

    async def run():
        app = web.Application()
        app.router.add_get("/journal", journal)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = site._server.sockets[0].getsockname()[1]
        serving = page._Serving(None, None, "cpython", tmp_path, file, False)
        serving.address = f"http://127.0.0.1:{port}/"
        for state in ("race", "podium", "podium", "idle", "podium"):
            serving._message({"t": "race", "state": state})
            serving._message({"t": "scene"})
            if serving._writing:
                await serving._writing
        file.unlink()
        serving._message({"t": "race", "state": "race"})
        serving._message({"t": "race", "state": "podium"})
        await serving._writing
        await runner.cleanup()
        return file.exists()

    assert asyncio.run(run()) is False
    assert len(served) == 2
    assert capsys.readouterr().err.splitlines() == [
        f"The journal is in {file}.", "gridglow: Couldn't get the journal: No.",
    ]
