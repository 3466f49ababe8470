"""Nothing of a bet leaves the board before it is scored, except to its owner: all outputs of races that
differ only in hidden things are compared, and the public ones are searched and guessed at."""

import itertools
import random
from binascii import crc32

import pytest
import secrecy
from racing import copied
from secrecy import SALT, SEED

from shared_rules.chance import seal
from shared_rules.games.full_throttle import data

CARDS = data.words("".join(chr(97 + kind) for kind in range(18)))


@pytest.fixture(scope="module")
def flash(tmp_path_factory):
    return secrecy.flash(tmp_path_factory, "full_throttle")


def evening_of(flash, folder, seats, **more):
    """An Evening on track A."""
    return secrecy.Evening(flash, folder, seats, game="full_throttle", track="track-a", **more)


def play(evening, rounds, which):
    """Plays this many rounds; ``which(prompt, options)`` makes the hidden choices."""
    hidden = []
    while evening.app.race.game.round <= rounds and not evening.app.race.over:
        prompt = evening.app.race.prompts[0]
        text = which(prompt, prompt.options()) if prompt.secret else "draw"
        if prompt.secret:
            hidden.append((prompt.seat, text))
        evening.answer(text)
    return hidden


@pytest.mark.parametrize(("seats", "rounds"), [(2, 5), (3, 5), (4, 4)])
def test_whatever_is_chosen_everybody_sees_the_same(flash, tmp_path, seats, rounds):
    """LEDs, display, sounds, messages, journal, standings, dials, log: byte by byte, tick by tick."""
    evenings, hidden = [], []
    for at, which in enumerate((lambda _, options: options[0], lambda _, options: options[-1])):
        evenings.append(evening_of(flash, tmp_path / str(at), seats))
        hidden.append(play(evenings[-1], rounds, which))
    first, second = evenings
    assert hidden[0] != hidden[1] and len(hidden[0]) == len(hidden[1]) >= rounds * seats
    secrecy.same(first, second)
    assert first.app.race.digest() != second.app.race.digest()


def test_nothing_hidden_is_in_anything_public(flash, tmp_path):
    evening = evening_of(flash, tmp_path / "flash", 3)
    hidden = play(evening, 6, lambda _, options: options[len(options) // 2])
    race = evening.app.race
    texts = [evening.public(), race.journal(), str(evening.app.events), str(evening.app.faults)]
    for text in texts:
        for word in ("bet ", "order ", "discard ", "in_hand", "Hand:", "Bets:", SEED, SALT, race.digest()):
            assert word not in text, f"{word!r} is public"
        for _, answer in hidden:
            assert answer not in text
    assert "Player 1 has chosen in secret." in texts[0] and "sealed" in texts[1]
    dials = [message["dials"] for message in evening.hal.sent if message["t"] == "scene"][-1]
    assert dials == [[seat, 0, "Bets", 6, race.game.most_bets()] + dials[0][5:] for seat in (1, 2, 3)]


def test_a_page_gets_its_own_cards_alone(flash, tmp_path):
    """A view holds its own seat's bets, and a hand only while its seat is asked for it."""
    evening = evening_of(flash, tmp_path / "flash", 3)
    kept = {1: [], 2: [], 3: []}

    def choose(prompt, options):
        hand = evening.app.race.game.hand
        evening.say({"t": "view", "seat": prompt.seat})
        evening.run(20)
        view = evening.views[prompt.seat][-1]
        assert view["prompt"]["choices"] == options
        assert any(line.startswith("Hand: ") for line in view["private"])
        for other in (1, 2, 3):
            if other != prompt.seat:
                evening.say({"t": "view", "seat": other})
                evening.run(20)
                view = evening.views[other][-1]
                assert view["prompt"] is None
                assert not any(line.startswith("Hand: ") for line in view["private"])
                assert view["private"] == ([] if not kept[other] else ["Bets: " + told(kept[other])])
        assert data.words(data.different(hand)) == [text[4:] for text in options] or not options[0].startswith("bet")
        text = options[0]
        if text.startswith("bet"):
            kept[prompt.seat].append(text[4:])
        return text

    play(evening, 3, choose)
    assert all(len(cards) == 3 for cards in kept.values())
    assert evening.app.race.view(0)["private"] == evening.app.race.view(9)["private"] == []


def told(cards):
    """How a seat reads its bets."""
    kinds = sorted({card.rpartition("-")[0] for card in cards}, key=list(data.MOPEDS).index)
    counts = [sum(card.startswith(kind + "-") for card in cards) for kind in kinds]
    return ", ".join(f"{kind.capitalize()} x{count}" for kind, count in zip(kinds, counts, strict=True))


def test_bets_are_not_guessed_from_digests_and_seals(flash, tmp_path):
    """Each public digest is compared with a CRC of the answers that one could guess, over everything public:
    no guess fits; nor does the seal reveal a known seed."""
    evening = evening_of(flash, tmp_path / "flash", 2)
    known = []
    race = evening.app.race
    before = race.public_digest()

    def choose(prompt, options):
        nonlocal before
        before = race.public_digest()
        known.append((prompt.seat, options[0], before))
        return options[0]

    while race.game.round < 3:
        prompt = race.prompts[0]
        secret = prompt.secret
        evening.answer(choose(prompt, prompt.options()) if secret else "draw")
        if secret and race.game.round == 1:
            seat, text, crc = known[-1]
            after = int(race.public_digest(), 16)
            guesses = ["bet " + card for card in CARDS] + ["discard " + card for card in CARDS]
            guesses += ["order " + " ".join(cards) for cards in itertools.permutations(text.split(" ")[1:])]
            assert text in guesses or text.startswith("order")
            for guess in guesses:
                assert crc32(f"{seat} {guess}\n".encode(), int(crc, 16)) != after, f"{guess!r} is guessed"
            assert crc32(f"{seat} sealed\n".encode(), int(crc, 16)) == after or text.startswith("order")
    told = [message["seed_hash"] for message in evening.hal.sent if message["t"] == "race" and message["seed_hash"]]
    assert set(told) == {seal(SEED, SALT)}
    for salt in ("", "0", SEED, "salt", told[0]):
        assert seal(SEED, salt) not in told
    public = evening.public() + race.journal()
    streams = [str(part) for part in (race._dice.state(), race._deal.state())]
    assert not [stream for stream in streams if stream in public]


def test_the_deck_shows_in_no_digest(flash, tmp_path):
    """Decks in every order, rows and bets of all kinds: one public digest."""
    evening = evening_of(flash, tmp_path / "flash", 3)
    play(evening, 2, lambda _, options: options[0])
    race = evening.app.race
    digests, fulls = set(), set()
    for deck in (race.game.deck, race.game.deck[::-1], "".join(sorted(race.game.deck)), ""):
        for bets in (["a", "b", "c"], ["c", "r", "d"]):
            copy = copied(race)
            copy.game.deck, copy.game.bets, copy.game.row = deck, bets, bets[0] * 2
            copy.ring = []
            copy._mark_boundary()
            digests.add(copy.public_digest())
            fulls.add(copy.digest())
    assert len(digests) == 1 and len(fulls) == 8


# The one display

def test_hidden_cards_show_only_while_the_button_of_their_seat_is_held(flash, tmp_path):
    evening = evening_of(flash, tmp_path / "flash", 2, pace="normal")
    hal, table = evening.hal, evening.app.table
    while not evening.app.race.prompts[0].secret:
        evening.press(2, "OK")
        evening.rest()
    seat = evening.app.race.prompts[0].seat
    other = 3 - seat
    evening.run(4000)
    assert evening.shows("Player %d has a hidden choice. Hold WHY to see it." % seat) and not hal.display.private
    hal.edge(other, "WHY", 1)                      # somebody else's button shows nothing
    evening.run(300)
    assert not hal.display.private and "Hand" not in hal.display.text()
    hal.edge(other, "WHY", 0)
    evening.run(5000)
    hal.edge(seat, "WHY", 1)
    evening.run(300)
    assert hal.display.private == seat and "Hand: " in hal.display.text() and evening.shows("> Bet on ")
    shown = hal.display.text()
    evening.press(seat, "NEXT")
    assert hal.display.private == seat and hal.display.text() != shown
    evening.press(seat, "OK")
    evening.run(400)
    assert hal.display.private == 0 and "Hand" not in hal.display.text(), "the next seat's cards must not be shown unasked"
    hal.edge(seat, "WHY", 0)
    evening.run(300)
    assert evening.app.race.line(evening.app.race.lines).secret and table is evening.app.table
    public = [lines for _, lines, _ in [row for row in evening.out if isinstance(row, tuple)]]
    assert ("hidden", seat) in public and not [lines for lines in public if "Hand: " in " ".join(map(str, lines))]


def test_a_whole_race_on_the_one_display_by_keys_alone(flash, tmp_path):
    evening = evening_of(flash, tmp_path / "flash", 3, laps=1)
    hal, app, race = evening.hal, evening.app, evening.app.race
    turns = random.Random(3)
    hidden = 0
    while app.state == "race":
        prompt, lines = race.prompts[0], race.lines
        seat = prompt.seat or 1
        if prompt.secret:
            hidden += 1
            assert not hal.display.private
            hal.edge(seat, "WHY", 1)
            evening.run(200)
            assert hal.display.private == seat
            for _ in range(turns.randrange(len(prompt.options()))):
                evening.press(seat, "NEXT")
        evening.press(seat, "OK")
        if prompt.secret:
            hal.edge(seat, "WHY", 0)
        evening.rest()
        assert race.lines > lines or app.state != "race", (prompt.ask, hal.display.text())
    assert race.over and app.state == "podium" and hidden > 12
    for lines in [one[1] for one in evening.out if isinstance(one, tuple)]:
        assert lines[0] == "hidden" or not any("Hand: " in str(line) for line in lines)


def test_bets_can_be_looked_at_again_at_any_time(flash, tmp_path):
    evening = evening_of(flash, tmp_path / "flash", 3)
    play(evening, 2, lambda _, options: options[0])
    hal = evening.hal
    assert evening.app.race.prompts[0].kind == "draw"
    for seat in (3, 1):
        evening.press(seat, "MENU")
        evening.press(seat, "NEXT")
        assert evening.shows(">My cards")
        evening.press(seat, "OK")
        assert evening.shows("Player %d's cards. Hold WHY to see them." % seat) and not hal.display.private
        hal.edge(4 - seat, "WHY", 1)               # another seat's button
        evening.run(200)
        assert not hal.display.private
        hal.edge(4 - seat, "WHY", 0)
        hal.edge(seat, "WHY", 1)
        evening.run(200)
        wanted = "Bets: " + told(data.words(evening.app.race.game.bets[seat - 1]))
        assert hal.display.private == seat and evening.shows(wanted)
        hal.edge(seat, "WHY", 0)
        evening.run(200)
        assert not hal.display.private and "Bets" not in hal.display.text()
        evening.press(seat, "OK")
        evening.press(seat, "MENU")
        evening.run(200)
    assert "Bets: " not in evening.public()


def test_at_the_podium_all_is_told_and_the_seal_is_proven(flash, tmp_path):
    evening = evening_of(flash, tmp_path / "flash", 2, laps=1)
    sealed = evening.app.race.journal()
    play(evening, 99, lambda _, options: options[0])
    race = evening.app.race
    evening.run(3000)
    assert race.over and evening.app.state == "podium"
    text = race.journal()
    assert f"seed: {SEED} {SALT}" in text and "bet " in text and "sealed" not in text
    assert "sealed: " + seal(SEED, SALT) in sealed and "start: [" in sealed
