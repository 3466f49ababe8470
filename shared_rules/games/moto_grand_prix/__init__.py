"""MotoGrandPrix: two bikes a team, two dice a turn, and the nerve to flip them."""
