"""A card put on the reader answers the open question.

The reader stands on the table and serves everybody, so a card answers only if just one question can be meant,
and never a hidden one: that belongs to its seat's panel. A card that the board doesn't know is learnt while
the table draws: the player who then enters by hand what was drawn has told the board what the card stands for.
"""

from glow.lights.lights import Lights
from glow.table.deck import Deck, plain
from shared_rules import notation


def put(app, uid):
    """Handles a card (its id in hexadecimal text) that was just put down; if it can't answer, the display says why."""
    table = app.table
    if table and not table.race.over and not table.menu:
        say = _put(app, table, uid, Deck(app.hal.path("save")).meaning(uid))
        if say:
            app.sound("refused")
            app.tell(app.speech.say(say))


def learn(app, uid, text):
    """Stores what an unknown card stands for: the card of the answer that was given while it lay there."""
    _, words = notation.parse(text)
    told = Deck(app.hal.path("save")).enrol(uid, " ".join(words))
    app.tell(app.speech.say(told or ["board.card_learnt", plain(" ".join(words))]))


def _put(app, table, uid, meaning):
    """Offers the answer; [] or the sentence [key, arg, …] that says why not."""
    asked = table.questions.people()
    if not meaning:
        return _unknown(table, asked, uid)
    fitting = []
    hidden = False
    for prompt in asked:
        word = _word(prompt, meaning)
        if word is not None and prompt.secret:
            hidden = True
        elif word is not None:
            fitting.append((prompt, word))
    if not fitting:
        return ["board.card_hidden"] if hidden else ["board.card_not_asked", meaning]
    if len(fitting) > 1:
        return ["board.card_whose"]
    prompt, word = fitting[0]
    if table.answering.moving:
        if prompt.kind != "draw":
            return ["board.card_early"]            # nobody has read this question yet
        table.answering.skip()                               # everybody knows that a card is to be drawn
    return _offer(app, table, prompt, word)


def _offer(app, table, prompt, word):
    place = _place(table, prompt)
    text = word
    if prompt.kind == "draw":
        text = notation.show("draw", (word,))
        if prompt.count > 1:                       # one after another, as on the wheels
            if place is None:
                return ["board.card_whose"]
            pick = place.pick
            pick.faces[pick.at] = pick.wheels[pick.at].index(word)
            text = pick.ok()
    if place is not None:
        place.teach = place.card = ""
        place.hush()
        table.questions.touch(place)
    if text is None:
        app.light(Lights.ack, prompt.seat, app.now)
        app.sound("press")
    else:
        table.answering.offer(prompt.seat or _somebody(table, place), prompt.serial, text, None, place)
    return []


def _unknown(table, asked, uid):
    draws = [prompt for prompt in asked if _draws(prompt) and prompt.count == 1 and not prompt.secret]
    if len(draws) != 1 or table.answering.moving:
        return ["board.card_unknown"]
    told = ["board.card_unknown"]
    for place in table.questions.places:                     # whichever panel is used then
        if place.prompt is draws[0]:
            place.card = uid
            place.teach = ""
            told = ["board.card_learn"]
    return told


def _draws(prompt):
    return prompt.kind == "draw" and prompt.source == "table"


def _word(prompt, meaning):
    """The card of a draw, or the text of an option, that has this meaning; None if there is none."""
    if prompt.kind == "draw":
        if _draws(prompt):
            for card in prompt.deck:
                if plain(card) == meaning:
                    return card
    elif prompt.kind == "choose":
        for text in prompt.options():
            if text[:3] != "go " and plain(text.partition(" ")[2]) == meaning:
                return text
    return None


def _place(table, prompt):
    """The panel's place that works on a prompt: the one that has begun, the one on the display, or
    the first; None if there is none."""
    places = [place for place in table.questions.places if place.prompt is prompt]
    for place in places:
        if prompt.kind == "draw" and prompt.count > 1 and place.pick.at:
            return place
    for place in places:
        if place.panel == table.questions.focus + 1:
            return place
    return places[0] if places else None


def _somebody(table, place):
    """Who answers for the table: the person at that panel, who can then take it back; 0 if there is none."""
    return table.questions.seat_of(place.panel) if place else 0
