"""Whole bot races for the tests of seasons, by the rules alone, and standings counted from journals in another way."""

from gridglow.seasons import adding
from gridglow.seasons.beginning import new_season
from gridglow.seasons.database import opened
from gridglow.tracks import load_track
from shared_rules import proof
from shared_rules.journal_file import Journal
from shared_rules.race import Race
from shared_rules.setup import Setup

TRACKS = ["bleifuss-drom", "plattfuss-ring", "nuerburg-drom"]


def race_of(plain, seed="season"):
    """The Race of a set-up of bots, at its podium."""
    track = load_track(plain["track"], plain["game"]).track
    race = Race(Setup.from_plain({**plain, "seed": seed, "salt": "0"}, track), track)
    while not race.over:
        seat = race.prompts[0].seat or 1
        race.answer(seat, race.bot_answer(seat))
        race.drop_events()
    return race


def journal_of(season, seed="season"):
    """The journal of the season's next race."""
    return race_of(season.next_setup(), f"{seed}-{season.round}").journal()


def count(journals, points, ties, grids=False):
    """The table of these journals: [(points, wins, rider)], best first, counted without any of the seasons' code.

    ``points`` by place; ``ties`` is "wins" (most wins, then the last race) or "places" (most firsts, seconds
    …, then the last race). A rider is (seat, car). With ``grids`` each race must start as the previous one
    ended, with nobody's cars in front in order of their numbers (AB-09).
    """
    riders = {}
    grid = None
    for at, text in enumerate(journals):
        journal = Journal.parse(text)
        result = proof.replay(text, load_track(journal.track, journal.plain["game"]).track)
        assert result["problem"] is None and result["over"], result
        if grids:
            assert journal.plain.get("grid") == grid, f"race {at + 1} starts from {journal.plain.get('grid')}, not {grid}"
            nobodys = sorted(row[0] for row in result["cars"] if row[1] == 0)
            grid = nobodys + [row[1] for row in result["standings"] if row[0] != 0]
        for seat, car, place, got in result["standings"]:
            if seat == 0:
                assert got == 0
                continue
            assert got in (0, points[place - 1] if place <= len(points) else 0), "points that the place doesn't give"
            mine = riders.setdefault((seat, car), {"points": 0, "places": [0] * 20, "last": 0, "races": 0})
            mine["points"] += got
            mine["races"] += 1
            if got:
                mine["places"][place - 1] += 1
            mine["last"] = place
        assert all(mine["races"] == at + 1 for mine in riders.values())
    if ties == "wins":
        order = sorted(riders, key=lambda who: (-riders[who]["points"], -riders[who]["places"][0], riders[who]["last"], who))
    else:
        order = sorted(riders, key=lambda who: (-riders[who]["points"], [-n for n in riders[who]["places"]],
                                                riders[who]["last"], who))
    return [(riders[who]["points"], riders[who]["places"][0], who) for who in order]


def begun(name="Winter", tracks=TRACKS, races=1):
    """A season of three bots in the data folder, with its first races counted."""
    bots = [["bot", word] for word in ("Ann", "Ben", "Cleo")]
    with opened(write=True) as database:
        database.begin(new_season(name, "ausgebremst", "family", tracks, bots, 1, []), "2026-11-28")
        kept = database.find(name)
        for _ in range(races):
            database.take(kept.season, adding.checked(database, kept, journal_of(kept.season, name), ["cpython"]))
    return kept
