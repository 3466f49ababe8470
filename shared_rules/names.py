"""Names that people give to players, seasons, boards and tracks: what they may be of, and what equal ones become.

One place for host and board. Nothing here asks an interpreter what a letter is: they don't agree.
"""

#: The most letters of a player's name.
LONGEST_NAME = 24
#: Letters that are not seen, that turn those beside them round, or that can't be written: first and last of each range.
HIDDEN = (
    (0, 31), (127, 159),                           # controls
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200B), (0x200E, 0x200F),            # no width; from left to right and back
    (0x2028, 0x202E), (0x2060, 0x206F),            # ends of lines, and what turns whole words round
    (0x3164, 0x3164), (0xFFA0, 0xFFA0), (0xFEFF, 0xFEFF), (0xFFF0, 0xFFFB), (0xFFFE, 0xFFFF),
    (0xD800, 0xDFFF),                              # half of a letter
    (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)
#: They join letters, and some writings need them; alone they are nothing.
JOINERS = "\u200c\u200d"
#: Blanks of other widths, which look like a blank.
BLANKS = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"


def can_be_shown(letter):
    """Whether a letter may stand in a name or a sentence: it is seen, and changes nothing beside it."""
    code = ord(letter)
    return not any([first <= code <= last for first, last in HIDDEN])


def tidied(text):
    """A name as it is kept: one plain blank between its words, none around them."""
    text = text.strip(" \t\r\n")
    for blank in BLANKS:
        text = text.replace(blank, " ")
    return " ".join([word for word in text.split(" ") if word])


def is_name(text, longest):
    """Whether a tidied text can be a name: 1 to ``longest`` letters, all of which can be shown."""
    bare = text
    for joiner in JOINERS:
        bare = bare.replace(joiner, "")
    return bool(bare.strip(" ")) and len(text) <= longest and all([can_be_shown(letter) for letter in text])


def numbered(names, longest=LONGEST_NAME):
    """The same names, each once: what comes again gets a number, "Anna 2", and is cut where it is too long for that."""
    out = []
    for name in names:
        again = name
        number = 2
        while _bare(again) in [_bare(other) for other in out]:
            more = " %d" % number
            again = name[:longest - len(more)].rstrip(" ") + more
            number += 1
        out.append(again)
    return out


def _bare(name):
    """A name as it looks, for those who compare."""
    for joiner in JOINERS:
        name = name.replace(joiner, "")
    return name
