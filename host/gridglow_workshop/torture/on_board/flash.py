"""A board's flash in memory for MicroPython's littlefs, and every possible power cut during a series of writes."""

BLOCK_BYTES = 4096


ERASED = b"\xff" * BLOCK_BYTES


class Flash:
    """A block device with this many blocks, or with `data` on it, that records writes while `log` is a list:
    where, and what, which is None for an erased block."""

    def __init__(self, blocks=0, data=None):
        self.data = data or bytearray(blocks * BLOCK_BYTES)
        self.log = None

    def readblocks(self, number, buf, offset=0):
        at = number * BLOCK_BYTES + offset
        buf[:] = memoryview(self.data)[at : at + len(buf)]

    def writeblocks(self, number, buf, offset=None):
        at = number * BLOCK_BYTES + (offset or 0)
        if offset is None:
            self.ioctl(6, number)
        put(self.data, at, buf)
        if self.log is not None:
            self.log.append((at, bytes(buf)))

    def ioctl(self, op, arg):
        if op == 4:
            return len(self.data) // BLOCK_BYTES
        if op == 5:
            return BLOCK_BYTES
        if op == 6:
            put(self.data, arg * BLOCK_BYTES, ERASED)
            if self.log is not None:
                self.log.append((arg * BLOCK_BYTES, None))
            return 0
        return 0


def put(image, at, data, part=1):
    """Applies a logged write to an image, or with `part` 2 only half of it."""
    data = ERASED if data is None else data
    size = len(data) // part
    image[at : at + size] = memoryview(data)[:size]


def cuts(start, log):
    """(number, torn, Flash) for each cut of these writes, on a flash that held `start`: before each of them, after half of
    it (torn), and after the last. A flash is valid until the next one is yielded."""
    image = bytearray(start)
    cut = bytearray(start)
    for number in range(len(log) + 1):
        cut[:] = image
        yield number, False, Flash(data=cut)
        if number < len(log):
            cut[:] = image
            put(cut, log[number][0], log[number][1], 2)
            yield number, True, Flash(data=cut)
            put(image, log[number][0], log[number][1])
