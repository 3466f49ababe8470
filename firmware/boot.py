"""Runs before main.py, and decides whether the board starts in safe mode.

Safe mode leaves the board at its prompt, where the host tool can reach it: after three starts that didn't get
through their first seconds, or with a key held. `SAFE_MODE` is then True; main.py, which shares these globals on a
board, reads it.
"""

#: The file that counts starts; main.py takes it away once the board has run for a while.
STARTS_FILE = "starts.txt"
MOST_FAILED_STARTS = 3


def failed_starts(path):
    """How many starts in a row have failed; 0 where the file isn't there or can't be read."""
    try:
        with open(path) as file:
            text = file.read(8)
    except OSError:
        return 0
    return len(text) if text == "x" * len(text) else 0


def count_start(path):
    """Notes a start; a full flash doesn't keep the board from starting."""
    try:
        with open(path, "a") as file:
            file.write("x")
    except OSError:
        pass


def key_held():
    """Whether somebody holds the safe-mode key; False on a board that has none."""
    try:
        from hal.pico import safe_key_held
    except ImportError:
        return False
    return safe_key_held()


def decide(path=STARTS_FILE):
    """Counts this start; True for safe mode."""
    if failed_starts(path) >= MOST_FAILED_STARTS or key_held():
        return True
    count_start(path)
    return False


if __name__ == "__main__":
    SAFE_MODE = decide()
