"""The virtual board: the firmware in an engine, and a page in the browser that shows it and plays on it.

For callers:

``engines``    the engine of a name ("micropython", "cpython", "pico") on a ready device folder
``server``     the page on the loopback address, and with ``lan=`` on this computer's address in the local network too
``serial``     a connected board as an engine, which the page watches
``headless``   a whole race without a page, as fast as the machine can
``bot_races``  the same with its device folder made first, for a race of bots alone

``EngineFault``, ``PortTaken`` and ``NoNetwork`` are one sentence each, fit to be shown as it is. Nothing is imported here,
so that a command which serves no page need not wait for the page's server.
"""
