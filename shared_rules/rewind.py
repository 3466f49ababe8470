"""Undo and correct, with the consent of everybody concerned.

A board loads this when somebody asks for it.
"""

from shared_rules import notation
from shared_rules.errors import Refused
from shared_rules.journal import JournalLine
from shared_rules.marks import line_of, mark_of, seat_of, words_of
from shared_rules.prompts import Choose
from shared_rules.turns import PARTED


class Asking:
    """A request that waits for the OK of ``waiting`` seats."""

    def __init__(self, seat, verb, words, line, waiting, serial):
        self.seat = seat
        self.verb = verb
        self.words = words
        self.line = line
        self.waiting = waiting
        self.prompts = []
        for other in waiting:
            prompt = Choose(other, ["ok", "no"], "engine.consent_" + verb,
                            ("seat:%d" % seat, int(words[0])))
            prompt.serial = serial
            self.prompts.append(prompt)

    def plain(self):
        """As a list, for saves."""
        return [self.seat, self.verb, self.words, self.line, self.waiting]


def ask(race, seat, verb, words):
    """``undo``, ``undo N`` or ``correct N ANSWER``: done at once if nobody else is concerned. ``undo`` alone takes back the
    seat's own last choice, or the last answer if it has made none."""
    if verb == "undo" and not words:
        last = recall_last_of(race, [seat])
        words = [str(last[0] if last else 1)]
    back = notation.number(words[0]) if words else None
    if not back or (verb == "correct" and len(words) < 2):
        raise Refused("engine.undo_form", "", (notation.show(verb, words),))
    if race.asking:
        raise Refused("engine.consent_open", "", ("seat:%d" % race.asking.seat,))
    if verb == "undo" and back == 1 and _take_back_waiting(race, seat):
        return "undo 1"
    if back > race.taken_count():
        raise Refused("engine.nothing_to_undo", "", (race.taken_count(), back))
    if race.pending_answers():
        raise Refused("engine.wait_for_others")
    recall(race, race.taken_count() - back)
    secret = verb == "correct" and _try_correction(race, seat, words)
    waiting = _concerned(race, seat, back)
    text = notation.show(verb, words)
    request = Asking(seat, verb, words, race.lines + 1, waiting, race.take_serial())
    if waiting:
        race.asking = request
    else:
        _perform(race, request)
    race.append_line(seat, text, secret)
    return text


def consent(race, seat, verb, words):
    """``ok`` or ``no`` of a seat that is asked."""
    request = race.asking
    if seat not in request.waiting or verb not in ("ok", "no") or words:
        raise Refused("engine.consent_open", "", ("seat:%d" % request.seat,))
    if verb == "no":
        race.asking = None
        race.note_event("kept", seat)
    else:
        request.waiting.remove(seat)
        request.prompts = [prompt for prompt in request.prompts if prompt.seat != seat]
        if not request.waiting:
            race.asking = None
            _perform(race, request)
    race.append_line(seat, verb, False)
    return verb


def undo_count(race, seat):
    """How many answers an undo must take back so that this seat answers again; 0 if it has given no such answer.

    Goes back to the seat's last answer that wasn't the board's own chance (`by_hand`): a choice, a die that was typed, or
    leaving the race.
    """
    for back, value in enumerate(reversed(race.taken)):
        if seat_of(value) == seat and by_hand(race, words_of(race, value)[0]):
            return back + 1
    return 0


def last_of(race, seats):
    """(how many answers back, whose) for the last choice of one of these seats, which may be waiting for others; None if
    the race knows of none (see `recall_last_of`)."""
    waiting = [(1, by) for by, _ in race.pending_answers() if by in seats]
    if waiting:
        return waiting[-1]
    counts = [(undo_count(race, seat), seat) for seat in seats]
    return min([count for count in counts if count[0]] or [None])


def recall_last_of(race, seats):
    """``last_of`` among all answers of the race: those that it has forgotten are recalled if the search needs them."""
    found = last_of(race, seats)
    if found or not race.base:
        return found
    recall(race, 0)
    return last_of(race, seats)


def by_hand(race, verb):
    """Whether a person decided or typed such an answer: not the board's roll or draw, nor a change of the dice's source."""
    source = {"roll": race.dice_source, "draw": race.setup.decks, "source": ""}
    return source.get(verb, "table") == "table"


def asked_then(race, back, take):
    """What ``take`` makes of the prompt that was answered ``back`` answers ago; the race stays unchanged. What the prompt
    offers is valid until the next answer. Raises Refused while answers wait for other seats."""
    if race.pending_answers():
        raise Refused("engine.wait_for_others")
    at = len(race.taken) - back
    seat = seat_of(race.taken[at])
    bookmark = race.bookmark()
    try:
        become(race, race.taken[:at])
        return take(race.prompt_of(seat))
    finally:
        race.go_back(bookmark)


def become(race, marks, lenient=False, extra=None):
    """Rebuilds the race from the answers in ``marks`` (which begin with ``race.base`` forgotten ones).

    With ``lenient`` it stops at the first that isn't legal. ``extra`` is (mark, text) of an answer
    that isn't in the journal yet. Emits no events.
    """
    same = 0
    while same < len(marks) and same < len(race.taken) and marks[same] == race.taken[same]:
        same += 1
    ring = [entry for entry in race.ring if entry[0] <= race.base + same]
    race.asking = None
    if ring:
        at = ring[-1][0]
        text = boundary(race.ring, len(ring) - 1)
        ring[-1] = [at, text]
        race.ring = ring
        race.taken = list(marks[:at - race.base])
        race.restore(text)
    else:
        race.restart()
        at = 0
    for value in marks[at - race.base:]:
        verb_words = extra[1] if extra and extra[0] == value else words_of(race, value)
        try:
            race.give_again(seat_of(value), verb_words, value)
        except Refused:
            if not lenient or (extra and extra[0] == value):
                raise
            break
    race.drop_pending()
    race.drop_events()


def boundary(ring, number):
    """The text of a boundary: older ones are stored without the parts that they share with the next one."""
    text = ring[-1][1]
    for at in range(len(ring) - 2, number - 1, -1):
        there = text.split(PARTED)
        parts = ring[at][1].split(PARTED)
        text = PARTED.join([there[part] if parts[part] == "=" else parts[part] for part in range(len(parts))])
    return text


def recall(race, count):
    """Makes sure that the marks of the answers from ``count`` on are known: after a resume the race knows only
    the last ones, and finds the others by playing through the journal."""
    if count >= race.base:
        return
    known = race.replayed()
    race.taken = known[:race.base] + race.taken
    race.base = 0


def _take_back_waiting(race, seat):
    for by, text in race.pending_answers():
        if by == seat:
            if not by_hand(race, text.split(" ")[0]):
                raise Refused("engine.wait_for_others")
            return race.drop_pending(seat)
    return 0


def _first(race, back):
    """Index in ``race.taken`` of the first answer to take back: answers given together go together."""
    first = len(race.taken) - back
    while first > 0 and race.taken[first] & 1:
        first -= 1
    return first


def _concerned(race, seat, back):
    """Persons whose OK is needed: everybody if chance has shown something, else those who have answered since."""
    chance = False
    others = []
    for value in race.taken[_first(race, back):]:
        verb = words_of(race, value)[0]
        if verb in ("roll", "draw") or verb in race.game.REVEALS:
            chance = True
        if seat_of(value) not in others:
            others.append(seat_of(value))
    concerned = []
    for other in race.setup.seats():
        person = not race.setup.is_bot(other) and other not in race.left and other != seat
        if person and (chance or other in others):
            concerned.append(other)
    return concerned


def _corrected(race, words, line):
    """(marks, extra) of the race with one answer replaced."""
    back = int(words[0])
    at = len(race.taken) - back
    old = race.taken[at]
    new = mark_of(line, seat_of(old), old & 1)
    return race.taken[:at] + [new] + race.taken[at + 1:], (new, words[1:])


def _try_correction(race, seat, words):
    """Raises Refused if the corrected answer isn't legal; leaves the race unchanged. Returns whether the
    answer is secret."""
    old = race.taken[len(race.taken) - int(words[0])]
    secret = JournalLine.parse(race.log_text(line_of(old))).secret
    if secret and seat != seat_of(old):
        # Which corrections are refused would reveal a hidden hand.
        raise Refused("engine.correct_secret", "", ("seat:%d" % seat_of(old),))
    was = words_of(race, old)[0]
    if was != words[1] and (was in notation.ENGINE_VERBS or words[1] in notation.ENGINE_VERBS):
        raise Refused("engine.correct_other", "", (" ".join(words[1:]),))
    marks, extra = _corrected(race, words, race.lines + 1)
    bookmark = race.bookmark()
    try:
        become(race, marks, True, extra)
    finally:
        race.go_back(bookmark)
    return secret


def _perform(race, request):
    back = int(request.words[0])
    recall(race, race.taken_count() - back)     # the race may have been resumed while the others were asked
    if request.verb == "undo":
        first = _first(race, back)
        undone = len(race.taken) - first
        become(race, race.taken[:first])
        race.note_event("undone", undone)
    else:
        before = race.taken_count()
        marks, extra = _corrected(race, request.words, request.line)
        become(race, marks, True, extra)
        race.note_event("corrected", before - race.taken_count())
