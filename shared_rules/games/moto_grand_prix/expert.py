"""The Expert rules: stances, slipstream, hills and losing grip (MG-38 to MG-48)."""

from shared_rules.games.moto_grand_prix.bike import LEANING, STRAIGHT, WHEELIE
from shared_rules.prompts import Choose


def stance_of_tile(game, space):
    """Bikes lean on corners and are upright on straights (MG-38)."""
    return LEANING if game.circuit.difficulty(space) else STRAIGHT


# CHECK POSITION: uphill, downhill, stance (MG-44, MG-46, MG-47)

def modifier(game, bike):
    """Movement points that the bike's tile and stance add or take off, judged where it stands before the roll."""
    slope = game.track.section(bike.space).slope
    points = {"up": -1, "down": 1}.get(slope, 0)
    if game.setup.option("hills") == "body":
        points = -points
    on_corner = game.circuit.difficulty(bike.space) > 0
    if bike.stance == WHEELIE or (bike.stance == STRAIGHT and on_corner):
        points -= 1
    return points


# SLIPSTREAM (MG-40 to MG-43)

def slipstream(game, front):
    """Asks the bikes behind, front to back, before the bike in front rolls; returns those that slipstream."""
    chain = []
    while True:
        behind = follower(game, front)
        if behind is None:
            return chain
        said = yield Choose(behind.seat, ["slip", "pass"], "moto_grand_prix.ask_slipstream",
                            ("car:%d" % front.number,), behind.number, "MG-40")
        if said != "slip":
            return chain
        behind.slipping = 1
        chain.append(behind)
        front = behind


def follower(game, front):
    """The bike that may slipstream behind ``front``, or None."""
    track = game.track
    if not may_give(game, front):
        return None
    for number in game.to_act:
        bike = game.bike(number)
        gap = game.circuit.rows_ahead(bike.space, front.space)
        if gap == 1 and track.lane(bike.space) == track.lane(front.space) and not bike.faces:
            return bike if may_take(game, bike) else None
    return None


def may_give(game, bike):
    """Whether it is on the racing line of a straight with nobody beside it (MG-41, MG-43)."""
    row = game.track.row(bike.space)
    abreast = [other for other in game.bikes if other.on_track and game.track.row(other.space) == row]
    return len(abreast) == 1 and _on_straight_line(game, bike)


def may_take(game, bike):
    """Whether it is on the racing line of a straight and not on its rear wheel (MG-42, MG-43)."""
    return bike.stance != WHEELIE and _on_straight_line(game, bike)


def _on_straight_line(game, bike):
    return not game.circuit.difficulty(bike.space) and game.circuit.rank(bike.space) == 1


# LOSING GRIP (MG-45)

def lose_grip(game, bike, rolled, faces):
    """A double that was rolled and used unflipped: a wheelie on a straight, a sideslip on a corner."""
    if len(faces) != 2 or faces[0] != faces[1] or rolled != faces:
        return
    if game.circuit.difficulty(bike.space):
        game.event("sideslip", bike.number)
        bike.stance = STRAIGHT
        game.spend(bike, "rear", 1)
    else:
        game.event("wheelie", bike.number)
        bike.stance = WHEELIE
