"""Every string that a player reads, from the text pack on flash: looked up by key, never held in the heap.

A missing key is shown as itself and counted; with a missing or damaged pack all keys are. Nothing raises.

The pack (numbers big-endian): "GGTX", format (1 byte), 0, count (2 bytes), size of everything that follows
(4), its CRC-32 (4); then `count` entries of 8 bytes, sorted: CRC-32 of the key (4), offset of its record from
the start of the file (4); then the records: length of the key (1), key, length of the text (2), text in UTF-8.
"""

import binascii

MAGIC = b"GGTX"
FORMAT = 1
HEAD_BYTES = 16
ENTRY_BYTES = 8
#: Shown when there are no texts: no text could say it.
NO_TEXTS = "The text file can't be read; keys replace sentences. Run gridglow sync."

# What the display has besides ASCII.
KEPT = "äöüÄÖÜßéèêÉàâçñ"


def readable(text):
    """The text in characters that the display has: ASCII and those of KEPT. Others are replaced by similar ones or "?"."""
    if not text or (min(text) >= " " and max(text) <= "~"):
        return text
    out = []
    for letter in text:
        if " " <= letter <= "~" or letter in KEPT:
            out.append(letter)
        elif "\u0300" <= letter <= "\u036f":
            continue  # a combining accent
        else:
            from glow.texts.letters import like  # loaded when a text has such letters
            out.append(like(letter))
    return "".join(out)


def wrap(text, width=21, lines=0):
    """The text as a list of lines of at most `width` characters, broken between words where possible.

    With `lines` above 0, there are at most that many; if the text is longer, the last one ends in "..".
    """
    found = []
    line = ""
    for word in readable(text).split(" "):
        if not word:
            continue
        while len(word) > width:
            room = width - len(line) - 1 if line else width
            if line and room < 4:
                found.append(line)
                line = ""
                continue
            found.append(line + " " + word[:room] if line else word[:room])
            word = word[room:]
            line = ""
        if not line:
            line = word
        elif len(line) + 1 + len(word) <= width:
            line += " " + word
        else:
            found.append(line)
            line = word
    if line:
        found.append(line)
    if lines and len(found) > lines:
        last = found[lines - 1]
        found = found[:lines]
        found[-1] = last[: width - 2].rstrip() + ".."
    return found


def fit(left, right, width=21):
    """One line of `width` characters with `right` at its right edge; `left` is cut to the remaining room."""
    left = readable(left)
    right = readable(right)[:width]
    room = width - len(right) - (1 if right else 0)
    if room <= 0:
        return right
    left = left[:room]
    return left + " " * (width - len(left) - len(right)) + right


class Names:
    """The names of cars, players and cards that sentences mention.

    `cars` are rows [car, seat, name key, colour, rhythm], `players` rows [kind, name] in seat
    order; `game` is the text section that names the cards.
    """

    def __init__(self, texts, cars, players, game=""):
        self._game = game
        self._texts = texts
        self._cars = cars
        self._players = players

    def car(self, number):
        """A car's name; its number if it has none."""
        for row in self._cars:
            if row[0] == number:
                return self._texts.get(row[2])
        return str(number)

    def seat(self, number):
        """The name of a seat's player; the seat's number if it has none."""
        if 1 <= number <= len(self._players) and self._players[number - 1][1]:
            return self._players[number - 1][1]
        return str(number)

    def card(self, word):
        """What a card is called: "red-3" by the text `card_red_3`, else by `card_red`, with the 3 as its argument if
        the text takes one, otherwise behind it. A word such as the "red" of "back-red" may have a text `colour_red`."""
        name, _, more = word.rpartition("-")
        key = self._game + ".card_" + word.replace("-", "_")
        if not self._texts.has(key):
            key = self._game + ".card_" + name.replace("-", "_")
            if not name or not self._texts.has(key):
                key = self._game + ".colour_" + name
                if not name or not self._texts.has(key):
                    return word
            if self._texts.has(self._game + ".colour_" + more):
                more = self._texts.get(self._game + ".colour_" + more)
            if "{" not in self._texts.get(key):
                return self._texts.get(key) + " " + more
        return self._texts.format(key, (more,))

    def cards(self, words):
        """The names of several cards, with commas."""
        return ", ".join([self.card(word) for word in words.split(" ")])

    def heads(self, words):
        """How many of these cards there are of each kind, ignoring what follows the hyphen: "Red x2, Blue x1"."""
        kinds = [word.rpartition("-")[0] for word in words.split(" ") if word]
        said = [self.card(kind + "-x%d" % kinds.count(kind)) for at, kind in enumerate(kinds) if kind not in kinds[:at]]
        return ", ".join(said) or "-"


class Texts:
    """The texts in the pack at `path`, or in one that is already open. If it can't be read, `fault`
    is the sentence that says so, and every key is shown as itself."""

    cache_size = 24
    block_entries = 64  # read at once while searching

    def __init__(self, path):
        self.missing = 0  # keys asked for and not found
        self._file = None
        self.open(path)

    def open(self, path):
        """Use another pack's texts from now on."""
        self.close()
        self.fault = ""
        try:
            self._file = open(path, "rb") if isinstance(path, str) else path
            self.count = _checked(self._file)
        except (OSError, ValueError):
            self.fault = NO_TEXTS
            self.close()

    def close(self):
        """Close the file; all keys are then shown as themselves."""
        self.count = 0
        self._cache = []
        if self._file is not None:
            self._file.close()
            self._file = None

    def has(self, key):
        """Whether the pack has this key."""
        return self._find(key) is not None

    def get(self, key):
        """The text of a key; the key itself if there is none."""
        text = self._find(key)
        if text is None:
            self.missing += 1
            return key
        return text

    def _find(self, key):
        for known, text in self._cache:
            if known == key:
                return text
        text = None
        if self.count:
            try:
                text = self._read(key)
            except (OSError, ValueError, IndexError):
                self.fault = NO_TEXTS
        if len(self._cache) >= self.cache_size:
            self._cache.pop(0)
        self._cache.append((key, text))  # a missing key is worth remembering too
        return text

    def _read(self, key):
        name = key.encode()
        wanted = (binascii.crc32(name) & 0xFFFFFFFF).to_bytes(4, "big")
        half = self.block_entries // 2
        low = max(0, ((wanted[0] << 8 | wanted[1]) * self.count >> 16) - half)  # CRCs are spread evenly
        high = min(self.count, low + 2 * half)
        block = self._block(low, high)
        if wanted < block[:4] or wanted > block[-ENTRY_BYTES:-4]:
            low = 0
            high = self.count
            while high - low > self.block_entries:
                middle = (low + high) // 2
                if self._block(middle, middle + 1)[:4] <= wanted:
                    low = middle
                else:
                    high = middle
            block = self._block(low, high)
        at = block.find(wanted)
        while at >= 0 and at % ENTRY_BYTES:
            at = block.find(wanted, at + 1)
        if at < 0:
            return None
        self._file.seek(_big(block[at + 4 : at + 8]))
        if self._file.read(self._file.read(1)[0]) != name:
            return None
        return str(self._file.read(_big(self._file.read(2))), "utf-8")

    def _block(self, low, high):
        self._file.seek(HEAD_BYTES + ENTRY_BYTES * low)
        return self._file.read(ENTRY_BYTES * (high - low))

    def format(self, key, args=(), names=None):
        """The text of a key with its arguments in place of {0}, {1} …

        An argument is a number, "@key" (another text), "car:3", "seat:2", "cards:red-3 red-1" (names known to
        `names`), "heads:red-3 red-1" (how many of each kind) or a text used as it is. A placeholder without
        an argument becomes "?". {0:card|cards} becomes the first word if argument 0 is 1, else the second.
        """
        text = self.get(key)
        if "{" not in text:
            return text
        parts = text.split("{")
        out = [parts[0]]
        for part in parts[1:]:
            number, closing, rest = part.partition("}")
            words = number[2:].split("|") if number[1:2] == ":" else ()
            if not closing or len(number) != 1 and len(words) != 2 or not "0" <= number[:1] <= "9":
                out.append("{" + part)
                continue
            place = ord(number[0]) - 48
            said = self.spell(args[place], names) if place < len(args) else "?"
            out.append((words[0] if said == "1" else words[1]) if words else said)
            out.append(rest)
        return "".join(out)

    def spell(self, arg, names=None):
        """One argument as people read it."""
        if not isinstance(arg, str):
            return str(arg)
        if arg[:1] == "@" and len(arg) > 1:
            return self.get(arg[1:])
        if arg[:4] == "car:" and names is not None:
            number = _number(arg[4:])
            return names.car(number) if number >= 0 else arg
        if arg[:6] == "cards:" and names is not None:
            return names.cards(arg[6:])
        if arg[:6] == "heads:" and names is not None:
            return names.heads(arg[6:])
        if arg[:5] == "seat:" and names is not None:
            number = _number(arg[5:])
            return names.seat(number) if number >= 0 else arg
        return arg

    def say(self, row, names=None):
        """The text of a row [key, arg, …], the form used in scenes and labels."""
        return self.format(row[0], row[1:], names) if row else ""


def _big(data):
    return int.from_bytes(data, "big")


def _number(text):
    if not 0 < len(text) < 4:
        return -1
    for letter in text:
        if not "0" <= letter <= "9":
            return -1
    return int(text)


def _checked(file):
    """How many texts the pack in an open file has. Raises ValueError if it isn't a whole, sound pack."""
    head = file.read(HEAD_BYTES)
    if len(head) != HEAD_BYTES or head[:4] != MAGIC or head[4] != FORMAT:
        raise ValueError("no text pack")
    found = 0
    left = _big(head[8:12])
    while left > 0:
        part = file.read(min(left, 512))
        if not part:
            raise ValueError("text pack cut short")
        found = binascii.crc32(part, found)
        left -= len(part)
    if left or found & 0xFFFFFFFF != _big(head[12:16]):
        raise ValueError("text pack damaged")
    return _big(head[6:8])
