"""A car is out of the race, or its player leaves. Loaded when that happens."""

from shared_rules.games.fast_and_furious.rules import OUT, PLACES, RACE, RUN, UPGRADES, WAIT


def take_out(game, car):
    """The car is out of the race (FF-44, FF-51)."""
    car.to_go = game.to_go(car)
    car.status = OUT
    car.space = car.block = -1
    game.hands[car.number - 1] = ""
    game.event("out", car.number)
    if game.tag:
        from shared_rules.games.fast_and_furious import tag
        tag.take_out(game, car)


def leave(game, seat):
    """See ``Game.leave``. In a team of two players the mate drives both cars from now on."""
    mates = [other for other in (seat + 2, seat - 2) if 0 < other <= len(game.setup.players)]
    for car in game.cars_:
        if car.seat != seat:
            continue
        still = [mate for mate in mates if any([other.seat == mate for other in game.cars_])]
        if game.tag and still and mates:
            car.seat = still[0]
        elif car.status in (RUN, WAIT):
            take_out(game, car)
    if seat not in game.refused:
        game.refused.append(seat)
    if game.phase == RACE and game.running() and game.car(game.at).status != RUN:
        game.next_car()
    if game.phase in (UPGRADES, PLACES):
        from shared_rules.games.fast_and_furious import setup_once
        setup_once.go_on(game)
