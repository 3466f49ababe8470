"""The lights: from what happens in a race to the pixels of a frame, and what limits them."""
