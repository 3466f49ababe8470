"""Boards, dice and decks as an owner might write them: random track files for every game, sound and odd ones.

``random_file(game, dice)`` is the text of one, ``random_track`` its track. No loop could be drawn with its
angles: only the rules get it.
"""

import json
import random

from gridglow.tomlfile import FileProblems
from gridglow.tracks.levels import needs_difficulty
from gridglow.tracks.pack import pack_source
from gridglow.tracks.source import read_source
from shared_rules import games
from shared_rules.errors import BadTrack
from shared_rules.games.fast_and_furious import cards as gear_cards
from shared_rules.games.racing_rules.data import effects
from shared_rules.track import Track
from shared_rules.track_paint import COLOURS


def random_file(game, dice):
    """The text of a track file of this game."""
    return globals().get("_" + game, lambda dice: _another(game, dice))(dice)


def random_track(game, seed, folder):
    """The track of a seed's random file, None if the file itself is refused."""
    path = folder / "mine.toml"
    path.write_text(random_file(game, random.Random(f"{game}-{seed}")), encoding="utf-8")
    try:
        return Track.unpack(pack_source(read_source(path)))
    except (FileProblems, BadTrack):
        return None


class File:
    """Lines of a track file."""

    def __init__(self, game, dice, **head):
        self.dice = dice
        self.rows = 0
        self.lines = []
        self.wide = []                      # (first lane, lanes) of each row
        head = {"id": "mine", "name": "Mine", "number": 1, "game": game, "level": games.about(game).LEVELS[0], "laps": 1,
                "board_cm": [90, 60], "lanes": 2, "closed": True, **head}
        self.lanes = head["lanes"]
        self.head = head

    def table(self, table, /, **values):
        self.lines += ["", f"[[{table}]]", *[f"{key} = {json.dumps(value)}" for key, value in values.items()]]

    def section(self, kind, rows, **values):
        """A straight or a corner."""
        if kind == "corner":
            values = {"turn": "left", "angle": 90, **values}
        self.table("section", kind=kind, rows=rows, **values)
        if "inner" in values:
            outer = 2 if values["turn"] == "left" else 1
            self.wide += [(1, 2)] * values["inner"] + [(outer, 1)] * (rows - values["inner"])
        else:
            self.wide += [(1, values.get("lanes", self.lanes))] * rows
        self.rows += rows

    def spaces(self):
        """The names of all spaces in rows."""
        return [f"{row}{'abcd'[lane - 1]}" for row, (low, lanes) in enumerate(self.wide, 1)
                for lane in range(low, low + lanes)]

    def marks(self, words, share):
        """Marks single spaces, about this share of them."""
        for space in self.spaces():
            if self.dice.random() < share:
                self.table("mark", space=space, word=self.dice.choice(words))

    def text(self):
        head = [f"{key} = {json.dumps(value)}" for key, value in self.head.items()]
        return "\n".join([*head, *self.lines]) + "\n"


def _laps(dice):
    return dice.choice([1, 2, 3, 3, 4, 6, dice.randrange(1, 100)])


def _another(game, dice):
    """A file for a game that has no part of its own here."""
    out = File(game, dice, lanes=dice.randrange(1, 5), laps=_laps(dice), closed=dice.random() < 0.9)
    for _ in range(dice.randrange(2, 12)):
        kind = dice.choice(("straight", "corner"))
        hard = {"difficulty": dice.randrange(1, 4)} if kind == "corner" and needs_difficulty(game) else {}
        out.section(kind, dice.randrange(1, 9), **hard)
    return out.text()


def _moto_grand_prix(dice):
    out = File("moto_grand_prix", dice, lanes=dice.randrange(1, 5), laps=_laps(dice), closed=dice.random() < 0.95,
               level=dice.choice(("basic", "basic", "standard", "expert", "pro")))
    for _ in range(dice.randrange(2, 12)):
        more = {"hill": dice.choice(("up", "down", "flat"))} if dice.random() < 0.3 else {}
        if dice.random() < 0.1:
            more["lanes"] = dice.randrange(1, out.lanes + 1)
        turn = dice.choice(("left", "right"))
        if dice.random() < 0.5:
            out.section("straight", dice.randrange(1, 14), **more)
        elif dice.random() < 0.2:
            out.section("corner", dice.randrange(1, 9), turn=turn, counter="straight", **more)
        else:
            out.section("corner", dice.randrange(1, 9), turn=turn, difficulty=dice.randrange(1, 4), **more)
    out.section("corner", 3, turn="left", difficulty=2)
    if dice.random() < 0.05:
        out.head["die"] = ["red-1", "red-2"]
    if dice.random() < 0.05:
        for _ in range(5):
            out.section("straight", 90)
    return out.text()


def _round(out, turn, mixed=False):
    dice = out.dice
    for _ in range(dice.randrange(2, 9)):
        pick = dice.random()
        way = dice.choice(("left", "right")) if mixed else turn
        if pick < 0.35:
            inner = dice.randrange(1, 6)
            out.section("corner", inner + dice.randrange(1, 5), turn=way, inner=inner)
        elif pick < 0.5:
            out.section(dice.choice(("straight", "corner")), 1, lanes=1) if pick < 0.42 else out.section(
                "corner", dice.randrange(1, 4), turn=way, lanes=1)
        elif pick < 0.6:
            out.section("corner", dice.randrange(1, 5), turn=way)
        elif pick < 0.7:
            out.section("corner", dice.randrange(1, 3), turn=dice.choice(("left", "right")), counter="straight")
        else:
            out.section("straight", dice.randrange(1, 8))


def _full_throttle(dice):
    out = File("full_throttle", dice, laps=_laps(dice), closed=dice.random() < 0.97)
    turn = dice.choice(("left", "right"))
    _round(out, turn, dice.random() < 0.1)
    if dice.random() < 0.8:
        out.section("corner", 3, turn=turn, inner=2)
    out.section("straight", 3)
    if dice.random() < 0.05:
        for _ in range(4):
            out.section("straight", dice.randrange(60, 99))
    out.marks(["bonus"], dice.choice((0, 0.1, 0.5, 1)))
    if dice.random() < 0.3:
        for space in dice.sample(out.spaces(), 6 if dice.random() < 0.8 else dice.randrange(1, 8)):
            out.table("mark", space=space, word="start")
    if dice.random() < 0.05:
        out.table("card", word="green-1", count=3)
    return out.text()


def _ausgebremst(dice):
    out = File("ausgebremst", dice, laps=dice.choice((1, 2, 3, 3, 3, 4)))
    turn = dice.choice(("left", "right"))
    if dice.random() < 0.8:
        out.section("straight", dice.randrange(1, 5))
    _round(out, turn, dice.random() < 0.1)
    out.section("straight", 3)
    inner = "a" if turn == "left" else "b"
    leaves = "1" + (inner if dice.random() < 0.8 else dice.choice("ab"))
    back = f"{dice.randrange(2, 8)}{inner}" if dice.random() < 0.7 else dice.choice(out.spaces())
    spaces = dice.choice((1, 3, 4, 5, 6, 7, dice.randrange(1, max(2, out.rows))))
    out.table("road", kind="side", name="1c", spaces=spaces, **{"from": leaves, "to": back, "turn": turn})
    if dice.random() < 0.05:
        out.head["die"] = ["red-1", "red-2"]
    return out.text()


def _fast_and_furious(dice):
    closed = dice.random() < 0.5
    out = File("fast_and_furious", dice, lanes=dice.randrange(1, 5), closed=closed, laps=_laps(dice) if closed else 1)
    out.section("straight", dice.randrange(1, 7))
    for _ in range(dice.randrange(1, 8)):
        more = {"upgrades": dice.randrange(3)} if dice.random() < 0.4 else {}
        wide = dice.choice((out.lanes, dice.randrange(1, out.lanes + 1)))
        if dice.random() < 0.6:
            limit = dice.randrange(1, 10) if dice.random() < 0.7 else [dice.randrange(1, 31) for _ in range(wide)]
            # Lanes begin and end only on straights.
            out.section("straight", 1, lanes=max(wide, out.wide[-1][1]))
            out.section("corner", dice.randrange(1, 6), turn=dice.choice(("left", "right")), limit=limit, lanes=wide, **more)
            out.section("straight", 1)
        else:
            out.section("straight", dice.randrange(1, 9), lanes=wide, **more)
    if closed:
        out.section("corner", 1, limit=9)
    out.section("straight", dice.randrange(1, 6))
    out.marks(["obstacle"], dice.choice((0, 0, 0, 0.05, 0.3)))
    for row in dice.sample(range(1, out.rows), min(out.rows - 1, dice.choice((0, 0, 1, 2)))):
        out.table("barrier", row=row, speed=dice.choice((3, 6, 10, dice.randrange(1, 31))))
    if dice.random() < 0.3:
        first, last = sorted(dice.sample(range(1, out.rows + 1), 2))
        if dice.random() < 0.1:
            first, last = last, first
        ends = [dice.choice([name for name in out.spaces() if name[:-1] == str(row)]) for row in (first, last)]
        spaces = min(dice.randrange(1, 8), out.rows)
        out.table("road", kind="side", name=f"{min(max(first, 5), out.rows + 1 - spaces)}g", spaces=spaces, turn="left",
                  **{"from": ends[0], "to": ends[1]})
    if dice.random() < 0.4:
        _gear_cards(out)
    return out.text()


def _gear_cards(out):
    dice = out.dice
    if dice.random() < 0.6:
        high = dice.choice((4, 9, 20, 35))
        low = dice.choice((0, 1, 1, 1, 1, 1, max(1, high - 3)))
        for suit in range(1, 7 if dice.random() < 0.95 else 6):
            groups = ["".join("0123456789abcdefghijklmnopqrstuvwxyz"[dice.randrange(low, high + 1)] for _ in range(7))
                      for _ in range(20)]
            out.table("card", word=f"suit-{suit}-" + "-".join(groups), count=1)
    if dice.random() < 0.4:
        out.table("card", word="minimum-" + "-".join(str(dice.randrange(1, 20)) for _ in range(6)), count=1)
    if dice.random() < 0.4:
        most = dice.choice((6, 6, 9, 12))
        out.table("card", word="control-" + "-".join(str(dice.randrange(1, most + 1)) for _ in range(12)), count=1)
    if dice.random() < 0.4:
        names = list(gear_cards.DRIVERS)
        dice.shuffle(names)
        names = names[:dice.randrange(3, 13)]
        if dice.random() < 0.2:
            names += names[:2]
        out.table("card", word="drivers-" + "-".join(names), count=1)


def _racing_rules(dice):
    out = File("racing_rules", dice, lanes=1, closed=False)
    out.section("straight", dice.randrange(4, 30))
    while dice.random() < 0.6:
        out.section("corner", dice.randrange(1, 20), turn=dice.choice(("left", "right")))
    some = dice.sample(COLOURS, dice.randrange(1, 9)) if dice.random() < 0.6 else list(COLOURS)
    paint = [dice.choice(some) if dice.random() < 0.9 else "/".join(dice.sample(COLOURS, 2))
             for _ in range(dice.choice((len(some), dice.randrange(1, 13))))]
    out.head["colours"] = some if dice.random() < 0.4 else paint
    if dice.random() < 0.7:
        out.table("paint", space=f"{out.rows}a", colour=dice.choice(("black/gold", dice.choice(COLOURS))))
    _roads(out, some)
    if dice.random() < 0.5:
        out.marks(["turbo", "rpm", "lead_foot", "pit_stop", "spin_out", "red_line"], dice.choice((0.05, 0.2, 1)))
    if dice.random() < 0.6:
        few = dice.sample(COLOURS, dice.randrange(1, 9))
        numbers = list(range(1, 13)) if dice.random() < 0.5 else dice.sample(range(1, 13), dice.randrange(1, 6))
        out.head["die"] = [f"{dice.choice(few)}-{dice.choice(numbers)}" for _ in range(dice.randrange(2, 13))]
    if dice.random() < 0.5:
        for word in dice.sample(effects(), dice.randrange(1, 8)):
            out.table("card", word=word, count=dice.randrange(1, 7))
    return out.text()


def _roads(out, some):
    dice = out.dice
    if dice.random() < 0.6:
        out.table("road", kind="start", name="1b", spaces=dice.choice((1, 1, 1, 3)), angle=0,
                  to="1a" if dice.random() < 0.9 else dice.choice(out.spaces()))
    for lane in "cd":
        if dice.random() < 0.4:
            ends = sorted(dice.sample(range(1, out.rows + 1), 2), reverse=dice.random() < 0.1)
            spaces = min(dice.randrange(1, 12), out.rows)
            out.table("road", kind="side", name=f"{min(ends[0], out.rows + 1 - spaces)}{lane}", spaces=spaces, turn="left",
                      colours=some if dice.random() < 0.9 else [], **{"from": f"{ends[0]}a", "to": f"{ends[1]}a"})
    for lane in "ef":
        if dice.random() < 0.3:
            leaves = f"{out.rows - 1}a" if dice.random() < 0.8 else dice.choice(out.spaces())
            to = f"{out.rows}a" if dice.random() < 0.8 else dice.choice(out.spaces())
            out.table("road", kind="ramp", name="1" + lane, spaces=dice.randrange(1, 5), turn="left", angle=10,
                      colours=[dice.choice(COLOURS), "/".join(dice.sample(COLOURS, 2))], **{"from": leaves, "to": to})
