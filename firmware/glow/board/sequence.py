"""What comes before and after a race: the five start lights and the podium."""

from glow import step
from glow.board.screen import Screen
from glow.lights.lights import Lights
from glow.lights.shows import AFTER_GO_MS, BETWEEN_LIGHTS_MS, FIRST_LIGHT_MS, LIGHTS
from glow.texts.texts import fit, wrap
from hal import ticks_diff

SHORTEST_HOLD_MS = 300
HOLD_SPAN_MS = 2200


class Start(Screen):
    """Five lights, one a second, a random hold, and all go out. OK skips it."""

    def enter(self, now):
        data = self.app.hal.urandom(2)
        self.begun_ms = now
        self.hold_ms = SHORTEST_HOLD_MS + (data[0] * 256 + data[1]) % HOLD_SPAN_MS
        self.phase = 0
        self.skipped = False
        self.app.light(Lights.start_sequence, now, self.hold_ms)
        self.app.open_keys()

    def press(self, press):
        if press.kind == "press" and press.key == "OK":
            self.app.light(Lights.skip, self.app.now)
            self.skipped = True
        elif press.kind == "press" and press.key == "MENU":
            self.app.stop_race()

    def tick(self, now):
        if self.skipped:
            self._to_race()
            return
        gone = ticks_diff(now, self.begun_ms)
        out_ms = FIRST_LIGHT_MS + (LIGHTS - 1) * BETWEEN_LIGHTS_MS + self.hold_ms
        phase = LIGHTS + 1
        if gone < out_ms:
            phase = min(LIGHTS, (gone - FIRST_LIGHT_MS) // BETWEEN_LIGHTS_MS + 1)
        if phase != self.phase:
            self.phase = phase
            self.app.start_lights = phase if phase <= LIGHTS else 0
            self.app.sound("lamp" if phase <= LIGHTS else "go")
            self.app.link.race()
            self.dirty = True
        if gone >= out_ms + AFTER_GO_MS:
            self._to_race()

    def _to_race(self):
        """Goes to the race once its modules are loaded, one in each tick."""
        if not self.app.load_next():
            self.app.go("race")

    def after_frame(self, now):
        if not self.skipped:
            self.app.load_ahead()

    def lines(self):
        texts = self.app.texts
        setup = self.app.race.setup
        track = self.app.race.track
        if self.phase > LIGHTS:
            return ["", "", texts.get("board.start_go")]
        lamps = " ".join(["(*)" if lamp < self.phase else "( )" for lamp in range(LIGHTS)])
        laps = self.app.speech.text("board.start_laps", (setup.laps,)) if self.app.race.lap else ""
        return [track.name, laps, "", lamps, "",
                texts.get("board.start_skip")]


class Podium(Screen):
    """The final standings and whatever else the game says; PREV and NEXT page through them, OK ends the race."""

    rows_shown = 4
    early_ms = 1000                                # an OK this soon was meant for what was there before
    copying = None                                 # the season's journal of this race, while it is being written

    def enter(self, now):
        self.since_ms = now
        race = self.app.race
        standings = race.standings()
        told = any([points for _, _, _, points in standings])          # some games have no points
        self.rows = [fit("%d %s" % (place, self.app.speech.who(seat, car)), str(points) if told else "")
                     for seat, car, place, points in standings]
        self.rows += [self.app.speech.say(line) for line in race.scene().lines]    # what else the game says
        if self.app.in_season():
            self.rows += self.app.safely("save", self._in_season) or []
            self.copying = self.app.safely("save", self._copying)
        self.first = 0
        self.app.light(Lights.show_podium, race.game.podium(), now)
        self.app.open_keys()
        self.app.sound("podium")
        self.app.link.standings()

    def _in_season(self):
        from glow.season import season  # loaded if the board keeps a season
        return season.podium(self.app)

    def _copying(self):
        from glow.season import season  # as above
        return season.copying(self.app)

    def after_frame(self, now):
        if self.copying and step(self.copying, self) is self:
            self.copying = None

    def leave(self):
        while self.copying:
            self.after_frame(self.app.now)

    def press(self, press):
        if press.kind not in ("press", "repeat"):
            return
        if press.key in ("PREV", "NEXT"):
            last = max(0, len(self.rows) - self.rows_shown)
            self.first = min(last, max(0, self.first + (1 if press.key == "NEXT" else -1)))
            self.dirty = True
        elif press.key == "OK" and press.kind == "press":
            if not 0 <= ticks_diff(self.app.now, self.since_ms) < self.early_ms:
                self.app.stop_race()
        elif press.key == "MENU" and press.kind == "press":
            self.app.drop_race()
            self.app.go("menu")

    def lines(self):
        app = self.app
        lines = wrap(app.texts.get("board.podium"), 21, 1)
        lines += self.rows[self.first:self.first + self.rows_shown]
        lines.append(app.texts.get("board.podium_keys"))
        return lines
