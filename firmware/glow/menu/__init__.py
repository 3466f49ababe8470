"""The menus: setting a race up, and the one in a race."""
