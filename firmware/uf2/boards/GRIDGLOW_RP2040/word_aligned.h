// Included before the frozen modules' C code. MicroPython puts frozen machine code at even addresses, but on a Cortex-M0+ it
// holds constants that are read as whole words: at an address that isn't a multiple of four, wrong ones are read, and it crashes.
#include "py/mpconfig.h"
#include "py/objint.h"
#include "py/objstr.h"
#include "py/emitglue.h"
#include "py/nativeglue.h"
#define aligned(bytes) __aligned__((bytes) < 4 ? 4 : (bytes))
