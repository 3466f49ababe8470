"""The board as a whole: its screens, its parts, what it does when something fails, and the start of a race."""
