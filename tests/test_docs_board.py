"""The examples of docs/real-board.md are what `gridglow sync` says of such a board."""

import dataclasses
import re
from pathlib import Path

from fake_program import frozen

from gridglow.device import manifest
from gridglow.device.board_data import board_data
from gridglow.device.sync import Result, frozen_list
from gridglow.device.sync_plan import LINK, Seen, plan
from gridglow.firmware.frozen import MICROPYTHON
from gridglow.hardware.boardfile import load_board
from gridglow.tracks import load_track

DOCUMENT = (Path(__file__).parent.parent / "docs" / "real-board.md").read_text("utf-8")
TITLE = "Kitchen at /dev/ttyACM0"


def test_what_sync_says():
    """A new board becomes `full`; its board file is changed; nothing is; in mid-race it gets another choice of tracks, and
    then another board file."""
    rows = frozen_list(frozen().data["modules.txt"].decode())
    full = load_board("full")
    darker = dataclasses.replace(full, brightness_max=100)
    sets = [board_data(full, rows, "1"), board_data(darker, rows, "1"), board_data(darker, rows, "1"),
            board_data(darker, rows, "1", [load_track("gp-ring")]), board_data(full, rows, "1")]
    race = "moto_grand_prix basic on gp-ring"
    there = None
    for number, data in enumerate(sets):
        files = {} if there is None else {**there.manifest.files, manifest.NAME: ("", 1)}
        seen = Seen(files, there and there.manifest, free_bytes=700_000, over_link=True, race=race if number > 2 else "",
                    open_track="gp-ring" if number > 2 else "", frozen=rows)
        made = plan(seen, data, TITLE)
        said = Result(TITLE, made, installed=made.way != LINK, about={"fw": "1", "parts": []}).say
        if number == 4:
            said = f"gridglow: {' '.join(made.agree)} Say --yes to agree. Nothing was sent."
        assert said in DOCUMENT.splitlines()
        there = data


def test_the_program_s_version_is_told_as_it_is():
    told = re.findall(r"[Mm]icro[Pp]ython (\d+\.\d+\.\d+)", DOCUMENT)
    assert told and set(told) == {MICROPYTHON}
