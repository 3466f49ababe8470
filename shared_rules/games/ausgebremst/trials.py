"""What tests, bench and trials need to know of Ausgebremst; no board has this."""

#: The track on which a race is short.
SHORT_TRACK = "bleifuss-drom"
#: What a set-up says where dice and cards lie on the table.
TABLE = {"decks": "table"}
#: Whether quick trials race it.
QUICK = False
#: What its largest race may take of MicroPython's heap on 64 bits at most: its own data (race, track, table, lights,
#: journal), no code. About 1.3 times what was measured: 27,296 bytes.
RACE_BYTES = 35_500
#: Questions that the cheat sheet explains, at least.
QUESTIONS = 6
