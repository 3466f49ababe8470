"""The compliance kit on Fast & Furious: a short course with a corner, an obstacle, a barrier and a side road, with and
without the optional rules, and two teams on a short loop. The seven courses have their golden races."""

import compliance

from gridglow.tracks import compile_layout
from shared_rules.games.fast_and_furious.rules import Game
from shared_rules.track import Track


def subject(variant, layout, lanes):
    """The Subject of a variant on its own short course: on a full one the kit takes minutes."""
    pack = compile_layout(layout, lanes, 1, game=Game.ID, level="street")
    plains = compliance.some_setups(Game, Track.unpack(pack), variant)
    return compliance.Subject(Game, pack, plains, compliance.clauses_of(Game.ID), compliance.texts_of())


TestStreet = compliance.suite(lambda: subject("street", "S6 L2x3v5*1 S5 |4 S3 o3c 9b>3>12b", 4))
# Long enough for its obstacles: boxed in on a shorter loop, random drivers take for ever to wreck a car that is in the way.
TestTeams = compliance.suite(lambda: subject("tag-team", "S8 L2v5*1 S8 loop", 4))
