"""The championship of MotoGrandPrix: riders and teams (MG-37). Loaded only by a season."""

from shared_rules.games.moto_grand_prix.data import POINTS as _POINTS
from shared_rules.games.moto_grand_prix.data import TEAMS


class Season:
    """Every race finds its own grid, by the pole roll or a qualifying lap (MG-09, MG-23)."""

    #: Points by place.
    POINTS = _POINTS
    GRID = False
    #: The rulebook breaks no ties; we follow the real riders' championship.
    TIES = ("places", "last")

    @staticmethod
    def team(car):
        """Bikes of the same colour are a team."""
        return "moto_grand_prix.team_" + car[3] if car[3] in TEAMS else ""
