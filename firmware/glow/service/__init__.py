"""Service mode: each part of the board tried by itself."""
