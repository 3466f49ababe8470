"""What ``gridglow bench --bots`` measures of the bots here: a duel on each course. No race loads this."""

#: Players of these set-ups: of two teams, each drives both cars.
SEATS = (2, 4)
#: (name, players: b a bot, r one who answers at random; what counts).
SETUPS = (("duel", "br", "ahead"),)
#: What is wanted on each course.
WANTED_PERCENT = 85
#: (variant, track, why less is to be expected).
REASONS = ()
