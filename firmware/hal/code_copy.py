"""Makes a board's own copy of the pool of code, once after each installation; see hal.code_pool."""

import os

BLOCK_BYTES = 4096
NONCE_AT = 8


def copy(source, live):
    """Copies the pool with a random number in each block's head; False where there is no pool or no room for it. A copy of
    an older one goes first."""
    from hal.code_pool import pointer_bytes
    try:
        os.remove(live)
    except OSError:
        pass
    nonce = bytes([os.urandom(1)[0] | 1]) + os.urandom(3)
    new = live + ".new"
    try:
        with open(source, "rb") as old, open(new, "wb") as file:
            block = 0
            part = bytearray(512)
            while True:
                left = BLOCK_BYTES - pointer_bytes(block)
                first = True
                while left:
                    count = old.readinto(memoryview(part)[:min(left, 512)])
                    if not count:
                        break
                    if first:
                        part[NONCE_AT:NONCE_AT + 4] = nonce
                        first = False
                    file.write(memoryview(part)[:count])
                    left -= count
                if first:
                    break
                block += 1
        if not block:
            raise OSError
        os.rename(new, live)
    except OSError:
        try:
            os.remove(new)
        except OSError:
            pass
        return False
    return True
