"""What tests, bench and trials need to know about Ausgebremst; no board has this."""

#: The track for a short race.
SHORT_TRACK = "bleifuss-drom"
#: The set-up's values if dice and cards lie on the table.
TABLE = {"decks": "table"}
#: Whether quick trials include it.
QUICK = False
#: The most of MicroPython's heap, on 64 bits, that its largest race may take: its own data (race, track, table, lights,
#: journal), no code. About 1.3 times the measured 27,296 bytes.
RACE_BYTES = 35_500
#: The least number of questions that the cheat sheet explains.
QUESTIONS = 6
