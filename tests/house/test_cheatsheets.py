"""The cheat sheets: the kept ones are what the board's texts and palette produce, and each fits on one sheet."""

import io
import sys
from pathlib import Path

import pypdf
import pytest
from click.testing import CliRunner

from browser import chromium, page  # noqa: F401 (fixtures)
from glow.lights.colours import rgb
from glow.lights.effects import RHYTHMS
from gridglow.cli.main import main
from gridglow.palette import palette
from gridglow.races.cheatsheets import LANGUAGES, cars_of, sheet_html
from gridglow.races.trials import trials
from gridglow.texts import read_language
from shared_rules import games

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "cheatsheets"
SHEETS = [(game, language) for game in games.NAMES for language in LANGUAGES]


def file_of(game, language):
    return FOLDER / f"{game}.{language}.html"


@pytest.mark.parametrize(("game", "language"), SHEETS)
def test_the_kept_sheet_is_what_texts_and_palette_make(game, language):
    assert file_of(game, language).read_text(encoding="utf-8") == sheet_html(game, language), (
        "renew the cheat sheets: python tests/house/test_cheatsheets.py")


def test_the_palette_is_the_firmwares():
    found = palette()
    for word, levels in found.levels.items():
        assert bytes(levels) == rgb(word)
    assert len(found.levels) == len(found.rhythms) == 8
    for number, steps in enumerate(found.rhythms):
        assert [level == 255 for level in RHYTHMS[32 * number:32 * number + 32]] == list(steps)
    assert found.screen_colour("red").startswith("#ff") and found.screen_colour("blue") == "#0000ff"


@pytest.mark.parametrize("game", games.NAMES)
def test_a_sheet_has_each_question_each_car_and_each_key(game):
    for language in LANGUAGES:
        texts = read_language(language)
        text = sheet_html(game, language)
        questions = [key for key in texts if key.startswith(f"{game}.ask_") and f"{key}_teach" in texts]
        assert len(questions) >= trials(game).QUESTIONS and text.count("<li><b>") == len(questions)
        assert all(texts[f"{key}_teach"].split("'")[0] in text for key in questions)
        assert text.count("<svg") == len(cars_of(game)) >= 4
        assert all(f"<kbd>{key}</kbd>" in text for key in ("PREV", "NEXT", "OK", "UNDO", "WHY", "MENU"))


def test_every_sheet_prints_on_one_page_of_a4_and_letter(page):
    for game, language in SHEETS:
        page.goto(file_of(game, language).as_uri())
        for paper in ("A4", "Letter"):
            pages = pypdf.PdfReader(io.BytesIO(page.pdf(format=paper, print_background=True))).pages
            assert len(pages) == 1 and len(pages[0].extract_text()) > 800, (game, language, paper)


def test_the_command_writes_one(tmp_path):
    path = tmp_path / "sheet.html"
    done = CliRunner().invoke(main, ["cheatsheet", "racing_rules", "--language", "de", "--out", str(path)])
    assert done.exit_code == 0 and path.read_text(encoding="utf-8") == sheet_html("racing_rules", "de")
    assert CliRunner().invoke(main, ["cheatsheet", "chess"]).exit_code != 0


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for one in SHEETS:
        file_of(*one).write_text(sheet_html(*one), encoding="utf-8")
    print(f"{len(SHEETS)} cheat sheets are in {FOLDER}", file=sys.stderr)
