"""The drivers of a board's parts, one file each; `hal.pico` puts them together.

Nothing here knows about races. Once running, no driver allocates memory, and none waits.
"""
