"""What the engine raises: a small family, each error one sentence for a person."""


class GridglowError(Exception):
    """Base of everything that Gridglow raises on purpose; ``str(error)`` is one English sentence."""


class BadText(GridglowError):
    """An answer or a journal line that isn't in the notation."""


class BadSave(GridglowError):
    """A save or journal that can't be used: cut, scrambled, of another format or for another track."""


class BadTrack(GridglowError):
    """A track pack that can't be read."""


class BadSetup(GridglowError):
    """A race that can't be set up like this.

    ``problems`` holds a sentence for each thing that is wrong; ``str(error)`` joins them.
    """

    def __init__(self, problems):
        super().__init__(" ".join(problems))
        self.problems = problems


class Refused(GridglowError):
    """An answer that isn't allowed now; the race hasn't changed.

    ``reason`` is a key of the text files, ``args_`` its arguments (ints and strings), ``clause`` the
    id of the rule that it comes from ("MG-13"), or "" where the engine itself refuses.
    """

    def __init__(self, reason, clause="", args=()):
        super().__init__(_sentence(reason, clause, args))
        self.reason = reason
        self.clause = clause
        self.args_ = tuple(args)


def _sentence(reason, clause, args):
    text = reason
    if args:
        text += " (" + ", ".join([str(a) for a in args]) + ")"
    if clause:
        text += " [" + clause + "]"
    return text
