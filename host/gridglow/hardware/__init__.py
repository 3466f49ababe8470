"""What a board is built from: drawings, parts lists and prints made from its board file, and checks that it can be built."""
