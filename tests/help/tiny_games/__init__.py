"""Two tiny games that prove what no real game uses yet; written in the subset of ``shared_rules``."""
