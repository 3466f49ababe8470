"""What ``gridglow bench --bots`` measures of the bots here: with fewer players than a race has. No race loads this.

A car's race is long enough to run out of cards, so what counts is whether the bot gets home.
"""

#: Players of these set-ups; a race wants three.
SEATS = (1, 6)
#: (name, players: b a bot, r one who answers at random; what counts). All other cars have no driver.
SETUPS = (("alone", "b", "finishes"), ("duel", "br", "ahead"))
#: What is judged by the ranking alone: of cars that didn't get home the one that had less far to go is ahead (AB-10).
RANKED = ("ahead",)
#: What is wanted on each track.
WANTED_PERCENT = 80

_FEW = "From the last row the cards leave %d points of 84, and one outer curve costs up to 2."
#: The races that can be finished at all are those of the bench's own 200. None of these figures proves what a bot, which
#: can't know the cards, could do at best.
_KNOWN = " Who knew all cards beforehand could get home in %d of 200 races."
_SEARCH = (" A search that knows as little as a bot and plays each choice to the end so often got home in "
           "%s (tools/ausgebremst_limits.py); that proves no limit.")
#: (variant, track, why less is to be expected).
REASONS = (
    ("family", "nuerburg-ring", _FEW % 2 + _KNOWN % 198),
    ("family", "nuerburg-drom", _FEW % 2 + _KNOWN % 191 + _SEARCH % "49 of 100 with 10 plays, 44 with 40"),
    ("family", "nuerburg-circuit", _FEW % 3),
    ("pro", "nuerburg-ring", _FEW % 2),
    ("pro", "nuerburg-drom", _FEW % 2 + _SEARCH % "45 of 100 with 10 plays, 68 with 40"),
    ("pro", "nuerburg-circuit", _FEW % 3),
)
