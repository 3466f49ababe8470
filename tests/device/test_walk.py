"""The walk: a scripted person in front of the real firmware, a module with faults, and the result that is kept."""

import json
import shutil
from pathlib import Path

import pytest
from app_talk import AppTalk, ScriptedPerson
from click.testing import CliRunner
from service_script import service_board

from gridglow import paths
from gridglow.boards.boardedit import own_file, set_module, set_order, set_pixels
from gridglow.boards.boardfile import load_board, read_board
from gridglow.cli import walk as cli_walk
from gridglow.device import walk as walking
from gridglow.device.person import Stopped
from gridglow.device.port import PortError
from gridglow.device.service import Service
from gridglow.device.talk import SaysNo
from gridglow.device.walk import NO_SPACE, Walk, WalkMap
from gridglow.tomlfile import FileProblems
from gridglow.tracks import DoesNotFit, load_track, map_leds
from gridglow.tracks.ledmap import map_by_space, map_walked, wire_order
from shared_rules.errors import GridglowError

TRACK = "gp-ring"


@pytest.fixture
def driver(pristine, tmp_path):
    return service_board(str(shutil.copytree(pristine, tmp_path / "flash")))


@pytest.fixture
def track():
    return load_track(TRACK).track


@pytest.fixture
def home(tmp_path):
    paths.choose_data_folder(tmp_path / "data")
    yield tmp_path / "data"
    paths.choose_data_folder(None)


def lit(driver):
    """The lit pixels of the track, from 1."""
    frame = driver.hal.pixels[0].frame
    return [i // 3 + 1 for i in range(0, len(frame), 3) if any(frame[i:i + 3])]


class Module:
    """A module as it was really built: the space above each LED (None: none). Its person tells the truth."""

    def __init__(self, driver, state, under):
        self.driver = driver
        self.state = state
        self.under = under

    def answer(self, heard):
        if "last LED of the wire" in heard:
            self.driver.run(50)
            return "yes" if self.state.pixels == len(self.under) else "no"
        if "How many LEDs" in heard:
            return str(len(self.under))
        if "Did the dot" in heard:
            return "yes"
        if not heard.startswith("LED "):
            return None                            # the dot is running, or there is only an explanation
        (pixel,) = lit(self.driver)
        told = self.predicted() if self.state.light == "lane" else f"row {self.predicted()}"
        assert heard == f"LED {pixel}: {'no space' if self.predicted() == NO_SPACE else told}?"
        name = self.under[pixel - 1]
        if name == self.predicted():
            return ""
        return "s" if name is None else name

    def predicted(self):
        return self.state.predicted()


def names(track, light="lane"):
    return [name for name, _ in wire_order(track, light)]


def walked(driver, state, under, **more):
    """Walks a module built like ``under``; returns the person."""
    person = ScriptedPerson(always=Module(driver, state, under).answer)
    with Service(AppTalk(driver)) as service:
        Walk(service, person, state, 0, 420, **more).run()
    return person


def test_a_module_that_was_built_right_needs_enter_only(driver, track):
    state, resumed = walking.begin(track, load_board("full"))
    assert not resumed and state.pixels == track.count
    person = walked(driver, state, names(track))
    assert (state.skip, state.jumps, state.without()) == (set(), {}, [])
    assert state.leds() == map_by_space(track)
    assert sum(1 for one in person.heard if one.startswith("LED ")) == track.count
    assert driver.app.state == "idle", "the board must be left as it was found"


def test_one_led_under_no_space_shifts_the_rest(driver, track):
    state = WalkMap(track, "lane", track.count)
    under = names(track)
    under.insert(36, None)                         # LED 37 is between two holes
    person = walked(driver, state, under)
    assert (state.skip, state.jumps, state.pixels) == ({37}, {}, track.count + 1)
    leds = state.leds().leds
    assert 36 not in leds and max(leds) == track.count and state.without() == []
    asked = [one for one in person.heard if one.startswith("LED 38:")]
    assert len(asked) == 1, "only the LED that was wrong needed work"


def test_a_hole_without_a_led_and_a_wire_that_turns(driver, track):
    under = names(track)
    missing = under.pop(10)                        # no LED in this hole: the wire goes on at the next
    under[20], under[21] = under[21], under[20]
    state = WalkMap(track, "lane", track.count)
    person = walked(driver, state, under)
    assert state.without() == [missing] and f"No LED lights {missing}." in person.heard
    assert [state.predicted(pixel) for pixel in range(1, len(under) + 1)] == under
    assert len(state.jumps) == 4 and not state.skip


def test_numbers_run_on_until_somebody_presses(driver, track):
    state = WalkMap(track, "lane", track.count)
    person = ScriptedPerson("yes", "+20", *[None] * 19, "", "b", "b", "q")
    with pytest.raises(Stopped, match="pauses at LED 19"), Service(AppTalk(driver)) as service:
        Walk(service, person, state, 0, 420).run()
    assert state.at == 19
    person = ScriptedPerson("5", *[None] * 2, "stop", "q")
    with pytest.raises(Stopped), Service(AppTalk(driver)) as service:
        Walk(service, person, state, 0, 420).run()
    assert state.at == 22, "it must stop where it was asked to"


def test_keys_of_the_board_do_the_same(driver, track):
    state = WalkMap(track, "lane", track.count)
    order = names(track)

    def press(key):
        def pressed(_heard):
            driver.hal.edge(1, key, 1)
            driver.run(60)
            driver.hal.edge(1, key, 0)
            driver.run(100)
            return None
        return pressed

    person = ScriptedPerson("yes", press("OK"), None, press("WHY"), None, press("NEXT"), None, press("OK"), None,
                            press("UNDO"), None, "q")
    with pytest.raises(Stopped), Service(AppTalk(driver)) as service:
        Walk(service, person, state, 0, 420).run()
    assert state.skip == {2} and state.jumps == {3: order[2]} and state.at == 3
    assert [state.predicted(pixel) for pixel in (1, 2, 3, 4)] == [order[0], NO_SPACE, order[2], order[3]]


def test_the_display_says_which_led_and_which_space(driver, track):
    state = WalkMap(track, "lane", track.count)
    seen = []

    def look(_heard):
        driver.run(50)
        seen.append(list(driver.hal.display.shown))
        return "q"
    with pytest.raises(Stopped), Service(AppTalk(driver)) as service:
        Walk(service, ScriptedPerson("yes", look), state, 0, 420).run()
    assert seen[0][0] == f"LED 1/{track.count}" and seen[0][1] == f"{names(track)[0]} ?"


def test_a_name_that_there_is_not_is_told_and_asked_again(driver, track):
    state = WalkMap(track, "lane", track.count)
    person = ScriptedPerson("yes", "12x", "?", "2B", "q")
    with pytest.raises(Stopped), Service(AppTalk(driver)) as service:
        Walk(service, person, state, 0, 420).run()
    assert any(one.startswith("The track has no space '12x'; did you mean '12") for one in person.heard)
    assert state.jumps == {1: "2b"} and state.at == 2


def test_the_dot_that_goes_wrong_leads_back_to_the_walk(driver, track):
    state = WalkMap(track, "lane", track.count, at=track.count + 1)
    person = ScriptedPerson(*[None] * 9, "", *[""] * (track.count - 20), *["" for _ in range(40)])
    service = Service(AppTalk(driver))
    with service:
        walk = Walk(service, person, state, 0, 420)
        assert not walk.check()
    assert any(one.startswith("It was at 10a, LED ") for one in person.heard) and state.at < track.count


def test_a_board_that_vanishes_ends_the_walk_with_a_sentence_and_keeps_it(driver, track, tmp_path):
    state = WalkMap(track, "lane", track.count)
    kept = tmp_path / "walks" / "one.json"
    person = ScriptedPerson("yes", *[""] * 500)
    service = Service(AppTalk(driver, gone_after=20))
    with pytest.raises(PortError, match="disappeared while in use"), service:
        Walk(service, person, state, 0, 420, lambda one: walking.keep(one, kept)).run()
    again, resumed = walking.begin(track, load_board("full"), kept)
    assert resumed and 5 < again.at == state.at < 20


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"track": "gp-ring"}', "\x00", "nonsense"])
def test_what_was_kept_and_is_broken_is_passed_over(track, tmp_path, text):
    kept = tmp_path / "one.json"
    kept.write_text(text)
    state, resumed = walking.begin(track, load_board("full"), kept)
    assert not resumed and state.at == 1


def test_a_walk_that_was_kept_for_another_version_of_the_track_begins_anew(track, tmp_path):
    state = WalkMap(track, "lane", track.count, at=9)
    plain = {**state.plain(), "hash": "00"}
    assert not WalkMap(track, "lane", track.count).take(plain)
    assert WalkMap(track, "lane", track.count).take({**plain, "hash": track.hash})


def test_by_row_the_rows_are_walked(driver):
    long = load_track("gp-ring").track
    state = WalkMap(long, "row", long.rows)
    under = names(long, "row")
    under.insert(4, None)
    walked(driver, state, under)
    assert state.skip == {5} and state.leds().leds[0] == 0
    assert state.leds() == map_walked(long, "row", 0, {5})


# What is kept

def test_the_map_is_kept_on_the_board_and_in_the_users_copy_of_the_board_file(driver, track, home):
    board = load_board("full")
    state = WalkMap(track, "lane", track.count + 1, skip={37}, jumps={50: names(track)[60]})
    with Service(AppTalk(driver)) as service:
        said = walking.save(service, state, board)
    assert said[0].startswith("The board has stored the map") and str(home / "boards" / "full.toml") in said[1]
    kept = json.loads((Path(driver.hal.flash) / "save" / f"leds-{TRACK}").read_text())
    assert kept["leds"] == state.leds().leds and kept["hash"] == track.hash
    own = load_board("full")
    assert own.path == home / "boards" / "full.toml" and own.modules[0].skip == (37,)
    assert map_leds(track, own).leds == kept["leds"], "a sync sends the same map"
    assert map_leds(load_track("april-raceway").track, own) == map_leds(load_track("april-raceway").track, board)
    text = own.path.read_text()
    packaged = (paths.boards_folder() / "full.toml").read_text()
    assert text.startswith(packaged.rstrip("\n")) and "# characters per line" in text


def test_a_module_that_is_right_again_is_taken_out(driver, track, home):
    state = WalkMap(track, "lane", track.count + 1, skip={37})
    with Service(AppTalk(driver)) as service:
        walking.save(service, state, load_board("full"))
        state = WalkMap(track, "lane", track.count)
        walking.save(service, state, load_board("full"))
    assert load_board("full").modules == () and "[[module]]" not in (home / "boards" / "full.toml").read_text()
    assert not (Path(driver.hal.flash) / "save" / f"leds-{TRACK}").exists()


def test_a_board_without_the_track_is_told_to_sync(driver, track, home):
    (Path(driver.hal.flash) / "tracks" / f"{TRACK}.leds").unlink()
    with Service(AppTalk(driver)) as service:
        said = walking.save(service, WalkMap(track, "lane", track.count + 1, skip={1}), load_board("full"))
    assert "gridglow sync --tracks gp-ring" in said[0] and "board file" in said[1]


def test_edits_keep_comments_and_change_one_value(home):
    board = load_board("mini")
    before = board.path.read_text()
    path = set_order(board, 1, "RGB")
    text = path.read_text()
    assert read_board(path).outputs[0].order == "RGB" and board.path.read_text() == before
    changed = [(old, new) for old, new in zip(before.splitlines(), text.splitlines()) if old != new]
    assert len(changed) == 1 and changed[0][1].startswith('order = "RGB"')
    assert set_pixels(load_board("mini"), 1, 50) == path and read_board(path).outputs[0].pixels_max == 50
    assert own_file(load_board("mini")) == path


def test_an_edit_that_would_be_wrong_leaves_the_file_as_it_is(home):
    path = set_order(load_board("mini"), 1, "RGB")
    before = path.read_text()
    with pytest.raises(GridglowError, match="was left as it is"):
        set_order(load_board("mini"), 1, "RRR")
    assert path.read_text() == before and list(path.parent.iterdir()) == [path]


# Dark pixels of a board file

def board_with(tmp_path, old, new, name="full"):
    text = (paths.boards_folder() / f"{name}.toml").read_text()
    assert old in text
    path = tmp_path / "own.toml"
    path.write_text(text.replace(old, new, 1))
    return path


def test_dark_pixels_of_an_output_shift_every_track(track, tmp_path):
    board = read_board(board_with(tmp_path, "pixels_max = 420", "pixels_max = 420\nskip = [1, 5]"))
    leds = map_leds(track, board)
    assert leds.pixels == track.count + 2 and {0, 4} & set(leds.leds) == set()
    assert sorted(leds.leds)[:4] == [1, 2, 3, 5]
    small = read_board(board_with(tmp_path, "pixels_max = 420", f"pixels_max = {track.count + 1}\nskip = [1, 5]"))
    assert map_leds(track, small).mode == "row", "two dark pixels too many for one pixel a space"
    with pytest.raises(DoesNotFit, match=f"needs {track.count + 2} pixels lit by space"):
        map_leds(track, small, "lane")


@pytest.mark.parametrize("new, key, says", [
    ("skip = [0]", "output 1 skip", "from 1 to 1000"),
    ("skip = [3, 3]", "output 1 skip", "each once"),
    ("skip = 3", "output 1 skip", "Expected a list"),
    ("skips = [3]", "output 1 skips", "did you mean 'skip'"),
])
def test_mistakes_in_dark_pixels_are_named(tmp_path, new, key, says):
    with pytest.raises(FileProblems) as caught:
        read_board(board_with(tmp_path, "pixels_max = 420", f"pixels_max = 420\n{new}"))
    assert [(one.key, says in one.say) for one in caught.value.problems] == [(key, True)]


@pytest.mark.parametrize("module, key, says", [
    ('track = "gp-ring"\nlight = "lane"\njumps = [[40]]', "module 1 jumps", '[40, "12c"]'),
    ('track = "gp-ring"\nlight = "both"', "module 1 light", "'lane' or 'row'"),
    ('light = "lane"', "module 1 track", "missing"),
    ('track = "gp-ring"\nlight = "lane"\nfrom = 3', "module 1 from", "no key 'from'"),
])
def test_mistakes_in_a_module_are_named(tmp_path, module, key, says):
    text = (paths.boards_folder() / "full.toml").read_text()
    path = tmp_path / "own.toml"
    path.write_text(f"{text}\n[[module]]\n{module}\n")
    with pytest.raises(FileProblems) as caught:
        read_board(path)
    assert [(one.key, says in one.say) for one in caught.value.problems] == [(key, True)]


def test_dials_have_no_dark_pixels(tmp_path):
    with pytest.raises(FileProblems, match="dials need every pixel"):
        read_board(board_with(tmp_path, "limit_ma = 1000", "skip = [2]\nlimit_ma = 1000"))


def test_a_space_that_the_track_has_not_is_named(track, tmp_path):
    text = (paths.boards_folder() / "full.toml").read_text()
    path = tmp_path / "own.toml"
    path.write_text(f'{text}\n[[module]]\ntrack = "gp-ring"\nlight = "lane"\njumps = [[4, "99z"]]\n')
    with pytest.raises(DoesNotFit, match="no space '99z'.*gridglow walk --track gp-ring"):
        map_leds(track, read_board(path))


# The command

def test_without_a_person_there_is_no_walk(driver, monkeypatch):
    monkeypatch.setattr(cli_walk, "chosen", lambda board, port: _Found(driver))
    result = CliRunner().invoke(cli_walk.walk, ["--track", TRACK])
    assert isinstance(result.exception, GridglowError) and "needs somebody" in str(result.exception)


class _Found:
    serial, name, title = "E6", "Full console", "Full console at /dev/ttyACM0"
    about = {"board": "full"}

    def __init__(self, driver, race=False):
        self.driver = driver
        self.race_runs = race
        self.doing = "race of moto_grand_prix"

    def talk(self):
        return AppTalk(self.driver)


def command(monkeypatch, driver, person, *words, race=False):
    monkeypatch.setattr(cli_walk, "chosen", lambda board, port: _Found(driver, race))
    monkeypatch.setattr(cli_walk, "somebody", lambda: person)
    return CliRunner().invoke(cli_walk.walk, list(words))


def test_the_command_walks_keeps_and_goes_on_later(driver, track, home, monkeypatch):
    state = WalkMap(track, "lane", track.count + 1)
    module = Module(driver, state, [None, *names(track)])

    class Mirror(Walk):
        """The module's person knows the state that the command has built up."""

        def __init__(self, service, person, state, *more):
            super().__init__(service, person, state, *more)
            module.state = state
    monkeypatch.setattr(walking, "Walk", Mirror)
    person = ScriptedPerson(*[module.answer] * 9, "q")
    result = command(monkeypatch, driver, person, "--track", TRACK)
    assert isinstance(result.exception, Stopped)
    assert [path.name for path in (home / "walks").iterdir()] == [f"E6-{TRACK}.json"]
    person = ScriptedPerson(always=module.answer)
    result = command(monkeypatch, driver, person, "--track", TRACK, "--json")
    assert result.exit_code == 0, result.output
    assert "continues at LED" in result.stderr
    told = json.loads(result.stdout)
    assert told["skip"] == [1] and told["without"] == [] and not list((home / "walks").iterdir())
    assert load_board("full").modules[0].skip == (1,)
    result = command(monkeypatch, driver, None, "--track", TRACK, "--forget")
    assert result.exit_code == 0 and load_board("full").modules == ()


def test_the_command_asks_which_track(driver, home, monkeypatch):
    person = ScriptedPerson("2", "q")
    result = command(monkeypatch, driver, person)
    assert isinstance(result.exception, Stopped)
    assert any("Which track is connected?" in one for one in person.heard)


def test_a_race_is_ended_only_where_the_person_agrees(driver, home, monkeypatch):
    plain = {"game": "moto_grand_prix", "track": TRACK, "laps": 1, "players": [["person", "Ann"], ["bot", "Bo"]]}
    assert driver.app.start_race(plain) == ""
    driver.run(9000)
    result = command(monkeypatch, driver, ScriptedPerson("no"), "--track", TRACK, race=True)
    assert "which goes on" in str(result.exception) and driver.app.state == "race"
    with pytest.raises(SaysNo, match="A race is under way"), Service(AppTalk(driver)):
        pass
    result = command(monkeypatch, driver, ScriptedPerson("yes", "q"), "--track", TRACK, race=True)
    assert isinstance(result.exception, Stopped) and driver.app.race is None and driver.app.saved_race()


def test_set_module_replaces_what_was_said(home, track):
    set_module(load_board("full"), TRACK, "lane", {3}, [])
    path = set_module(load_board("full"), TRACK, "lane", set(), [(4, "2b")])
    assert path.read_text().count("[[module]]") == 1
    assert read_board(path).modules[0].jumps == ((4, "2b"),) and read_board(path).modules[0].skip == ()
    set_module(load_board("full"), "april-raceway", "lane", {3}, [])
    assert [one.track for one in load_board("full").modules] == [TRACK, "april-raceway"]
