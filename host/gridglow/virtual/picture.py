"""The latest of everything that the board showed in public, for browsers that come late.

Nothing private gets in: answers to ``view`` and private screens of the display stay outside.
"""

from gridglow.virtual.faults import Faults

HIDDEN = "hidden"


class Picture:
    """Takes the board's messages and keeps the latest of each kind, the pixels of each output, and the log."""

    log_lines = 20_000
    outputs_most = 16

    def __init__(self) -> None:
        self._last: dict[str, dict] = {}
        self._pixels: dict[int, dict] = {}
        self._games: dict[str, dict] = {}  # the menu's games received so far
        self._menu_parts = 0
        self._log: list[dict] = []
        self._dice: list[list] = []
        self._faults = Faults()
        self._shown = ("", "")  # seal and state of the race
        self.gap = False  # lines of the log are missing: a resumed race sends only the new ones

    @property
    def prompts(self) -> list[dict]:
        """The open prompts, as last listed by the board."""
        listed = self._last.get("prompts", {"list": []})["list"]
        return [one for one in listed if isinstance(one.get("seat"), int)]

    @property
    def race(self) -> dict | None:
        """The last ``race`` message, or None."""
        return self._last.get("race")

    def clear(self) -> None:
        """Forgets everything: the board restarts and will report it again."""
        self._last.clear()
        self._games.clear()
        self._pixels.clear()
        self._log.clear()
        self._dice = []
        self._faults.clear()
        self._shown = ("", "")
        self.gap = False

    def take(self, message: dict) -> dict | None:
        """Stores what a late browser needs, and returns the message as everybody may see it, or None: for nobody."""
        kind = message["t"]
        if kind in ("view", "file", "ok", "no", "done"):
            return None
        if kind == "why":  # who asked is that page's business
            message = {key: value for key, value in message.items() if key != "re"}
        if kind == "show" and message["private"]:
            message = {**message, "lines": ["" if at != 2 else HIDDEN for at in range(6)]}
        if kind == "px":
            if message["o"] < self.outputs_most:
                self._pixels[message["o"]] = message
        elif kind == "fault":
            message = self._faults.take(message)
        elif kind == "line":
            self._take_line(message)
        elif kind == "menu":
            message = self._take_menu(message)
        elif kind == "scene":
            self._take_dice(message["events"])
            self._last[kind] = {**message, "events": []}
        elif kind not in ("sound", "why"):
            self._last[kind] = message
            if kind == "hello":
                self._faults.clear()
            if kind == "race":
                self._take_race(message)
        return message

    def _take_menu(self, message: dict) -> dict | None:
        """Collects the parts of a board's menu; returns the whole menu once the last one has come."""
        number = message.get("k") or 0
        if number == 0:
            self._games, self._menu_parts = {}, 0
        if number != self._menu_parts:
            return None  # an earlier part is lost: everything will come again
        self._menu_parts += 1
        for game in message["games"]:
            before = self._games.get(game.get("id", ""), {})
            self._games[game.get("id", "")] = {**before, **game, "tracks": before.get("tracks", []) + game.get("tracks", [])}
        if "k" in message and not message.get("last"):
            return None
        self._last["menu"] = {"t": "menu", "games": list(self._games.values())}
        return self._last["menu"]

    def _take_line(self, message: dict) -> None:
        """Takes a line; a number that we already have restarts the log from there (undo, another race)."""
        number = message["i"]
        while self._log and self._log[-1]["i"] >= number:
            self._log.pop()
        self.gap = number != (self._log[-1]["i"] if self._log else 0) + 1
        self._log.append(message)
        del self._log[: -self.log_lines]

    def _take_race(self, message: dict) -> None:
        """Another race, or none any more: forgets the previous one. Each race has its own seal, and only a new one
        has start lights."""
        state, game, seal = message["state"], message.get("game"), message.get("seed_hash") or ""
        before, self._shown = self._shown, (seal, state)
        if not game or seal != before[0] or (state == "start" and before[1] != "start"):
            for kind in ("scene", "standings", "prompts"):
                self._last.pop(kind, None)
            self._log.clear()
            self._dice = []
            self.gap = False
        if state in ("menu", "idle", "podium"):  # nothing is asked any more
            self._last.pop("prompts", None)

    def _take_dice(self, events: list) -> None:
        for event in events:
            if event and event[0] == "rolled":
                self._dice = [event]
            elif event and event[0] == "flipped":
                self._dice.append(event)
            elif event and event[0] == "undone":  # the dice there may belong to an undone turn
                self._dice = []

    @property
    def lang(self) -> str:
        """The board's language, or ""."""
        return self._last.get("hello", {}).get("lang") or ""

    def snapshot(self, pixels: bool = True) -> dict:
        """Everything for one browser; the dice on the table come as events of the scene."""
        order = ("hello", "menu", "race", "scene", "standings", "prompts", "show", "stat")
        messages = [self._last[kind] for kind in order if kind in self._last] + self._faults.lasting()
        messages = [
            {**message, "events": list(self._dice)} if message["t"] == "scene" else message for message in messages
        ]
        return {"t": "snapshot", "list": messages + (list(self._pixels.values()) if pixels else []) + list(self._log)}
