"""Full Throttle!: mopeds that race by themselves, and people who bet on them."""
