"""What a board's flash holds: the device folder, which an engine runs and a real board gets copied.

``build(root, board, …)``   prepares the folder; the ``Image`` that it returns tells what is in it
``compile_mpy(name, text)`` compiles one module for MicroPython, from the cache where it was compiled before
"""

from gridglow.device.compiler import compile_all, compile_mpy
from gridglow.device.image import Image, Module, build, default_tracks

__all__ = ["Image", "Module", "build", "compile_all", "compile_mpy", "default_tracks"]
