"""Keys: what becomes a press, and of whom."""
