"""Real boards: found on a port, talked to, examined, filled and flashed."""
