"""What tests, bench and trials need to know about MotoGrandPrix; no board has this."""

#: The track for a short race.
SHORT_TRACK = "fabulous-driving-park"
#: The set-up's values if dice and cards lie on the table.
TABLE = {"dice": "table"}
#: Whether quick trials include it.
QUICK = False
#: The most of MicroPython's heap, on 64 bits, that its largest race may take: its own data (race, track, table, lights,
#: journal), no code. About 1.3 times the measured 28,832 bytes.
RACE_BYTES = 37_500
#: The least number of questions that the cheat sheet explains.
QUESTIONS = 6
