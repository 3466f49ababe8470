"""Messages to and from the host."""
