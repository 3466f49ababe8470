"""Racing Rules: a race by colours and numbers, with bumps, a pit row, a runaway ramp and Red Cards."""
