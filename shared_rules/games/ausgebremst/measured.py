"""What ``gridglow bench --bots`` measures of the bots here: with fewer players than a race has. No race loads this.

A car's race is long enough to run out of cards, so what counts is whether the bot gets home.
"""

#: Players of these set-ups; a race needs three.
SEATS = (1, 6)
#: (name, players: b a bot, r a player who answers at random; what counts). All other cars have no driver.
SETUPS = (("alone", "b", "finishes"), ("duel", "br", "ahead"))
#: Judged by the ranking alone: of cars that didn't get home the one with less far to go is ahead (AB-10).
RANKED = ("ahead",)
#: The percentage wanted on each track.
WANTED_PERCENT = 80

_FEW = "From the last row the cards leave %d points of 84, and one outer curve costs up to 2."
#: Both from tools/ausgebremst_limits.py, in the bench's races: how many can be finished at all, and how many are finished by
#: a search that thinks about a thousand times as much as a bot. Neither proves what a bot, which can't know the cards, could
#: do at best.
_KNOWN = " Anybody who knew all cards beforehand could get home in %d of 200 races."
_SEARCH = (" A search that knows as little as a bot and plays each choice 100 times to the end got home in %d of 200, which "
           "proves no limit.")
#: (variant, track, why less can be expected).
REASONS = (
    ("family", "nuerburg-ring", _FEW % 2 + _KNOWN % 198 + _SEARCH % 113),
    ("family", "nuerburg-drom", _FEW % 2 + _KNOWN % 191 + _SEARCH % 107),
    ("family", "nuerburg-circuit", _FEW % 3 + _KNOWN % 196 + _SEARCH % 135),
    ("pro", "nuerburg-ring", _FEW % 2),
    ("pro", "nuerburg-drom", _FEW % 2 + _SEARCH % 143),
    ("pro", "nuerburg-circuit", _FEW % 3),
)
