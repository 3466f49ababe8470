"""Ausgebremst: six cars, cards in hand, three laps and a pit stop."""
