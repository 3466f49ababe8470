// Before the frozen modules' C code. MicroPython lays frozen machine code at even addresses, but that of a Cortex-M0+ holds
// constants which it reads as whole words: at an address that is no multiple of four it would read others, and crash.
#include "py/mpconfig.h"
#include "py/objint.h"
#include "py/objstr.h"
#include "py/emitglue.h"
#include "py/nativeglue.h"
#define aligned(bytes) __aligned__((bytes) < 4 ? 4 : (bytes))
