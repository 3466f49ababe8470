"""The only source of chance: a generator with several streams, fair dice and fair shuffles.

The generator is sfc16 (Chris Doty-Humphrey's "small fast chaotic" with 16-bit words): no step of
it exceeds 2**22, so a Pico never allocates a large integer for it. A stream is
seeded by SHA-256 of the race's seed and the stream's name: the dice say nothing about the order
of the cards.
"""

import hashlib


class Chance:
    """One stream of chance.

    The same seed and stream name give the same sequence on every interpreter.
    """

    def __init__(self, seed, stream):
        words = hashlib.sha256((seed + "/" + stream).encode()).digest()
        self._words = [words[i] | (words[i + 1] << 8) for i in (0, 2, 4, 6)]
        for _ in range(12):
            self._next16()

    @classmethod
    def at(cls, state):
        """The stream that ``state()`` described."""
        chance = cls("", "")
        chance._words = [int(w) & 0xFFFF for w in state]
        return chance

    def state(self):
        """Four 16-bit ints, which determine everything to come."""
        return list(self._words)

    def _next16(self):
        a, b, c, count = self._words
        out = (a + b + count) & 0xFFFF
        self._words = [
            b ^ (b >> 5),
            (c + (c << 3)) & 0xFFFF,
            (((c << 6) | (c >> 10)) + out) & 0xFFFF,
            (count + 1) & 0xFFFF,
        ]
        return out

    def below(self, n):
        """An int from 0 to n - 1, each equally likely (rejection sampling); 1 <= n <= 65536."""
        top = 65536 - 65536 % n
        while True:
            word = self._next16()
            if word < top:
                return word % n

    def die(self, faces):
        """One of ``faces``."""
        return faces[self.below(len(faces))]

    def shuffle(self, cards):
        """Shuffles the list in place (Fisher-Yates)."""
        for i in range(len(cards) - 1, 0, -1):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]


def seal(seed, salt):
    """What a public journal shows instead of the seed: 64 hex characters.

    The salt keeps a short seed from being guessed.
    """
    digest = hashlib.sha256((seed + ":" + salt).encode()).digest()
    return "".join(["%02x" % byte for byte in digest])
