"""The lights: from events in a race to the pixels of a frame, and what limits them."""
