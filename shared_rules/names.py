"""Names that people give to players, seasons, boards and tracks: which letters they may have, and what duplicates become.

Host and board share it. Nothing here asks an interpreter what a letter is: they don't agree.
"""

#: The most letters of a player's name.
LONGEST_NAME = 24
#: Characters that are invisible, that reverse their neighbours, or that can't be written: first and last of each range.
HIDDEN = (
    (0, 31), (127, 159),                           # controls
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200B), (0x200E, 0x200F),            # zero width; direction marks
    (0x2028, 0x202E), (0x2060, 0x206F),            # line ends, and marks that reverse whole words
    (0x3164, 0x3164), (0xFFA0, 0xFFA0), (0xFEFF, 0xFEFF), (0xFFF0, 0xFFFB), (0xFFFE, 0xFFFF),
    (0xD800, 0xDFFF),                              # half of a character
    (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)
#: They join letters, and some scripts need them; alone they show nothing.
JOINERS = "\u200c\u200d"
#: Spaces of other widths, which look like a space.
BLANKS = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"


def can_be_shown(letter):
    """Whether a letter may appear in a name or a sentence: it is visible and leaves its neighbours alone."""
    code = ord(letter)
    return not any([first <= code <= last for first, last in HIDDEN])


def tidied(text):
    """A name as it is stored: one plain space between its words, none around them."""
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
    """The names made unique: a duplicate gets a number, "Anna 2", and is cut if that makes it too long."""
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
    """A name as it looks, for comparing."""
    for joiner in JOINERS:
        name = name.replace(joiner, "")
    return name
