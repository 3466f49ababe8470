"""The virtual board: the firmware in an engine, and a page in the browser that shows it and plays on it.

For callers:

``engines``    the engine of this name ("micropython", "cpython", "pico") on a ready device folder
``server``     the page on the loopback address, and with ``lan=`` also on this computer's address in the local network
``serial``     a connected board as an engine, which the page watches
``headless``   a whole race without a page, at full speed
``bot_races``  the same, including its device folder, for a race of bots only

``EngineFault``, ``PortTaken`` and ``NoNetwork`` are one sentence each, ready to show. Nothing is imported here,
so that a command without a page needn't wait for the page's server.
"""
