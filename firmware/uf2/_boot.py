"""The first file to run on a board: mounts the file system, and formats nothing but erased flash."""

import sys

from hal import file_system

sys.path.remove("")                                # else a folder with the name of one of our packages would hide it
file_system.mount()
del sys, file_system
