"""What ``gridglow bench --bots`` measures of the bots here: a duel on each course. No race loads this."""

#: Players of these set-ups; with two teams each drives both cars.
SEATS = (2, 4)
#: (name, players: b a bot, r a player who answers at random; what counts).
SETUPS = (("duel", "br", "ahead"),)
#: The percentage wanted on each course.
WANTED_PERCENT = 85
#: (variant, track, why less can be expected).
REASONS = ()
