"""What tests, bench and trials need to know of Fast & Furious: Full Throttle; no board has this."""

#: The track on which a race is short.
SHORT_TRACK = "tag-team"
#: What a set-up says where dice and cards lie on the table.
TABLE = {"decks": "table"}
#: Whether quick trials race it.
QUICK = False
#: What its largest race may take of MicroPython's heap on 64 bits at most: its own data (race, track, table, lights,
#: journal), no code. About 1.3 times what was measured: 26,432 bytes.
RACE_BYTES = 34_400
#: Questions that the cheat sheet explains, at least.
QUESTIONS = 6
