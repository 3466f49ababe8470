"""Fast & Furious: Full Throttle: gears, speed draws, upgrades, penalties, from a start card to a finish card."""
