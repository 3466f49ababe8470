"""``gridglow bench``: counts and ratios for everything that has a budget."""

import json
import subprocess
import sys

import pytest
from commands import call

from gridglow.boards.boardfile import load_board
from gridglow.races.interpreters import RULES_HEAP_KB
from gridglow.races.spec import load_games
from gridglow.races.trials import trials
from gridglow.tomlfile import FileProblems
from gridglow.tracks import list_tracks, load_track
from gridglow_workshop.bench import duels, heaps, heaviest, measures, starts
from gridglow_workshop.bench.measures import largest_race
from gridglow_workshop.bench.measures_pico import _marks
from gridglow_workshop.commands.bench_pico import pico_rows
from shared_rules import games
from shared_rules.errors import GridglowError
from shared_rules.race import Race
from shared_rules.track import Track

#: Games that name no set-ups of their own; games that do are measured in the tests of their bots.
ONLY_DUELS = [name for name in games.NAMES if duels.measured_setups(name) is None]


def test_random_play_is_counted(micropython):
    found = measures.measure_decisions(2)
    variants = sum(len(games.load(name).VARIANTS) for name in games.NAMES)
    assert list(found) == ["races", "answers", "heap_kb", "a_second", "ratio_percent"]
    assert (found["races"], found["heap_kb"]) == (2 * variants, RULES_HEAP_KB)
    assert found["answers"] > 50
    assert all(speed > 0 for speed in found["a_second"].values())
    assert list(found["a_second"]) == ["cpython", "micropython"]


def test_the_largest_race():
    compiled, setup = measures.largest_race()
    assert (compiled.track.rows, compiled.track.lanes, compiled.track.count) == (140, 3, 420)
    assert [kind for kind, _ in setup.players] == ["bot"] * 6
    assert setup.variant == "basic" and measures.largest_race("expert")[1].variant == "expert"


def test_sizes():
    from gridglow.boards.boardfile import load_board

    found = measures.measure_sizes(load_board("full"))
    assert found["files"] > found["modules"] > 150
    assert 50_000 < found["mpy_bytes"] < found["bytes"]


@pytest.fixture(scope="module")
def benched():
    """One short run of the whole command."""
    result = call("bench", "--races", "1", "--board-races", "1", "--frames", "20", "--json")
    return result, json.loads(result.stdout)


def test_the_json(benched):
    result, found = benched
    assert list(found) == ["decisions", "board", "sizes", "starts"]
    board = found["board"]
    assert board["problems"] == []
    assert result.exit_code == 0
    assert (board["rows"], board["spaces"], board["seats"], board["pixels"]) == (140, 420, 6, 660)
    assert board["races"] == 1
    starts = found["starts"]
    assert starts["loop_us"] > 0
    if sys.platform != "win32":
        assert starts["play_percent"] > 100
    assert [list(starts[when]) for when in ("first", "again")] == [["setup", "drawing", "tracks", "files"]] * 2


def test_a_start_that_breaks_off_is_told(monkeypatch):
    lost = subprocess.CompletedProcess([], 1, "", "Traceback …\nValueError: lost\n")
    monkeypatch.setattr(starts.subprocess, "run", lambda *_, **__: lost)
    with pytest.raises(GridglowError, match="A start failed: ValueError: lost"):
        starts.measure_starts()


def test_what_the_largest_race_takes(benched):
    board = benched[1]["board"]
    assert board["answers"] > 500
    assert 20_000 < board["race_bytes"] < board["idle_bytes"]
    assert board["each_race_bytes"] == [board["race_bytes"]]


@pytest.mark.parametrize("game", games.NAMES)
def test_the_largest_race_of_each_game_takes_no_more_heap(micropython, game, monkeypatch):
    """The last variant of each: the one with the most rules. On the emulated Pico, MotoGrandPrix's left 122
    kB free of the 166 kB that were free before: 44 kB, with the modules that it imported."""
    about = games.about(game)
    monkeypatch.setattr(about, "VARIANTS", about.VARIANTS[-1:])
    found = heaps.measure_heaps(load_board("full"), (game,))
    assert [(one["variant"], one["seats"]) for one in found] == [(about.VARIANTS[0], about.SEATS[1])]
    assert found[0]["problem"] == "" and found[0]["answers"] > 50
    assert 10_000 < found[0]["race_bytes"] < trials(game).RACE_BYTES


def test_heaps_for_people(monkeypatch):
    one = {"game": "ausgebremst", "variant": "pro", "track": "nuerburg-drom", "seats": 6, "answers": 337,
           "race_bytes": 34464, "problem": ""}
    asked = []
    monkeypatch.setattr("gridglow_workshop.commands.bench.measure_heaps", lambda board, names: asked.append(names) or [one])
    result = call("bench", "--heaps", "--game", "ausgebremst")
    assert result.exit_code == 0 and "34,464 bytes" in result.stdout and asked == [("ausgebremst",)]
    one["problem"] = "out of memory"
    result = call("bench", "--heaps")
    assert result.exit_code == 1 and "out of memory" in result.stdout


def test_the_largest_race_of_a_game_is_on_its_track_with_the_most_spaces():
    start = heaps.largest_start(load_board("full"), "ausgebremst", "pro")
    counts = [load_track(source.id).track.count for source in list_tracks() if source.game == "ausgebremst"]
    assert start.track.track.count == max(counts) and len(start.setup.players) == 6


def test_frames(benched):
    assert all(us > 0 for us in benched[1]["board"]["frame_us"].values())


def test_figures_for_people(monkeypatch):
    board = {"variant": "basic", "seats": 6, "rows": 140, "pixels": 660, "races": 1,
             "answers": 1234, "idle_bytes": 790000, "race_bytes": 60000, "each_race_bytes": [60000],
             "frame_us": {"cpython": 50, "micropython": 500}, "frame_ratio_percent": 1000, "problems": []}
    found = {
        "decisions": {"races": 2, "answers": 300, "heap_kb": 192, "a_second": {"cpython": 9000, "micropython": 3000},
                      "ratio_percent": 300},
        "board": board,
        "sizes": {"files": 70, "bytes": 150000, "modules": 61, "mpy_bytes": 120000},
        "starts": {"loop_us": 50_000, "play_percent": 812,
                   "first": {"setup": 40, "drawing": 155, "tracks": 170, "files": 9000},
                   "again": {"setup": 40, "drawing": 12, "tracks": 170, "files": 8000}},
    }
    monkeypatch.setattr("gridglow_workshop.commands.bench.measure", lambda *_: found)
    result = call("bench")
    assert result.exit_code == 0
    assert "what the race takes in addition" in result.stdout and "60,000 bytes" in result.stdout
    assert "3.00" in result.stdout
    assert "loading the command line" in result.stdout and "8.1" in result.stdout
    assert "a start, its track for the page" in result.stdout and "1.55, then 0.12 fixed loops" in result.stdout
    board.update(races=0, problems=["The largest race on micropython: out of memory."],
                 frame_us={"cpython": 50, "micropython": 0})
    result = call("bench")
    assert result.exit_code == 1
    assert "what the race takes in addition" not in result.stdout
    assert result.stderr.splitlines()[-1] == "gridglow: The largest race on micropython: out of memory."


def test_bots_are_measured(micropython):
    found = []
    for game in ONLY_DUELS:
        result = call("bench", "--bots", "--duels", "2", "--json", "--game", game)
        assert result.exit_code == 0, result.stderr
        found += json.loads(result.stdout)["bots"]
    assert [(one["game"], one["variant"]) for one in found] == [
        (game, variant) for game in ONLY_DUELS for variant in games.about(game).VARIANTS]
    for one in found:
        assert list(one) == ["game", "variant", "setup", "counts", "track", "duels", "won", "won_percent", "bots_out",
                             "decisions", "mean_us", "most_us", "wanted_percent", "reason"]
        assert one["duels"] == 2 and one["won_percent"] == 50 * one["won"]
        if one["wanted_percent"]:
            assert one["decisions"] > 10 and 0 < one["mean_us"] <= one["most_us"]
    wanted = {(one["game"], one["variant"]): one["wanted_percent"] for one in found}
    assert wanted["moto_grand_prix", "basic"] == 80
    assert [wanted["racing_rules", variant] for variant in ("race-1", "race-3", "race-6")] == [0, 90, 75]


def test_bots_of_one_game(monkeypatch):
    asked = []
    monkeypatch.setattr("gridglow_workshop.commands.bench.measure_duels", lambda *words: asked.append(words) or [])
    for words in (["--game", "full_throttle", "--duels", "2"], []):
        assert call("bench", "--bots", "--json", *words).exit_code == 0
    assert asked == [(2, "micropython", ["full_throttle"]), (200, "micropython", [])]
    wrong = call("bench", "--bots", "--game", "full_throtle")
    assert wrong.exit_code == 2 and "There is no game 'full_throtle'" in wrong.stderr and "full_throttle" in wrong.stderr
    lonely = call("bench", "--game", "full_throttle")
    assert lonely.exit_code == 2 and "--game is for --bots" in lonely.stderr and len(asked) == 2


def test_duels_are_the_same_on_both_interpreters(micropython):
    sides = [duels.measure_duels(2, name, ONLY_DUELS) for name in ("cpython", "micropython")]
    times = {"mean_us": 0, "most_us": 0}
    assert [{**one, **times} for one in sides[0]] == [{**one, **times} for one in sides[1]]


def test_duels_swap_seats_on_the_same_track():
    tracks = list(duels.tracks_for("moto_grand_prix", "basic"))
    jobs = [job for jobs in duels._all_jobs("moto_grand_prix", "basic", "br", (), tracks, 8) for job in jobs]
    assert sum("hex" in job for job in jobs) == 4
    seats = [[kind for kind, _ in job["setup"]["players"]] for job in jobs if "setup" in job]
    assert seats == [["bot", "person"], ["person", "bot"]] * 4


def test_a_duel_that_breaks_off_is_told(monkeypatch):
    monkeypatch.setattr(duels, "DUELIST", "raise ValueError('lost')")
    with pytest.raises(GridglowError, match="The duels of moto_grand_prix basic failed: ValueError: lost"):
        duels.measure_duels(2, on="cpython")


def test_duels_for_people(monkeypatch):
    one = {"game": "moto_grand_prix", "variant": "basic", "setup": "duel", "counts": "ahead", "track": "", "duels": 200,
           "won": 199, "won_percent": 99, "bots_out": 1, "decisions": 12345, "mean_us": 1240, "most_us": 3900,
           "wanted_percent": 80, "reason": ""}
    found = [one, {**one, "track": "gp-ring", "won_percent": 79, "reason": "It is steep."},
             {**one, "track": "gp-oval", "reason": "It is steep, too."}]
    monkeypatch.setattr("gridglow_workshop.commands.bench.measure_duels",
                        lambda count, on, only: found if count == 200 else [])
    result = call("bench", "--bots")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[1].split() == [
        "moto_grand_prix", "basic", "duel", "all", "200", "ahead", "99", "%", "80", "%", "1", "12,345", "1.24", "3.90"]
    assert "moto_grand_prix basic, gp-ring: It is steep." in result.stderr    # only where less than that was reached
    assert "It is steep, too." not in result.stderr


def test_figures_of_an_emulated_pico_stand_beside_their_budgets():
    pressed = {"answered": 100, "median_us": 20_000, "p90_us": 28_000, "p99_us": 42_000, "most_us": 60_000, "late": []}
    found = {"factor": 1.15, "heap": 240_000, "least": 70_000, "free_percent": 44, "least_of_races": [70_000],
             "lights": [9, 4000, 9000, 9999],
             "cpu_percent": 14, "neopixel_us": 19_829, "frame_ratio_percent": 11, "frames": [10, 26], "bad_frames": 0,
             "ticks": [90, 3000, 20_000, 40_000], "boot_us": 2_000_000,
             "heavy": [{"name": "moto_grand_prix", "options": 36, "options_us": 70_000, "pieces": 1, "piece_us": 70_000,
                        "answer_us": 60_000, "foresee_us": 0, "foresee_piece_us": 0},
                       {"name": "A-1", "options": 9, "options_us": 90_000, "pieces": 20, "piece_us": 10_000,
                        "answer_us": 50_000, "foresee_us": 900_000, "foresee_piece_us": 69_000}],
             "start_us": 1_900_000,
             "presses": {"people": pressed, "people and bots": {**pressed, "p99_us": 44_000, "late": ["1 OK"]},
                         "slow": {**pressed, "p90_us": 29_000}}}
    rows = {row[0]: row[1:] for row in pico_rows(found)}
    assert rows["least free in the race"] == ["70,000 bytes, 44 %", "at least 45 %", "FAILS"]
    assert rows["options of the heaviest prompt, moto_grand_prix (36)"] == ["80.5 ms", "", ""]
    assert rows["the longest of 1 pieces"] == ["80.5 ms", "at most 80.0 ms", "FAILS"]
    assert rows["the longest of 20 pieces"] == ["11.5 ms", "at most 80.0 ms", "holds"]
    assert rows["work before it is answered"] == ["1035.0 ms", "", ""]
    assert rows["the longest of its pieces"] == ["79.3 ms", "at most 80.0 ms", "holds"]
    more = {row[0]: row[1:] for row in pico_rows({**found, "least_of_races": [70_100, 70_000]})}
    assert more["least free in 2 races"] == rows["least free in the race"]
    assert rows["limits, copy and DMA start compared with it"] == ["0.11", "at most 0.07", "FAILS"]
    what = "press to light, {}: median, 90th, 99th percentile, longest of 100"
    assert rows[what.format("people")] == [
        "23.0 ms, 32.2 ms, 48.3 ms, 69.0 ms", "90 % within 33.0 ms, 99 % within 50.0 ms", "holds"]
    assert rows[what.format("people and bots")][2] == rows[what.format("slow")][2] == "FAILS"
    assert rows["presses without a light, people and bots"] == ["1", "none", "FAILS"]
    assert rows["of the CPU at 30 frames a second"] == ["14 %", "under 40 %", "holds"]


def test_the_heaviest_prompt_is_brought_by_the_answer_that_was_found():
    compiled, setup = largest_race("expert")
    heavy = heaviest.of_race(setup.plain(), compiled)
    race = Race.load(heavy.save, Track.unpack(heavy.pack))
    race.answer(heavy.seat, heavy.text)
    assert len(race.prompts[0].options()) > 30


def test_a_game_names_its_heaviest_prompt_by_a_vector(tmp_path):
    text = """game = "moto_grand_prix"
[[vector]]
id = "heavy"
track = "gp-ring"
heaviest = true
arrange = { bikes = ["1 12b 1", "2 3a 1"] }
steps = [{ do = "1 roll 1 5" }, { do = "1 flip none" }, { near = "go 18b", clause = "MG-15" }]

[[vector]]
id = "light"
track = "gp-ring"
steps = [{ prompt = "0 roll" }]
"""
    (tmp_path / "more.toml").write_text(text, "utf-8")
    specs = load_games(["moto_grand_prix"], tmp_path)
    [heavy] = [one for one in heaviest.of_specs(specs) if one.name == "heavy"]
    assert (heavy.seat, heavy.text) == (1, "flip none")
    race = Race.load(heavy.save, Track.unpack(heavy.pack))
    assert race.prompts[0].options()[0].startswith("flip")
    race.answer(heavy.seat, heavy.text)
    assert race.prompts[0].options()[0].startswith("go ")
    (tmp_path / "more.toml").write_text(text.replace("heaviest = true", 'heaviest = "yes"'), "utf-8")
    with pytest.raises(FileProblems, match="true or false"):
        load_games(["moto_grand_prix"], tmp_path)


def test_lights_that_acknowledge_a_press_are_told_from_those_of_the_race():
    glowing, pressed, wrong, yellow = bytes((10, 9, 7)), bytes((64, 60, 50)), bytes((64, 0, 0)), bytes((64, 44, 0))
    assert _marks(glowing + pressed + yellow + wrong) == [(1, "white"), (3, "red")]
