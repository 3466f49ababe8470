"""What tests, bench and trials need to know about Racing Rules; no board has this."""

#: The track for a short race.
SHORT_TRACK = "house-board"
#: The set-up's values if dice and cards lie on the table.
TABLE = {"dice": "table", "decks": "table"}
#: Whether quick trials include it.
QUICK = True
#: The most of MicroPython's heap, on 64 bits, that its largest race may take: its own data (race, track, table, lights,
#: journal), no code. About 1.3 times the measured 20,864 bytes.
RACE_BYTES = 27_100
#: The least number of questions that the cheat sheet explains.
QUESTIONS = 6
