"""What the log says about an answer: in every game and language a sentence, without words of the rules' own notation."""

import re

import golden_races
import pytest

from glow.texts.speech import Speech
from glow.texts.texts import Texts
from gridglow.texts import pack_language
from gridglow.tracks import load_track
from shared_rules import games
from shared_rules.journal import JournalLine
from shared_rules.journal_file import Journal
from shared_rules.race import Race
from shared_rules.setup import Setup

#: Words of the notation that are also ordinary words of the language.
GOOD = {"en": {"pass", "show", "leave", "shift", "up", "down", "dice", "table", "order", "bet", "cost", "numbers", "colours",
               "retire", "fast", "slow", "average"},
        "de": set()}
#: Answers that rarely appear in a journal.
MORE = {"moto_grand_prix": ["discard 1", "correct 4 flip none", "correct 4 roll 3 5"],
        "ausgebremst": ["play 3 finish", "pick slow"]}


def answers(game):
    """(a race of the game, every different answer of all its golden races)."""
    races = [race for race in golden_races.wanted() if race[0] == game]
    found = set(MORE.get(game, ()))
    for race in races:
        journal = Journal.parse(golden_races.file_of(*race).read_text("utf-8"))
        found |= {line.text for line in journal.lines}
    track = load_track(races[-1][2]).track
    return Race(Setup.from_plain(journal.plain, track), track), sorted(found)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", games.NAMES)
def test_every_answer_of_the_golden_races_is_a_sentence(game, language, tmp_path):
    (tmp_path / "words.pack").write_bytes(pack_language(language))
    texts = Texts(str(tmp_path / "words.pack"))
    speech = Speech(texts)
    race, answered = answers(game)
    speech.take_race(race)
    raw = []
    for text in answered:
        said = speech.line(JournalLine(1, text, False, "0", None), 0, opened=True)
        for word in text.split():
            named = any(texts.has(f"{game}.{kind}_{word}") for kind in ("card", "car", "upgrade"))
            if word.isalpha() and not named and race.track.named(word) < 0 and word not in GOOD[language]:
                raw += [(text, said)] if re.search(rf"(?<!\w){word}(?!\w)", said) else []
    assert len(answered) > 5 and raw == []
