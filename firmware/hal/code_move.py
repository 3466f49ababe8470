"""Takes the bytecode of functions out of the heap, where the same bytes lie in the flash: machine code, see code_pool.py.

It looks at the heap word by word, so it knows how MicroPython 1.24 and later lay out what they keep there (w: a word):

    a function            type, module, table of inner code, bytecode             (py/objfun.h)
    a running generator   type, exception, function, place in the bytecode …      (py/objgenerator.c, py/bc.h)
    inner code            0 0 kind flag, at w its bytecode, at 2 w its table      (py/emitglue.h)

Nothing is believed because of that alone: a pointer is only changed if what it points to is, byte by byte, what lies in
the flash. So the worst that a stranger's layout does is that nothing is found.
"""
# ruff: noqa: F821 ptr8, ptr16 and ptr32 are types of the native emitter

import micropython


@micropython.viper
def move(at: int, end: int, word: int, kinds: ptr32, blocks: int, count: int) -> int:
    """Goes through the heap from `at` to `end` and lets functions run out of the flash; returns how many bytes of
    bytecode nobody needs any more. `kinds`: the words that begin a function, a generator's function, and a generator
    that runs. `blocks`: where `count` words lie, the addresses of the pool's blocks. A function that runs right now
    must not be in the pool: its bytecode would be given away under it."""
    start = at
    moved = 0
    step = 4 * word
    function = int(kinds[0])
    maker = int(kinds[2])
    running = int(kinds[4])
    if word == 8:
        function |= int(kinds[1]) << 32
        maker |= int(kinds[3]) << 32
        running |= int(kinds[5]) << 32
    while at < end:
        one = int(ptr32(at)[0])
        if word == 8:
            one |= int(ptr32(at)[1]) << 32
        if one == function or one == maker:
            place = at + 3 * word
            entry = int(found(place, start, end, word, blocks, count))
            other = start
            while entry and one == maker and other < end:  # a generator that waits knows its place in the old bytecode
                kind = int(ptr32(other)[0])
                by = int(ptr32(other + 2 * word)[0])
                if word == 8:
                    kind |= int(ptr32(other)[1]) << 32
                    by |= int(ptr32(other + 2 * word)[1]) << 32
                if kind == running and by == at:
                    entry = 0
                other += step
            if entry:
                moved += int(point(place, place - word, entry, start, end, word, blocks, count))
        at += step
    return moved


@micropython.viper
def found(place: int, start: int, end: int, word: int, blocks: int, count: int) -> int:
    """The address of the pool's entry with the bytecode that the word at `place` points to; 0 where it isn't in the heap
    or not in the pool. An entry is four half-words: key, way from the entry to the bytecode, length, inner codes."""
    body = int(ptr32(place)[0])
    if word == 8:
        body |= int(ptr32(place)[1]) << 32
    if body < start or body >= end:
        return 0
    code = ptr8(body)
    key = 0
    number = 0
    while number < 6:
        key = (key * 31 + code[number]) & 0xFFFF
        number += 1
    while count > 0:
        top = int(ptr32(blocks)[0])
        if word == 8:
            top |= int(ptr32(blocks)[1]) << 32
        entry = top + 16
        last = entry + 8 * (ptr16(top)[7] - 1)
        if ptr16(entry)[0] > key:
            return 0                               # keys rise from block to block
        if ptr16(last)[0] >= key:
            while entry <= last:
                about = ptr16(entry)
                if about[0] == key:
                    kept = ptr8(entry + about[1])
                    length = int(about[2])
                    number = 0
                    while number < length and code[number] == kept[number]:
                        number += 1
                    if number == length:
                        return entry
                entry += 8
        blocks += word
        count -= 1
    return 0


@micropython.viper
def point(place: int, table: int, entry: int, start: int, end: int, word: int, blocks: int, count: int) -> int:
    """Has the word at `place` point to an entry's bytecode, and inner code, to whose table the word at `table` points,
    likewise; returns how many bytes that were."""
    about = ptr16(entry)
    body = entry + about[1]
    moved = int(about[2])
    inner = int(about[3])
    ptr32(place)[0] = body
    if word == 8:
        ptr32(place)[1] = body >> 32
    at = int(ptr32(table)[0])
    if word == 8:
        at |= int(ptr32(table)[1]) << 32
    if at < start or at >= end:
        return moved
    while inner > 0:
        code = int(ptr32(at)[0])
        if word == 8:
            code |= int(ptr32(at)[1]) << 32
        if code >= start and code < end:
            parts = ptr8(code)
            if parts[0] == 0 and parts[1] == 0 and parts[2] == 2:  # bytecode, not machine code
                other = int(found(code + word, start, end, word, blocks, count))
                if other:
                    moved += int(point(code + word, code + 2 * word, other, start, end, word, blocks, count))
        at += word
        inner -= 1
    return moved
