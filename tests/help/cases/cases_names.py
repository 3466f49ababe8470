"""Names on both interpreters: what they may contain, and how equal ones are changed."""

from shared_rules import names

#: Text, and what is kept of it; None if it isn't a name.
TEXTS = (
    ("Anna", "Anna"), ("  Anna  Maria ", "Anna Maria"), ("Anna\u00a0Maria", "Anna Maria"), ("\u3000Bo\u2009", "Bo"),
    ("Zoë", "Zoë"), ("Łukasz", "Łukasz"), ("李雷", "李雷"), ("Дора", "Дора"), ("🏁", "🏁"), ("O'Neil-Smith Jr.",) * 2,
    ("علی\u200cرضا", "علی\u200cرضا"), ("👩\u200d🚒", "👩\u200d🚒"),
    ("", None), ("   ", None), ("\u00a0", None), ("\u200d\u200c", None), ("x" * 25, None), ("x" * 24, "x" * 24),
    ("Anna\u202eneB", None), ("\u2066Anna\u2069", None), ("Anna\u200b", None), ("\ufeffAnna", None), ("An\u00adna", None),
    ("Anna\u200f", None), ("a\nb", None), ("a\tb", None), ("\x1b[31mAnna", None), ("Anna\x7f", None), ("Anna\x85Bo", None),
    ("Anna\u2028Bo", None), ("\u3164", None), ("A\U000e0041", None),
)
#: Names at a table, and the names they get there.
TABLES = (
    (["Anna", "Ben"], ["Anna", "Ben"]),
    (["Anna", "Anna", "Anna"], ["Anna", "Anna 2", "Anna 3"]),
    (["Anna", "Anna 2", "Anna"], ["Anna", "Anna 2", "Anna 3"]),
    (["Anna", "Anna", "Anna 2"], ["Anna", "Anna 2", "Anna 2 2"]),
    (["x" * 24, "x" * 24], ["x" * 24, "x" * 22 + " 2"]),
    (["Anna", "An\u200dna"], ["Anna", "An\u200dna 2"]),
    (["Anna", "anna"], ["Anna", "anna"]),
    ([], []),
)


def case_names_are_tidied_or_none():
    for text, kept in TEXTS:
        tidied = names.tidied(text)
        found = tidied if names.is_name(tidied, names.LONGEST_NAME) else None
        assert found == kept, (text, found)
        assert names.tidied(tidied) == tidied


def case_equal_names_get_a_number():
    for given, called in TABLES:
        assert names.numbered(given) == called, (given, names.numbered(given))
        assert names.numbered(called) == called, "numbered names must stay as they are"


def case_every_kind_of_hidden_letter_is_refused():
    for first, last in names.HIDDEN:
        for code in (first, last):
            if not 0xD800 <= code <= 0xDFFF:       # MicroPython can't make such a letter
                assert not names.can_be_shown(chr(code)), code
    for letter in "aÄ~ ¡ﷺ\u0300":
        assert names.can_be_shown(letter), letter
