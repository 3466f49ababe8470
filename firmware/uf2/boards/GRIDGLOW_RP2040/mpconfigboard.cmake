# A Raspberry Pi Pico with Gridglow frozen in.
set(PICO_BOARD "pico")
set(PICO_PLATFORM "rp2040")
set(MICROPY_FROZEN_MANIFEST ${MICROPY_BOARD_DIR}/manifest.py)
# The port's own with more stack, made by gridglow firmware build.
set(MICROPY_BOARD_LINKER_SCRIPT ${MICROPY_BOARD_DIR}/memmap.ld)
