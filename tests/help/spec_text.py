"""A file of vectors as its author would write it, with one vector; tests change a word of it."""

GOOD = """
game = "moto_grand_prix"

[[vector]]
id = "mine.first"
clauses = ["MG-11"]
layout = "S8 R4d1 S6 L4d2 S6"
arrange = { bikes = ["1 1a 1"] }
steps = [
  { do = "1 roll 1 3", offers = ["flip none"] },
  { look = { "bike 1" = "1a", "lap" = "1" } },
]
"""
