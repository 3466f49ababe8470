"""Cards at the table: a large deck is picked in two steps, and cards have names."""

from glow.table.pick import CardPick, WheelPick, make
from glow.texts.texts import Names, Texts
from gridglow.texts import pack
from shared_rules.prompts_cards import Draw

CARDS = ["ahead-1", "ahead-2", "back-3", "back-red", "nothing", "extra-turn", "swap-1", "swap-2", "swap-3"]

TEXTS = """
[game]
card_ahead = "{0} ahead"
card_back = "back to {0}"
card_nothing = "nothing"
card_extra_turn = "another turn"
card_swap = "Swap"
colour_red = "Red"
"""


def pick_of(cards, count=1):
    prompt = Draw(1, cards, "game.ask", count=count)
    prompt.source = "table"
    return make(prompt, None, -1)


def test_the_kind_comes_first_then_the_number():
    pick = pick_of(CARDS)
    assert isinstance(pick, CardPick) and pick.counts() == (1, 5)
    for _ in range(4):
        pick.move(1)
    assert pick.ok() is None and pick.counts() == (1, 3)
    pick.move(-1)
    assert pick.ok() == "draw swap-3"
    assert pick.back() and not pick.back() and pick.counts() == (5, 5)


def test_a_card_alone_of_its_kind_needs_no_second_step():
    pick = pick_of(CARDS)
    pick.move(1)
    pick.move(1)
    assert pick.words() == ["nothing"] and pick.ok() == "draw nothing"
    pick.move(1)
    assert pick.ok() == "draw extra-turn"


def test_few_cards_and_several_at_once_stay_on_wheels():
    assert type(pick_of(CARDS[:8])) is WheelPick
    assert type(pick_of(CARDS, 2)) is WheelPick
    assert pick_of(list(range(1, 12))).ok() == "draw 1"


def test_names_of_cards(tmp_path):
    (tmp_path / "en.toml").write_text(TEXTS, encoding="utf-8")
    (tmp_path / "en.pack").write_bytes(pack(tmp_path / "en.toml"))
    texts = Texts(str(tmp_path / "en.pack"))
    names = Names(texts, [], [], "game")
    assert [names.card(word) for word in ("ahead-2", "back-red", "nothing", "extra-turn", "swap-3", "odd-1", "7")] == [
        "2 ahead", "back to Red", "nothing", "another turn", "Swap 3", "odd-1", "7"]
    assert texts.spell("cards:ahead-1 swap-2", names) == "1 ahead, Swap 2"
