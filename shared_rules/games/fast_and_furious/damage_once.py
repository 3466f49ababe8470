"""Damage icons and control tokens (FF-49 to FF-51). Loaded where there is one."""

from shared_rules.games.fast_and_furious import box_once, data


def take_token(turn):
    """A control token for the speed that was chosen: its number is added in the next turn (FF-50)."""
    game, car = turn.game, turn.car
    tokens = list(game.control)
    if not tokens:
        return
    drawn = yield box_once.Take(car.seat, tokens, "fast_and_furious.ask_control", (), car.number, "FF-50")
    if not drawn:
        return
    turn.control = int(drawn[0])
    at = game.control.index(drawn[0])
    game.control = game.control[:at] + game.control[at + 1:]
    game.event("told", ["fast_and_furious.told_control", "car:%d" % car.number, turn.control])


def turn_over(turn):
    """The token of the turn before shows its damage side; three of them junk the car (FF-51)."""
    game, car = turn.game, turn.car
    if car.control:
        car.damage += 1
        game.event("told", ["fast_and_furious.told_damage", "car:%d" % car.number, car.damage])
    car.control = turn.control
    if car.damage >= data.JUNK and car.status == "run":
        game.take_out(car)
