"""Recompiles the emulated Pico's core for the Python that runs here, which makes it some three times as fast.

The wheel of rp2040py has its core for any Python from 3.11 on, through Python's limited API, which costs
two thirds of the speed. The C sources come with the wheel; compiled for one version of Python they give
the same timings of the emulated board in less time. Needs a C compiler and Python's headers (Debian:
gcc, python3-dev); without them everything works as before. Run it again after reinstalling rp2040py.
"""

import importlib.util
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

FLAGS = ["-O3", "-std=gnu99", "-fPIC", "-shared", "-fno-strict-aliasing", "-DNDEBUG", "-w"]


def main() -> int:
    """Return 0 if every module is compiled, now or before; 1, with a sentence, if that can't be done."""
    found = importlib.util.find_spec("rp2040py")
    if found is None or found.origin is None:
        print("The emulated Pico isn't installed here; run: make setup", file=sys.stderr)
        return 1
    folder = Path(found.origin).parent / "native"
    sources = sorted(folder.glob("*.c"))
    if not sources:
        print("This rp2040py has no sources of its core in C; its speed stays as it is.", file=sys.stderr)
        return 1
    if not (Path(sysconfig.get_path("include")) / "Python.h").is_file():
        print("Python's headers are missing here; run: apt-get install python3-dev", file=sys.stderr)
        return 1
    made = 0
    for source in sources:
        target = source.with_name(source.stem + str(sysconfig.get_config_var("EXT_SUFFIX")))
        if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
            _compile(source, target)
            made += 1
    print(f"The emulated Pico's core: {made} of {len(sources)} modules compiled for this Python.")
    return 0


def _compile(source: Path, target: Path) -> None:
    """Compiles beside the target first: a half-made file would be loaded."""
    compiler = shlex.split(str(sysconfig.get_config_var("CC") or "cc").split(" -")[0])
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        half = Path(folder) / target.name
        subprocess.run([*compiler, *FLAGS, "-I" + sysconfig.get_path("include"), str(source), "-o", str(half)], check=True)
        half.replace(target)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (subprocess.CalledProcessError, OSError) as error:
        print(f"The emulated Pico's core could not be compiled ({error}); the slower one stays in use.", file=sys.stderr)
        sys.exit(1)
