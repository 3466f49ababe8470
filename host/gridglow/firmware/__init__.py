"""What a board runs: its modules, as a device folder or built into MicroPython as one UF2 file per chip.

``compiler``   modules compiled for MicroPython
``image``      a device folder with everything a board holds
``uf2``        UF2 files, read and checked
``sources``    MicroPython and picotool, at pinned commits
``toolchain``  what the build needs on this computer, and what is missing
``frozen``     the frozen modules and data, and the mark that identifies a program
``build``      the UF2 file
``built``      finds a UF2 file built earlier
"""
