"""Makes a board's own copy of the pool of code, once after each installation; see hal.code_pool."""

import os

BLOCK_BYTES = 4096
NONCE_AT = 8


def copy(source, live):
    """Copies the pool with a random number in each block's head; then the source goes, as the copy says all that it said.
    A copy of an older pool goes first. False where there is no room for it: the source stays then.

    Power may be cut at any moment: one of the two is always there, whole."""
    from hal.code_pool import number_of, pointer_bytes
    with open(source, "rb") as file:
        number = file.read(8)
    if number and number_of(live) == number and os.stat(source)[6] == os.stat(live)[6]:
        os.remove(source)                          # it was cut short here
        return True
    _remove(live)
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
        _remove(new)
        return False
    os.remove(source)
    return True


def _remove(path):
    try:
        os.remove(path)
    except OSError:
        pass
