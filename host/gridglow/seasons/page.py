"""A season as one self-contained HTML page: to look at, to send, and to print on A4."""

from __future__ import annotations

import html
from datetime import date

from gridglow.seasons.tables import Row, Tables

STYLE = """
:root { --ink: #16202a; --soft: #5b6875; --line: #cfd6dd; --mark: #b8860b; --paper: #fff; --band: #f3f6f8; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.5rem; background: var(--paper); color: var(--ink);
  font: 15px/1.45 system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
h1 { margin: 0; font-size: 2rem; letter-spacing: -.01em; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 .6rem; font-size: 1.15rem; }
p { margin: .3rem 0; }
.under { color: var(--soft); }
.champion { margin: 1.2rem 0 0; padding: .7rem 1rem; border-left: .35rem solid var(--mark); background: var(--band);
  font-size: 1.15rem; font-weight: 600; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .5rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { border-bottom: 2px solid var(--ink); font-size: .82rem; font-weight: 600; white-space: nowrap; }
.number { text-align: right; white-space: nowrap; }
.who { min-width: 9rem; }
.race { text-align: center; white-space: nowrap; min-width: 2.6rem; }
.day { white-space: nowrap; }
.total { font-weight: 700; }
.first td { font-weight: 700; }
.won { background: #fbf0cf; }
.place { color: var(--soft); font-size: .78rem; }
small, .car { color: var(--soft); }
footer { margin-top: 2rem; padding-top: .6rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .8rem; }
@media print {
  @page { size: A4 %s; margin: 14mm; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .wide { overflow: visible; }
  tr, .champion, .keep { break-inside: avoid; }
  h2 { break-after: avoid; }
  thead { display: table-header-group; }
  .won, .champion { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
#: With more races than this, the table is printed in landscape.
UPRIGHT_MOST_RACES = 8


def page(tables: Tables) -> str:
    """The page's text."""
    say, season = tables.words.say, tables.season
    races = len(season.tracks)
    raced = len(season.results)
    style = STYLE.replace("%s", "portrait" if races <= UPRIGHT_MOST_RACES else "landscape")
    parts = [
        "<!doctype html>", f'<html lang="{tables.words.language}">', '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{_safe(season.called())}</title>", f"<style>{style}</style>",
        f"<h1>{_safe(season.called())}</h1>",
        f'<p class="under">{_safe(tables.game)} · {_safe(say("season.raced", raced, races))}</p>',
    ]
    champions = tables.champions()
    if champions:
        names = " · ".join(_named(row) for row in champions)
        parts.append(f'<p class="champion">{_safe(say("season.champion"))}: {names}</p>')
    parts += [f"<h2>{_safe(say('season.standings'))}</h2>", _standings(tables, tables.riders, say("season.player"))]
    if tables.teams:
        parts.append(f'<div class="keep"><h2>{_safe(say("season.teams"))}</h2>'
                     f"{_standings(tables, tables.teams, say('season.team'))}</div>")
    parts += [f"<h2>{_safe(say('season.races'))}</h2>", _races(tables)]
    if not season.over:
        parts.append(_next(tables))
    points = " · ".join(str(value) for value in season.rules.POINTS)
    parts.append(f"<footer><p>{_safe(say('season.points_by_place'))}: {points}</p>"
                 f"<p>{_safe(say('season.verified'))}</p>"
                 f"<p>Gridglow · {_safe(season.id)} · {date.today().isoformat()}</p></footer>")
    return "\n".join(parts) + "\n</html>\n"


def _standings(tables: Tables, rows: list[Row], what: str) -> str:
    say = tables.words.say
    heads = "".join(f'<th class="race" title="{_safe(tables.track(track))}">{at + 1}</th>'
                    for at, track in enumerate(tables.season.tracks))
    body = "".join(_standing(tables, row) for row in rows)
    return (f'<div class="wide"><table><thead><tr><th class="number">{_safe(say("season.place"))}</th>'
            f'<th class="who">{_safe(what)}</th><th class="number">{_safe(say("season.points"))}</th>'
            f'<th class="number">{_safe(say("season.wins"))}</th>{heads}</tr></thead><tbody>{body}</tbody></table></div>')


def _standing(tables: Tables, row: Row) -> str:
    cells = []
    for at in range(len(tables.season.tracks)):
        if at >= len(row.each):
            cells.append('<td class="race"></td>')
            continue
        place, points = row.each[at]
        won = " won" if row.seat and place == 1 and points > 0 else ""
        small = f' <span class="place">{place}.</span>' if row.seat else ""
        cells.append(f'<td class="race{won}">{points}{small}</td>')
    first = ' class="first"' if row.place == 1 and row.points else ""
    return (f'<tr{first}><td class="number">{row.place}.</td><td>{_named(row)}</td>'
            f'<td class="number total">{row.points}</td><td class="number">{row.wins}</td>{"".join(cells)}</tr>')


def _named(row: Row) -> str:
    more = row.car or row.team
    return _safe(row.name) + (f' <small class="car">{_safe(more)}</small>' if more else "")


def _races(tables: Tables) -> str:
    say, season = tables.words.say, tables.season
    rows = []
    for at, track in enumerate(season.tracks):
        if at < len(tables.kept.races):
            race = tables.kept.races[at]
            scored = [row for row in race.standings if row[0] and row[3] > 0]
            finish = ", ".join(f"{place}.\xa0{tables.who(seat, car)}" for seat, car, place, _ in scored)
            told = (f'<td>{_safe(finish or "–")}</td><td class="day">{_safe(race.added)}</td>'
                    f"<td><small>{_safe(race.digest)}</small></td>")
        else:
            told = "<td></td><td></td><td></td>"
        rows.append(f'<tr><td class="number">{at + 1}</td><td>{_safe(tables.track(track))}</td>{told}</tr>')
    return (f'<div class="wide"><table><thead><tr><th class="number">{_safe(say("season.number"))}</th>'
            f"<th>{_safe(say('season.track'))}</th><th>{_safe(say('season.finish'))}</th><th>{_safe(say('season.day'))}</th>"
            f"<th>{_safe(say('season.digest'))}</th></tr></thead><tbody>{''.join(rows)}</tbody></table></div>")


def _next(tables: Tables) -> str:
    say, season = tables.words.say, tables.season
    track = tables.track(season.tracks[season.round - 1])
    told = f'<h2>{_safe(say("season.next", season.round, track))}</h2>'
    grid = tables.grid()
    if grid:
        order = ", ".join(f"{at + 1}.\xa0{name}" for at, name in enumerate(grid))
        told += f"<p>{_safe(say('season.grid'))}: {_safe(order)}</p>"
    return f'<div class="keep">{told}</div>'


def _safe(text: object) -> str:
    return html.escape(str(text), quote=True)
