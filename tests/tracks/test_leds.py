"""LED maps, device files, the catalogue of tracks and the commands."""

import dataclasses
import itertools
import json
import math

import pytest
from click.testing import CliRunner
from track_texts import HEAD, LARGEST, SQUARE

from gridglow import paths
from gridglow.boards.boardfile import load_board
from gridglow.cli.main import main
from gridglow.tracks import (
    DoesNotFit,
    compile_layout,
    compile_source,
    device_files,
    index_json,
    list_tracks,
    load_track,
    map_leds,
    page_geometry,
    parse_layout,
    read_catalogue,
)
from gridglow.tracks.ledmap import map_by_row, map_by_space, wire_order
from shared_rules.errors import BadTrack
from shared_rules.track import Track

CIRCUITS = [source.id for source in list_tracks("moto_grand_prix")]
TRACKS = ("fabulous-driving-park", "gp-ring", "supercircus-raceway")


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("GRIDGLOW_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.mark.parametrize("track_id", CIRCUITS)
def test_by_space_every_pixel_lights_one_space(track_id):
    track = load_track(track_id).track
    leds = map_leds(track, load_board("full"))
    assert leds.mode == "lane" and leds.output == 0 and sorted(leds.leds) == list(range(track.count))
    assert leds.pixels == track.count <= 420
    names = {led: track.space_name(s) for s, led in enumerate(leds.leds)}
    assert [names[led] for led in range(7)] == ["1a", "1b", "1c", "2c", "2b", "2a", "3a"]


def test_neighbouring_pixels_are_neighbouring_spaces():
    """No hop of the wire is longer than a pitch: the string of pixels is long enough."""
    compiled = load_track("supercircus-raceway")
    leds = map_by_space(compiled.track)
    at = {led: compiled.geometry.spaces[s].centre for s, led in enumerate(leds.leds)}
    hops = [sum((a - b) ** 2 for a, b in zip(at[led], at[led + 1])) ** 0.5 for led in range(leds.pixels - 1)]
    outer = 1 + 1.5 / 2.06  # the outermost lane of the tightest corner
    assert max(hops) < compiled.geometry.pitch_mm * outer


def test_by_row_the_lanes_share_a_pixel():
    track = load_track("fabulous-driving-park").track
    leds = map_leds(track, load_board("mini"))
    assert leds.mode == "row" and leds.pixels == 44 and set(leds.leds) == set(range(44))
    assert all(leds.leds[s] == track.row(s) - 1 for s in range(track.count))


def test_by_row_roads_have_pixels_of_their_own():
    """A car in a pit lane is never lit where a car in the rows is; spaces side by side on a start card share a pixel."""
    track = load_track("bleifuss-drom").track
    leds = map_leds(track, load_board("mini"), "row")
    names = [name for name, _ in wire_order(track, "row")]
    assert names[:8] == ["1", "1c", "3c", "5c", "4c", "2c", "2", "3"], "out along every other space, back along the others"
    assert [leds.leds[track.named(name)] for name in ("1a", "1b", "30a", "1c", "2c", "5c")] == [0, 0, 34, 1, 5, 3]
    assert leds.pixels == 35
    course = load_track("main-event").track
    places = [led for space, led in enumerate(map_by_row(course).leds) if space >= course.in_rows]
    assert sorted(set(places)) == list(range(len(set(places)))) and places[0] == max(places), "the start comes first"
    assert course.named("1e") == course.in_rows and map_by_row(course).leds[0] == max(places) + 1


def test_no_wire_is_long():
    """From one pixel to the next it is never far, whatever is beside the rows; a start card beside a loop is
    the exception if a row has one pixel."""
    for source in list_tracks():
        compiled = load_track(source.id)
        for mode in ("lane", "row"):
            leds = page_geometry(compiled, light=mode)["leds"]
            hops = [math.dist(one["centre"], other["centre"]) for one, other in itertools.pairwise(leds)]
            far = [hop for hop in hops if hop > 105]
            assert len(far) == ((source.id, mode) == ("tag-team", "row")), (source.id, mode, far)


def test_every_pixel_has_a_place_of_its_own():
    for track_id in ("main-event", "tag-team", "bleifuss-drom", "house-board"):
        for mode in ("lane", "row"):
            leds = page_geometry(load_track(track_id), light=mode)["leds"]
            nearest = min(math.dist(a["centre"], b["centre"]) for a, b in itertools.combinations(leds, 2))
            assert nearest > 10, (track_id, mode)


def test_a_turn_with_a_shorter_inner_lane_is_wired_as_one_comes_along():
    order = [name for name, _ in wire_order(load_track("track-a").track, "lane")]
    assert order[order.index("4b") :][:7] == ["4b", "4a", "5b", "6b", "5a", "7b", "8b"]


@pytest.mark.parametrize("track_id", CIRCUITS)
def test_the_mini_lights_up_to_64_rows_and_tells_the_numbers_of_the_others(track_id):
    track = load_track(track_id).track
    if track.rows <= 64:
        leds = map_leds(track, load_board("mini"))
        assert (leds.mode, leds.pixels) == ("row", track.rows)
        return
    says = f"{track.count} pixels lit by space and {track.rows} lit by row, output 1 carries 64"
    with pytest.raises(DoesNotFit, match=says):
        map_leds(track, load_board("mini"))


def test_what_does_not_fit_is_refused_with_the_numbers():
    mini, full = load_board("mini"), load_board("full")
    with pytest.raises(DoesNotFit, match="198 pixels lit by space and 66 lit by row, output 1 carries 64"):
        map_leds(load_track("supercircus-raceway").track, mini)
    with pytest.raises(DoesNotFit, match="132 pixels lit by space .44 lit by row., output 1 carries 64"):
        map_leds(load_track("fabulous-driving-park").track, mini, "lane")
    largest = Track.unpack(compile_layout(LARGEST))
    assert map_leds(largest, full).pixels == 420
    wide = Track.unpack(compile_layout(LARGEST, lanes=4))
    assert map_leds(wide, full).mode == "row"
    assert map_leds(largest, full, "row").pixels == 140
    with pytest.raises(DoesNotFit, match="found 'both'"):
        map_leds(largest, full, "both")
    no_track = dataclasses.replace(full, outputs=full.outputs[1:])
    with pytest.raises(DoesNotFit, match="no output for a track"):
        map_leds(largest, no_track)


def test_device_files():
    compiled = load_track("gp-ring")
    files = device_files(compiled, load_board("full"))
    assert set(files) == {"tracks/gp-ring.pack", "tracks/gp-ring.leds"}
    assert Track.unpack(files["tracks/gp-ring.pack"]).hash == compiled.track.hash
    leds = json.loads(files["tracks/gp-ring.leds"])
    assert set(leds) == {"hash", "mode", "output", "leds"}
    assert leds["hash"] == compiled.track.hash and len(leds["leds"]) == 171
    by_row = device_files(compiled, load_board("full"), "row")
    assert by_row["tracks/gp-ring.pack"] == files["tracks/gp-ring.pack"]
    assert json.loads(by_row["tracks/gp-ring.leds"])["mode"] == "row"


def test_index_is_in_menu_order():
    tracks = [load_track(track_id) for track_id in reversed(TRACKS)]
    index = index_json(tracks)
    assert [one["id"] for one in index] == list(TRACKS)
    assert index[1] == {
        "id": "gp-ring",
        "name": "GP Ring",
        "game": "moto_grand_prix",
        "level": "basic",
        "number": 2,
        "laps": 6,
    }


def test_users_tracks_are_found_and_replace_packaged_ones(data):
    (data / "tracks" / "mine").mkdir(parents=True)
    (data / "tracks" / "mine" / "try.toml").write_text(HEAD + SQUARE)
    ring = (HEAD + SQUARE).replace('"try"', '"gp-ring"').replace("number = 90", "number = 2")
    (data / "tracks" / "ring.toml").write_text(ring)
    (data / "tracks" / "broken.toml").write_text("id = ")
    (data / "tracks" / "twin.toml").write_text(HEAD + SQUARE)
    assert {"gp-ring", "try"} <= {source.id for source in list_tracks()}
    assert list_tracks("moto_grand_prix")[-1].id == "try"
    assert load_track("gp-ring").track.rows == 48
    told = " ".join(map(str, read_catalogue().problems))
    assert "broken.toml:1: This is not TOML" in told and "belongs to" in told and "try" in told
    (data / "tracks" / "ring.toml").unlink()
    assert load_track("gp-ring").track.rows == 57


def test_a_reversible_track_is_there_twice_unless_a_file_has_the_second_id(data):
    (data / "tracks").mkdir(parents=True)
    mine = data / "tracks" / "mine.toml"
    mine.write_text((HEAD + SQUARE).replace("laps = 3", "laps = 3\nreversible = true"))
    assert [source.id for source in list_tracks("moto_grand_prix")][-2:] == ["try", "try-reversed"]
    back = load_track("try-reversed")
    assert back.track.name.endswith(" (reversed)") and back.track.hash != load_track("try").track.hash
    assert set(device_files(back, load_board("full"))) == {"tracks/try-reversed.pack", "tracks/try-reversed.leds"}
    assert [one["id"] for one in index_json([back, load_track("try")])] == ["try", "try-reversed"]
    other = (HEAD + SQUARE).replace('"try"', '"try-reversed"').replace("laps = 3", "laps = 9")
    (data / "tracks" / "own.toml").write_text(other)
    assert [source.id for source in list_tracks()].count("try-reversed") == 1
    assert load_track("try-reversed").track.laps == 9
    mine.write_text(HEAD + SQUARE)
    (data / "tracks" / "own.toml").unlink()
    with pytest.raises(BadTrack, match="no track 'try-reversed'"):
        load_track("try-reversed")


def test_unknown_tracks_and_tracks_of_other_games():
    with pytest.raises(BadTrack, match="did you mean 'gp-ring'"):
        load_track("gp-rign")
    with pytest.raises(BadTrack, match="belongs to the game moto_grand_prix"):
        load_track("gp-ring", game="ausgebremst")
    assert list_tracks("no_such_game") == []


def test_data_folder(tmp_path, monkeypatch):
    assert paths.data_folder() == tmp_path / "data"
    paths.choose_data_folder(tmp_path / "other")
    try:
        assert paths.data_folder() == tmp_path / "other"
    finally:
        paths.choose_data_folder(None)
    monkeypatch.delenv("GRIDGLOW_DATA")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert paths.data_folder() == tmp_path / "gridglow"
    for folder in (paths.tracks_folder(), paths.boards_folder(), paths.spec_folder(), paths.text_folder()):
        assert folder.is_dir()


# The commands


def run(*arguments):
    return CliRunner().invoke(main, ["track", *map(str, arguments)])


def test_list():
    done = run("list")
    assert done.exit_code == 0 and "gp-ring" in done.stdout and "GP Ring" in done.stdout
    tracks = json.loads(run("list", "--game", "moto_grand_prix", "--json").stdout)["tracks"]
    assert [one["rows"] for one in tracks] == [44, 44, 57, 66, 75, 86, 96, 106, 106, 118, 125, 104, 116, 112, 140]
    assert [one["id"] for one in tracks][:2] == ["fabulous-driving-park", "fabulous-driving-park-reversed"]
    done = run("list", "--game", "chess")
    assert done.exit_code == 1 and "no tracks for a game 'chess'" in done.output


def test_show(tmp_path):
    svg = tmp_path / "ring.svg"
    done = run("show", "gp-ring", "--svg", svg)
    assert (
        done.exit_code == 0
        and "corner 4, right" in done.output
        and "board mini: one pixel per row, 57" in done.output
    )
    assert svg.read_text().startswith("<svg")
    facts = json.loads(run("show", "supercircus-raceway", "--json").stdout)
    assert facts["rows"] == 66 and facts["drawing"]["correction_deg"] < 0.5
    lights = [(one["board"], one["light"]) for one in facts["lights"]]
    assert lights == [("full", "lane"), ("mini", None), ("mini-direct", None)]
    assert [hint["id"] for hint in facts["advice"]] == ["length"]
    assert json.loads(run("show", "fabulous-driving-park", "--reverse", "--json").stdout)[
        "layout"
    ].startswith("S3 R3d3")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["show", "gp-rign"], "did you mean 'gp-ring'"),
        (["show", "none.toml"], "There is no such track file"),
        (["show", "gp-ring", "--reverse"], "can only be driven one way"),
        (["show", "gp-ring", "--svg", "/no/such/folder/x.svg"], "can't be written"),
    ],
)
def test_show_refuses(arguments, says):
    done = run(*arguments)
    assert done.exit_code == 1 and says in done.output and "Traceback" not in done.output
    done = run(*arguments, "--json")
    assert done.exit_code == 1 and says in json.loads(done.stdout.splitlines()[0])["error"]


def test_check(tmp_path):
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(HEAD + SQUARE)
    bad.write_text((HEAD + SQUARE).replace("laps = 3", "lap = 0").replace("rows = 8", "rows = 800", 1))
    done = run("check", good)
    assert done.exit_code == 0 and "no errors" in done.output and "advice (balance)" in done.output
    done = run("check", good, bad, tmp_path / "none.toml")
    assert done.exit_code == 1
    for part in (
        "bad.toml:6: lap: There is no key 'lap' here; did you mean 'laps'?",
        "section 1 rows",
        "no such track file",
    ):
        assert part in done.stderr and part not in done.stdout
    assert all(line.startswith("gridglow: ") for line in done.stderr.splitlines())
    report = json.loads(run("check", "--json", good, bad).stdout)
    assert report["error"] == " ".join(report["problems"]) and len(report["problems"]) == 3
    assert report["ok"] is False and [one["ok"] for one in report["files"]] == [True, False]
    assert [one["key"] for one in report["files"][1]["problems"]] == ["laps", "lap", "section 1 rows"]
    assert {"id", "args", "say"} == set(report["files"][0]["advice"][0])


def test_packaged_tracks_have_no_errors():
    files = [source.path for source in list_tracks()]
    done = run("check", *files)
    assert done.exit_code == 0 and done.output.count("no errors") == len(files)


def test_layout_without_angles_is_lit_like_any_other():
    compiled = compile_source(parse_layout("S8 L4d2 S6"))
    assert len(json.loads(device_files(compiled, load_board("mini"))["tracks/layout.leds"])["leds"]) == 54
