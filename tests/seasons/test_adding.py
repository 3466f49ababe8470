"""Journals are added to a season: verified, in order, each race once; anything but the season's next race is refused."""

import re

import pytest
from season_races import count, journal_of, race_of

from gridglow import paths
from gridglow.races.replays import read_journal
from gridglow.seasons import adding, beginning
from gridglow.seasons.database import opened
from gridglow.seasons.tables import Tables, Words
from shared_rules.errors import BadSave, BadSetup, GridglowError

DAY = "2026-02-01"
POINTS = (25, 20, 16, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
BOTS = [["bot", "Bot 1"], ["bot", "Bot 2"], ["bot", "Bot 3"]]


@pytest.fixture(autouse=True)
def data(tmp_path):
    paths.choose_data_folder(tmp_path / "data")
    yield tmp_path / "data"
    paths.choose_data_folder(None)


def begin(name="Winter", tracks=("gp-ring", "fabulous-driving-park"), variant="basic", players=BOTS, laps=1, options=()):
    season = beginning.new_season(name, "moto_grand_prix", variant, list(tracks), players, laps, [list(o) for o in options])
    with opened(write=True) as database:
        database.begin(season, DAY)
    return season


def add(text, word=None):
    """Adds a journal; returns the KeptRace."""
    with opened(write=True) as database:
        kept = adding.season_of(database, adding.Journal.parse(text), word)
        race = adding.checked(database, kept, text, ["cpython"])
        database.take(kept.season, race)
    return race


def refused(text, word=None):
    """The sentence that says why this journal doesn't count; the season is unchanged."""
    before = kept()
    with pytest.raises(GridglowError) as caught:
        add(text, word)
    assert kept() == before, "a refused race has changed the season"
    return str(caught.value)


def kept(word=None):
    with opened() as database:
        return [(one.season.plain(), one.races) for one in database.all()]


def tables(word=None):
    with opened() as database:
        return Tables(adding.named(database, word), Words())


def test_a_whole_season_of_eight_races_and_its_standings_counted_another_way():
    begin(tracks=["fabulous-driving-park", "gp-ring", "supercircus-raceway", "april-raceway", "startline-driving-park",
                  "free-speedway", "grandprix-speedway", "max-speed-circuit"], variant="standard", options=[("bikes", "2")])
    journals = []
    for number in range(1, 9):
        season = tables().season
        assert season.round == number and season.next_setup()["season"] == f"{season.id}/{number}"
        journals.append(journal_of(season))
        assert add(journals[-1]).number == number
        shown = tables()
        table = count(journals, POINTS, "places")
        assert [(row.points, row.wins, (row.seat,)) for row in shown.riders] == [(p, w, who[:1]) for p, w, who in table]
        assert len({who for _, _, who in table}) == 6
        team = {name: sum(points for points, _, who in table if who[0] == seat)
                for seat, name in ((1, "Blue team"), (2, "Yellow team"), (3, "Red team"))}
        assert {row.name: row.points for row in shown.teams} == team
        assert [row.points for row in shown.teams] == sorted(team.values(), reverse=True)
    shown = tables()
    assert shown.season.over and len(shown.champions()) == 1
    assert sum(row.points for row in shown.riders) <= 8 * (25 + 20 + 16 + 13 + 11 + 10)
    assert "has all its 8 races already" in refused(journal_of(shown.season, "once-more"), "Winter")


def test_the_same_race_counts_once_whatever_its_file_looks_like():
    begin(tracks=["gp-ring", "gp-ring", "gp-ring"])
    text = journal_of(tables().season)
    add(text)
    sentence = "This race already counts as race 1 of Winter."
    assert refused(text) == sentence
    windows = read_journal(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode() + b"\r\n\r\n")
    assert refused(windows) == sentence
    renamed = text.replace("Bot 1", "Somebody else").replace("bot Bot 2", "person Bob")
    assert refused(renamed) == sentence
    again = re.sub(r"season: \w+/1\n", "", text)
    assert refused(again) == sentence
    begin("Summer", tracks=["gp-ring"])
    assert refused(again, "Summer") == sentence


def test_races_come_in_their_order():
    begin()
    season = tables().season
    plain = season.next_setup() | {"season": f"{season.id}/2", "track": "fabulous-driving-park"}
    said = refused(race_of(plain).journal())
    assert "Expected race 1 of the season, got race 2." in said and "isn't number 1 of Winter" in said


@pytest.mark.parametrize("change, said", [
    ({"track": "fabulous-driving-park"}, "Expected track gp-ring, got fabulous-driving-park."),
    ({"laps": 2}, "Expected laps 1, got 2."),
    ({"variant": "standard"}, "Expected variant basic, got standard."),
    ({"players": BOTS[:2]}, "Expected the players Bot 1 (bot), Bot 2 (bot), Bot 3 (bot), got Bot 1 (bot), Bot 2 (bot)."),
    ({"players": [BOTS[1], BOTS[0], BOTS[2]]}, "got Bot 2 (bot), Bot 1 (bot), Bot 3 (bot)."),
    ({"options": [["bikes", "2"]]}, "Expected the options bikes=1 "),
    ({"season": "00000000/1"}, "It is a race of another season, 00000000, not of Winter."),
])
def test_another_race_than_the_next_one_is_refused(change, said):
    begin()
    text = race_of(tables().season.next_setup() | change).journal()
    assert said in refused(text, "Winter")


def test_another_game_is_refused():
    begin()
    plain = {"game": "full_throttle", "track": "track-a", "players": BOTS}
    text = race_of(plain).journal()
    assert "Expected game moto_grand_prix, got full_throttle." in refused(text)


def test_a_journal_that_was_changed_is_refused():
    begin()
    text = journal_of(tables().season)
    head, body = text.split("\n\n", 1)
    lines = body.strip().split("\n")
    rolled = next(at for at, line in enumerate(lines) if " roll " in line)
    other = re.sub(r"roll \d", lambda found: "roll 6" if found[0] != "roll 6" else "roll 5", lines[rolled])
    tampered = "\n".join([head, "", *lines[:rolled], other, *lines[rolled + 1:], ""])
    assert "doesn't verify, so it doesn't count" in refused(tampered)
    digest = "\n".join([head, "", *lines[:-1], lines[-1][:-1] + ("0" if lines[-1][-1] != "0" else "1"), ""])
    assert "doesn't verify" in refused(digest)
    seed = re.sub(r"seed: \S+", "seed: better-dice", text)
    assert "doesn't verify" in refused(seed)
    hashed = re.sub(r"(track: \S+) \w+", r"\1 00000000", text)
    assert "doesn't verify" in refused(hashed) and "find the track file" in refused(hashed)
    assert "isn't over yet" in refused("\n".join([head, "", *lines[:-3], ""]))
    assert "isn't over yet" in refused(head + "\n\n")


def test_a_sealed_journal_is_refused():
    begin()
    text = race_of(tables().season.next_setup()).journal(unseal=False)
    assert "sealed" in refused(text)


@pytest.mark.parametrize("text", ["", "hello", "gridglow journal 2\n\n", "gridglow journal 1\n\n",
                                  "gridglow journal 1\ngame: a b\n\n"])
def test_what_is_no_journal_is_refused(text):
    begin()
    assert refused(text)


def test_a_journal_without_a_season_goes_to_the_only_one_that_runs():
    begin()
    plain = tables().season.next_setup()
    text = race_of({key: value for key, value in plain.items() if key != "season"}).journal()
    begin("Summer")
    assert "There are 2 seasons under way: Summer, Winter; choose one" in refused(text)
    assert add(text, "WINTER").number == 1
    assert "There is no season 'Autumn'; there is Summer, Winter." in refused(text, "Autumn")


def test_a_journal_finds_its_season_by_itself():
    begin()
    winter = tables().season
    begin("Summer")
    assert add(journal_of(winter)).number == 1
    assert len(tables("winter").kept.races) == 1 and not tables(winter.id.upper()).kept.season.over
    stranger = journal_of(winter).replace(winter.id, "01234567")
    assert "season 01234567, which isn't stored here" in refused(stranger)


def test_without_any_season_it_is_said_how_to_begin():
    text = race_of({"game": "moto_grand_prix", "track": "gp-ring", "players": BOTS, "laps": 1}).journal()
    assert refused(text) == "No season is under way; to begin one: gridglow season new NAME"
    with pytest.raises(GridglowError, match="No season is under way"):
        tables()


@pytest.mark.parametrize("given, said", [
    ({"name": ""}, "Expected a name of 1 to 40 visible characters"),
    ({"name": " x"}, "Expected a name"),
    ({"name": "x" * 41}, "Expected a name"),
    ({"name": "a\nb"}, "Expected a name"),
    ({"name": "0badcafe"}, "looks like a season's id"),
    ({"tracks": ["gp-rimg"]}, "There is no track 'gp-rimg'"),
    ({"tracks": ["track-a"]}, "belongs to the game full_throttle"),
    ({"tracks": ["april-raceway"]}, "Expected a circuit of level basic"),
    ({"variant": "hard"}, "There is no variant 'hard' of moto_grand_prix"),
    ({"players": BOTS[:1]}, "Expected 2 to 6 seats, got 1."),
    ({"players": [["person", "x" * 30], BOTS[0]]}, "Expected a name of 1 to 24 visible characters"),
    ({"options": [("bikes", "3")]}, "Expected bikes to be one of 1, 2, got '3'."),
    ({"laps": 100}, "Expected 1 to 99 laps, got 100."),
])
def test_a_season_that_cant_be_raced_is_not_begun(given, said):
    with pytest.raises(BadSetup) as caught:
        begin(**given)
    assert said in str(caught.value)
    with opened() as database:
        assert database.all() == []


def test_without_tracks_a_season_has_all_that_fit_each_one_way_round():
    season = begin(tracks=[])
    assert season.tracks == ["fabulous-driving-park", "gp-ring", "supercircus-raceway"]


def test_a_game_without_a_championship_is_refused():
    with pytest.raises(BadSetup, match="full_throttle has no championship; choose one of moto_grand_prix"):
        beginning.new_season("Winter", "full_throttle", None, [], BOTS, 1, [])
    with pytest.raises(BadSetup, match="No championship for 'moto'"):
        beginning.new_season("Winter", "moto", None, [], BOTS, 1, [])


def test_a_name_is_taken_once_whatever_its_case():
    begin()
    with pytest.raises(GridglowError, match="There already is a season 'WINTER'; choose another name."):
        begin("WINTER")


def test_the_next_race_is_ready_to_be_started():
    season = begin()
    start = beginning.next_race("Winter")
    assert (start.setup.track, start.setup.laps, start.setup.season) == ("gp-ring", 1, f"{season.id}/1")
    assert len(start.setup.seed) == 32 and start.setup.players == BOTS
    assert beginning.next_race(season.id, seed="7").setup.seed == "7"
    for _ in range(2):
        add(journal_of(tables().season))
    with pytest.raises(GridglowError, match="All 2 races of the season"):
        beginning.next_race("Winter")


def test_a_binary_file_is_no_journal():
    with pytest.raises(BadSave):
        read_journal(bytes(range(256)))
