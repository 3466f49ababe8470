"""What an answer brings: the engine takes it, it is saved and told, and the cars move; in pieces, for none may take long."""

from glow.lights.lights import Lights
from shared_rules.errors import BadText, Refused

ENGINE_VERBS = ("undo", "correct", "leave", "source")


def give(table, offer):
    """Gives an answer to the engine, and does what follows from it, in pieces."""
    race = table.race
    wrong = _check(table, offer)
    if wrong:
        _refuse(table, offer, table.app.texts.get(wrong), "")
        return
    prompt = race.prompt_of(offer.seat)
    car = prompt.car if prompt else 0
    if prompt and prompt.foresee:
        yield
        yield from _foresee(table, prompt.foresee(offer.text))
    lines = race.lines
    turns = race.turns
    try:
        race.answer(offer.seat, offer.text)
    except Refused as error:
        if prompt and race.is_for_bot(prompt) and offer.message is None and offer.place is None:
            table.rules_failed(error)              # what a bot chose was offered: it would choose the same for ever
            return
        _refuse(table, offer, table.app.speech.text(error.reason, error.args_), error.clause)
        return
    except BadText as error:
        _refuse(table, offer, str(error), "")
        return
    except Exception as error:
        table.rules_failed(error)
        return
    app = table.app
    app.tries = 0
    if prompt and table.teacher:                   # it may have been answered on a page before a panel had it
        table.teacher.opened(prompt)
    if not app.instant:
        table.hold_still()
    app.event("answer %d" % race.lines)
    yield
    if race.turns != turns or race.pending_answers() or race.asking:
        app.safely("save", _snapshot, table)
        yield
    if offer.message:
        app.safely("link", app.link.ok, offer.message)
    for number in range(lines + 1, race.lines + 1):
        app.safely("link", _tell_line, table, number, car if number == race.lines == lines + 1 else 0,
                   prompt.clause if prompt else "", prompt is not None and prompt.laid_open)
        yield
    if offer.place:
        offer.place.note = _waiting_note(table) if race.asking else ""
        if offer.place.card and offer.text[:5] == "draw ":
            app.safely("save", _learn, app, offer.place.card, offer.text)
    yield from table.take_scene(app.now)
    if not app.instant:
        for asked in race.prompts:
            if asked.prepare:
                yield
                yield from _prepare(table, asked)
    if not app.quiet and app.hal.listened:
        yield
        yield from app.pieces("link", app.link.prompts())
        yield
        app.safely("link", _tell_standings, table)


def _learn(app, uid, text):
    from glow.table import card  # loaded where there is a reader
    card.learn(app, uid, text)


def _foresee(table, work):
    """Does beforehand, in pieces, what an answer takes. Where that fails the answer does it, and tells what is wrong."""
    some = False
    try:
        for _ in work:
            some = True
            yield
    except Exception:
        some = True
    if some:
        table.app.collect()                     # so that the answer needn't
        yield


def _prepare(table, prompt):
    """Has the options found, in pieces."""
    try:
        yield from prompt.prepare()
    except Exception as error:
        table.rules_failed(error)


def _snapshot(table):
    table.app.saved(table.app.store.snapshot(table.race.snapshot_pieces()), "race")


def _check(table, offer):
    """The key of the sentence that says why the board itself doesn't take this answer, or None."""
    if offer.message is None and offer.serial == 0:
        return None
    words = offer.text.lower().split()
    if words and words[0] in ENGINE_VERBS:
        return None
    prompt = table.race.prompt_of(offer.seat)
    if prompt is not None and prompt.serial != offer.serial:
        return "board.too_late"
    if offer.message is not None and prompt is not None and table.race.setup.is_bot(prompt.seat):
        return "board.is_bot"
    return None


def _refuse(table, offer, say, clause):
    if offer.message is not None:
        table.app.link.no_text(offer.message, say, clause)
    else:
        table.app.light(Lights.signal, "refused", offer.seat, table.app.now)
        table.app.sound("refused")
    if offer.place:
        offer.place.note = say + (" (" + clause + ")" if clause else "")
    table.dirty = True


def _waiting_note(table):
    names = [table.app.speech.seat(prompt.seat) for prompt in table.race.prompts]
    return table.app.speech.text("board.asked_others", (", ".join(names),))


def _tell_line(table, number, car, clause, opened):
    """The sentence of a new line, to the display and to the host; ``opened``: everybody sees what was played."""
    line = table.race.line(number)
    opened = opened and line.text.split(" ")[0] not in ENGINE_VERBS
    table.last_say = table.app.speech.line(line, car, opened)
    if not table.app.quiet:
        table.app.link.line(number, line, table.last_say, clause)


def _tell_standings(table):
    ranking = table.race.standings()
    if ranking != table.ranking:
        table.ranking = ranking
        table.app.link.standings()
