"""A cheat sheet for a game: one page to print, with the turn, what the lights mean, and the keys.

Everything on it comes from the board's own data: its questions and explanations, its names, its words for
rhythms, and the palette of its lights.
"""

from __future__ import annotations

import html
from functools import cache

from gridglow.palette import Palette, palette
from gridglow.races.startup import race_setup
from gridglow.texts import filled, read_language
from gridglow.tomlfile import nearest
from gridglow.tracks import list_tracks
from shared_rules import games
from shared_rules.errors import GridglowError
from shared_rules.race import Race

LANGUAGES = ("en", "de")
LEGEND = ("offered", "chosen", "dials", "low", "costs")
KEYS = (("PREV NEXT", "prev_next"), ("OK", "ok"), ("UNDO", "undo"), ("WHY", "why"), ("MENU", "menu"))

STYLE = """
:root { --ink: #14202b; --soft: #4d5a67; --line: #c4ccd4; --band: #f1f4f7; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1.2rem; background: #fff; color: var(--ink);
  font: 13px/1.36 system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
h1 { margin: 0 0 .1rem; font-size: 1.7rem; letter-spacing: -.01em; }
h2 { break-after: avoid; margin: .8rem 0 .25rem; font-size: 1.02rem; border-bottom: 2px solid var(--ink); }
p { margin: .2rem 0; }
.under { color: var(--soft); }
.columns { column-count: 2; column-gap: 1.6rem; }
.keep, li, tr, dd { break-inside: avoid; }
.columns > section:first-child > h2 { margin-top: 0; }
.questions { margin: 0; padding: 0; list-style: none; }
.questions li { padding: .22rem 0; border-bottom: 1px solid var(--line); }
.questions b { display: block; }
th[scope=row] { white-space: nowrap; font-weight: 600; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .2rem .4rem .2rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: middle; }
thead th { font-size: .85em; font-weight: 600; color: var(--soft); }
.swatch { display: inline-block; width: 1em; height: 1em; border-radius: 50%; border: 1px solid var(--ink);
  vertical-align: -.12em; margin-right: .4em; }
svg { display: block; width: 100%; height: .62rem; }
.words { font-size: .92em; color: var(--soft); }
ul.legend { margin: .3rem 0 0; padding-left: 1.1rem; }
kbd { font: 700 .86em/1.2 inherit; font-family: inherit; border: 1px solid var(--ink); border-radius: 4px; padding: 0 .3em;
  white-space: nowrap; background: var(--band); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .22rem .6rem; margin: 0; }
dd { margin: 0; }
footer { margin-top: .6rem; color: var(--soft); font-size: .88em; }
@media (max-width: 45rem) { .columns { column-count: 1; } }
@media print {
  @page { margin: 10mm 12mm; }
  body { max-width: none; padding: 0; font-size: 8.6pt; line-height: 1.28; }
  .columns { column-count: 2; column-gap: 7mm; }
  .swatch, svg, kbd { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""


def sheet_html(game: str, language: str = "en") -> str:
    """The cheat sheet of a game as one self-contained HTML page. Raises GridglowError for an unknown game or
    language."""
    if game not in games.NAMES:
        raise GridglowError(f"There is no game {game!r}{nearest(game, games.NAMES)}.")
    if language not in LANGUAGES:
        raise GridglowError(f"There is no language {language!r}; expected one of {', '.join(LANGUAGES)}.")
    texts = read_language(language)
    name = texts[f"{game}.name"]

    def say(key: str) -> str:
        return html.escape(texts[f"sheet.{key}"])

    parts = [
        "<!doctype html>", f'<html lang="{language}">', '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{html.escape(name)} – {say('title')}</title>", f"<style>{STYLE}</style>", "<main>",
        f"<h1>{html.escape(name)}</h1>", f'<p class="under">Gridglow · {say("title")}</p>', '<div class="columns">',
        "<section>",
        f"<h2>{say('turn')}</h2>", f'<p class="words">{say("turn_more")}</p>', *_questions(game, texts), "</section>",
        '<section class="keep">', f"<h2>{say('lights')}</h2>", *_cars(game, texts, palette()), *_legend(game, texts),
        "</section>",
        '<section class="keep">', *_dials(game, texts), f"<h2>{say('keys')}</h2>", "<dl>",
        *(f"<dt>{' '.join(f'<kbd>{key}</kbd>' for key in keys.split())}</dt><dd>{say('key_' + what)}</dd>"
          for keys, what in KEYS),
        "</dl>", f"<footer>{say('more')}</footer>", "</section>", "</div>", "</main>", "</html>",
    ]
    return "\n".join(parts) + "\n"


def _questions(game: str, texts: dict[str, str]) -> list[str]:
    """Each question of the game with the board's explanation, in the order of the text file: that of a race."""
    rows = ['<ol class="questions">']
    for key, sentence in texts.items():
        why = texts.get(f"{key}_teach")
        if key.startswith(f"{game}.ask_") and why:
            question = filled(sentence, "…" * 10).replace("….", "…")
            rows.append(f"<li><b>{html.escape(question)}</b> {html.escape(why)}</li>")
    return [*rows, "</ol>"]


@cache
def cars_of(game: str) -> tuple[tuple, ...]:
    """(car, seat, text key, colour word, rhythm) of every car in the fullest race of a game."""
    about = games.about(game)
    most: tuple[tuple, ...] = ()
    for seats in range(about.SEATS[1], about.SEATS[0] - 1, -1):
        for source in list_tracks(game):
            try:
                start = race_setup(game, about.VARIANTS[0], source.id, seats=seats, bots="all", seed="sheet")
            except GridglowError:
                continue
            return tuple(tuple(row) for row in Race(start.setup, start.track.track).game.cars())
    return most


def _cars(game: str, texts: dict[str, str], lights: Palette) -> list[str]:
    rows = [f"<table><thead><tr><th scope=\"col\">{html.escape(texts['sheet.car'])}</th><th scope=\"col\">"
            f"{html.escape(texts['sheet.light'])}</th></tr></thead><tbody>"]
    for _, _, key, word, rhythm in cars_of(game):
        colour = lights.screen_colour(word)
        words = texts[f"board.rhythm_{rhythm & 7}"]
        if texts[f"board.light_{word}"] not in texts[key].lower():  # the black car's light is white
            words = f"{texts[f'board.light_{word}']}: {words}"
        rows.append(f'<tr><th scope="row"><span class="swatch" style="background:{colour}"></span>'
                    f"{html.escape(texts[key])}</th><td>{_beat(lights.rhythms[rhythm & 7], colour)}"
                    f'<span class="words">{html.escape(words)}</span></td></tr>')
    return [*rows, "</tbody></table>"]


def _beat(steps: tuple[bool, ...], colour: str) -> str:
    """A rhythm as a band: high when the light is bright, low when it's dim."""
    way = "".join(f"V{.5 if high else 5}H{at + 1}" for at, high in enumerate(steps))
    return (f'<svg viewBox="0 0 {len(steps)} 8" preserveAspectRatio="none" aria-hidden="true"><path d="M0 7.5{way}V7.5Z" '
            f'fill="{colour}" stroke="#14202b" stroke-width="1" vector-effect="non-scaling-stroke"/></svg>')


def _legend(game: str, texts: dict[str, str]) -> list[str]:
    sentences = [texts[f"board.legend_{what}"] for what in LEGEND]
    for at, word in enumerate(sorted(word for word, _ in games.load(game).MARK_COLOURS)):
        sentence = texts["board.legend_dips" if at else "board.legend_mark"]
        sentences.append(filled(sentence, [texts[f"{game}.mark_{word}"]]))
    return ['<ul class="legend">', *(f"<li>{html.escape(sentence)}</li>" for sentence in sentences), "</ul>"]


def _dials(game: str, texts: dict[str, str]) -> list[str]:
    """The names of a panel's dials, with their short names on the display."""
    found = [(texts[key], texts.get(f"{key}_short", "")) for key in texts
             if key.startswith(f"{game}.dial_") and not key.endswith("_short")]
    if not found:
        return []
    said = ", ".join(f"{html.escape(name)}{f' ({html.escape(short)})' if short else ''}" for name, short in found)
    return [f"<h2>{html.escape(texts['sheet.dials'])}</h2>", f"<p>{said}</p>"]
