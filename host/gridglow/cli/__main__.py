"""``python -m gridglow.cli``."""

from gridglow.cli import main

main(prog_name="gridglow")
