"""Almost valid lines for a board's link: for the trial `link`. See hostile_link.py."""

import binascii

from shared_rules.chance import Chance
from shared_rules.link_lines import KEYS, ascii_json
from shared_rules.link_read import MESSAGES_TO_BOARD

NUMBERS = ("0", "1", "2", "3", "-1", "6", "255", "256", "1023", "65535", "65536", "1073741824", "1073741825", "2147483648",
           "9223372036854775808", "1" + "0" * 60, "0.5", "1e9", "1e400", "-0", "NaN", "Infinity", "true", "false", "null")
#: Answers, names of files, words of messages; and other things.
TEXTS = (
    "", "0", "roll", "roll 1 1", "roll 6 6 6", "undo", "undo 3", "undo 99999", "correct 1 roll 6 6",
    "correct 2 pass", "leave", "source dice table", "source dice device", "source decks table", "ok", "no", "pass",
    "flip 1 2", "go 12b", "go 1a cost 99", "draw", "play 1", "pick 1", "bet red", "number 3", "order 1 2 3", "show",
    "roll  1", " roll 1", "roll 1 ", "roll \u0663", "undo -1", "undo 1e9", "correct", "correct 1", "correct 1 undo",
    "correct 99999999999999999999 pass", "leave 1", "source", "source dice", "listing", "manifest.txt",
    "new/manifest.txt", "../main.py", "../../x", "../../../../etc/x", "/etc/passwd", "tracks/../main.py",
    "tracks/..", "tracks/.hid", "text/../save/race.a", "text/en.pack", "tracks/gp-ring.pack", "tracks/index.json",
    "save/race.a", "save/race.log", "save/settings", "save/cards", "save/season", "save/leds-",
    "save/leds-../race.a", "save/leds-../../x", "save/season-../race.log", "save/leds-gp-ring", "save/settings/",
    "./manifest.txt", "manifest.txt/", "new/ready", "new/set", "boot.py", "C:\\x", "tracks/a\\..\\b", "con",
    "a\u0000b", "save/leds-\u0000", "tracks/\u0000", "\ud83d", "\udc00x", "save/leds-\ud83d", "\u00fc", "{0}",
    "{0.__class__}", "%s%n", "@board.no_race", "car:1", "run", "safe", "bootloader", "repl", "gp-ring",
    "__import__('os').system('id')", "AAAA", "====", "x" * 300,
)
FILES = [text for text in TEXTS if "/" in text or text == "manifest.txt"]
WHOLE = ("[]", "{}", "[[]]", "[" * 60 + "]" * 60, "[" * 900, '{"a":' * 300 + "1" + "}" * 300, "[1,2,3]", '["a",["b"]]')
#: What service mode may be asked to test.
TRIES = (
    "dark", "colours", "pixel", "fill", "count", "rate", "latency", "keys", "encoder", "reader", "card", "display", "sound",
    "supply", "memory", "flash", "say", "leds", "leds ../x", "leds gp-ring", "leds gp-ring 0 1 2", "leds \u0000",
    "card 04a1 roll 3", "say \u00fc", "leds gp-ring -1 99999", "no such thing",
)


class _Now:
    """The random stream of this run, and the set-ups that races begin with."""

    chance = None
    setups = ()


def begin(seed, setups):
    """Sets the seed: the same seed gives the same mutations."""
    _Now.chance = Chance(seed, "mutations")
    _Now.setups = setups


def below(n):
    """A number from 0 to n - 1."""
    return _Now.chance.below(n)


def die(things):
    """A random one of them."""
    return _Now.chance.die(things)


def chance():
    """The stream itself."""
    return _Now.chance


def framed(body):
    if isinstance(body, str):
        body = body.encode()
    return b">" + body + b"*%08x\n" % (binascii.crc32(body) & 0xFFFFFFFF)


def text_value():
    kind = below(12)
    if kind == 0:
        return ascii_json("".join([chr(32 + below(95)) for _ in range(below(40))]))
    if kind == 1:
        return '"' + "".join(["\\u%04x" % below(65536) for _ in range(1 + below(6))]) + '"'
    if kind == 2:
        return ascii_json(die(TRIES))
    return ascii_json(die(TEXTS))


def value():
    kind = below(10)
    if kind < 4:
        return die(NUMBERS)
    if kind < 9:
        return text_value()
    return die(WHOLE)


def plausible(sort, name, app):
    """A valid value for the field."""
    race = app.race
    if sort == "key":
        return '"' + die(KEYS) + '"'
    if sort == "object":
        return start_setup()
    if sort == "int":
        if name == "serial" and race and race.prompts and below(8):
            return str(die(race.prompts).serial)
        if name in ("seat", "p"):
            return str(below(5))
        if name == "d" or name == "on":
            return str(below(2))
        if name == "v":
            return "1"
        return die(("0", "1", "2", "3", str(below(300)), die(NUMBERS[:12])))
    if name == "text" and race and race.prompts and below(3):
        options = die(race.prompts).options()
        if options:
            return ascii_json(die(options))
    if name == "name" and below(3):
        return ascii_json(die(FILES))
    if name == "what":
        return ascii_json(die(TRIES))
    return text_value()


def start_setup():
    """A valid set-up, most often with something wrong in it."""
    plain = dict(die(_Now.setups))
    plain["seed"] = "seed-%08x" % below(65536)
    if below(3) == 0:
        return ascii_json(plain)
    body = []
    for key in list(plain):
        if below(14) == 0:
            continue
        body.append('"%s":%s' % (key, value() if below(9) == 0 else ascii_json(plain[key])))
    if below(3) == 0:
        key = die(("grid", "season", "laps", "track", "players", "options", "__class__", "salt"))
        body.append('"%s":%s' % (key, value()))
    return "{" + ",".join(body) + "}"


def message(app, wrong):
    """The JSON of a message; with `wrong` some of its fields are wrong."""
    kind, fields = die(MESSAGES_TO_BOARD)
    if kind in ("stop", "start", "resume", "service", "hi") and below(6):
        kind, fields = die(MESSAGES_TO_BOARD)
    body = ['"t":"%s"' % kind if not wrong or below(30) else '"t":' + value()]
    body.append('"n":%s' % (below(9999) if below(20) else value()))
    for field in fields.split():
        name, sort = field.split(":")
        if wrong and below(20) == 0:
            continue
        if wrong and below(3) == 0:
            body.append('"%s":%s' % (name, value()))
        else:
            body.append('"%s":%s' % (name, plausible(sort.replace("?", ""), name, app)))
    if wrong and below(10) == 0:
        body.append('%s:%s' % (text_value(), value()))
    return "{" + ",".join(body) + "}"


def edited(text):
    """A text with a few letters changed, removed or inserted."""
    for _ in range(1 + below(3)):
        at = below(len(text)) if text else 0
        kind = below(5)
        if kind == 0:
            text = text[:at] + chr(32 + below(95)) + text[at + 1:]
        elif kind == 1:
            text = text[:at] + text[at + 1 + below(4):]
        elif kind == 2:
            text = text[:at] + die(('"', "{", "}", "[", "]", "\\", ":", ",", "0", "e", "\\ud8", " ")) + text[at:]
        elif kind == 3:
            text = text[:at] + text[at:at + 8] * 3 + text[at + 8:]
        else:
            text = text[:at]
    return text


def broken(data):
    """Bytes with a few of them changed, removed or inserted; two lines joined; a line cut."""
    for _ in range(1 + below(3)):
        at = below(len(data)) if data else 0
        kind = below(8)
        if kind == 0:
            data = data[:at] + bytes((below(256),)) + data[at + 1:]
        elif kind == 1:
            data = data[:at] + data[at + 1 + below(6):]
        elif kind == 2:
            data = data[:at] + bytes([below(256) for _ in range(1 + below(5))]) + data[at:]
        elif kind == 3:
            data = data[:at] + b"\n" + data[at:]
        elif kind == 4:
            data = data[:-1]
        elif kind == 5:
            data = b"AT+GCAP\r" + data
        elif kind == 6:
            data = data[:at] + data
        else:
            data = data + data[at:]
    return data


def mutated(app):
    """One mutated line, as bytes."""
    kind = below(20)
    if kind < 2:
        return framed(message(app, False))
    if kind < 10:
        return framed(message(app, True))
    if kind < 14:
        return framed(edited(message(app, below(2) == 0)))
    if kind < 19:
        return broken(framed(message(app, below(2) == 0)))
    return bytes([below(256) for _ in range(below(80))]) + (b"\n" if below(2) else b"")
