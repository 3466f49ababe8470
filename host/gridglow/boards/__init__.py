"""Board files: what a board has on its pins, how it is wired and built; read, checked, edited."""
