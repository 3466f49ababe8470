"""The notation of answers: parse and print.

An answer is a verb and its words, separated by single spaces: ``roll 3 5``, ``flip none``,
``go 12b``, ``go 12b cost 9``, ``play 4``, ``bet red``. Numbers are ASCII digits without leading
zeros; a space is its row and its lane (a = the leftmost in driving direction).
"""

from shared_rules.errors import BadText

#: Every verb by what follows it: nothing; a space; a number or nothing; words that the open prompt knows.
VERBS = (
    ("none", "ok no pass show slip retire leave"),
    ("space", "go"),
    ("number", "number undo"),
    ("words", "roll draw flip play bet pick discard order shift use correct source"),
)

#: Answers that the engine itself handles, in every game.
ENGINE_VERBS = ("undo", "correct", "leave", "source")

LONGEST = 80


def parse(text):
    """``(verb, words)`` of an answer: the verb and a list of canonical words.

    Case and extra spaces don't matter. Raises BadText with what was expected and what came.
    """
    plain = isinstance(text, str) and 0 < len(text) <= LONGEST and min(text) >= " " and max(text) <= "~"
    words = text.lower().split() if plain else ()
    rest = words[1:]
    takes = [form for form, verbs in VERBS if words[0] in verbs.split(" ")] if words else ()
    right = len(takes) > 0
    if "none" in takes:
        right = not rest
    elif "number" in takes:
        right = len(rest) < 2 and (not rest or number(rest[0]) is not None)
    elif "space" in takes:
        right = len(rest) > 0 and space(rest[0]) is not None
    if not right:
        from shared_rules import notation_why
        raise BadText(notation_why.sentence(text))
    rest = [_canonical(word) for word in rest]
    if "space" in takes:
        row, lane = space(rest[0])
        rest[0] = space_name(row, lane)
    return words[0], rest


def show(verb, words=()):
    """The canonical text of an answer; ``words`` are ints and strings."""
    return " ".join([verb] + [str(word) for word in words])


def canonical(text):
    """The canonical text of an answer that somebody typed."""
    verb, words = parse(text)
    return show(verb, words)


def number(word):
    """The word as a number, or None; only ASCII digits count, at most six of them."""
    if not 0 < len(word) <= 6:
        return None
    for digit in word:
        if not "0" <= digit <= "9":
            return None
    return int(word)


def space(word):
    """``(row, lane)`` of a space such as "12b" (12, 2), or None."""
    if len(word) < 2 or not "a" <= word[-1] <= "z":
        return None
    row = number(word[:-1])
    if not row:
        return None
    return row, ord(word[-1]) - 96


def space_name(row, lane):
    """"12b" for row 12, lane 2."""
    return str(row) + chr(96 + lane)


def _canonical(word):
    value = number(word)
    return word if value is None else str(value)
