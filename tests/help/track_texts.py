"""Tracks as text: the file of a small one, for tests to change a word of it, and the layout of the largest."""

HEAD = """id = "try"
name = "Try"
number = 90
game = "moto_grand_prix"
level = "basic"
laps = 3
board_cm = [60, 70]
lanes = 3
"""
SQUARE = "".join(
    """
[[section]]
kind = "straight"
rows = 8
[[section]]
kind = "corner"
turn = "left"
rows = 4
difficulty = 1
angle = 90
"""
    for _ in range(4)
)

# A race of the largest size that games are planned for: 140 rows of 3 lanes.
LARGEST = "S12 R4d3 R5d1 S6 R4d2 R5d1 S8 L5d2 S5 L4d2 R5d1 S9 R4d3u R5d1 S22d R4d2 R5d1 S7 L4d2 R4d1 S13"
