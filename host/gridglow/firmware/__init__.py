"""Gridglow's own firmware: MicroPython built from source with Gridglow frozen in, one UF2 file for each chip.

``sources``    MicroPython and picotool, of the commits that are pinned
``toolchain``  what a computer needs for the build, and what it lacks
``frozen``     the modules and the data that are frozen in, and the mark by which a program is told
``build``      the UF2 file
``built``      where one is that was built before
"""
