"""What a board runs: its modules, as a device folder or built into MicroPython as one UF2 file for each chip.

``compiler``   modules compiled for MicroPython
``image``      a device folder with all that a board holds
``uf2``        UF2 files, read and checked
``sources``    MicroPython and picotool, of the commits that are pinned
``toolchain``  what a computer needs for the build, and what it lacks
``frozen``     the modules and the data that are frozen in, and the mark by which a program is told
``build``      the UF2 file
``built``      where one is that was built before
"""
