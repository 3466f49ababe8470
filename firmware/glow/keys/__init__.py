"""Keys: turns key edges into presses, and finds whose they are."""
