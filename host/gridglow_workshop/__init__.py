"""Tools for developers of Gridglow only: trials, measurements, and their commands. No wheel contains it."""
