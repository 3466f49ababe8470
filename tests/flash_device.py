"""A board's flash in memory for MicroPython's littlefs, and every cut of the power that a row of writes may suffer."""

BLOCK_BYTES = 4096


class Flash:
    """A block device of so many blocks, or with `data` on it, that keeps a list of what is written while `log` is one."""

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
        self._put(at, buf)

    def ioctl(self, op, arg):
        if op == 4:
            return len(self.data) // BLOCK_BYTES
        if op == 5:
            return BLOCK_BYTES
        if op == 6:
            self._put(arg * BLOCK_BYTES, b"\xff" * BLOCK_BYTES)
            return 0
        return 0

    def _put(self, at, data):
        self.data[at : at + len(data)] = data
        if self.log is not None:
            self.log.append((at, bytes(data)))


def cuts(start, log):
    """(number, torn, Flash) for each cut of these writes, on a flash that held `start`: before each of them, after half of
    it (torn), and after the last."""
    image = bytearray(start)
    for number in range(len(log) + 1):
        yield number, False, Flash(data=bytearray(image))
        if number < len(log):
            at, data = log[number]
            torn = bytearray(image)
            torn[at : at + len(data) // 2] = data[: len(data) // 2]
            yield number, True, Flash(data=torn)
            image[at : at + len(data)] = data
