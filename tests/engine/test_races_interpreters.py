"""Children that prove the rules: the same answers everywhere, one sentence when a child breaks off."""

import pytest

from gridglow.races.interpreters import NAMES, Interpreter, InterpreterFault, parse_names
from gridglow.races.proofs import prove, random_races
from gridglow.races.spec import load_games
from gridglow.races.startup import tracks_for
from gridglow.tracks import load_track
from shared_rules.errors import GridglowError

PACK = load_track("gp-ring").pack
RACE = {"job": "race", "game": "moto_grand_prix", "variant": "basic", "seed": "basic-2"}


@pytest.fixture(params=NAMES)
def interpreter(request, micropython):
    with Interpreter(request.param) as child:
        yield child


def test_a_child_does_jobs(interpreter):
    first = interpreter.on_track(PACK).ask(RACE)
    assert first["answers"] > 10
    assert interpreter.on_track(PACK).ask(RACE) == first


def test_both_interpreters_say_the_same(micropython):
    results = []
    for name in NAMES:
        with Interpreter(name) as child:
            results.append(child.on_track(PACK).ask(RACE))
    assert results[0] == results[1]


def test_a_child_that_breaks_off_says_why_and_the_next_job_gets_a_new_one(interpreter):
    with pytest.raises(InterpreterFault, match=f"^{interpreter.title} stopped in my job: KeyError: "):
        interpreter.ask({"no": "job"}, "my job")
    assert interpreter.on_track(PACK).ask(RACE)["answers"] > 10


def test_letters_of_all_kinds_pass(interpreter):
    text = "gridglow journal 1\ngame: ä€😀\n"
    assert "ä€😀" in interpreter.on_track(PACK).ask({"job": "replay", "text": text})["problem"]


def test_a_small_heap_is_named(micropython):
    with Interpreter("micropython", heap_kb=40) as child, \
            pytest.raises(InterpreterFault, match="ran out of its 40 kB of heap in reading a track"):
        child.on_track(PACK)


def test_a_child_that_takes_too_long_is_stopped():
    with Interpreter("cpython", job_s=0.01) as child, \
            pytest.raises(InterpreterFault, match="didn't finish a job within 0.01 s"):
        child.ask({"job": "unknown"})


def test_an_interpreter_that_is_none():
    with pytest.raises(GridglowError, match="Expected an interpreter of cpython, micropython, got 'pypy'"):
        Interpreter("pypy")


@pytest.mark.parametrize("text, names", [
    (None, ["cpython", "micropython"]), ("", ["cpython", "micropython"]), ("micropython", ["micropython"]),
    ("CPython, cpython", ["cpython"]), ("micropython,cpython", ["micropython", "cpython"]),
])
def test_names(text, names):
    assert parse_names(text) == names


@pytest.mark.parametrize("text", ["pypy", "cpython,", "cpython;micropython", ","])
def test_names_that_are_none(text):
    with pytest.raises(GridglowError, match="Expected interpreters of"):
        parse_names(text)


# The whole proof

def test_the_tracks_are_taken_in_turn():
    ids = [track.id for track in tracks_for("moto_grand_prix", "basic")]
    assert len(ids) >= 3
    drawn = random_races("moto_grand_prix", 2 * len(ids))
    assert [race.track for race in drawn if race.variant == "basic"] == ids * 2
    assert len({race.seed for race in drawn}) == len(drawn)


def test_the_spec_holds_on_both_interpreters(micropython):
    report = prove(load_games(), list(NAMES), 6)
    assert report.failures == []
    game = report.games["moto_grand_prix"]
    assert (game.failed, game.races, game.equal) == (0, 18, 18)    # 6 for each variant
    assert game.covered + game.table == game.clauses
    assert game.per == {"cpython": [game.vectors, 18], "micropython": [game.vectors, 18]}


def test_300_random_races_come_to_the_same_end(micropython):
    spec = load_games()["moto_grand_prix"]
    spec.vectors = {}
    spec.problems = []
    report = prove({"moto_grand_prix": spec}, list(NAMES), 100)     # of each variant
    assert report.failures == []
    assert report.games["moto_grand_prix"].equal == 300


def test_a_race_that_differs_is_named():
    class Liar:
        def __init__(self, name):
            self.name = name

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def on_track(self, pack):
            return self

        def ask(self, job, what):
            return {"digest": f"{len(self.name):08x}", "answers": 12}

    spec = load_games()["moto_grand_prix"]
    spec.vectors = {}
    report = prove({"moto_grand_prix": spec}, list(NAMES), 1, opener=Liar)
    assert report.games["moto_grand_prix"].equal == 0
    assert report.failures == [
        f"moto_grand_prix {variant}: The random race {variant}-1 on fabulous-driving-park is not the same everywhere: "
        "cpython: digest 00000007 after 12 answers; micropython: digest 0000000b after 12 answers"
        for variant in ("basic", "standard", "expert")
    ]
