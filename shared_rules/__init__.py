"""The rules, once: the engine and the games, in the Python that CPython and MicroPython both speak."""

RULES_VERSION = 2
