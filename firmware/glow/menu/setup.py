"""Setting a race up on the board: a list of rows, worked with PREV, NEXT and OK of any panel.

OK on a row starts to change it (PREV and NEXT then turn its value, OK ends that); UNDO goes back a step,
MENU leaves. All the choices come from the games and the track index.
"""

from glow.board.screen import Screen
from glow.lights.lights import Lights
from glow.menu import choices, names, offers
from glow.texts.texts import fit, wrap
from shared_rules import games
from shared_rules.setup import MOST_LAPS, SOURCES

KINDS = ("person", "bot", "empty")
WINDOW = 5
#: Ticks before a race loads, so that the light for the key can be shown.
LOADING_TICKS = 2


class Menu(Screen):
    """``choice`` is the set-up being made; the app keeps it from one race to the next."""

    def enter(self, now):
        self.at = 0
        self.panel = 1                             # the panel of the last key
        self.editing = False
        self.entry = None
        self.page = None
        self.page_at = 0
        self.loading = 0                           # ticks until a race is started or resumed
        self.season = None                         # the season's rows, while open
        self.choice = getattr(self.app, "menu_choice", None)
        if self.choice is None:
            self.choice = {"seats": [["person", ""], ["person", ""]]}
            self.app.menu_choice = self.choice
            self._take_game(games.NAMES[0])
        else:
            self._take_game(self.choice["game"])
        self.app.light(Lights.show_menu, now)
        self.app.open_keys()

    # The set-up being made

    def _take_game(self, name):
        """Loads a game's choices; earlier choices are kept where the game has them too."""
        choice = self.choice
        self.game = games.about(name)
        self.tracks = offers.tracks(self.app, name)
        choice["game"] = name
        if choice.get("variant") not in self.game.VARIANTS:
            choice["variant"] = self.game.VARIANTS[0]
        if choice.get("track") not in [entry["id"] for entry in self.tracks]:
            choice["track"] = self.tracks[0]["id"] if self.tracks else ""
            choice["laps"] = self._track_laps()
        kept = dict([(key, value) for key, value in choice.get("options", ())])
        choice["options"] = []
        for key, values, default in self.game.OPTIONS:
            value = kept.get(key, default)
            choice["options"].append([key, value if value in values else default])
        choice["dice"] = choice.get("dice", "device")
        choice["decks"] = choice.get("decks", "device")
        seats = choice["seats"]
        while len(seats) < self.game.SEATS[1]:
            seats.append(["empty", ""])
        del seats[self.game.SEATS[1]:]
        self._list_rows()

    def _track_laps(self):
        for entry in self.tracks:
            if entry["id"] == self.choice["track"]:
                return entry.get("laps", 1)
        return 1

    def _list_rows(self):
        kept = self.app.settings.get("season", 0) == 1
        rows = [("resume", 0)] if self.app.saved_race() else []
        if kept:
            rows.append(("season", 0))
        rows.extend([("game", 0), ("variant", 0), ("track", 0)])
        if self.game.LAPS:
            rows.append(("laps", 0))
        rows.extend([("option", at) for at in range(len(self.choice["options"]))])
        rows.extend([("seat", at) for at in range(len(self.choice["seats"]))])
        if getattr(self.game, "DICE", True):
            rows.append(("dice", 0))
        if self.game.DECKS:
            rows.append(("decks", 0))
        rows.extend([("set", at) for at in range(len(choices.KEYS))])
        if not kept:
            rows.append(("season", 0))
        rows.append(("service", 0))
        rows.append(("start", 0))
        self.rows = rows

    def plain(self):
        """(set-up as for ``Setup.from_plain``, seats of each panel); empty seats leave no gap."""
        choice = self.choice
        taken = [[kind, name] for kind, name in choice["seats"] if kind != "empty"]
        panels = [[] for _ in range(self.app.panel_count)]
        seat = 0
        for place, (kind, _) in enumerate(choice["seats"]):
            if kind != "empty":
                seat += 1
                if panels:
                    panels[place % len(panels)].append(seat)
        plain = {
            "game": choice["game"],
            "variant": choice["variant"],
            "track": choice["track"],
            "laps": choice["laps"],
            "options": [list(pair) for pair in choice["options"]],
            "players": names.fill(self.app.texts, taken),
            "dice": choice["dice"],
            "decks": choice["decks"],
        }
        return plain, panels

    # Keys

    def press(self, press):
        if press.kind not in ("press", "repeat") or self.loading or self.app.beginning:
            return
        self.dirty = True
        self.panel = press.panel
        key = press.key
        if self.season and key != "MENU":
            if not self.season.press(key, press.kind == "repeat"):
                self.leave()
                self._list_rows()
            return
        step = 1 if key == "NEXT" else -1 if key == "PREV" else 0
        if step:
            self._move(step)
        elif press.kind == "repeat":
            return
        elif self.page is not None:
            self.page = None
        elif key == "OK":
            self._ok()
        elif key == "UNDO":
            self._back()
        elif key == "MENU":
            self.app.go("idle")

    def _move(self, step):
        if self.page is not None:
            self.page_at = min(max(0, len(self.page) - WINDOW), max(0, self.page_at + step))
        elif self.entry:
            self.entry.move(step)
        elif self.editing:
            self._turn(step)
        else:
            self.at = (self.at + step) % len(self.rows)

    def _ok(self):
        kind, at = self.rows[self.at]
        if self.entry:
            self.entry.ok()
            if self.entry.done:
                self.choice["seats"][at][1] = self.entry.name.strip()
                self.entry = None
                self.editing = False
        elif kind in ("resume", "start"):
            self.load()
        elif kind == "season":
            self._open_season()
        elif kind == "service":
            self.app.go("service")
        elif not self.editing:
            self.editing = True
        elif kind == "seat" and self.choice["seats"][at][0] == "person":
            self.entry = names.NameEntry(self.choice["seats"][at][1])
        else:
            self.editing = False

    def load(self):
        """Loads the race, once the display says so."""
        self.loading = LOADING_TICKS
        self.app.light(Lights.ack, 0, self.app.now)

    def _open_season(self):
        if not self.app.settings.get("season", 0) and not games.season(self.choice["game"]):
            name = self.app.texts.get(self.choice["game"] + ".name")
            self._refused(self.app.texts.format("season.no_championship", (name,)))
            return
        from glow.season.menu import SeasonMenu  # loaded when somebody opens the season
        self.season = SeasonMenu(self)

    def leave(self):
        self.season = None

    def _back(self):
        if self.entry:
            if not self.entry.back():
                self.entry = None
        elif self.editing:
            self.editing = False
        else:
            self.app.go("idle")

    def after_frame(self, now):
        if self.loading:
            self.loading -= 1
            if not self.loading:
                self._begin()

    def _begin(self):
        self.dirty = True
        if self.season and self.season.season:
            plain, panels = self.season.race()
            self.app.begin_race(plain, panels, self._refused)
        elif self.season:
            say = self.season.begin()
            if say:
                self.app.sound("refused")
                self.season.show("board.set_up_wrong", wrap(say, 21))
        elif self.rows[self.at][0] == "resume":
            self.app.begin_resume(self._refused)
        else:
            plain, panels = self.plain()
            self.app.begin_race(plain, panels, self._refused)

    def _refused(self, say):
        """A race has begun, or can't begin: `say` is why."""
        self.season = None                         # the sentence appears on a page of the menu
        if say:
            self.dirty = True
            self.app.sound("refused")
            self.page = wrap(say, 21)
            self.page_at = 0

    def _turn(self, step):
        """Turns the value of the row under the cursor."""
        kind, at = self.rows[self.at]
        choice = self.choice
        if kind == "game":
            self._take_game(_turned(games.NAMES, choice["game"], step))
        elif kind == "variant":
            choice["variant"] = _turned(self.game.VARIANTS, choice["variant"], step)
        elif kind == "track" and self.tracks:
            choice["track"] = _turned([entry["id"] for entry in self.tracks], choice["track"], step)
            choice["laps"] = self._track_laps()
        elif kind == "laps":
            choice["laps"] = (choice["laps"] - 1 + step) % MOST_LAPS + 1
        elif kind == "option":
            pair = choice["options"][at]
            pair[1] = _turned(self.game.OPTIONS[at][1], pair[1], step)
        elif kind == "seat":
            seat = choice["seats"][at]
            seat[0] = _turned(KINDS, seat[0], step)
        elif kind == "set":
            choices.turn(self.app, choices.KEYS[at], step, self.panel)
        elif kind in ("dice", "decks"):
            choice[kind] = _turned(SOURCES, choice[kind], step)

    # Display

    def lines(self):
        texts = self.app.texts
        if self.page is not None:
            return [texts.get("board.set_up_wrong")] + self.page[self.page_at:self.page_at + WINDOW]
        if self.loading or self.app.beginning:
            return ["", ""] + wrap(texts.get("board.set_up_loading"), 21, 3)
        if self.season:
            return self.season.lines()
        if self.entry:
            return self._entry_lines()
        shown = [texts.get("board.set_up_edit" if self.editing else "board.set_up")]
        first = min(max(0, self.at - 2), max(0, len(self.rows) - WINDOW))
        for at in range(first, min(first + WINDOW, len(self.rows))):
            name, value = self._row(self.rows[at])
            mark = " " if at != self.at else "*" if self.editing else ">"
            shown.append(fit(mark + name, value))
        return shown

    def _entry_lines(self):
        texts = self.app.texts
        symbol = self.entry.symbol()
        says = {names.BACK: texts.get("board.name_back"), names.READY: texts.get("board.name_ready"),
                " ": texts.get("board.name_blank")}
        return [texts.format("board.name_of", (self.rows[self.at][1] + 1,)), "", self.entry.name + "_", "",
                "< " + says.get(symbol, symbol) + " >", texts.get("board.name_keys")]

    def _row(self, row):
        """(name, value) of a row, as the display shows them."""
        kind, at = row
        app = self.app
        choice = self.choice
        game = choice["game"]
        if kind == "set":
            key = choices.KEYS[at]
            return app.texts.get("board.menu_" + key), choices.name(app, key, self.panel)
        name = app.texts.get("season.title" if kind == "season" else "board.row_" + kind)
        if kind == "game":
            return name, app.texts.get(game + ".name")
        if kind == "variant":
            return name, offers.variant_name(app, game, choice["variant"])
        if kind == "track":
            for entry in self.tracks:
                if entry["id"] == choice["track"]:
                    return name, entry.get("name", entry["id"])
            return name, "-"
        if kind == "laps":
            return name, str(choice["laps"])
        if kind == "option":
            key, value = choice["options"][at]
            return offers.option_name(app, game, key), offers.value_name(app, game, key, value)
        if kind == "seat":
            kind, given = choice["seats"][at]
            name = app.texts.format("board.row_seat", (at + 1,))
            if kind == "empty":
                return name, app.texts.get("board.empty")
            label = given or names.default_name(app.texts, kind, at + 1)
            return name, label
        if kind in ("dice", "decks"):
            return name, app.texts.get("board.source_" + choice[kind])
        return name, ""


def _turned(values, value, step):
    """The previous or next value, wrapping round."""
    for at, one in enumerate(values):
        if one == value:
            return values[(at + step) % len(values)]
    return values[0]
