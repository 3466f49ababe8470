"""The card reader's driver, checked by the registers of an MFRC522, on both interpreters."""

import pytest
from both import cases, run_here, run_micropython


@pytest.mark.parametrize("name", cases("cases_rc522"))
def test_on_cpython(name):
    run_here("cases_rc522", name)


@pytest.mark.parametrize("name", cases("cases_rc522"))
def test_on_micropython(micropython, tmp_path, name):
    run_micropython(micropython, "cases_rc522", name, tmp_path)
