"""What tests, bench and trials need to know about Fast & Furious: Full Throttle; no board has this."""

#: The track for a short race.
SHORT_TRACK = "tag-team"
#: The set-up's values if dice and cards lie on the table.
TABLE = {"decks": "table"}
#: Whether quick trials include it.
QUICK = False
#: The most of MicroPython's heap, on 64 bits, that its largest race may take: its own data (race, track, table, lights,
#: journal), no code. About 1.3 times the measured 26,432 bytes.
RACE_BYTES = 34_400
#: The least number of questions that the cheat sheet explains.
QUESTIONS = 6
