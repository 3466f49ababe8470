"""Cards are paid, for another gear or over the hand limit (FF-18, FF-27, FF-33). Loaded where that happens."""

from shared_rules.games.fast_and_furious import data
from shared_rules.prompts import Choose, Refusal


def shift(turn, step):
    """One gear up or down for cards of any kind (FF-18)."""
    yield from pay(turn, turn.costs()[0 if step > 0 else 1], "FF-18", "fast_and_furious.ask_pay")
    if step > 0:
        turn.ups += 1
    else:
        turn.downs += 1
    before = turn.row()
    turn.car.gear += step
    turn.game.event("told", ["fast_and_furious.told_gear", "car:%d" % turn.car.number, turn.car.gear])
    if turn.stage == turn.SPEED and turn.row() != before:
        from shared_rules.games.fast_and_furious import draw_once
        yield from draw_once.read_speeds(turn)


def pay(turn, count, clause, ask):
    """So many cards leave the hand, by choice where there is one; they are discarded at once."""
    while count > 0:
        hand = turn.hand()
        gears = data.gears(hand)
        if turn.game.by_table:
            gone = count
        elif count == len(gears):
            gone = hand
        elif gears[0] == gears[-1]:
            gone = hand[:2 * count]
        else:
            gone = yield from discard(turn, ask, count, clause)
        count -= gone if turn.game.by_table else len(gone) // 2
        turn.game.lose(turn.car, gone)


def discard(turn, ask, count, clause, enough=False):
    """Asks for one card of the hand; "" where it is enough."""
    hand = turn.hand()
    kinds = [str(gear) for gear in range(1, data.GEARS + 1) if str(gear) in data.gears(hand)]
    texts = ["discard " + gear for gear in kinds]
    values = [data.of_gear(hand, gear, 1) for gear in kinds]
    if enough:
        texts.append("ok")
        values.append("")
    prompt = Choose(turn.car.seat, texts, ask, (count,), turn.car.number, clause, True, values=values,
                    explain=lambda text: _not_held(text, clause))
    prompt.laid_open = True
    return (yield prompt)


def _not_held(text, clause):
    return Refusal(text, "fast_and_furious.not_held", clause, (text[8:],)) if text[:8] == "discard " else None
