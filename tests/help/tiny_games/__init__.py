"""Two tiny games that test what no real game uses yet; written in the subset of ``shared_rules``."""
