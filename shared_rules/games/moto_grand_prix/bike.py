"""A bike: how far it has come and what is left of its tires and engine."""

from shared_rules.game import Plain
from shared_rules.games.moto_grand_prix.data import FULL

GARAGE = "garage"
RACING = "race"
FINISHED = "finished"
OUT = "out"

STRAIGHT = "straight"
LEANING = "leaning"
WHEELIE = "wheelie"


class Bike(Plain):
    """``number`` from 1 in seat order, ``rider`` 0 or 1 in its team, ``space`` -1 off the track,
    ``crossings`` of the line, ``place`` 0 until it is ranked.

    From the Standard game on: ``front``, ``rear`` and ``engine`` as the dashboard shows them, ``faces`` of the dice that
    the bike got before its own turn (by a joint roll or a slipstream), ``contact`` and
    ``slipping``, each 1 if it is in one. Expert: ``stance``.
    """

    fields = ("number", "seat", "team", "rider", "space", "crossings", "status", "place", "front", "rear", "engine",
              "faces", "contact", "slipping", "stance")

    @classmethod
    def new(cls, number, seat, team, rider):
        """A bike before the pole roll."""
        return cls().load([number, seat, team, rider, -1, 0, GARAGE, 0, FULL, FULL, FULL, [], 0, 0, STRAIGHT])

    @property
    def on_track(self):
        """Whether it stands on a position, which nobody else may enter (MG-07)."""
        return self.space >= 0

    def refill(self):
        """Sets all three characteristics back to the green values, and the bike upright."""
        self.front = self.rear = self.engine = FULL
        self.stance = STRAIGHT
        self.faces = []
        self.contact = self.slipping = 0
