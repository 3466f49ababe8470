"""The season in the set-up menu: its next race, its standings, and the choice of tracks for a new one."""

from glow.menu import offers
from glow.season import season
from glow.texts.texts import fit, wrap

WINDOW = 5


class SeasonMenu:
    """A list of rows; OK does one, UNDO goes back. ``order``: the indexes of the chosen tracks, in race order."""

    def __init__(self, menu):
        self.menu = menu
        self.app = menu.app
        self.order = []
        self.page = None
        self.page_title = ""
        self.page_at = 0
        self.sure = False
        self._look()

    def _look(self):
        """Reads the season that the board keeps, and lists the possible actions."""
        self.season = season.load(self.app)
        self.at = 0
        self.tracks = offers.tracks(self.app, self.season.game) if self.season else self.menu.tracks
        if self.season:
            self.rows = [] if self.season.over else [("race", 0)]
            self.rows += [("standings", 0), ("tracks", 0), ("end", 0)]
        else:
            self.rows = [("all", 0)] + [("track", at) for at in range(len(self.tracks))] + [("begin", 0)]

    # Keys

    def press(self, key, repeat):
        """Handles a key; False if it leads back to the menu."""
        if key in ("PREV", "NEXT"):
            step = 1 if key == "NEXT" else -1
            if self.page is not None:
                self.page_at = min(max(0, len(self.page) - WINDOW), max(0, self.page_at + step))
            else:
                self.at = (self.at + step) % len(self.rows)
                self.sure = False
        elif repeat:
            return True
        elif self.page is not None:
            self.page = None
        elif key == "OK":
            self._ok()
        elif key == "UNDO":
            return False
        return True

    def _ok(self):
        kind, at = self.rows[self.at]
        if kind == "all":
            places = list(range(len(self.tracks)))
            self.order = [] if self.order == places else places
        elif kind == "track":
            self.order = [place for place in self.order if place != at] + ([] if at in self.order else [at])
        elif kind in ("race", "begin"):
            if kind == "begin" and not self.order:
                self.show("season.row_tracks", wrap(self.app.texts.get("season.no_tracks"), 21))
            else:
                self.menu.load()
        elif kind == "standings":
            self.show("season.standings", season.standings(self.app, self.season))
        elif kind == "tracks":
            self.show("season.races", self._races())
        elif not self.sure:
            self.sure = True
        else:
            season.end(self.app)
            self._look()
            self.sure = False

    def show(self, title, lines):
        """Opens a page of lines."""
        self.page_title = title
        self.page = lines
        self.page_at = 0

    def race(self):
        """The next race: (set-up, seats of each panel), as ``Menu.plain`` gives them."""
        plain, panels = self.menu.plain()
        race = self.season.next_setup()
        race["dice"] = plain["dice"]
        race["decks"] = plain["decks"]
        return race, panels if len(plain["players"]) == len(race["players"]) else None

    def begin(self):
        """Begins the season: "" or the sentence that says why not."""
        plain, _ = self.menu.plain()
        say = season.begin(self.app, plain, [self.tracks[at]["id"] for at in self.order])
        if not say:
            self._look()
        return say

    # Display

    def lines(self):
        """The display's lines."""
        texts = self.app.texts
        if self.page is not None:
            return [texts.get(self.page_title)] + self.page[self.page_at:self.page_at + WINDOW]
        if self.season:
            right = "%d/%d" % (len(self.season.results), len(self.season.tracks))
        else:
            right = str(len(self.order))
        shown = [fit(texts.get("season.title" if self.season else "season.row_tracks"), right)]
        first = min(max(0, self.at - 2), max(0, len(self.rows) - WINDOW))
        for at in range(first, min(first + WINDOW, len(self.rows))):
            name, value = self._row(self.rows[at], at == self.at and self.sure)
            shown.append(fit((">" if at == self.at else " ") + name, value))
        return shown

    def _row(self, row, sure):
        texts = self.app.texts
        kind, at = row
        if kind == "track":
            entry = self.tracks[at]
            number = str(self.order.index(at) + 1) if at in self.order else ""
            return entry.get("name", entry["id"]), number
        if kind == "race":
            return texts.format("season.row_race", (self.season.round, self._track(self.season.round))), ""
        if sure:
            return texts.get("board.menu_sure"), ""
        return texts.get({"standings": "season.standings", "tracks": "season.races"}.get(kind, "season.row_" + kind)), ""

    def _track(self, number):
        """The name of a race's track."""
        wanted = self.season.tracks[number - 1]
        for entry in self.tracks:
            if entry["id"] == wanted:
                return entry.get("name", wanted)
        return wanted

    def _races(self):
        """A line for each race: its track, and the best of those who scored."""
        lines = []
        for number in range(1, len(self.season.tracks) + 1):
            won = ""
            if number <= len(self.season.results):
                scored = [row[0] for row in self.season.results[number - 1][0] if row[0] and row[3] > 0]
                won = self.season.players[scored[0] - 1][1] if scored else "-"
            lines.append(fit("%d %s" % (number, self._track(number)), won))
        return lines
