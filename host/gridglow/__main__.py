"""``python -m gridglow``."""

from gridglow.cli import main

main(prog_name="gridglow")
