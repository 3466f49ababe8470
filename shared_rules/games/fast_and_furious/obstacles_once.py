"""Obstacle tokens before the race, by agreement or in turn (FF-05). Loaded where some are placed."""

from shared_rules import notation
from shared_rules.games.fast_and_furious.box_once import OBSTACLES
from shared_rules.games.fast_and_furious.rules import UPGRADES
from shared_rules.games.fast_and_furious.ways_once import open_way
from shared_rules.prompts import TABLE, Choose, Refusal
from shared_rules.prompts_cards import Number


def place(game):
    """The next token: its row, then its space; 0 for no more."""
    seats = [seat for seat in game.setup.seats() if seat not in game.refused]
    agreed = game.setup.option("obstacles") == "agreed"
    if len(game.obstacles) >= OBSTACLES or not seats or TABLE in game.refused:
        game.begin(UPGRADES)
        return
    if agreed:
        seat = TABLE
    else:
        seat = [seat for seat in seats if seat > game.step][0] if seats[-1] > game.step else seats[0]
    left = OBSTACLES - len(game.obstacles)
    row = yield Number(seat, 0, game.track.rows, "fast_and_furious.ask_obstacle_row", (left,), 0, "FF-05")
    game.step = seat
    if not row:
        game.refused.append(seat)
    else:
        free = [space for space in range(game.course.start) if game.track.row(space) == row and fits(game, space)]
        names = [notation.show("go", [game.track.space_name(space)]) for space in free]
        space = yield Choose(seat, names + ["pass"], "fast_and_furious.ask_obstacle", (row,), 0, "FF-05", values=free + [-1],
                             near=lambda: _near(game, row, free), explain=lambda text: _why_not(game, text, row))
        if space >= 0:
            game.obstacles.append(space)
    left = [one for one in game.setup.seats() if one not in game.refused]
    if len(game.obstacles) >= OBSTACLES or not left or TABLE in game.refused:
        game.begin(UPGRADES)


def fits(game, space):
    """Whether an obstacle may lie there: none does yet, and a way stays open from the start card over the line."""
    course = game.course
    front = list(range(course.start, course.start + course.wide))
    return space not in game.obstacles and open_way(course, game.obstacles + [space], front, _laps(game))


def _laps(game):
    return game.setup.laps if game.track.closed else 1


def _near(game, row, free):
    spaces = [space for space in range(game.course.start) if game.track.row(space) == row and space not in free]
    return ["go " + game.track.space_name(space) for space in spaces]


def _why_not(game, text, row):
    space = game.track.named(text[3:]) if text[:3] == "go " else -1
    if space < 0 or space >= game.course.start or game.track.row(space) != row:
        return None
    reason = "obstacle" if space in game.obstacles else "last_way"
    return Refusal(text, "fast_and_furious." + reason, "FF-05", (text[3:],))
