"""The display's driver, checked by the memory of an SH1106 and an SSD1306, under MicroPython."""

import pytest
from both import cases, run_micropython


@pytest.mark.parametrize("name", cases("cases_oled"))
def test_on_micropython(micropython, tmp_path, name):
    run_micropython(micropython, "cases_oled", name, tmp_path)
