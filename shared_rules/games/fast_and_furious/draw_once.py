"""A set is played, cards are flipped, a speed is chosen (FF-15, FF-16, FF-49). Loaded where that happens."""

from shared_rules.games.fast_and_furious import data, pile_once
from shared_rules.prompts_cards import Draw


def play(turn, gear, count):
    """A set is played and as many cards are flipped (FF-15)."""
    game = turn.game
    turn.set = (gear, count)
    if game.by_table:
        game.lose(turn.car, count)
    else:
        cards = data.of_gear(turn.hand(), gear, count)
        game.lose(turn.car, cards)
        turn.table += cards
    turn.minimum = game.box.minimum(gear) if gear == turn.car.gear else 0
    game.event("told", ["fast_and_furious.told_plays", "car:%d" % turn.car.number, count, gear])
    yield from speed_draw(turn, count)


def speed_draw(turn, count):
    """Flips cards from the deck; by table the number beside the gear is told for each."""
    turn.stage = turn.DRAW
    if turn.game.by_table:
        turn.flipped += "??" * count
        yield from _told_speeds(turn, count)
    else:
        turn.flipped += yield from flip(turn, count, "fast_and_furious.ask_flip")
        yield from read_speeds(turn)
    turn.stage = turn.SPEED


def _told_speeds(turn, count):
    """By table: the numbers beside the gear on so many flipped cards, one after the other; Neutral has none (FF-17)."""
    row = turn.row()
    for _ in range(count if row else 0):
        drawn = yield Draw(turn.car.seat, turn.game.box.values(row), "fast_and_furious.ask_told", (row,), turn.car.number,
                           "FF-15")
        turn.speeds.append(int(drawn[0]))


def read_speeds(turn):
    """The speeds beside the gear that is used now; by table they are asked for again."""
    row = turn.row()
    if not turn.game.by_table:
        turn.speeds = [turn.game.box.speed(card, row) for card in data.cards(turn.flipped)] if row else []
        return
    turn.speeds = []
    stage, turn.stage = turn.stage, turn.DRAW
    yield from _told_speeds(turn, len(turn.flipped) // 2)
    turn.stage = stage


def flip(turn, count, ask, clause="FF-15"):
    """Cards from the top of the deck come on the table."""
    game = turn.game
    names = [pile_once.word(card) for card in data.cards(game.top(count))]
    drawn = yield Draw(turn.car.seat, names, ask, (count,), turn.car.number, clause, count=count)
    cards = "".join([pile_once.card_of(name) for name in drawn])
    game.deck = game.deck[len(cards):]
    turn.table += cards
    return cards


def choose(turn, speed):
    """A speed is chosen; a damage icon beside it may cost a control token (FF-49, FF-50)."""
    turn.chosen = turn.car.last = speed
    turn.icon = speed in turn.speeds and speed <= data.ICONS[turn.row()] and speed != turn.minimum
    if turn.icon and turn.game.damage:
        from shared_rules.games.fast_and_furious import damage_once
        turn.stage = turn.CONTROL
        yield from damage_once.take_token(turn)
    turn.stage = turn.MOVE
