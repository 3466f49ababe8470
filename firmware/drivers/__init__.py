"""What talks to the parts of a board, each in a file of its own; `hal.pico` puts them together.

Nothing here knows of races. Once begun, no driver allocates, and none waits.
"""
