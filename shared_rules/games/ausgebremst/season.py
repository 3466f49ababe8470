"""The championship of Ausgebremst (AB-01, AB-06 to AB-10, AB-39, AB-42). Loaded only by seasons."""

from shared_rules.games.ausgebremst.data import POINTS


class Season:
    """What a season needs to know about the game."""

    #: Points by place.
    POINTS = POINTS
    #: The grid of the next race comes from the last finish (AB-09).
    GRID = True
    #: Most wins, then the better place in the last race (AB-42).
    TIES = ("wins", "last")

    @staticmethod
    def team(car):
        """There are no teams."""
        return ""
