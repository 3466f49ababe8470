"""A season's content: standings, teams and races as plain rows, the same for terminal, CSV, JSON and page."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

from gridglow.seasons.database import KeptSeason
from gridglow.texts import filled, read_language
from gridglow.tracks import load_track
from shared_rules.errors import GridglowError
from shared_rules.season_table import Line, riders, teams

LANGUAGES = ("en", "de")


class Words:
    """The texts of a language; ``say("season.title")``."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._texts = read_language(language)

    def say(self, key: str, *arguments: object) -> str:
        """A text with its arguments; the end of the key if there is none (a card or car of the owner's own)."""
        text = self._texts.get(key.replace("-", "_"))
        if text is None:
            return key.rpartition(".")[2]
        return filled(text, arguments)


@dataclass(frozen=True)
class Row:
    """A row of the table. ``each``: (place, points) of every race so far; ``car`` is set only if a player has several."""

    place: int
    name: str
    car: str
    seat: int
    team: str
    points: int
    wins: int
    each: list[tuple[int, int]]


class Tables:
    """The tables of a season in a language."""

    def __init__(self, kept: KeptSeason, words: Words) -> None:
        self.kept = kept
        self.season = kept.season
        self.words = words
        driven = [row for row in self.season.cars if row[1]]
        self._cars = {row[0]: row for row in driven}
        self._several = len(driven) > len(self.season.players)
        self.teams = [self._row(line, words.say(line.team)) for line in teams(self.season)]
        self.riders = [self._row(line, self.season.players[line.seat - 1][1]) for line in riders(self.season)]

    def _row(self, line: Line, name: str) -> Row:
        car = self.words.say(self._cars[line.car][2]) if self._several and line.car in self._cars else ""
        team = self.words.say(line.team) if line.team and line.seat and self.teams else ""
        return Row(line.place, name, car, line.seat, team, line.points, line.wins, [tuple(pair) for pair in line.each])

    @property
    def game(self) -> str:
        """The game and its variant, in words."""
        season = self.season
        return f"{self.words.say(season.game + '.name')}, {self.words.say(season.game + '.variant_' + season.variant)}"

    def track(self, track_id: str) -> str:
        """The track's name; its id if the track is gone."""
        try:
            return load_track(track_id, self.season.game).source.name
        except GridglowError:
            return track_id

    def who(self, seat: int, car: int) -> str:
        """A player, with the car if they have several."""
        name = self.season.players[seat - 1][1]
        return f"{name} ({self.words.say(self._cars[car][2])})" if self._several and car in self._cars else name

    def grid(self) -> list[str]:
        """Who starts where in the next race, best place first; [] if the game finds its own order."""
        cars = {row[0]: row for row in self.season.cars}
        return [self.who(cars[car][1], car) if cars[car][1] else self.words.say(cars[car][2]) for car in self.season.grid()]

    def champions(self) -> list[Row]:
        """Who has won the season; [] while it's under way."""
        return [row for row in self.riders if row.place == 1] if self.season.over else []


def plain(tables: Tables) -> dict:
    """A whole season for --json and the JSON export: input and results."""
    season, kept = tables.season, tables.kept
    found = {
        "format": 1, "id": season.id, "name": season.name, "game": season.game, "variant": season.variant,
        "options": dict(season.options), "laps": season.laps or None, "begun": kept.begun,
        "players": [{"seat": at + 1, "name": name, "kind": kind} for at, (kind, name) in enumerate(season.players)],
        "tracks": season.tracks, "over": season.over, "raced": len(kept.races), "points": list(season.rules.POINTS),
        "standings": [_plain_row(row) for row in tables.riders],
        "teams": [_plain_row(row) for row in tables.teams],
        "races": [{
            "number": race.number, "track": season.tracks[race.number - 1], "laps": race.laps, "answers": race.answers,
            "added": race.added, "digest": race.digest, "content": race.content,
            "standings": [{"seat": seat, "car": car, "place": place, "points": points}
                          for seat, car, place, points in race.standings if seat],
        } for race in kept.races],
    }
    if not season.over:
        found["next"] = season.next_setup()
    return found


def _plain_row(row: Row) -> dict:
    found = {"place": row.place, "name": row.name, "points": row.points, "wins": row.wins,
             "races": [{"place": place, "points": points} for place, points in row.each]}
    if row.seat:
        found["seat"] = row.seat
    if row.car:
        found["car"] = row.car
    if row.team:
        found["team"] = row.team
    return found


def as_csv(tables: Tables) -> str:
    """The standings for a spreadsheet: one row per rider, then one per team; per race one column with points and one with
    the place. Names that a spreadsheet would take for a formula get a leading apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    numbers = range(1, len(tables.season.tracks) + 1)
    head = ["table", "place", "name", "car", "team", "points", "wins"]
    for number in numbers:
        track = tables.season.tracks[number - 1]
        head += [f"{number} {track} place", f"{number} {track} points"]
    writer.writerow(head)
    for table, rows in (("riders", tables.riders), ("teams", tables.teams)):
        for row in rows:
            cells: list[object] = [table, row.place, _no_formula(row.name), row.car, row.team, row.points, row.wins]
            for number in numbers:
                cells += list(row.each[number - 1]) if number <= len(row.each) else ["", ""]
            writer.writerow(cells)
    return out.getvalue()


def _no_formula(name: str) -> str:
    return "'" + name if name[:1] in ("=", "+", "-", "@", "\t") else name
