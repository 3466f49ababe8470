"""The board as a whole: its screens, its parts, what it does where something fails, and the beginning of a race."""
