// A Raspberry Pi Pico2 with Gridglow frozen in. The name is the stock board's, because tools ask for it.
#define MICROPY_HW_BOARD_NAME "Raspberry Pi Pico2"
// The file system at the end of the flash. Never change it: every board's saves are there.
#define MICROPY_HW_FLASH_STORAGE_BYTES (768 * 1024)
