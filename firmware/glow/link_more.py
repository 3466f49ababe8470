"""What the link says once in a while: who the board is, what it can play, and whole journals."""

import binascii
import sys

from shared_rules import games
from shared_rules.link_table import PROTOCOL

FIRMWARE = "1"
#: Bytes of a file in one message, before base64.
FILE_CHUNK = 1200


def hello(link):
    """Who this board is."""
    app = link.app
    outputs = [[output.count, output.use] for output in app.hal.pixels]
    link.send("hello", v=PROTOCOL, fw=FIRMWARE, board=app.hal.board.get("name", ""), outputs=outputs,
              panels=app.panel_count, display=[21, 6], impl=sys.implementation.name, dials=_dials(app.hal.board))


def _dials(board):
    """[panel, label, output, first pixel, pixels] of each dial."""
    dials = board.get("dials") or {}
    rows = []
    first = 0
    for panel in range(1, dials.get("seats", 0) + 1):
        for number, (_shape, count) in enumerate(dials.get("each", ())):
            rows.append([panel, str(number + 1), dials.get("output", 0), first, count])
            first += count
    return rows


def menu(link):
    """What can be played here."""
    from glow import menu_data
    app = link.app
    out = []
    for name in games.NAMES:
        game = games.load(name)
        options = []
        for key, values, default in game.OPTIONS:
            labels = [menu_data.value_name(app, name, key, value) for value in values]
            options.append([key, list(values), default, menu_data.option_name(app, name, key), labels])
        out.append({
            "id": name,
            "name": app.texts.get(name + ".name"),
            "variants": [[variant, menu_data.variant_name(app, name, variant)] for variant in game.VARIANTS],
            "options": options,
            "seats": list(game.SEATS),
            "decks": 1 if game.DECKS else 0,
            "tracks": menu_data.tracks(app, name),
        })
    app.forget("glow.menu_data")
    link.send("menu", games=out)


def lines(link):
    """All lines of the race so far."""
    race = link.app.race
    for number in range(1, race.lines + 1):
        line = race.line(number)
        link.line(number, line, link.app.speech.line(line, 0), "")


def parts(name, race):
    """Generates the messages of the journal as it is now; sealed until the podium."""
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
            yield _part(name, k, of, waiting[:FILE_CHUNK])
            waiting = waiting[FILE_CHUNK:]
            k += 1
        if size == 0:
            return


def _part(name, k, of, data):
    text = binascii.b2a_base64(data).decode().strip()
    return {"t": "file", "name": name, "k": k, "of": of, "d": text}
