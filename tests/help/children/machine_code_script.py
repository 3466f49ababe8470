"""Limits and drawing as machine code, compared with the plain twin on random frames; for MicroPython."""

import random
from array import array

from glow.lights import fast, plain

for x in range(65535):
    assert (x + 1 + (x >> 8)) >> 8 == x // 255, x


def rnd(n):
    return bytearray([random.getrandbits(8) for _ in range(n)])


def strip(count, allowed):
    chunks = (count + 31) // 32
    n = array("i", bytes(4 * (32 + 8 * chunks)))
    n[0] = count
    n[1] = n[14] = 1
    n[16] = allowed
    n[17] = max(count, 4)
    n[9], n[10], n[11] = 16, 11, 15
    return [bytearray(3 * count), bytearray(3 * count), bytearray(256 + 8 * count), n]


for seed in range(60):
    random.seed(seed)
    count = random.choice([1, 2, 5, 31, 32, 33, 64, 67, 240, 420])
    a, b = strip(count, 3 - 2 * (seed % 2)), strip(count, 3 - 2 * (seed % 2))
    frame = bytearray(3 * count)
    bright = bytearray(256)
    now = random.getrandbits(29)
    part = -1
    for step in range(60):
        if step % 20 == 0:
            full = random.choice([8, 64, 255])
            for level in range(256):
                bright[level] = (level * full + 254) // 255
            for s in (a, b):
                s[3][1] = 1
            part = -1
        kind = random.getrandbits(2)
        if kind == 0:
            frame[:] = rnd(3 * count)
        elif kind == 1:
            v = random.choice([0, 0, 255, 3, 10])
            for i in range(3 * count):
                frame[i] = v
        else:
            for _ in range(random.getrandbits(3)):
                frame[random.getrandbits(20) % (3 * count)] = random.choice([0, 20, 255])
        now = (now + random.choice([7, 33, 90, 400, 1500])) & 0x3FFFFFFF
        for m, s in ((fast, a), (plain, b)):
            s[3][8] = now
            m.take_frame(frame, s[0], bright, s[3])
            m.count_lit(frame, s[3])
        p = random.choice([256, 256, 256, 200, 17, 0, min(256, a[3][13])])
        if p != part:
            part = p
            add = random.choice([0, 255])
            for m, s in ((fast, a), (plain, b)):
                m.make_levels(s[2], bright, p, add)
                s[3][14] = 1
        for m, s in ((fast, a), (plain, b)):
            m.pass_frame(frame, s[1], s[2], s[3])
        assert a[0] == b[0] and a[1] == b[1] and a[2] == b[2] and a[3] == b[3], (
            seed,
            step,
            list(a[3]),
            list(b[3]),
        )
colour = bytes([200, 255, 7])
for seed in range(200):
    random.seed(seed)
    one, two = rnd(3 * 64), bytearray(3 * 64)
    two[:] = one
    cells, levels = rnd(4 * 64), rnd(256)
    pixels = array("H", [random.choice([random.getrandbits(6), 0xFFFF]) for _ in range(40)])
    cars = bytearray(8 * 6)
    for k in range(6):
        cars[8 * k : 8 * k + 8] = bytes([random.getrandbits(6), 0, 9, 200, 255, k, 1 + k % 3, 0])
    clock = array("i", [6, random.getrandbits(5), 60, 100, random.getrandbits(20), 255])
    first = random.getrandbits(4)
    span = first << 15 | (first + random.getrandbits(4))
    drawn = rnd(3)
    paint = random.getrandbits(25)
    for m, frame in ((fast, one), (plain, two)):
        m.put(frame, random.choice([-1]), paint)
        m.put(frame, first, paint)
        m.put_all(frame, pixels, span, paint)
        m.put_cars(frame, cars, levels, clock)
        m.put_tail(frame, pixels, drawn, first)
        m.put_cells(frame, cells, levels, span)
        copy = bytearray(cells)
        m.set_cells(copy, span, colour, 3)
        m.put_cells(frame, copy, levels, 32 << 15 | 64)
        m.clear(frame, first)
    assert one == two, seed
print("same")
