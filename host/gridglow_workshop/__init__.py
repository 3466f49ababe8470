"""What only those who work on Gridglow run: trials and measures, and their commands. No wheel has it."""
