"""Facts of MotoGrandPrix that are lists and numbers."""

#: Points of the riders' championship, by place (MG-37).
POINTS = (25, 20, 16, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)

#: Teams in seat order (MG-05); the fourth player rides for the first team again.
TEAMS = ("blue", "yellow", "red")

#: Two opposite faces of a die add up to this (MG-12).
OPPOSITE_FACES = 7

#: The start value of each characteristic (MG-21); the last point can't be spent (MG-22).
FULL = 8

#: The dials of the characteristics, in the order in which they are spent; a board warns when little is left.
DIALS = ("moto_grand_prix.dial_front", "moto_grand_prix.dial_rear", "moto_grand_prix.dial_engine")

#: Engine points that may be spent for speed in one turn (MG-29).
MOST_ENGINE = 3


def points(place):
    """Championship points for a place, 0 after the fifteenth."""
    return POINTS[place - 1] if 0 < place <= len(POINTS) else 0
