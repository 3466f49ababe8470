"""Gridglow's firmware: the race on lights, panels, display and flash. It runs on whatever `hal` puts below it."""
