"""What a host hears about a race. Each function takes the Link."""

from glow.lights.dials import LOW
from shared_rules.link_lines import Json, ascii_json

#: How many options get their words in one piece: each takes a Pico some 10 ms.
LABELS_A_PIECE = 4


def prompts(link):
    """See Link.prompts. What is asked may change between two pieces: the newer state is then sent."""
    race = link.app.race
    told = None
    while race is link.app.race and told != _serials(race):
        told = _serials(race)
        texts = []
        for prompt in race.prompts:
            yield
            found = yield from asked(link, prompt, prompt.plain())
            yield
            texts += [",", ascii_json(found)] if texts else [ascii_json(found)]
    if race is link.app.race:
        link.send("prompts", list=Json(["["] + texts + ["]"]))


def _serials(race):
    return [prompt.serial for prompt in race.prompts]


def asked(link, prompt, plain):
    """The message of one prompt, from its ``plain()``, in pieces."""
    speech = link.app.speech
    plain["say"] = speech.ask(prompt)
    plain["labels"] = []
    teach = link.app.table.questions.taught(prompt) if link.app.table else ""
    if teach:
        plain["teach"] = teach
    if plain["choices"]:
        labels = prompt.labels()
        for text, label in zip(plain["choices"], labels):
            if len(plain["labels"]) % LABELS_A_PIECE == 0:
                yield
            plain["labels"].append(speech.option(text, label))
        if prompt.ends:
            track = link.app.race.track
            plain["ends"] = [track.space_name(space) if space >= 0 else "" for space in prompt.ends]
    return plain


def scene(link, scene, events):
    """See Link.scene."""
    fields = yield from seen(link, scene, events)
    link.send("scene", **fields)


def seen(link, scene, events):
    """The fields of a scene's message, in pieces."""
    speech = link.app.speech
    track = link.app.race.track
    cars = [[car, track.space_name(space) if space >= 0 else "", status] for car, space, status in scene.cars]
    yield
    low = link.app.race.game.LOW_DIALS
    dials = [[seat, car, speech.text(key), value, most, LOW if key in low else -1]
             for seat, car, key, value, most in scene.dials]
    yield
    names = {}
    for _, word in scene.marks:
        if word not in names:
            names[word] = _mark_names(link, word)
    marks = [[track.space_name(space), word] + names[word] for space, word in scene.marks]
    yield
    return {"cars": cars, "lap": max(0, scene.lap), "laps": scene.laps,
            "lines": [speech.say(line) for line in scene.lines], "dials": dials, "marks": marks,
            "events": [_named(event, track) for event in events if event[0] != "told"]}


def standings(link):
    """See Link.standings."""
    race = link.app.race
    rows = [[seat, car, place, points, link.app.speech.who(seat, car)]
            for seat, car, place, points in race.standings()]
    link.send("standings", list=rows, final=1 if race.over else 0)


def line(link, number, line, say, clause):
    """See Link.line."""
    text = "sealed" if line.secret and not link.app.race.over else line.text
    link.send("line", i=number, seat=line.seat, text=text, say=say, clause=clause, pd=line.public)


def _mark_names(link, word):
    """A mark's name and the colour of its light; [] if it has no name."""
    game = link.app.race.game
    key = game.ID + ".mark_" + word
    if not link.app.speech.texts.has(key):
        return []
    return [link.app.speech.text(key), dict(game.MARK_COLOURS).get(word, "white")]


def _named(event, track):
    """An event with the names of spaces instead of their numbers."""
    event = list(event)
    if event[0] in ("moved", "called"):
        event[2] = [track.space_name(space) for space in event[2]]
    elif event[0] in ("grid", "bumped"):
        event[2] = track.space_name(event[2]) if event[2] >= 0 else ""
    return event
