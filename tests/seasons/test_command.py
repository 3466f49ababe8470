"""``gridglow season`` and ``gridglow play --season``, as people and scripts call them; exports are read back."""

import csv
import html.parser
import io
import json
import re

import pytest
from season_races import journal_of

from gridglow.seasons import adding
from gridglow.seasons.database import opened
from gridglow.seasons.page import page
from gridglow.seasons.tables import Tables, Words


def begin(call, *more, name="Winter"):
    code, _, err = call("season", "new", name, "--track", "gp-ring", "--track", "fabulous-driving-park", "--laps", "1",
                        *(more or ("--bots", "3")))
    assert code == 0, err


def next_journal(tmp_path, name, word=None):
    with opened() as database:
        season = adding.named(database, word).season
    file = tmp_path / name
    file.write_text(journal_of(season), encoding="utf-8")
    return str(file)


def test_a_season_from_its_beginning_to_its_end(call, tmp_path):
    code, out, err = call("season", "list")
    assert (code, out) == (0, "") and "There is no season yet" in err
    code, out, err = call("season", "new", "Winter", "--track", "gp-ring", "--track", "fabulous-driving-park", "--laps", "1",
                          "--player", "Anna", "--bots", "2", "--json")
    begun = json.loads(out)
    assert code == 0 and err == "" and re.fullmatch("[0-9a-f]{8}", begun["id"])
    assert begun["players"] == [{"name": "Anna", "kind": "person"}, {"name": "Bot 2", "kind": "bot"},
                                {"name": "Bot 3", "kind": "bot"}]
    assert begun["next"]["season"] == begun["id"] + "/1" and begun["next"]["track"] == "gp-ring"
    code, out, err = call("season", "show")
    assert code == 0 and "0 of 2 races" in out and "Next is race 1: gridglow play --season Winter" in err
    with opened() as database:
        season = database.find("Winter").season
    bots = [["bot", name] for _, name in season.players]
    text = journal_of(type("Bots", (), {"round": 1, "next_setup": lambda self: season.next_setup() | {"players": bots}})())
    file = tmp_path / "one.txt"
    file.write_text(text.replace("seat 1: bot Anna", "seat 1: person Anna"), encoding="utf-8")
    code, out, err = call("season", "add", str(file))
    assert code == 0 and "Race 1 of Winter counts: gp-ring" in err
    assert sorted(int(line.split()[-1]) for line in out.splitlines()[1:]) == [16, 20, 25]
    code, out, err = call("season", "add", str(file), "--json")
    assert code == 1 and json.loads(out)["error"] == "This race already counts as race 1 of Winter."
    code, out, _ = call("season", "list", "--json")
    row = json.loads(out)["seasons"][0]
    assert (row["raced"], row["races"], row["over"], len(row["leaders"])) == (1, 2, False, 1)


def test_play_sets_up_the_season_s_next_race(call, tmp_path):
    begin(call)
    for number in (1, 2):
        code, _, err = call("play", "--season", "winter", "--headless", "--engine", "cpython", "--journal", f"{number}.txt")
        assert code == 0, err
        journal = (tmp_path / f"{number}.txt").read_text("utf-8")
        assert re.search(r"\nseason: [0-9a-f]{8}/1\n", journal)                    # nothing counts yet
    code, out, err = call("season", "add", "1.txt", "2.txt")
    assert code == 1 and "2.txt: " in err and "Expected track fabulous-driving-park, got gp-ring" in err
    assert "Race 1 of Winter counts" in err
    code, _, err = call("play", "--season", "winter", "--headless", "--engine", "cpython", "--journal", "3.txt")
    assert call("season", "add", "3.txt")[0] == 0
    code, _, err = call("play", "--season", "winter", "--headless")
    assert code == 1 and err == "gridglow: All 2 races of the season Winter have been raced.\n"
    code, out, err = call("season", "show")
    assert "2 of 2 races" in out and "The season is over. Champion: Bot " in err


@pytest.mark.parametrize("words, said", [
    (["--track", "gp-ring"], "--season already sets --track"),
    (["--laps", "2"], "--season already sets --laps"),
    (["--bots", "all"], "--season already sets --bots"),
    (["--option", "bikes=2"], "--season already sets --option"),
])
def test_what_the_season_settles_is_not_given_again(call, words, said):
    begin(call)
    code, _, err = call("play", "--season", "Winter", "--headless", *words)
    assert code == 2 and said in err


def test_people_don_t_race_headless(call):
    begin(call, "--player", "Anna", "--player", "Ben")
    code, _, err = call("play", "--season", "Winter", "--headless")
    assert code == 2 and "--headless is for a season of bots" in err


@pytest.mark.parametrize("words, said", [
    (["season", "show", "Autumn"], "There is no season 'Autumn'; begin one with"),
    (["season", "show"], "No season is under way; to begin one:"),
    (["season", "new", "x", "--game", "chess"], "No championship for 'chess'"),
    (["season", "new", "x", "--game", "full_throttle"], "has no championship"),
    (["season", "new", "x", "--player", "A", "--player", "B", "--option", "bikes"], "Expected an option as KEY=VALUE"),
    (["season", "add", "no-such-file"], "There is no file no-such-file"),
    (["season", "export", "x.pdf"], "Expected a file that ends in .html, .csv or .json"),
    (["play", "--season", "Autumn", "--headless"], "There is no season 'Autumn'"),
])
def test_errors_are_sentences(call, words, said):
    code, out, err = call(*words)
    assert code != 0 and out == "" and said in err and "Traceback" not in err


def test_a_season_is_renamed_with_its_races(call, tmp_path):
    begin(call)
    assert call("season", "add", next_journal(tmp_path, "one.txt"))[0] == 0
    code, out, err = call("season", "rename", "winter", "Summer 26")
    assert (code, out, err) == (0, "", "Winter is now called Summer 26.\n")
    assert "There is no season 'Winter'; there is Summer 26." in call("season", "show", "Winter")[2]
    code, out, _ = call("season", "show", "Summer 26")
    assert code == 0 and out.startswith("Summer 26 (") and "1 of 2 races" in out
    code, out, _ = call("season", "rename", "Summer 26", "SUMMER 26", "--json")                 # only letter case differs
    assert code == 0 and (json.loads(out)["name"], json.loads(out)["was"]) == ("SUMMER 26", "Summer 26")
    code, _, err = call("season", "add", str(tmp_path / "one.txt"))
    assert code == 1 and "already counts as race 1 of SUMMER 26." in err
    begin(call, name="Autumn")
    for name, said in (("summer 26", "There already is a season 'summer 26'"),
                       (" ", "Expected a name of 1 to 40 visible characters"),
                       ("0123abcd", "looks like a season's id")):
        code, out, err = call("season", "rename", "Autumn", name)
        assert code != 0 and out == "" and said in err
    with opened() as database:
        assert {kept.season.name for kept in database.all()} == {"Autumn", "SUMMER 26"}


def test_a_season_is_removed_only_when_somebody_agrees(call, tmp_path):
    begin(call)
    one = next_journal(tmp_path, "one.txt")
    assert call("season", "add", one)[0] == 0
    begin(call, name="Autumn")
    code, out, err = call("season", "remove", "Winter")                                     # no terminal to ask on
    assert code == 1 and out == "" and "would be removed for good, with 1 race and its journal. Give --yes to agree" in err
    assert "1 of 2 races" in call("season", "show", "Winter")[1]
    code, out, err = call("season", "remove", "Winter", "--yes")
    assert (code, out) == (0, "") and err.endswith("Removed Winter, with 1 race.\n")
    assert call("season", "remove", "Winter", "--yes")[0] == 1
    with opened() as database:
        assert [kept.season.name for kept in database.all()] == ["Autumn"]
    begin(call)                                                                             # the name is free again
    code, out, _ = call("season", "remove", "winter", "--yes", "--json")
    assert code == 0 and json.loads(out)["races"] == 0 and json.loads(out)["removed"] == "Winter"
    text = (tmp_path / "one.txt").read_text("utf-8")
    (tmp_path / "one.txt").write_text(re.sub("season: .*\n", "", text), encoding="utf-8")
    assert call("season", "add", one)[0] == 0                                # it no longer counts anywhere, so it may again


def test_a_terminal_is_asked_before_a_season_goes(call, monkeypatch):
    begin(call)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    for answer, code in ((False, 1), (True, 0)):
        monkeypatch.setattr("click.confirm", lambda *_, answer=answer, **__: answer)
        assert call("season", "remove", "Winter")[0] == code


def test_seasons_that_are_over_are_named_where_none_runs(call, tmp_path):
    for name in ("Winter", "Spring"):
        code, _, err = call("season", "new", name, "--track", "gp-ring", "--laps", "1", "--bots", "3")
        assert code == 0, err
        with opened() as database:
            season = adding.named(database, name).season
        (tmp_path / name).write_text(journal_of(season, name), encoding="utf-8")
        assert call("season", "add", str(tmp_path / name))[0] == 0
    code, _, err = call("season", "show")
    assert code == 1 and "No season is under way; finished: Spring, Winter; to begin one:" in err


def test_a_journal_comes_from_standard_input_too(call, tmp_path):
    begin(call)
    with open(next_journal(tmp_path, "one.txt"), encoding="utf-8") as file:
        text = file.read()
    code, out, _ = call("season", "add", "-", "--json", data=text)
    assert code == 0 and json.loads(out)["added"][0]["number"] == 1
    code, out, _ = call("season", "add", "-", "--json", data="nonsense")
    assert code == 1 and "Expected a Gridglow journal" in json.loads(out)["error"]


def test_exports_hold_the_same_numbers(call, tmp_path):
    begin(call)
    assert call("season", "add", next_journal(tmp_path, "one.txt"))[0] == 0
    for name in ("w.csv", "w.json", "w.html"):
        code, _, err = call("season", "export", name)
        assert code == 0 and f"Winter is in {name}." in err
        code, _, err = call("season", "export", name)
        assert code == 1 and "give --yes" in err
        assert call("season", "export", name, "--yes")[0] == 0
    plain = json.loads((tmp_path / "w.json").read_text("utf-8"))
    with opened() as database:
        stored = database.find("Winter")
    assert plain["raced"] == 1 and plain["next"]["season"] == stored.season.id + "/2"
    keys = ("seat", "car", "place", "points")
    assert plain["races"][0]["standings"] == [dict(zip(keys, row)) for row in stored.races[0].standings]
    rows = list(csv.DictReader(io.StringIO((tmp_path / "w.csv").read_text("utf-8-sig"))))
    assert [(int(row["place"]), row["name"], int(row["points"])) for row in rows] \
        == [(row["place"], row["name"], row["points"]) for row in plain["standings"]]
    assert rows[0]["1 gp-ring points"] == "25" and rows[0]["2 fabulous-driving-park points"] == ""
    shown = (tmp_path / "w.html").read_text("utf-8")
    for row in plain["standings"]:
        assert f'<td class="number total">{row["points"]}</td>' in shown
    assert "1 of 2 races" in shown and "Next: race 2, Fabulous Driving Park" in shown
    code, out, _ = call("season", "export", "-", "--as", "html", "--lang", "de")
    assert code == 0 and "1 von 2 Rennen" in out and '<html lang="de">' in out
    assert not [name for name in tmp_path.iterdir() if name.name.endswith(".new")]


class Tags(html.parser.HTMLParser):
    """Checks that tags close in order, and collects what is outside the page."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.outside = []
        self.text = ""

    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "br"):
            self.open.append(tag)
        self.outside += [value for key, value in attributes if key in ("src", "href")]
        if tag in ("script", "link", "img"):
            self.outside.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_the_page_is_whole_needs_nothing_and_runs_nothing(call, tmp_path):
    begin(call, "--player", "<script>ab()</script>", "--player", "=1+2&\"", name='A <b> & "c"')
    with opened() as database:
        kept = database.all()[0]
    text = page(Tables(kept, Words("en")))
    tags = Tags()
    tags.feed(text)
    assert tags.open == [] and tags.outside == [] and "url(" not in text and "@import" not in text
    assert "<script" not in text and "<script>ab()</script>" in tags.text and 'A <b> & "c"' in tags.text
    assert "@page" in text and "A4 portrait" in text
    code, out, _ = call("season", "export", "-", "--as", "csv")
    names = [row["name"] for row in csv.DictReader(io.StringIO(out.lstrip("\ufeff")))]
    assert names == ["<script>ab()</script>", "'=1+2&\""]


def test_german_pages_have_every_word(call, tmp_path):
    begin(call)
    call("season", "add", next_journal(tmp_path, "one.txt"))
    with opened() as database:
        kept = database.all()[0]
    german, english = page(Tables(kept, Words("de"))), page(Tables(kept, Words("en")))
    for word in ("Stand<", "Punkte", "Siege", "Rennen", "Strecke", "Als Nächstes", "Punkte nach Platz"):
        assert word in german and word not in english
