"""What ``gridglow bench`` measures."""
