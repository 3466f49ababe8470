"""Lines that arrive broken are requested again, on both interpreters."""

import pytest
from both import cases, run_here, run_micropython


@pytest.mark.parametrize("name", cases("cases_again"))
def test_here(name):
    run_here("cases_again", name)


@pytest.mark.parametrize("name", cases("cases_again"))
def test_on_micropython(name, micropython, tmp_path):
    run_micropython(micropython, "cases_again", name, tmp_path, "2m")
