"""What light can do: breathe, or beat a car's rhythm. Each is a function of the clock alone, in whole numbers.

A level goes from 0 to 255. The same moment gives the same level on every interpreter, so that frames can be compared.
"""

from hal import ticks_add

# Half a turn up and half a turn down of a cosine: 0 … 255 … 0 in 64 steps.
_WAVE = (
    b"\x00\x01\x02\x05\x0a\x0f\x15\x1d\x25\x2f\x39\x43\x4f\x5a\x67\x73"
    b"\x80\x8c\x98\xa5\xb0\xbc\xc6\xd0\xda\xe2\xea\xf0\xf5\xfa\xfd\xfe"
    b"\xff\xfe\xfd\xfa\xf5\xf0\xea\xe2\xda\xd0\xc6\xbc\xb0\xa5\x98\x8c"
    b"\x80\x73\x67\x5a\x4f\x43\x39\x2f\x25\x1d\x15\x0f\x0a\x05\x02\x01"
)

#: Added to a paint: applies only if that makes a pixel brighter.
BRIGHTER = 0x1000000
HIGH = 255
LOW = 56  # the low phase of a rhythm is still lit: a car never disappears
STEP_MS = 100

# The rhythms of cars, 32 steps of 100 ms, one bit each: 1 high, 0 low. Any two differ in two steps
# of any second and, however they are shifted, in eight of the 32, so that the pattern alone tells
# them apart. None is steady: marks and lines are. The texts "board.rhythm_0" and so on name them.
_PATTERNS = (
    b"\xff\x00\xff\x00"  # slow: long on, long off
    b"\xc7\xc7\xc7\xc7"  # on, with short dips
    b"\x07\x1c\x07\x1c"  # two short, a pause
    b"\x8f\xe3\x8f\xe3"  # long and short by turns
    b"\x01\xc0\x38\x07"  # one short at a time
    b"\x1c\x71\xc0\x00"  # three short, a long pause
    b"\xc0\x03\xfc\x3f"  # two long, a long pause
    b"\xf0\x1f\xe0\xf0"  # one long, two short
)
#: The 32 levels of each rhythm, one after another.
RHYTHMS = bytes([HIGH if _PATTERNS[step >> 3] << (step & 7) & 128 else LOW for step in range(256)])


def breathe(now, period_ms, low, high):
    """A level that goes softly up and down between `low` and `high` once in `period_ms`."""
    turn = (now % period_ms) * 256 // period_ms
    level = _WAVE[turn >> 2]
    level += (_WAVE[((turn >> 2) + 1) & 63] - level) * (turn & 3) // 4
    return low + level * (high - low) // 255


def paint(colour, level):
    """A colour at a level as one number, 0xRRGGBB."""
    return (((colour[0] * level + 254) // 255) << 16) | (((colour[1] * level + 254) // 255) << 8) | (
        (colour[2] * level + 254) // 255)


def next_frame(last, now, late, every):
    """The time that the next frame counts from, for a frame made `late` ms after the previous one. Catching up on
    late ticks keeps the rate; otherwise frames would come only as often as ticks allow: every 35 ms."""
    return ticks_add(last, every) if every <= late < 2 * every else now
