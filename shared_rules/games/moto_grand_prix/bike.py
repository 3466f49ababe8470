"""A bike and how far it has come."""

from shared_rules.game import Plain

GARAGE = "garage"
RACING = "race"
FINISHED = "finished"
OUT = "out"


class Bike(Plain):
    """``number`` from 1 in seat order, ``rider`` 0 or 1 in its team, ``space`` -1 off the track,
    ``crossings`` of the line, ``place`` 0 until it is ranked."""

    fields = ("number", "seat", "team", "rider", "space", "crossings", "status", "place")

    @classmethod
    def new(cls, number, seat, team, rider):
        """A bike before the pole roll."""
        return cls().load([number, seat, team, rider, -1, 0, GARAGE, 0])

    @property
    def on_track(self):
        """Whether it stands on a position, where nobody else may go (MG-07)."""
        return self.space >= 0
