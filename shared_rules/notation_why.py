"""Why a text isn't an answer: what was expected and what came. Loaded only when one is refused."""

from shared_rules.notation import LONGEST, VERBS


def sentence(text):
    """One sentence about a text that ``notation.parse`` doesn't take."""
    if not isinstance(text, str):
        return "Expected an answer such as 'roll 3 5', got something that isn't text."
    if len(text) > LONGEST:
        return "Expected an answer of at most %d characters, got %d." % (LONGEST, len(text))
    for letter in text:
        if not " " <= letter <= "~":
            return "Expected plain letters and digits in an answer, got %r." % (text,)
    words = text.lower().split()
    if not words:
        return "Expected an answer such as 'roll 3 5', got an empty one."
    verb = words[0]
    for form, verbs in VERBS:
        if verb in verbs.split(" "):
            if form == "none":
                return "Expected '%s' alone, got '%s'." % (verb, text)
            if form == "number":
                return "Expected a number after '%s', got '%s'." % (verb, " ".join(words[1:]))
            return "Expected a space such as 'go 12b', got '%s'." % text
    return "Expected one of %s, got '%s'." % (", ".join([verbs for _, verbs in VERBS]).replace(" ", ", "), verb)
