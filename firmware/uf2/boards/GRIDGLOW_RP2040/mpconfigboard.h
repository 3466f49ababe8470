// A Raspberry Pi Pico with Gridglow frozen in. The name is the stock board's, because tools ask for it.
#define MICROPY_HW_BOARD_NAME "Raspberry Pi Pico"
// The file system at the end of the flash. Never change it: every board's saves are there.
#define MICROPY_HW_FLASH_STORAGE_BYTES (768 * 1024)
