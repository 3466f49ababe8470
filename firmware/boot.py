"""Runs before main.py: installs a waiting set of files and decides whether the board starts in safe mode.

Safe mode leaves the board at its prompt, where the host tool can reach it: after three starts in a row that failed in
their first seconds, with a key held, or when the host asks for it. `SAFE_MODE` is then True; main.py, which shares
these globals on a board, reads it. The only modules of ours imported here are the installer and the file system's.
"""

import os

#: The file that counts starts; main.py removes it once the board has run for a while.
STARTS_FILE = "starts.txt"
MOST_FAILED_STARTS = 3
#: Holds the GPIO of the safe-mode key; comes with the board file.
PIN_FILE = "safe_pin.txt"
#: How long MENU and UNDO must be held to replace whatever the flash holds with a new file system.
ANEW_MS = 2000
#: The host has asked for safe mode, for one start.
ONCE_FILE = "safe_once"


def failed_starts(path):
    """How many starts in a row have failed; 0 if the file isn't there or can't be read."""
    text = read(path)
    return len(text) if text == "x" * len(text) else 0


def read(path):
    """The first characters of a file; "" if it isn't there."""
    try:
        with open(path) as file:
            return file.read(8)
    except (OSError, ValueError):
        return ""


def count_start(path, count):
    """Records a start; a full flash doesn't keep the board from starting."""
    try:
        with open(path, "w") as file:
            file.write("x" * count)
    except OSError:
        pass


def remove(path):
    """Removes a file; False where it isn't there."""
    try:
        os.remove(path)
    except OSError:
        return False
    return True


def key_held(path=PIN_FILE):
    """Whether somebody holds the safe-mode key for an unbroken 25 ms; False on a board that has none."""
    try:
        return held((int(read(path) or frozen(path)),), 25)
    except Exception:                              # no such file, no such pin, no Pico
        return False


def held(numbers, ms):
    """Whether the keys on these GPIOs, each to ground, stay down for `ms` milliseconds without a break."""
    from time import sleep_ms

    from machine import Pin  # subset: ok only a Pico has a key
    pins = [Pin(number, Pin.IN, Pin.PULL_UP) for number in numbers]
    for _ in range(ms // 5):
        sleep_ms(5)
        for pin in pins:
            if pin.value():
                return False
    return True


def held_on_panel(on, keys, ms):
    """Whether these keys (by place) of a chain's first panel stay down for `ms` milliseconds without a break."""
    from time import sleep_ms, ticks_diff, ticks_ms

    from drivers.plain_keys import first_panel
    begun_ms = ticks_ms()
    while ticks_diff(ticks_ms(), begun_ms) < ms:
        sleep_ms(5)
        byte = first_panel(on["clock"], on["latch"], on["data"])   # takes some milliseconds
        if byte & 0xC0 != 0x40:
            return False
        for key in keys:
            if byte >> key & 1:
                return False
    return True


def frozen(name):
    """The bytes of a file frozen into the firmware, or None."""
    from hal import data_files
    return data_files.frozen(name)


def make_anew():
    """Makes a new file system where the flash holds something else and MENU and UNDO, as wired in
    the frozen board file, are held on the first panel."""
    try:
        from hal import file_system
        if file_system.state == "foreign":
            import json
            board = json.loads(frozen("board.json"))
            keys = [board["keys"].index(name) for name in ("MENU", "UNDO")]
            if held_on_panel(board["wiring"]["panels_on"], keys, ANEW_MS):
                file_system.make_file_system()
    except Exception:                              # not a Pico, or no such keys
        pass


def decide(path=STARTS_FILE):
    """Counts this start; True for safe mode. The start after safe mode is a normal try, so a power cycle gets out of it."""
    failed = failed_starts(path)
    if remove(ONCE_FILE) or key_held():
        return True
    if failed >= MOST_FAILED_STARTS:
        count_start(path, MOST_FAILED_STARTS - 1)
        return True
    count_start(path, failed + 1)
    return False


def install():
    """Installs the new set of files, if one is waiting."""
    try:
        os.stat("new/ready")
    except OSError:
        return
    try:
        import install
        install.apply()
    except Exception as error:                     # the board starts with what it has; the next start carries on
        print("The installation stopped:", type(error).__name__, error)


if __name__ == "__main__":
    make_anew()
    install()
    SAFE_MODE = decide()
