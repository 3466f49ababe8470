"""Seasons: the next race, the next grid, points and ties, on both interpreters."""

import both
import pytest


@pytest.mark.parametrize("name", both.cases("cases_season"))
def test_on_cpython(name):
    both.run_here("cases_season", name)


@pytest.mark.parametrize("name", both.cases("cases_season"))
def test_on_micropython(name, micropython, tmp_path):
    both.run_micropython(micropython, "cases_season", name, tmp_path)
