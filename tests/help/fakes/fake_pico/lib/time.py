"""The module `time` of a Pico: the bench's clock, 30 bits wide. A fake one stands still until a test moves it."""

import fake_pico

board = fake_pico.board
_MASK = 0x3FFFFFFF
_HALF = 0x20000000


def ticks_ms():
    return board.tick_us() // 1000 & _MASK


def ticks_us():
    return board.tick_us() & _MASK


def ticks_cpu():
    return board.tick_us() & _MASK


def ticks_diff(later, earlier):
    return ((later - earlier + _HALF) & _MASK) - _HALF


def ticks_add(moment, delta):
    return (moment + delta) & _MASK


def sleep_us(us):
    board.sleep_us(us)


def sleep_ms(ms):
    board.sleep_us(1000 * ms)


def sleep(seconds):
    board.sleep_us(int(seconds * 1000000))


def time():
    return 1609459200 + board.tick_us() // 1000000  # a Pico without a clock starts in 2021


def time_ns():
    return time() * 1000000000


def gmtime(seconds=None):
    return board.real_time.gmtime(time() if seconds is None else seconds)


localtime = gmtime


def mktime(parts):
    return board.real_time.mktime(parts)
