"""`gridglow flash`: turns any Pico into a board and keeps its own files on the way. Drive and boards are fakes."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from fake_board import FakeBoard
from fake_loader import Loader, found, found_with, make_drive, quick, sentence  # noqa: F401 (quick: shorter limits)
from small_board import small_image, small_program
from uf2_blocks import file_of, running_version

from gridglow import paths
from gridglow.cli import flash as command
from gridglow.cli.main import main
from gridglow.device import bootloader, connect, firmware_file, kept
from gridglow.device import flash as flashing
from gridglow.device.backup import read_kept
from gridglow.device.bootloader import Drive
from gridglow.device.connect import GRIDGLOW, Found
from gridglow.device.flash import Flashed, Target, flash, target
from gridglow.device.ports import PortInfo
from gridglow.firmware.uf2 import read_uf2
from shared_rules import RULES_VERSION
from shared_rules.errors import GridglowError

SAVES = {"save/race.log": b'gridglow log 1 1 0 0 "gridglow journal 1\\nrules: %d\\n"\n' % RULES_VERSION,
         "save/race.a": bytes(range(256)) * 20, "save/cards": bytes(range(256)),
         "save/settings": b'[["track","gp-ring"],["open",1]] *00000000\n'}
OWN = {"own.txt": b"mine", "lib/tune.py": b"notes = 3"}


def yes(sentences):
    return True


@pytest.fixture(scope="module")
def new(tmp_path_factory):
    """The program to be flashed."""
    return small_program(tmp_path_factory.mktemp("new"))


@pytest.fixture(scope="module")
def old(tmp_path_factory):
    """An older program of the same version."""
    return small_program(tmp_path_factory.mktemp("old"), glow__plain_one=b"NAME = 'older'\n")


@pytest.fixture
def uf2(tmp_path, new):
    return read_uf2(new.uf2(tmp_path / "gridglow-rp2040.uf2"))


@pytest.fixture
def installed(monkeypatch):
    """Records what is installed, in place of a sync; the test may make it fail."""
    calls = []

    class Done:
        say = "It is installed."
        notes = ()
        title = ""

        def plain(self):
            return {"sent": 3}

    def install(found, **chosen):
        calls.append((found, chosen))
        if isinstance(calls[0], Exception):
            raise calls[0]
        return Done()

    monkeypatch.setattr(flashing, "install", install)
    return calls


def kept_files():
    return sorted((paths.data_folder() / "backups").glob("*")) if (paths.data_folder() / "backups").is_dir() else []


def saves(board):
    return {name: data for name, data in board.files().items() if name.startswith("save/")}


def used_board(folder, files):
    """A board with a stock MicroPython whose flash isn't erased in the area of our programs' file system."""
    board = FakeBoard(folder, files)
    board.spoil(300, 2)
    return board


class Flash:
    """A way to flash a board, with everything said and asked."""

    def __init__(self, board, loader, uf2, answer=True):
        self.board, self.loader, self.uf2, self.answer = board, loader, uf2, answer
        self.told, self.asked = [], []

    def __call__(self, **more):
        return flash(Target(found(self.board)), self.uf2, **{"board_file": "mini", **more}, agree=self.agree,
                     say=self.told.append, look=self.loader.look, hidden=lambda: "")

    def agree(self, sentences):
        self.asked += sentences
        return self.answer


# What may be on the board


@pytest.mark.parametrize("files", [{}, SAVES, {**SAVES, **OWN}])
def test_a_board_of_today_gets_the_program_and_keeps_its_saves(tmp_path, uf2, new, installed, files):
    stock = small_image("1").contents
    with used_board(tmp_path / "board", {**stock, **files}) as board:
        put = Flash(board, Loader(board, tmp_path / "RPI-RP2", new), uf2)
        done = put()
        now = found(board)
        assert (now.state, now.program, now.about["fs"], done.program) == (GRIDGLOW, new.id, "ok", new.id)
        assert saves(board) == {name: data for name, data in files.items() if name.startswith("save/")}
        assert done.saved == len(saves(board)) and done.firmware and put.asked == []
    ((_, chosen),) = installed
    assert (chosen["board_file"], chosen["tracks"], chosen["languages"]) == ("mini", "all", "all")
    if "own.txt" in files:
        (file,) = kept_files()
        assert read_kept(file).others == {**OWN, "board.json": stock["board.json"]}
        assert done.notes == [f"2 files are of your own, kept in {file} (lib/tune.py, own.txt)."]
    else:
        assert kept_files() == []


def test_what_it_had_chosen_is_chosen_again(tmp_path, uf2, new, installed):
    stock = small_image("1", tracks="gp-ring", languages="en", board="full").contents
    with FakeBoard(tmp_path / "board", stock) as board:
        Flash(board, Loader(board, tmp_path / "RPI-RP2", new), uf2)(board_file=None)
    ((_, chosen),) = installed
    assert (chosen["board_file"], chosen["tracks"], chosen["languages"]) == ("full", "gp-ring", "en")


def test_the_saves_are_read_back_before_anything_is_changed(tmp_path, uf2, new, installed, monkeypatch):
    with FakeBoard(tmp_path / "board", {**small_image("1").contents, **SAVES}) as board:
        put = Flash(board, Loader(board, tmp_path / "RPI-RP2", new), uf2)
        monkeypatch.setattr(kept, "differing", lambda repl, files: "save/race.a")
        with pytest.raises(GridglowError, match="save/race.a was read from .* nothing was changed"):
            put()
        assert put.loader.copied == [] and kept_files() == []
        board.wait_started()
        assert found(board).state == GRIDGLOW      # it goes on


@pytest.mark.parametrize("program", ["while True:\n pass\n", "import time\nwhile True:\n print('hello')\n "
                                                             "time.sleep_ms(20)\n"])
def test_another_program_is_interrupted_with_consent_and_its_files_are_kept(tmp_path, uf2, new, installed, program):
    theirs = {"main.py": program.encode(), "boot.py": b"x = 1\n", **OWN}
    with FakeBoard(tmp_path / "board", theirs, machine="Raspberry Pi Pico with RP2040") as board:
        refused = Flash(board, Loader(board, tmp_path / "RPI-RP2", new), uf2, answer=False)
        with pytest.raises(GridglowError, match="flashing interrupts that.* Give --yes to agree; nothing was changed"):
            refused()
        assert board.starts == 1
        put = Flash(board, refused.loader, uf2)
        done = put()
        assert found(board).program == new.id
        assert "aren't Gridglow's (boot.py, lib/tune.py, main.py and 1 more)" in put.asked[1]
    (file,) = kept_files()
    assert read_kept(file).others == theirs and str(file) in done.notes[0]


def test_a_stock_micropython_at_its_prompt_is_asked_for_its_files(tmp_path, uf2, new, installed):
    with FakeBoard(tmp_path / "board", OWN) as board:
        refused = Flash(board, Loader(board, tmp_path / "RPI-RP2", new), uf2, answer=False)
        with pytest.raises(GridglowError, match="are files that aren't Gridglow's"):
            refused()
        assert refused.loader.copied == [] and kept_files() == []
    with FakeBoard(tmp_path / "empty", {}) as board:
        put = Flash(board, Loader(board, tmp_path / "RPI-RP2-2", new), uf2, answer=False)
        assert put().program == new.id             # there is nothing to lose
        assert "It holds nothing of its own." in put.told


def test_a_program_of_ours_is_renewed_and_its_saves_stay_where_they_are(tmp_path, uf2, new, old, installed):
    with FakeBoard(tmp_path / "board", {**SAVES, **OWN}, program=old) as board:
        put = Flash(board, Loader(board, tmp_path / "RPI-RP2", new), uf2)
        done = put()
        assert found(board).program == new.id and saves(board) == SAVES and board.files()["own.txt"] == b"mine"
        assert "Its saves are still on it." in put.told and put.asked == [] and done.saved == 4


def test_a_program_that_is_there_is_not_copied_again(tmp_path, uf2, new, installed):
    with FakeBoard(tmp_path / "board", SAVES, program=new) as board:
        board.on_bootloader = lambda _: pytest.fail("It went into its boot loader.")
        done = flash(Target(found(board)), uf2)
        assert not done.firmware and board.starts == 1 and len(installed) == 1


def test_a_stopped_gridglow_and_one_in_safe_mode_are_flashed(tmp_path, uf2, new, old, installed):
    with FakeBoard(tmp_path / "board", SAVES, program=old) as board:
        found(board).repl(end_race=True).close()
        assert found(board).state == connect.MICROPYTHON
        put = Flash(board, Loader(board, tmp_path / "RPI-RP2", new), uf2)
        put()
        assert found(board).program == new.id and saves(board) == SAVES


def test_a_race_is_ended_with_consent_alone(tmp_path, uf2, new, installed):
    race = {"game": "moto_grand_prix", "variant": "basic", "track": "gp-ring", "answers": 3}
    with FakeBoard(tmp_path / "board", {**small_image("1", race=race).contents, **SAVES}) as board:
        put = Flash(board, Loader(board, tmp_path / "RPI-RP2", new), uf2, answer=False)
        with pytest.raises(GridglowError, match="is in the middle of its race of moto_grand_prix .*nothing was changed"):
            put()
        assert board.starts == 1
        put.answer = True
        put()
        assert saves(board) == SAVES


# Rules of another version


def test_a_saved_race_of_another_rules_version_is_told_before_anything_is_written(tmp_path, installed, new, monkeypatch):
    later = RULES_VERSION + 1
    monkeypatch.setattr(firmware_file, "RULES_VERSION", later)
    other = small_program(tmp_path / "other", rules=later, glow__plain_one=b"NAME = 2\n")
    file = read_uf2(other.uf2(tmp_path / "gridglow-rp2040.uf2"))
    with FakeBoard(tmp_path / "board", SAVES, program=new) as board:
        put = Flash(board, Loader(board, tmp_path / "RPI-RP2", other), file, answer=False)
        with pytest.raises(GridglowError, match=f"with rules version {RULES_VERSION}, but the new program has {later}"):
            put()
        assert put.loader.copied == [] and kept_files() == [] and saves(board) == SAVES
        board.wait_started()
        put.answer = True
        done = put()
        assert saves(board) == SAVES
    (path,) = kept_files()                         # to play on with, once the old program is back
    assert read_kept(path).files == SAVES and f"gridglow restore {path}" in done.notes[0]


# Interrupted, at each step


@pytest.mark.parametrize("step, kind", [
    ("to_bootloader", GridglowError), ("copy_to_drive", GridglowError), ("verify", GridglowError),
    ("make_file_system", GridglowError), ("restore", KeyboardInterrupt), ("install", GridglowError)])
def test_it_is_gone_on_with_after_an_interruption(tmp_path, uf2, new, installed, monkeypatch, step, kind):
    place = {"make_file_system": flashing.new_program, "restore": flashing.saves}.get(step, flashing)
    real = getattr(place, step)

    def fails(*args, **more):
        if step == "verify":                       # by then the program is on the board
            real(*args, **more)
        raise kind("The cable has come out.")

    with used_board(tmp_path / "board", {**small_image("1", tracks="gp-ring").contents, **SAVES}) as board:
        loader = Loader(board, tmp_path / "RPI-RP2", new)
        put = Flash(board, loader, uf2)
        monkeypatch.setattr(place, step, fails)
        with pytest.raises(kind) as error:
            put()
        (file,) = kept_files()
        assert read_kept(file).files == SAVES
        assert f"What was on it is kept in {file}; run the same command to continue." in (
            str(error.value) if kind is GridglowError else put.told[-1])
        monkeypatch.setattr(place, step, real)
        if step == "copy_to_drive":                # the board waits in its boot loader
            shutil.rmtree(loader.folder)
            board.leave_bootloader()
        board.wait_started()
        done = put()
        assert found(board).program == new.id and saves(board) == SAVES and kept_files() == []
        assert done.saved == 4 and installed[-1][1]["tracks"] == "gp-ring"


def test_a_board_unplugged_in_its_boot_loader_is_known_again_by_its_number(tmp_path, uf2, new, installed, monkeypatch):
    monkeypatch.setattr(flashing, "wait_for_port", lambda *_: PortInfo(str(tmp_path / "board" / "port")))
    with FakeBoard(tmp_path / "board", {**small_image("1").contents, **SAVES}) as board:
        loader = Loader(board, tmp_path / "RPI-RP2", new, takes=False)
        put = Flash(board, loader, uf2)
        with pytest.raises(GridglowError, match="The board didn't accept the firmware"):
            put()
        loader.takes = True
        loader.entered(board)
        asked = []
        done = flash(Target(drive=loader.look()[0]), uf2, board_file="mini", look=loader.look, hidden=lambda: "",
                     agree=lambda told: asked.append(told) or True)
        assert saves(board) == SAVES and done.saved == 4 and kept_files() == []
        assert "its content can't be read" in asked[0][0] and len(asked) == 1


def test_a_race_that_was_raced_meanwhile_stays_and_the_other_one_is_kept(tmp_path, uf2, new, installed, monkeypatch):
    with FakeBoard(tmp_path / "board", {**small_image("1").contents, **SAVES}) as board:
        put = Flash(board, Loader(board, tmp_path / "RPI-RP2", new), uf2)
        monkeypatch.setattr(flashing.saves, "restore", lambda *_: pytest.fail("It must not get this far."))
        monkeypatch.setattr(flashing, "verify", lambda *_: (_ for _ in ()).throw(GridglowError("Unplugged.")))
        with pytest.raises(GridglowError):
            put()
        monkeypatch.undo()
        board.wait_started()
    later = {"save/race.log": b"a later race", "save/settings": b'[["open",1]] *00000000\n'}
    paths.choose_data_folder(tmp_path / "data")
    monkeypatch.setattr(flashing, "install", lambda *_, **__: None)
    with FakeBoard(tmp_path / "board", later, program=new) as board:
        done = flash(Target(found(board)), uf2)
        assert saves(board) == {**later, "save/cards": SAVES["save/cards"]}
        (file,) = kept_files()
        assert read_kept(file).files == SAVES and f"gridglow restore {file}" in done.notes[0]
        assert flash(Target(found(board)), uf2).notes == []        # no flash is waiting to be continued


# A memory with something else in it


def test_a_file_system_is_made_anew_with_consent_alone(tmp_path, uf2, new, installed):
    board = FakeBoard(tmp_path / "board", SAVES, program=new)
    board.spoil(0, 2)
    with board:
        assert found(board).about["fs"] == "foreign"
        with pytest.raises(GridglowError) as error:
            flash(Target(found(board)), uf2, agree=lambda told: False)
        said = sentence(error)
        assert "doesn't hold a Gridglow file system" in said and "gridglow backup --raw FILE" in said
        raw = board.raw()
        assert b"\xff" * 100 not in raw[:8192]
        asked = []
        flash(Target(found(board)), uf2, agree=lambda told: asked.append(told) or True)
        assert found(board).about["fs"] == "ok" and len(asked) == 1


# Which file


def test_files_that_are_not_meant(tmp_path, new, installed, monkeypatch):
    with FakeBoard(tmp_path / "board", {**small_image("1").contents, **SAVES}) as board:
        board.on_bootloader = lambda _: pytest.fail("It went into its boot loader.")
        old_one = small_program(tmp_path / "old", fw="0.9")
        for path, words in ((old_one.uf2(tmp_path / "old.uf2"), "old.uf2 .* is older than this gridglow"),
                            (file_of(tmp_path / "x.uf2", "1.26.1").path, "x.uf2 .* isn't Gridglow's")):
            with pytest.raises(GridglowError, match=words + ".*Give --yes to use it anyway; nothing was changed"):
                flash(Target(found(board)), read_uf2(path), board_file="mini")
        assert board.starts == 1


def test_another_program_is_put_on_where_it_is_meant(tmp_path, new, installed):
    with FakeBoard(tmp_path / "board", SAVES, program=new) as board:
        board.machine = "Raspberry Pi Pico with RP2040"
        put = Flash(board, Loader(board, tmp_path / "RPI-RP2", new), file_of(tmp_path / "x.uf2", running_version()))
        done = put(board_file=None)
        assert done.program == "" and installed == [] and "isn't Gridglow's" in put.asked[0]
        (file,) = kept_files()
        assert read_kept(file).files == SAVES and str(file) in done.notes[0]


@pytest.mark.parametrize("about, machine, words", [
    ({"machine": "Raspberry Pi Pico2 with RP2350"}, "Raspberry Pi Pico", "but the board is an RP2350"),
    ({"machine": "Raspberry Pi Pico with RP2040"}, "Raspberry Pi Pico W",
     "is for Raspberry Pi Pico W, but the board says it is a Raspberry Pi Pico."),
])
def test_what_is_refused_before_anything_is_changed(tmp_path, about, machine, words):
    meant = found_with(about=about)                # any attempt to enter it would be a KeyError
    with pytest.raises(GridglowError) as error:
        flash(Target(meant), file_of(tmp_path / "x.uf2", "1.26.1", machine), board_file="mini")
    assert words in sentence(error)
    assert "nothing was changed" in str(error.value)
    assert meant.tried == []


def test_the_wrong_chip_is_seen_at_the_drive_before_anything_is_copied(tmp_path, uf2, new, installed):
    with FakeBoard(tmp_path / "board", {}) as board:
        loader = Loader(board, tmp_path / "RP2350", new, chip="rp2350")
        with pytest.raises(GridglowError) as error:
            Flash(board, loader, uf2)()
        assert "is for an RP2040 (Pico, Pico W), but the board is an RP2350" in sentence(error)
        assert "Unplug it and plug it in again; nothing has changed on it." in str(error.value)
        assert [path.name for path in loader.folder.iterdir()] == [bootloader.INFO]


def test_the_file_that_was_built_here_is_taken(tmp_path, new, installed, monkeypatch):
    monkeypatch.setattr(firmware_file, "folders", lambda: [tmp_path / "build", tmp_path / "package"])
    with FakeBoard(tmp_path / "board", {}) as board:
        board.machine = "Raspberry Pi Pico with RP2040"
    with FakeBoard(tmp_path / "board", {}, machine="Raspberry Pi Pico with RP2040") as board:
        loader = Loader(board, tmp_path / "RPI-RP2", new)
        with pytest.raises(GridglowError) as error:
            Flash(board, loader, None)()
        assert "There is no Gridglow program for an RP2040 (Pico, Pico W): expected" in sentence(error)
        assert "build it with gridglow firmware build, or name a file with --uf2" in str(error.value)
        (tmp_path / "build").mkdir()
        new.uf2(tmp_path / "build" / "gridglow-rp2040.uf2")
        monkeypatch.setattr(firmware_file, "id_of_here", lambda chip: "0123456789ab")
        stale = Flash(board, loader, None, answer=False)
        with pytest.raises(GridglowError, match=f"other modules than those here .program {new.id}, expected 0123456789ab"):
            stale()
        monkeypatch.setattr(firmware_file, "id_of_here", lambda chip: new.id)
        assert Flash(board, loader, None)().program == new.id


@pytest.mark.parametrize("board_file, words", [
    (None, "choose with --board-file mini, --board-file full or the name of a file of your own. Nothing was"),
    ("minni", "There is no board 'minni'; did you mean"),
])
def test_a_bare_board_is_not_flashed_before_somebody_says_what_it_becomes(tmp_path, uf2, installed, board_file, words):
    with FakeBoard(tmp_path / "board", SAVES) as board:
        board.on_bootloader = lambda _: pytest.fail("It went into its boot loader.")
        with pytest.raises(GridglowError) as error:
            flash(Target(found(board)), uf2, board_file=board_file)
        assert words in str(error.value)
        with pytest.raises(GridglowError):
            flash(Target(drive=Drive(make_drive(tmp_path / "RPI-RP2"), "rp2040")), uf2, board_file=board_file)
        assert board.starts == 1 and not (tmp_path / "RPI-RP2" / "firmware.uf2").exists()


def test_a_pico_in_its_boot_loader_is_flashed_with_consent(tmp_path, uf2):
    drive = Drive(make_drive(tmp_path / "RPI-RP2"), "rp2040")
    with pytest.raises(GridglowError, match="loses its saves.* Give --yes to agree; nothing was changed"):
        flash(Target(drive=drive), uf2, board_file="mini")
    assert not (drive.path / "firmware.uf2").exists()


@pytest.mark.parametrize("chosen, words", [
    ({"tracks": "gp-rink"}, "There is no track 'gp-rink'"), ({"languages": "en,xx"}, "no texts in the language 'xx'"),
    ({"name": "x" * 21}, "A board's name has 1 to 20 visible characters"), ({"name": " x"}, "A board's name"),
    ({"name": "a\nb"}, "A board's name"),
])
def test_words_that_name_nothing_are_refused_first(uf2, chosen, words):
    meant = found_with()
    with pytest.raises(GridglowError, match=words):
        flash(Target(meant), uf2, board_file="mini", **chosen)
    assert meant.tried == []


def test_a_person_is_asked_which_board_it_becomes(tmp_path, uf2, monkeypatch):
    asked = []

    class Ann:
        def ask(self, question, answers):
            asked.append((question, answers))
            return "full"

    monkeypatch.setattr(command, "somebody", Ann)
    monkeypatch.setattr(command, "put_on", lambda *a, board_file, **k: asked.append(board_file) or Flashed("it"))
    drive = make_drive(tmp_path / "RPI-RP2")
    result = CliRunner().invoke(main, ["flash", "--uf2", str(uf2.path), "--drive", str(drive)])
    assert result.exit_code == 0, result.output
    assert asked == [("Which board should this Pico become?", ["full", "mini", "mini-direct"]), "full"]


# Which Pico


@pytest.fixture
def here(monkeypatch):
    """The boards and drives of this computer: here(boards, drives)."""

    def put(found=(), drives=()):
        monkeypatch.setattr(flashing, "boards", lambda ports=None: list(found))
        monkeypatch.setattr(flashing, "find_drives", lambda: list(drives))

    return put


PICO = Found(PortInfo("/dev/ttyACM0", "E66"), connect.MICROPYTHON, {"name": "Kitchen"})
RPI = Drive(Path("/media/RPI-RP2"), "rp2040")


def test_the_only_one_is_meant(here):
    here([PICO])
    assert target() == Target(PICO)
    here([], [RPI])
    assert target() == Target(drive=RPI)
    here()
    assert target() == Target()
    here([PICO], [RPI])
    assert target(port="/dev/ttyACM0") == Target(PICO, before=(RPI.path,))


def test_a_board_and_another_in_its_boot_loader_are_unclear(here):
    here([PICO], [RPI])
    with pytest.raises(GridglowError) as error:
        target()
    said = sentence(error)
    assert "It is unclear which Pico is meant" in said
    assert "/media/RPI-RP2 (--drive)" in said and "Kitchen at /dev/ttyACM0 (--port)" in said


def test_a_drive_that_is_named(tmp_path):
    make_drive(tmp_path / "drive", "rp2350")
    assert target(drive=tmp_path / "drive").drive.chip == "rp2350"
    with pytest.raises(GridglowError) as error:
        target(drive=tmp_path)
    assert "isn't a Pico's drive: there is no INFO_UF2.TXT in it" in sentence(error)


# The command


def test_the_command(tmp_path, uf2, new, installed, monkeypatch):
    with FakeBoard(tmp_path / "board", {**small_image("1").contents, **SAVES}) as board:
        loader = Loader(board, tmp_path / "RPI-RP2", new)
        put_on = command.put_on
        monkeypatch.setattr(command, "put_on", lambda *a, **k: put_on(*a, **k, look=loader.look, hidden=lambda: ""))
        data = str(tmp_path / "data")
        words = ["--data", data, "flash", "--uf2", str(uf2.path), "--port", board.port, "--board-file", "mini"]
        result = CliRunner().invoke(main, [*words, "--json"])
        assert result.exit_code == 0, result.output
        told = json.loads(result.stdout)
        assert told["sent"] == 3 and told["saves"] == 4 and told["program"] == new.id
        assert "Copying " in result.stderr
        for name in ("Kitchen", "Hall"):
            result = CliRunner().invoke(main, [*words, "--name", name])
            assert result.exit_code == 0, result.output
            assert found(board).name == name


def test_a_bad_file_is_refused_before_the_board_is_asked(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "target", lambda *_: pytest.fail("The board was asked."))
    (tmp_path / "x.uf2").write_bytes(b"hello")
    result = CliRunner().invoke(main, ["flash", "--uf2", str(tmp_path / "x.uf2")], prog_name="gridglow")
    assert result.exit_code == 1
    assert result.stderr.startswith("gridglow: x.uf2 is no UF2")
