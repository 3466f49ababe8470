"""The virtual board: the firmware in an engine, and a page in the browser that shows it and plays on it.

For callers, all of it asyncio:

``engine_named(name, root)``            an engine ("micropython", "cpython") on a ready device folder
``serve(engine, geometry, …)``          the page on the loopback address until it is cancelled or told to stop;
                                        with ``lan=`` this computer's address there, in the local network too
``lan_address()``                       that address
``run_headless(engine, setup)``         a whole race as fast as the machine can: ``(done message, journal text)``
``EngineFault``, ``PortTaken``, ``NoNetwork``   one sentence each, fit to be shown as it is
"""

from gridglow.virtual.access import NoNetwork, lan_address
from gridglow.virtual.child import engine_named
from gridglow.virtual.engine import Engine, EngineFault
from gridglow.virtual.headless import run_headless
from gridglow.virtual.server import PortTaken, VirtualBoard, serve

__all__ = [
    "Engine", "EngineFault", "NoNetwork", "PortTaken", "VirtualBoard", "engine_named", "lan_address", "run_headless",
    "serve",
]
