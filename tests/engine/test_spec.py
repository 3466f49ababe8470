"""Spec files: mistakes are reported all at once, with file, line and key; correct ones become jobs."""

import pytest
from spec_text import GOOD

from gridglow.races.spec import job_vector, load_games, read_spec, vector_pack
from gridglow.tomlfile import FileProblems
from shared_rules import proof
from shared_rules.errors import GridglowError
from shared_rules.track import Track
from shared_rules.track_paint import colours_of


def written(tmp_path, text, name="mine.toml"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def problems(tmp_path, text):
    with pytest.raises(FileProblems) as caught:
        read_spec(written(tmp_path, text))
    return [str(problem).replace(str(tmp_path), "") for problem in caught.value.problems]


def test_the_packaged_spec_is_whole():
    spec = load_games()["moto_grand_prix"]
    assert spec.problems == []
    assert spec.covered + spec.table == len(spec.clauses)
    assert spec.table <= 8
    assert len(spec.vectors) >= len(spec.clauses)
    wanted = {f"MG-{n:02d}" for n in range(1, 21)} | {"MG-02b", "MG-49"}
    assert wanted <= set(spec.clauses)


def test_a_file_of_vectors_needs_no_clauses(tmp_path):
    spec = read_spec(written(tmp_path, GOOD))
    assert [vector.id for vector in spec.vectors] == ["mine.first"]
    assert spec.clauses == []
    assert spec.vectors[0].where.endswith("mine.toml:4")


def test_tables_become_pairs(tmp_path):
    vector = read_spec(written(tmp_path, GOOD)).vectors[0]
    job = job_vector(vector)
    assert job["game"] == "moto_grand_prix"
    assert job["options"] == []
    assert job["steps"][1] == {"look": [["bike 1", "1a"], ["lap", "1"]]}
    assert job["arrange"] == {"bikes": ["1 1a 1"]}
    assert "clauses" not in job
    assert vector_pack(vector)[:2]


OWN_BOARD = """
game = "racing_rules"

[[vector]]
id = "mine.own"
track = "house-board"
board = { without = ["start"], paint = ["9a red/blue"], die = ["red-1", "gold-2"], cards = ["3 ahead-2", "1 nothing"] }
steps = [{ over = false }]

[[vector]]
id = "mine.refused"
variant = "race-4"
track = "house-board"
board = { die = ["red-1", "blue-2"] }
refused = "black or gold"
"""


def test_a_vector_may_change_the_board(tmp_path):
    own, refused = read_spec(written(tmp_path, OWN_BOARD)).vectors
    track = Track.unpack(vector_pack(own))
    assert [road[0] for road in track.roads] == ["side", "ramp"]
    assert colours_of(track, track.named("9a")) == ("red", "blue") and colours_of(track, track.named("10a")) == ("gold",)
    assert (track.die, track.cards) == (["red-1", "gold-2"], [[3, "ahead-2"], [1, "nothing"]])
    assert "board" not in job_vector(own)
    assert proof.run_vector(job_vector(own), track) is None


def test_a_vector_may_be_one_of_a_set_up_that_is_refused(tmp_path):
    own, refused = read_spec(written(tmp_path, OWN_BOARD)).vectors
    track = Track.unpack(vector_pack(refused))
    job = job_vector(refused)
    assert proof.run_vector(job, track) is None
    assert "The set-up is refused" in proof.run_vector({**job, "refused": "pink"}, track)
    assert "should be refused ('black or gold')" in proof.run_vector({**job, "variant": "race-2"}, track)


def test_everything_wrong_is_told_at_once(tmp_path):
    told = problems(tmp_path, """
game = "moto_grand_pricks"

[[clause]]
id = "MG-13"
text = "…"
kind = "rulee"

[[vector]]
id = "one"
clauses = ["MG-13", 3]
track = "gp-ring"
layout = "S8"
seats = 9
step = []
steps = [{ done = "1 roll 1 1" }, { do = "roll 1 1" }, { look = { "lap" = 1 } }, { clause = "MG-13" }]
""")
    assert told[0].startswith("/mine.toml:2: game: Expected 'moto_grand_prix'")
    assert "found 'moto_grand_pricks'" in told[0]
    assert told[1:] == [
        "/mine.toml:7: clause 1 kind: Expected 'rule' or 'table', found 'rulee'.",
        "/mine.toml:11: vector 1 clauses: Expected a list of texts in quotes, found 3 in it.",
        "/mine.toml:12: vector 1 track: Expected either the id of a track or a layout, found both.",
        "/mine.toml:14: vector 1 seats: Expected 1 to 6, found 9.",
        "/mine.toml:15: vector 1 step: There is no key 'step' here; did you mean 'steps'?",
        "/mine.toml:16: vector 1 steps 1 done: There is no key 'done' here; did you mean 'do'?",
        "/mine.toml:16: vector 1 steps 1: Expected one of do, refuse, options, offers, lacks, near, prompt, look, "
        "scene, over, standings in a step, found none.",
        "/mine.toml:16: vector 1 steps 2 do: Expected a seat and its answer such as \"1 roll 1 5\", found the text "
        "'roll 1 1'.",
        "/mine.toml:16: vector 1 steps 3 look lap: Expected its value as text in quotes, found 1.",
        "/mine.toml:16: vector 1 steps 4: Expected one of do, refuse, options, offers, lacks, near, prompt, look, "
        "scene, over, standings in a step, found none.",
        "/mine.toml:16: vector 1 steps 4 clause: Only a step with refuse or near has a clause.",
    ]


@pytest.mark.parametrize("text, said", [
    ("", "The spec file is empty"),
    ("game = ", "This is not TOML"),
    ("vector = 3\ngame = \"moto_grand_prix\"", "Expected tables beginning with [[vector]], found 3."),
    ("game = \"moto_grand_prix\"", "There is no [[vector]] in the file; add one."),
    (GOOD.replace('id = "mine.first"', 'id = ""'), "Expected an id of 1 to 80 characters, found an empty text."),
    (GOOD.replace("steps = [", "steps = 3\nx = ["), "Expected a list, found 3."),
    (GOOD + GOOD[GOOD.index("[[vector]]"):], "There already is a vector 'mine.first'"),
    (GOOD.replace("layout", 'variant = "basik"\nlayout'),
     "Expected 'basic', 'standard' or 'expert', found 'basik'; did you mean 'basic'?"),
    (GOOD.replace("steps = [", 'refused = "laps"\nsteps = ['), "Expected no steps with a refused set-up"),
    (GOOD.replace("arrange", "board = { die = [\"red-1\"] }\narrange"), "Only a track's board can be changed"),
    (OWN_BOARD.replace("3 ahead-2", "ahead-2"), "Expected texts such as '3 ahead-2', found 'ahead-2'."),
    (OWN_BOARD.replace("9a red", "9 red"), "Expected texts such as '81a black/gold', found '9 red/blue'."),
    (OWN_BOARD.replace("without", "lacks"), "There is no key 'lacks' here"),
])
def test_one_thing_wrong(tmp_path, text, said):
    assert any(said in problem for problem in problems(tmp_path, text)), problems(tmp_path, text)


def test_a_bad_layout_names_the_vector(tmp_path):
    vector = read_spec(written(tmp_path, GOOD.replace("S8 R4d1", "S8 R4d9"))).vectors[0]
    with pytest.raises(FileProblems, match="mine.toml:4: mine.first layout: Expected S8, L4d2"):
        vector_pack(vector)


def test_an_unknown_track_has_a_neighbour(tmp_path):
    text = GOOD.replace('layout = "S8 R4d1 S6 L4d2 S6"', 'track = "gp-rink"')
    vector = read_spec(written(tmp_path, text)).vectors[0]
    with pytest.raises(FileProblems, match="did you mean 'gp-ring'"):
        vector_pack(vector)


# Several files together

def test_further_vectors_are_added(tmp_path):
    before = len(load_games()["moto_grand_prix"].vectors)
    written(tmp_path, GOOD)
    spec = load_games(more=tmp_path)["moto_grand_prix"]
    assert len(spec.vectors) == before + 1
    assert spec.problems == []


def test_the_same_file_twice_counts_once(tmp_path):
    before = len(load_games()["moto_grand_prix"].vectors)
    written(tmp_path, GOOD, "a.toml")
    written(tmp_path, GOOD, "b.toml")
    spec = load_games(more=tmp_path)["moto_grand_prix"]
    assert (len(spec.vectors), spec.problems) == (before + 1, [])


def test_an_id_for_two_vectors_is_a_problem(tmp_path):
    written(tmp_path, GOOD, "a.toml")
    written(tmp_path, GOOD.replace("1a 1", "2a 1"), "b.toml")
    spec = load_games(more=tmp_path)["moto_grand_prix"]
    assert len(spec.problems) == 1
    assert "b.toml:4: The id 'mine.first' already belongs to the vector at" in spec.problems[0]


def test_an_unknown_clause_is_a_problem(tmp_path):
    written(tmp_path, GOOD.replace("MG-11", "MG-111"))
    spec = load_games(more=tmp_path)["moto_grand_prix"]
    assert len(spec.problems) == 1
    assert "mine.first: There is no clause 'MG-111'; did you mean 'MG-11" in spec.problems[0]


def test_a_clause_without_a_vector_and_too_many_table_clauses_are_problems(tmp_path):
    rule = '[[clause]]\nid = "X-{0}"\ntext = "x"\nkind = "rule"\n'
    table = '[[clause]]\nid = "T-{0}"\ntext = "x"\nkind = "table"\nreason = "x"\n'
    text = GOOD.replace("[[vector]]", rule.format(1) + "".join(table.format(n) for n in range(8)) + "[[vector]]")
    written(tmp_path, text)
    spec = load_games(more=tmp_path)["moto_grand_prix"]
    assert any("The clause X-1 has no vector" in problem for problem in spec.problems)
    assert any("Expected at most 8 clauses of kind \"table\", found 9" in problem for problem in spec.problems)


def test_fewer_vectors_than_clauses_is_a_problem(tmp_path):
    ids = [f"X-{n}" for n in range(400)]
    clauses = "".join(f'[[clause]]\nid = "{one}"\ntext = "x"\nkind = "rule"\n' for one in ids)
    text = GOOD.replace("[[vector]]", clauses + "[[vector]]").replace('["MG-11"]', str(ids).replace("'", '"'))
    written(tmp_path, text)
    spec = load_games(more=tmp_path)["moto_grand_prix"]
    assert any("Expected at least as many vectors as clauses" in problem for problem in spec.problems)


@pytest.mark.parametrize("make, said", [
    (lambda folder: folder / "none", "doesn't exist"),
    (lambda folder: written(folder, GOOD), "is a file; name its folder"),
    (lambda folder: folder, "found none"),
])
def test_a_folder_that_is_none(tmp_path, make, said):
    with pytest.raises(GridglowError, match=said):
        load_games(more=make(tmp_path))


def test_an_unknown_game():
    with pytest.raises(GridglowError, match="There is no game 'moto'"):
        load_games(["moto"])
