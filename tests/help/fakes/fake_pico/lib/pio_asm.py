"""An assembler for PIO programs with the interface of MicroPython's `rp2.asm_pio`. The words are those of the data sheet.

A program keeps what a state machine needs to know: `code`, `wrap_target`, `wrap`, the side-set and the shift registers.
"""

IN_LOW, IN_HIGH, OUT_LOW, OUT_HIGH = 0, 1, 2, 3
SHIFT_LEFT, SHIFT_RIGHT = 0, 1

_PLACES = {"pins": 0, "x": 1, "y": 2, "null": 3, "pindirs": 4, "pc": 5, "status": 5, "isr": 6, "osr": 7}
_CONDITIONS = {"not_x": 1, "x_dec": 2, "not_y": 3, "y_dec": 4, "x_not_y": 5, "pin": 6, "not_osre": 7}
_FLAGS = {"block": 1, "noblock": 0, "iffull": 2, "ifempty": 2, "clear": 4, "gpio": 0}


class PIOASMError(Exception):
    """The program can't be assembled."""


class Program:
    """An assembled program."""

    def __init__(self, name, options):
        self.name = name
        self.code = []
        self.labels = {}
        self.wrap_target = 0
        self.wrap = None
        self.autopull = options.get("autopull", False)
        self.autopush = options.get("autopush", False)
        self.pull_thresh = options.get("pull_thresh", 32)
        self.push_thresh = options.get("push_thresh", 32)
        self.in_shiftdir = options.get("in_shiftdir", SHIFT_LEFT)
        self.out_shiftdir = options.get("out_shiftdir", SHIFT_LEFT)
        self.fifo_join = options.get("fifo_join", 0)
        sideset = options.get("sideset_init")
        if sideset is not None and not isinstance(sideset, (tuple, list)):
            sideset = (sideset,)
        self.sideset_init = sideset or ()
        self.sideset_count = len(self.sideset_init)
        self.uses_in = False


class Word:
    """An instruction, as a base for `.side(…)`, `.delay(…)` and `[…]`."""

    def __init__(self, program):
        self._program = program
        self._sided = False

    def side(self, value):
        count = self._program.sideset_count
        if not 0 <= value < 1 << count:
            raise PIOASMError("side value does not fit")
        self._program.code[-1] |= value << (13 - count)
        self._sided = True
        return self

    def delay(self, cycles):
        if not 0 <= cycles < 1 << (5 - self._program.sideset_count):
            raise PIOASMError("delay too large")
        self._program.code[-1] |= cycles << 8
        return self

    __getitem__ = delay


def assemble(function, options):
    """The Program described by a function of instructions."""
    program = None
    labels = {}
    for _ in range(2):  # labels further down are known the second time
        program = Program(function.__name__, options)
        program.labels = labels
        names = _names(program, labels)
        space = function.__globals__
        kept = {}
        for name in names:
            if name in space:
                kept[name] = space[name]
        space.update(names)
        try:
            function()
        finally:
            for name in names:
                if name in kept:
                    space[name] = kept[name]
                else:
                    del space[name]
        if program.wrap is None:
            program.wrap = len(program.code) - 1
    if len(program.code) > 32:
        raise PIOASMError("program too long")
    return program


def _names(program, labels):
    code = program.code
    word = Word(program)

    def emit(value):
        code.append(value)
        return word

    def wrap_target():
        program.wrap_target = len(code)

    def wrap():
        program.wrap = len(code) - 1

    def label(name):
        labels[name] = len(code)

    def jmp(condition, target=None):
        if target is None:
            return emit(labels.get(condition, 0))
        return emit(condition << 5 | labels.get(target, 0))

    def wait(level, kind, number):
        return emit(0x2000 | level << 7 | (1 if kind == 0 else 0) << 5 | number)

    def in_(source, bits):
        program.uses_in = True
        return emit(0x4000 | source << 5 | bits & 31)

    def out(place, bits):
        return emit(0x6000 | place << 5 | bits & 31)

    def push(first=1, second=0):
        return emit(0x8000 | ((first | second) & 2) << 5 | ((first | second) & 1) << 5)

    def pull(first=1, second=0):
        return emit(0x8080 | ((first | second) & 2) << 5 | ((first | second) & 1) << 5)

    def mov(place, source):
        return emit(0xA000 | place << 5 | source)

    def irq(first, second=None):
        return emit(0xC000 | (first if second is None else first << 4 | second))

    def set_(place, value):
        return emit(0xE000 | place << 5 | value)

    names = {
        "wrap_target": wrap_target, "wrap": wrap, "label": label, "jmp": jmp, "wait": wait, "in_": in_, "out": out,
        "push": push, "pull": pull, "mov": mov, "irq": irq, "set": set_, "word": emit,
        "nop": lambda: emit(0xA042), "invert": lambda source: source | 8, "reverse": lambda source: source | 16,
    }
    for table in (_PLACES, _CONDITIONS, _FLAGS):
        names.update(table)
    return names


def pulse(program, bit):
    """(cycles high, cycles in all) of one bit of a transmitting program; side-set pin 0 is the line."""
    code = program.code
    start = None
    for at in range(len(code)):
        if code[at] & 0xE0FF == 0x6021:  # out(x, 1)
            start = at
    if start is None:
        raise PIOASMError("the program sends no bits")
    at = start
    high = cycles = 0
    while True:
        word = code[at]
        taken = 1 + (word >> 8 & (1 << (5 - program.sideset_count)) - 1)
        cycles += taken
        if word >> (13 - program.sideset_count) & 1:
            high += taken
        kind = word >> 13
        condition = word >> 5 & 7
        if kind == 0 and (condition == 0 or (condition == 1 and not bit)):
            at = word & 31
        elif at == program.wrap:
            at = program.wrap_target
        else:
            at += 1
        if at == start:
            return high, cycles
        if cycles > 1000:
            raise PIOASMError("the program never reaches its next bit")
