"""What tests, bench and trials need to know of MotoGrandPrix; no board has this."""

#: The track on which a race is short.
SHORT_TRACK = "fabulous-driving-park"
#: What a set-up says where dice and cards lie on the table.
TABLE = {"dice": "table"}
#: Whether quick trials race it.
QUICK = False
#: What its largest race may take of MicroPython's heap on 64 bits at most: its own data (race, track, table, lights,
#: journal), no code. About 1.3 times what was measured: 28,832 bytes.
RACE_BYTES = 37_500
#: Questions that the cheat sheet explains, at least.
QUESTIONS = 6
