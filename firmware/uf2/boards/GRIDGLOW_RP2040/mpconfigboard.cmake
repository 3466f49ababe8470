# A Raspberry Pi Pico with Gridglow frozen in.
set(PICO_BOARD "pico")
set(PICO_PLATFORM "rp2040")
set(MICROPY_FROZEN_MANIFEST ${MICROPY_BOARD_DIR}/manifest.py)
# The port's own with more stack, made by gridglow firmware build.
set(MICROPY_BOARD_LINKER_SCRIPT ${MICROPY_BOARD_DIR}/memmap.ld)
set_source_files_properties(${CMAKE_BINARY_DIR}/frozen_content.c PROPERTIES
    COMPILE_OPTIONS "-include;${MICROPY_BOARD_DIR}/word_aligned.h")
