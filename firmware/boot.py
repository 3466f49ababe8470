"""Runs before main.py: installs a set of files that lies ready, and decides whether the board starts in safe mode.

Safe mode leaves the board at its prompt, where the host tool can reach it: after three starts that didn't get
through their first seconds, with a key held, or when the host asked for it. `SAFE_MODE` is then True; main.py, which
shares these globals on a board, reads it. Nothing of ours is imported here but the installer and what knows the flash.
"""

import os

#: The file that counts starts; main.py takes it away once the board has run for a while.
STARTS_FILE = "starts.txt"
MOST_FAILED_STARTS = 3
#: The GPIO of the key that leads to safe mode; it comes with the board file.
PIN_FILE = "safe_pin.txt"
#: So long MENU and UNDO are held for a new file system in the place of what the flash holds.
ANEW_MS = 2000
#: The host has asked for safe mode, for one start.
ONCE_FILE = "safe_once"


def failed_starts(path):
    """How many starts in a row have failed; 0 where the file isn't there or can't be read."""
    text = read(path)
    return len(text) if text == "x" * len(text) else 0


def read(path):
    """The first letters of a file; "" where it isn't there."""
    try:
        with open(path) as file:
            return file.read(8)
    except (OSError, ValueError):
        return ""


def count_start(path, count):
    """Notes a start; a full flash doesn't keep the board from starting."""
    try:
        with open(path, "w") as file:
            file.write("x" * count)
    except OSError:
        pass


def remove(path):
    """Takes a file away; False where it isn't there."""
    try:
        os.remove(path)
    except OSError:
        return False
    return True


def key_held(path=PIN_FILE):
    """Whether somebody holds the safe-mode key, for 25 ms without a break; False on a board that has none."""
    try:
        return held((int(read(path) or frozen(path)),), 25)
    except Exception:                              # no such file, no such pin, no Pico
        return False


def held(numbers, ms):
    """Whether the keys on these GPIOs, each to ground, are held for so long without a break."""
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
    """Whether these keys (their places) of the first panel of a chain are held for so long without a break."""
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
    """The bytes of a file that is frozen into the program, or None."""
    from hal import data_files
    return data_files.frozen(name)


def make_anew():
    """Makes the file system anew where the flash holds something else and MENU and UNDO, as the frozen board file has
    them, are held on the first panel."""
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
    """Counts this start; True for safe mode. After safe mode one start is tried: power off and on is a way out."""
    failed = failed_starts(path)
    if remove(ONCE_FILE) or key_held():
        return True
    if failed >= MOST_FAILED_STARTS:
        count_start(path, MOST_FAILED_STARTS - 1)
        return True
    count_start(path, failed + 1)
    return False


def install():
    """Puts a new set of files in its place, if one lies ready."""
    try:
        os.stat("new/ready")
    except OSError:
        return
    try:
        import install
        install.apply()
    except Exception as error:                     # the board starts as it is, and the next start goes on with it
        print("Installing has stopped:", type(error).__name__, error)


if __name__ == "__main__":
    make_anew()
    install()
    SAFE_MODE = decide()
