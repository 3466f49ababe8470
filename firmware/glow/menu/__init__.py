"""The menus: the one that sets a race up, and the one in a race."""
