"""Board files: what is on a board's pins, how it is wired and built; reading, checking and editing them."""
