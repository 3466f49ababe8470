"""The generator: the same everywhere, small enough for a board, fair enough for a table."""

import subprocess
from pathlib import Path

import pytest

from shared_rules.chance import Chance, seal

# Written down once; changing any of them breaks every journal ever kept.
DICE = [2, 6, 3, 3, 5, 3, 6, 1, 5, 5, 3, 1]
STATE = [15554, 53598, 11338, 61183]
DECK = [8, 10, 7, 15, 3, 2, 6, 9, 19, 5, 16, 0, 12, 18, 4, 1, 14, 13, 17, 11]
SEAL = "c4fbe7d8b21f4cdf1ef9346730f18dbcae85f66c8c926a8b3c7fb22115b89622"
SUM = 1012581

PROGRAM = """
import sys
sys.path.insert(0, %r)
from shared_rules.chance import Chance, seal
chance = Chance("gridglow", "dice")
print([chance.die((1, 2, 3, 4, 5, 6)) for _ in range(12)], chance.state())
deck = list(range(20))
Chance("gridglow", "deal").shuffle(deck)
print(deck, seal("gridglow", "salt"))
chance = Chance("x", "y")
print(sum([chance.below(n) for n in range(1, 2000)]))
"""


def test_fixed_numbers():
    chance = Chance("gridglow", "dice")
    assert [chance.die((1, 2, 3, 4, 5, 6)) for _ in DICE] == DICE
    assert chance.state() == STATE
    deck = list(range(20))
    Chance("gridglow", "deal").shuffle(deck)
    assert deck == DECK
    assert seal("gridglow", "salt") == SEAL


def test_the_same_numbers_on_micropython(micropython):
    program = PROGRAM % str(Path(__file__).resolve().parents[2])
    done = subprocess.run([micropython, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines() == [f"{DICE} {STATE}", f"{DECK} {SEAL}", str(SUM)], done.stderr


def test_goes_on_from_its_state():
    chance = Chance("a", "b")
    for _ in range(37):
        chance.below(6)
    other = Chance.at(chance.state())
    assert [chance.below(1000) for _ in range(50)] == [other.below(1000) for _ in range(50)]


def test_streams_and_seeds_are_their_own():
    first = [Chance(seed, stream).state() for seed in ("1", "2", "") for stream in ("dice", "deal", "bots/1/0")]
    assert len({tuple(state) for state in first}) == len(first)


@pytest.mark.parametrize("faces", [2, 3, 6, 7, 10, 52])
def test_dice_are_fair(faces):
    rolls = 6000 * faces // 6
    counts = [0] * faces
    chance = Chance("fair", "dice")
    for _ in range(rolls):
        counts[chance.below(faces)] += 1
    expected = rolls / faces
    chi_square = sum((count - expected) ** 2 / expected for count in counts)
    # Mean faces - 1, deviation sqrt(2 (faces - 1)): five of these is a loose bound.
    assert chi_square < faces - 1 + 5 * (2 * (faces - 1)) ** 0.5


def test_neighbouring_rolls_and_seeds_are_independent():
    pairs = [0] * 36
    chance = Chance("pairs", "dice")
    for _ in range(7200):
        pairs[chance.below(6) * 6 + chance.below(6)] += 1
    for seed in range(3600):
        pairs[Chance(str(seed), "dice").below(6) * 6 + Chance(str(seed + 1), "dice").below(6)] += 1
    expected = 10800 / 36
    assert sum((count - expected) ** 2 / expected for count in pairs) < 35 + 5 * 70 ** 0.5


def test_every_order_of_a_deck_is_equally_likely():
    counts = {}
    chance = Chance("orders", "deal")
    for _ in range(4800):
        deck = [1, 2, 3, 4]
        chance.shuffle(deck)
        counts[tuple(deck)] = counts.get(tuple(deck), 0) + 1
    assert len(counts) == 24
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 23 + 5 * 46 ** 0.5


class Small(int):
    """An int that fails where a board would have to allocate one."""


def _guarded(name):
    plain = getattr(int, name)

    def work(self, other):
        value = plain(self, int(other))
        assert -2**30 < value < 2**30, f"{name} gives {value}"
        return Small(value)
    return work


for _name in ("__add__", "__sub__", "__mul__", "__mod__", "__and__", "__or__", "__xor__", "__lshift__", "__rshift__",
              "__radd__", "__rsub__", "__rand__", "__ror__", "__rxor__"):
    setattr(Small, _name, _guarded(_name))


def test_nothing_exceeds_a_small_int():
    for start in ([65535] * 4, [0] * 4, [65535, 0, 65535, 0], Chance("s", "t").state()):
        chance = Chance("", "")
        chance._words = [Small(word) for word in start]
        plain = Chance.at(start)
        for n in (1, 2, 6, 65535, 65536, 40000):
            for _ in range(50):
                assert chance.below(n) == plain.below(n)


def test_one_and_the_whole_range():
    chance = Chance("x", "y")
    assert {chance.below(1) for _ in range(20)} == {0}
    assert all(0 <= chance.below(65536) < 65536 for _ in range(200))
    empty = []
    chance.shuffle(empty)
    assert empty == []
