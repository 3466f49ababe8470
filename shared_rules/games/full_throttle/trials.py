"""What tests, bench and trials need to know of Full Throttle!; no board has this."""

#: The track on which a race is short.
SHORT_TRACK = "track-a"
#: What a set-up says where dice and cards lie on the table.
TABLE = {"decks": "table"}
#: Whether quick trials race it.
QUICK = True
#: What its largest race may take of MicroPython's heap on 64 bits at most: its own data (race, track, table, lights,
#: journal), no code. About 1.3 times what was measured: 25,536 bytes.
RACE_BYTES = 33_200
#: Questions that the cheat sheet explains, at least.
QUESTIONS = 6
