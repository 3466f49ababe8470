"""A board that is switched on and begins a race of each game, for the trial `dice`. Runs in a device folder, beside
``cold.json``: set-ups without a seed. Prints ``COLD {json}``: each game's decks in order.
"""

import json

from glow.app import App
from hal.virtual import VirtualHal


class Nobody:
    """The other end of a pipe where nobody is."""

    def read(self, _ms):
        return b""

    def write(self, data):
        return len(data)


def decks(game):
    """A game's fields with cards that nobody has seen."""
    dump = game.dump()
    return [dump[at] for at in range(len(game.fields)) if game.fields[at] in game.secret_fields]


app = App(VirtualHal(".", fake_clock=True, mirror=False, pipe=Nobody()), pace="instant", quiet=True)
found = {}
with open("cold.json") as job:
    for plain in json.load(job):
        say = app.start_race(plain)
        found[plain["game"]] = [say] if say else [app.race.setup.seed, decks(app.race.game)]
print("COLD " + json.dumps(found))
