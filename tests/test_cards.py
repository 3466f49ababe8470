"""Cards: the reader as the board has it, the deck that knows what they mean, and a race that they play in."""

import pytest
from both import cases, run_here, run_micropython


@pytest.mark.parametrize("name", cases("cases_cards"))
def test_presence_on_cpython(name):
    run_here("cases_cards", name)


@pytest.mark.parametrize("name", cases("cases_cards"))
def test_presence_on_micropython(micropython, tmp_path, name):
    run_micropython(micropython, "cases_cards", name, tmp_path)
