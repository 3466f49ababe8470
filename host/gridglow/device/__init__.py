"""Real boards: finding, asking, examining, filling and flashing them."""
