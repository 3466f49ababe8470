"""What a board is built from: drawings, parts lists and prints made of its board file, and whether it can be built."""
