"""Plays races on whichever interpreter runs it and writes their digests, one answer a line.

Arguments: the folder that holds shared_rules (compiled, for MicroPython), a file with a job on each line, a track's pack.
"""

import gc
import json
import sys

ROOT = sys.argv[1]
sys.path.insert(0, ROOT)
if sys.implementation.name == "cpython":
    sys.path.insert(1, ROOT + "/tests/help")

from shared_rules import proof  # noqa: E402  (the folder is known only now)
from shared_rules.setup import Setup  # noqa: E402
from shared_rules.track import Track  # noqa: E402

if hasattr(gc, "threshold"):
    gc.threshold(131072)            # as when the rules run elsewhere


def run(job, track):
    """One race with random hands, an undo now and then."""
    module = __import__(job["module"], None, None, (job["class"],))
    game_class = getattr(module, job["class"])
    setup = Setup.from_plain(job["plain"], track, game_class)
    count = [0]

    def show(race):
        count[0] += 1
        text = race.line(race.lines).text if race.lines else ""
        print(count[0], race.digest(), race.public_digest(), text)

    race = proof.random_race(setup, track, job["hands"], show, game_class)
    print("over", race.digest(), json.dumps(race.standings()), race.game.inventory())


with open(sys.argv[3], "rb") as file:
    short_track = Track.unpack(file.read())
with open(sys.argv[2]) as jobs:
    for row in jobs:
        gc.collect()
        run(json.loads(row), short_track)
print("done")
