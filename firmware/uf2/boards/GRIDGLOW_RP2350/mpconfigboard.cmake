# A Raspberry Pi Pico2 with Gridglow frozen in.
set(PICO_BOARD "pico2")
set(PICO_PLATFORM "rp2350")
set(MICROPY_FROZEN_MANIFEST ${MICROPY_BOARD_DIR}/manifest.py)
