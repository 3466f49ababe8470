"""Sets up a race, and resumes a saved one."""

import gc

from glow import random_word
from glow.lights import leds_file
from glow.lights.lights import Lights
from glow.store.log import StoreLog
from hal.data_files import open_data
from shared_rules import games, journal_file
from shared_rules.errors import BadSave, BadSetup, BadTrack
from shared_rules.race import Race
from shared_rules.setup import Setup
from shared_rules.track import Track

#: What the start shows, and what a race needs at once; each module after those that it imports.
START = "glow.lights.shows glow.board.sequence"
TABLE = ("glow.table.ends glow.table.pick glow.table.place glow.table.view glow.table.questions glow.table.leading "
         "glow.table.bots glow.table.answering glow.table.keys glow.table.table")
#: What questions to people need besides.
PEOPLE = "glow.table.dials"


def loading_track(app, track_id):
    """The Track with an id, in pieces; raises BadTrack with a sentence."""
    if track_id and all(["a" <= c <= "z" or "0" <= c <= "9" or c == "-" for c in track_id]):
        try:
            with open_data(app.hal, "tracks/" + track_id + ".pack") as file:
                track = yield from Track.reading(file)
            if track.id == track_id:               # other files are named after it
                return track
        except OSError:
            pass
    raise BadTrack(app.speech.text("board.no_track", (track_id,)))


def checking(app, plain):
    """(Setup, Track) of a plain set-up, in pieces; raises BadSetup or BadTrack."""
    track_id = plain.get("track")
    if not isinstance(track_id, str) or not track_id:
        raise BadSetup([app.texts.get("board.which_track")])
    plain = dict(plain)
    plain["seed"] = plain.get("seed") or random_word(app.hal)
    plain["salt"] = plain.get("salt") or random_word(app.hal)
    track = yield from loading_track(app, track_id)
    yield
    return Setup.from_plain(plain, track), track


def starting(app, plain, panels):
    """A new Race with its save begun, in pieces; raises BadSetup or BadTrack with the sentence that says why not."""
    if app.race is not None and app.race.over:
        app.drop_race()                            # two tracks at once wouldn't fit
        app.light(Lights.drop_track)
        gc.collect()
    setup, track = yield from checking(app, plain)
    yield
    _leave(app)
    game_class = games.load(setup.game)
    yield
    if app.settings.get("season", 0):
        from glow.season import season  # loaded if the board keeps a season
        season.copy(app)                           # left undone by a power cut
    app.tries = 0
    app.moments = []                               # of the previous race
    app.saved(app.store.begin(journal_file.header(setup, track, False)), "race")
    yield
    race = yield from Race.beginning(setup, track, StoreLog(app.store, app.hal.path("save"), app.saved), game_class)
    yield
    app.saved(app.store.snapshot(race.snapshot_pieces()), "race")
    yield
    app.saved(app.settings.put_all((("track", track.id), ("panels", panels or []), ("open", 1))))
    yield from taking(app, race, panels)
    yield from _importing(START)


def resuming(app):
    """Resumes the saved race, in pieces; raises a GridglowError with the sentence that says why not."""
    if app.race is not None and not app.race.over:
        return
    app.drop_race()
    race = yield from _loading(app)
    yield
    app.saved(app.store.snapshot(race.snapshot_pieces()), "race")
    yield
    yield from taking(app, race, app.settings.get("panels", []))
    yield from _importing(TABLE)


def _importing(names):
    for name in names.split():
        yield
        __import__(name)


def _leave(app):
    """Lets go of the race that is running, with its screen."""
    if app.table or app.state == "start":
        app.stop_race()
    else:
        app.drop_race()


def _loading(app):
    found = app.store.load()
    if found[0] is None:
        raise BadSave(app.texts.get(found[1]))
    header, snapshot, _ = found
    log = StoreLog(app.store, app.hal.path("save"), app.saved, app.store.line_count)
    yield
    if snapshot:
        from shared_rules import restore  # loaded when a saved race is resumed
        track = yield from loading_track(app, restore.track_of(snapshot)[0])
        yield
        return Race.resume(snapshot, track, log)
    head = journal_file.Journal.parse(header)
    track = yield from loading_track(app, head.track)
    if track.hash != head.track_hash:
        raise BadSave(app.speech.text("board.track_changed", (head.track,)))
    yield
    race = Race(Setup.from_plain(head.plain, track), track, log)
    race.replay_lines(1, len(log))
    race.drop_events()
    return race


def taking(app, race, panels):
    """Makes it the app's race, in pieces: names, panels, lights."""
    app.race = race
    app.fault_over("ended")
    app.ahead = TABLE.split() + race.code()
    if "person" in [kind for kind, _ in race.setup.players]:
        app.ahead += PEOPLE.split()
    app.speech.take_race(race)
    app.safely("panels", _serve, app, race, panels)
    if app.lights:
        yield
        try:
            yield from _lighting(app, race)
        except MemoryError:                        # a race without lights is useless
            raise
        except Exception as error:
            app.part_failed("lights", error)


def _serve(app, race, panels):
    if panels and len(panels) == app.panel_count:
        app.panels.assign(panels)
    else:
        app.panels.serve(app.panel_count, len(race.setup.players))
    app.light(Lights.set_panels, [app.panels.seats(panel + 1) for panel in range(app.panel_count)])


def _lighting(app, race):
    leds = None
    try:
        leds = leds_file.load(app.hal, race.track.id)
    except (OSError, ValueError):
        pass
    if leds is None:
        app.fault(["board.no_leds", race.track.id], "leds")
    else:
        if leds.get("hash") != race.track.hash:
            app.fault(["board.old_leds", race.track.id], "leds")
        yield
        app.lights.load_track(leds, race.track)
    app.lights.mark_colours = dict(race.game.MARK_COLOURS)
    app.lights.set_cars(app.cars, race.game.LOW_DIALS)
