"""The module `machine` of a Pico, as far as the firmware uses it; the connected parts are on the bench `fake_pico.board`."""

from fake_pico import board

WATCHDOG_CTRL_CLEAR = 0x4005B000
PWRON_RESET = 1
WDT_RESET = 3


class Pin:
    """A pin. Another `Pin(n)` is the same object, as on a Pico."""

    IN, OUT, OPEN_DRAIN, ALT = 0, 1, 2, 3
    PULL_UP, PULL_DOWN = 1, 2
    IRQ_FALLING, IRQ_RISING = 4, 8

    def __new__(cls, number, *_mode, **_more):
        if isinstance(number, Pin):
            return number
        if number not in board.pins:
            pin = object.__new__(cls)
            pin._begin(number)
            board.pins[number] = pin
        return board.pins[number]

    def __init__(self, number, mode=-1, pull=-1, *, value=None, alt=-1):
        if mode != -1 or value is not None:
            self.init(mode, pull, value=value)

    def _begin(self, number):
        self.id = number
        self.mode = Pin.IN
        self.pull = None
        self.level = 0  # its output
        self.driven = None  # from outside
        self.user = ""
        self._handler = None
        self._trigger = 0

    def init(self, mode=-1, pull=-1, *, value=None, alt=-1):
        if mode != -1:
            self.mode = mode
        if pull != -1:
            self.pull = pull
        if value is not None:
            self.value(value)

    def taken(self, level):
        """A state machine has taken it."""
        self.mode = Pin.ALT
        self.level = level

    def value(self, level=None):
        if level is None:
            return self._seen()
        self.level = 1 if level else 0
        device = board.spi.get(self.id)
        if device is not None:
            device.select(not self.level)

    def __call__(self, level=None):
        return self.value(level)

    def _seen(self):
        if self.mode == Pin.OUT or self.mode == Pin.ALT:  # a tuple would take memory
            return self.level
        if self.driven is not None:
            return self.driven
        return 1 if self.pull == Pin.PULL_UP else 0

    def on(self):
        self.value(1)

    def off(self):
        self.value(0)

    high = on
    low = off

    def toggle(self):
        self.value(1 - self.level)

    def irq(self, handler=None, trigger=12, hard=False):
        self._handler = handler
        self._trigger = trigger
        return self

    def drive(self, level):
        """Bench: a level from outside (None: nothing drives it), and the interrupt that it raises."""
        before = self._seen()
        self.driven = level
        after = self._seen()
        if before == after or self._handler is None:
            return
        if self._trigger & (Pin.IRQ_RISING if after else Pin.IRQ_FALLING):
            self._handler(self)

    def __repr__(self):
        return "Pin(GPIO%s)" % self.id


class ADC:
    """The LED rail behind its divider; 3.3 V are 65535."""

    def __init__(self, pin):
        self.pin = pin

    def read_u16(self):
        return min(65535, max(0, board.supply_mv // board.supply_divider * 65535 // 3300))


class PWM:
    """A tone on a pin: it sounds while the duty is neither 0 nor full."""

    def __init__(self, pin, freq=0, duty_u16=0, **_more):
        self.pin = pin
        self._hertz = freq
        self._duty = duty_u16
        self._note()

    def init(self, freq=None, duty_u16=None, **_more):
        self._hertz = self._hertz if freq is None else freq
        self._duty = self._duty if duty_u16 is None else duty_u16
        self._note()

    def freq(self, hertz=None):
        if hertz is None:
            return self._hertz
        if not 8 <= hertz <= 62500000:
            raise ValueError("freq out of range")
        self._hertz = hertz
        self._note()

    def duty_u16(self, duty=None):
        if duty is None:
            return self._duty
        self._duty = duty
        self._note()

    def deinit(self):
        self._duty = 0
        self._note()

    def _note(self):
        tone = self._hertz if 0 < self._duty < 65535 else 0
        if tone != board.tone:
            board.tone = tone
            board.heard.append((board.now_us() // 1000, tone))
            if len(board.heard) > 200:
                board.heard.pop(0)


class Timer:
    """A timer of the bench's clock."""

    ONE_SHOT, PERIODIC = 0, 1

    def __init__(self, number=-1, **options):
        if number != -1:
            raise ValueError("only the virtual timers -1 exist")
        self.callback = None
        if options:
            self.init(**options)

    def init(self, *, mode=1, freq=-1, period=-1, callback=None, hard=False):
        self.deinit()
        self._mode = mode
        self._period_us = 1000 * period if freq == -1 else int(1000000 / freq)
        self.callback = callback
        self.due_us = board.now_us() + self._period_us
        board.timers.append(self)

    def deinit(self):
        if self in board.timers:
            board.timers.remove(self)

    def fire(self, now_us):
        """Bench: it is due."""
        if self._mode == Timer.ONE_SHOT:
            self.deinit()
        else:
            self.due_us += self._period_us
            if self.due_us <= now_us - 4 * self._period_us:  # the program slept through it: no flood of callbacks
                self.due_us = now_us + self._period_us
        if self.callback is not None:
            self.callback(self)


class WDT:
    """The watchdog; this module can't stop it once it runs, but its register can."""

    def __init__(self, number=0, timeout=5000):
        if not 1 <= timeout <= 8388:
            raise ValueError("timeout exceeds 8388")
        self._us = 1000 * timeout
        self.feed()
        board.watchdog = self

    def feed(self):
        self.due_us = board.now_us() + self._us


class I2C:
    """Talks to the devices in board.i2c; a missing one gives OSError(5), as on a Pico."""

    def __init__(self, number=0, *, scl=None, sda=None, freq=400000, timeout=50000):
        self.hertz = freq

    def _device(self, address):
        if address not in board.i2c:
            raise OSError(5)
        return board.i2c[address]

    def scan(self):
        return sorted(board.i2c)

    def writeto(self, address, data, stop=True):
        self._device(address).write(bytes(data))
        return len(data) + 1

    def writevto(self, address, parts, stop=True):
        return self.writeto(address, b"".join(bytes(part) for part in parts))

    def readfrom(self, address, count, stop=True):
        return self._device(address).read(count)

    def readfrom_into(self, address, buffer, stop=True):
        memoryview(buffer)[:] = self._device(address).read(len(buffer))

    def writeto_mem(self, address, register, data, *, addrsize=8):
        self._device(address).write(bytes((register,)) + bytes(data))

    def readfrom_mem(self, address, register, count, *, addrsize=8):
        device = self._device(address)
        device.write(bytes((register,)))
        return device.read(count)

    def readfrom_mem_into(self, address, register, buffer, *, addrsize=8):
        memoryview(buffer)[:] = self.readfrom_mem(address, register, len(buffer))


SoftI2C = I2C


class SPI:
    """Talks to the device in board.spi whose select pin is low; without one it reads zeros."""

    MSB, LSB = 0, 1

    def __init__(self, number=0, baudrate=1000000, *, polarity=0, phase=0, bits=8, firstbit=0, sck=None, mosi=None,
                 miso=None):
        self.baudrate = baudrate

    def init(self, **_options):
        pass

    def deinit(self):
        pass

    def _exchange(self, byte):
        for cs in board.spi:
            if cs in board.pins and board.pins[cs].mode == Pin.OUT and not board.pins[cs].level:
                return board.spi[cs].exchange(byte)
        return 0

    def write(self, data):
        for byte in data:
            self._exchange(byte)

    def read(self, count, write=0):
        return bytes([self._exchange(write) for _ in range(count)])

    def readinto(self, buffer, write=0):
        for k in range(len(buffer)):
            buffer[k] = self._exchange(write)

    def write_readinto(self, data, buffer):
        for k in range(len(data)):
            buffer[k] = self._exchange(data[k])


SoftSPI = SPI


class _Memory:
    def __getitem__(self, address):
        return board.memory.get(address, 0)

    def __setitem__(self, address, value):
        board.memory[address] = value
        if address == WATCHDOG_CTRL_CLEAR and value >> 30 & 1:
            board.watchdog = None  # the bit ENABLE: the counter stops


mem8 = mem16 = mem32 = _Memory()


def unique_id():
    return board.id


def reset():
    board.reset("hard")


def soft_reset():
    board.reset("soft")


def bootloader(timeout=None):
    board.reset("bootloader")


def reset_cause():
    return board.reset_cause


def freq(hertz=None):
    if hertz is None:
        return board.hertz
    board.hertz = hertz


def idle():
    pass


def disable_irq():
    board.faults.append("interrupts were switched off")
    return 0


def enable_irq(_state):
    pass
