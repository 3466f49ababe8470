"""Racing Rules passes the compliance kit in all its races."""

import compliance

TestRookieRun = compliance.suite("racing_rules", "race-1")
TestManiacMile = compliance.suite("racing_rules", "race-2")
TestDemolitionDerby = compliance.suite("racing_rules", "race-3")
TestRainbowRace = compliance.suite("racing_rules", "race-4")
TestDangerDragster = compliance.suite("racing_rules", "race-5")
TestTurbocharge = compliance.suite("racing_rules", "turbocharge")
TestDustDevil500 = compliance.suite("racing_rules", "race-6")
