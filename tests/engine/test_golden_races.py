"""The golden races: there is one for every game, variant and track; each plays again to the same text, and replays."""

import json
import subprocess

import compliance_same
import golden_races
import pytest

from gridglow.tracks import load_track
from shared_rules import proof

RACES = golden_races.kept()


def name_of(race):
    return "-".join(race)


def test_every_game_variant_and_track_has_one():
    wanted = golden_races.wanted()
    assert set(wanted) - set(RACES) == set(), "no golden race; run: python tests/help/renew_golden_races.py"
    assert set(RACES) - set(wanted) == set(), "a golden race that belongs to no track"
    assert len(RACES) >= 3


@pytest.mark.parametrize("race", RACES, ids=name_of)
def test_played_again_it_is_the_same(race):
    assert golden_races.played(*race).splitlines() == golden_races.file_of(*race).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("race", RACES, ids=name_of)
def test_it_replays(race):
    text = golden_races.file_of(*race).read_text(encoding="utf-8")
    found = proof.replay(text, load_track(race[2]).track)
    assert found["problem"] is None and found["over"] and found["checked"] == found["lines"] > 30


def test_they_show_all_that_players_do():
    lines = [line.split(" ")[1] for race in RACES
             for line in golden_races.file_of(*race).read_text(encoding="utf-8").split("\n\n")[1].splitlines()]
    for verb in ("undo", "ok", "correct", "source", "leave", "roll", "flip", "go"):
        assert verb in lines, verb


def test_they_replay_on_micropython():
    jobs = []
    for race in RACES:
        text = golden_races.file_of(*race).read_text(encoding="utf-8")
        jobs += [{"job": "track", "hex": load_track(race[2]).pack.hex()}, {"job": "replay", "text": text}]
    program = "import sys; sys.path.insert(0, %r); from shared_rules import proof; proof.serve()"
    done = subprocess.run(
        [compliance_same._program("micropython"), "-c", program % str(compliance_same._compiled())],
        input="".join(json.dumps(job) + "\n" for job in jobs), capture_output=True, text=True, timeout=120, check=False)
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(results) == len(jobs), done.stderr[-1000:]
    for race, result in zip(RACES, results[1::2], strict=True):
        text = golden_races.file_of(*race).read_text(encoding="utf-8")
        assert result["problem"] is None, (race, result["problem"])
        assert result == proof.replay(text, load_track(race[2]).track)
