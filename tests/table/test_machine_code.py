"""Machine code does the same as its plain twin, and exists for every chip."""

import os
import subprocess
from pathlib import Path

import pytest

from gridglow.firmware.compiler import ARCHES, NATIVE, compile_mpy, host_arch
from gridglow.firmware.image import source_modules

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(host_arch() is None, reason="MicroPython runs no machine code on this computer")
def test_machine_code_does_the_same_as_its_plain_twin(micropython):
    paths = os.pathsep.join(str(CHECKOUT / one) for one in ("", "firmware"))
    ran = subprocess.run([micropython, str(CHECKOUT / "tests/help/children/machine_code_script.py")],
                         env={"MICROPYPATH": paths}, capture_output=True, text=True, timeout=120)
    assert ran.stdout.strip() == "same", ran.stdout + ran.stderr


@pytest.mark.parametrize("arch", [*ARCHES.values(), "x64"])
def test_each_module_of_machine_code_compiles_for_each_chip(arch):
    found = {name: text for name, text in source_modules(native=True).items() if NATIVE in text}
    assert "glow/lights/fast.py" in found
    for name, text in found.items():
        assert compile_mpy(name, text, arch)[:2] == b"M\x06"


def test_plain_twins_have_the_same_functions():
    sources = source_modules(native=True)
    for name in [name for name, text in sources.items() if NATIVE in text]:
        fast, plain = ({line.split(b"(")[0][4:] for line in sources[one].splitlines()
                        if line.startswith(b"def ") and not line.startswith(b"def _")}
                       for one in (name, name.replace("fast", "plain")))
        assert fast == plain
