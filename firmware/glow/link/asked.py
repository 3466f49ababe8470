"""What the link does occasionally: who the board is, what it can play, whole journals, questions from the page."""

import sys

from glow import FIRMWARE
from glow.link import reports
from glow.link.file_pieces import FILE_CHUNK, part
from hal import data_files
from shared_rules import games
from shared_rules.chance import seal
from shared_rules.link_lines import PROTOCOL, Json, ascii_json

#: How many tracks of the menu go into one message.
TRACKS_A_PIECE = 4


def take(link, message):
    """Handles a host message that isn't an answer in a race."""
    app = link.app
    race = app.race
    kind = message["t"]
    if kind == "hi":
        link.greeted(message.get("n", 0))
        if message["v"] != PROTOCOL:
            link.no(message, "board.other_protocol", (PROTOCOL, message["v"]))
        link.all()
    elif kind in ("start", "resume"):
        _begin(link, message)
    elif kind == "stop":
        link.ok(message)
        app.stop_race()
    elif kind in ("info", "mirror", "reset", "crash"):
        from glow.link import board  # these three are loaded for the host tool
        board.take(link, message)
    elif kind in ("put", "commit", "read"):
        from glow.link import files  # see above
        files.take(link, message)
    elif kind in ("service", "try"):
        from glow.link import service  # see above
        service.take(link, message)
    elif race is None:
        link.no(message, "board.no_race")
    elif kind == "journal":
        link.file("journal", message)
    elif kind == "view":
        _view(link, message, race)
    elif kind == "why":
        _why(link, message, race)
    elif kind == "answer":
        link.no(message, "board.not_yet")


def _begin(link, message):
    """Starts a race, or resumes the saved one; the reply comes once it runs."""
    app = link.app
    if app.state == "service":                     # the lights that a race needs aren't available
        link.no_text(message, app.texts.get("board.service_on"))
        return

    def told(say):
        if say:
            link.no_text(message, say)
        else:
            link.ok(message)

    if message["t"] == "start":
        app.begin_race(message["setup"], None, told)
    else:
        app.begin_resume(told)


def _view(link, message, race):
    """What one seat may see; it leaves the board only in this reply."""
    seat = message["seat"]
    if not 1 <= seat <= len(race.setup.players):
        link.no(message, "board.no_such_seat")
        return
    link.files.append(_seen(link, message, race))


def _seen(link, message, race):
    """The reply to `view`, in pieces; what is asked may change in the meantime."""
    seat = message["seat"]
    while race is link.app.race:
        prompt = race.prompt_of(seat)
        seen = race.view(seat)
        private = [link.app.speech.say(item) for item in seen["private"]]
        yield
        asked = None
        if prompt:
            asked = yield from reports.asked(link, prompt, seen["prompt"])
        if race.prompt_of(seat) is prompt:
            yield {"t": "view", "seat": seat, "prompt": asked, "private": private, "re": message.get("n", 0)}
            return
    link.no(message, "board.no_race")


def _why(link, message, race):
    """The near misses of a prompt that isn't secret, each with its sentence and clause."""
    seat = message["seat"]
    prompt = race.prompt_of(seat)
    if prompt is None or prompt.secret:
        link.no(message, "board.nothing_asked")
        return
    items = []
    for near in prompt.refused():
        items.append([near.text, link.app.speech.text(near.reason, near.args_), near.clause])
    if not items and prompt.told:
        say, clause = prompt.told()
        items.append(["", link.app.speech.say(say), clause])
    link.send("why", seat=seat, items=items, re=message.get("n", 0))


def race(link):
    """The board's state and the head of its race."""
    app = link.app
    fields = {"game": "", "variant": "", "track": "", "laps": 0, "dice": "", "decks": ""}
    setup = app.race.setup if app.race else None
    if setup:
        for name in fields:
            fields[name] = getattr(setup, name)
    link.send("race", state=app.state, lap=app.race.lap if setup else 0, seats=setup.players if setup else [],
              cars=[[row[0], row[1], app.speech.text(row[2]), row[3], row[4]] for row in app.cars],
              seed_hash=seal(setup.seed, setup.salt) if setup else "",
              panels=[app.panels.seats(panel + 1) for panel in range(app.panel_count)],
              lights=max(0, min(5, app.start_lights)), **fields)


def done(link):
    """The end of a race driven from outside."""
    race = link.app.race
    link.send("done", digest=race.digest(), public=race.public_digest(), answers=race.lines, turns=race.turns,
              standings=race.standings(), seed=race.setup.seed)


def hello(link):
    """Who this board is."""
    app = link.app
    outputs = [[output.count, output.use] for output in app.hal.pixels]
    link.send("hello", v=PROTOCOL, fw=FIRMWARE, board=app.hal.board.get("name", ""), outputs=outputs,
              panels=app.panel_count, display=[21, 6], impl=sys.implementation.name, dials=_dials(app.hal.board),
              lang=app.language, left=[panel for panel in range(1, app.panel_count + 1) if app.hal.left >> panel & 1])
    for one in app.lasting:
        link.fault(one, 1)


def _dials(board):
    """[panel, label, output, first pixel, pixels, shape] of each dial."""
    dials = board.get("dials") or {}
    rows = []
    first = 0
    for panel in range(1, dials.get("seats", 0) + 1):
        for number, (shape, count) in enumerate(dials.get("each", ())):
            rows.append([panel, str(number + 1), dials.get("output", 0), first, count, shape])
            first += count
    return rows


def menu(link):
    """What can be played here, all at once."""
    for _ in _telling_menu(link):
        pass


def _telling_menu(link):
    """Sends what can be played here, one game and a few tracks a message, so that a board never
    holds more than that; yields None between its pieces, some ten a game."""
    from glow.menu import offers  # loaded with the menu, or for a host
    app = link.app
    number = 0
    for name in games.NAMES:
        yield None
        game = games.about(name)
        options = []
        for key, values, default in game.OPTIONS:
            yield None
            labels = [offers.value_name(app, name, key, value) for value in values]
            options.append([key, list(values), default, offers.option_name(app, name, key), labels])
        variants = []
        for variant in game.VARIANTS:
            yield None
            variants.append([variant, offers.variant_name(app, name, variant)])
        yield None
        about = ascii_json({
            "id": name,
            "name": app.texts.get(name + ".name"),
            "variants": variants,
            "options": options,
            "seats": list(game.SEATS),
            "dice": 1 if getattr(game, "DICE", True) else 0,
            "decks": 1 if game.DECKS else 0,
            "laps": 1 if game.LAPS else 0,
        })
        yield None
        for tracks in data_files.track_pieces(app.hal, name, TRACKS_A_PIECE):
            if about or tracks:
                yield None
                head = about or '{"id":"' + name + '"}'
                link.send("menu", games=Json(["[", head[:-1], ',"tracks":', ascii_json(tracks), "}]"]), k=number)
                about = ""
                number += 1
            yield None
    link.send("menu", games=[], k=number, last=1)


def everything(link):
    """Sends the whole picture, piece by piece, to a host that has just come or has missed
    something: yields None wherever the link may take a break."""
    app = link.app
    hello(link)
    yield from _telling_menu(link)
    yield None
    race(link)
    app.hal.refresh()
    number = 0
    while app.race and number < app.race.lines:
        number += 1
        line = app.race.line(number)
        link.line(number, line, app.speech.line(line, 0), "")
        yield None
    if app.race:
        yield from link.prompts()
        yield None
        yield from _telling_scene(link, app.race)
    if app.race:
        link.standings()


def _telling_scene(link, race):
    """Sends what can be seen of a race, in pieces: the state at the end of them."""
    app = link.app
    told = -1
    while race is app.race and told != race.lines:
        while app.table and race is app.race and (race.untold or app.table.answering.telling):
            yield None                             # an answer is being taken: without its moves, the cars would jump
        told = race.lines
        fields = yield from reports.seen(link, race.scene(), ())
    if race is app.race:
        link.send("scene", **fields)


def trouble(link, key, about=""):
    """The host misbehaves, but does no harm: reported once a minute."""
    app = link.app
    from glow.board import crashbox, failed  # loaded with the first fault
    if not failed.told(app, key):
        app.event(key)
        crashbox.note(app, key)
        app.fault([key], about)


def hears(link, on):
    """The host has stopped reading: stop sending to it. Or it reads again, and lacks everything."""
    hal = link.app.hal
    hal.listened = on
    if on:
        hal.lost = True
        if link.deaf_told:
            link.deaf_told = False
            link.app.event("host reads")
            link.app.fault_over("host")


def parts(link, name, message):
    """Yields the messages of the journal as it stands; sealed until the podium. It breaks off when
    its race goes, and whoever asked for it (``message``) is told."""
    race = link.app.race
    if race is None:
        return
    over = race.over
    size = 0
    for piece in race.journal_lines(over):
        size += len(piece.encode())
    of = (size + FILE_CHUNK - 1) // FILE_CHUNK
    waiting = b""
    k = 0
    for piece in race.journal_lines(over):
        waiting += piece.encode()
        size -= len(piece.encode())
        while len(waiting) >= FILE_CHUNK or (size == 0 and waiting):
            if link.app.race is not race:          # by now the lines on flash are another race's
                link.no(message, "board.journal_gone")
                return
            yield part(name, k, of, waiting[:FILE_CHUNK])
            waiting = waiting[FILE_CHUNK:]
            k += 1
        if size == 0:
            return
