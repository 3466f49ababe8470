"""Syncs of a few small files: what the board has, what it gets, and what it has afterwards.

The fixtures `program` and `small` are imported by name, because all other tests have another `program`.
"""

import pytest
from small_board import small_data, small_program

from gridglow.device import manifest
from gridglow.device import sync as device_sync
from gridglow.device.connect import one
from gridglow.device.sync_plan import Seen

SAVES = {"save/race.log": b"my race", "save/settings": b'[["mute",1]] *00000000\n', "own.txt": b"mine"}
OLD = {"board.json": b'{"id":"mini","name":"Old"}', "text/fr.pack": b"vieux " * 300, "tracks/gone.pack": b"old",
       "tracks/index.json": b'[{"id":"gone"}]'}
NEW = {"board.json": b'{"id":"mini","name":"New"}', "text/fr.pack": b"nouveau " * 500, "tracks/mine.pack": b"track" * 900,
       "tracks/index.json": b'[{"id":"mine"}]'}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The board's program."""
    return small_program(tmp_path_factory.mktemp("program"))


@pytest.fixture
def small(monkeypatch):
    """Makes sync send these few files; returns a function that selects them."""
    chosen = {}
    monkeypatch.setattr(device_sync, "data_for", lambda found, choice, frozen: chosen["data"])

    def choose_data(files=NEW, **head):
        chosen["data"] = small_data(files, **head)
        return chosen["data"]

    return choose_data


def do_sync(board, **more):
    return device_sync.sync(one(None, [board.port]), **more)


def ours(files):
    """The files of a board, without those that its start writes."""
    return {name: data for name, data in files.items() if name != "starts.txt"}


def name_of(board):
    """The name in the board file that is on the board, "" if it is at its prompt."""
    return one(None, [board.port]).about.get("name", "")


def seen_with(data, **more):
    """A board with this content, as a sync sees it."""
    return Seen({**data.manifest.files, manifest.NAME: ("", 1)}, data.manifest, free_bytes=700_000, over_link=True, **more)
