"""Takes the programs for a Pico that were built (`make uf2`) into the wheel, so that `gridglow flash` has them there."""

from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Programs(BuildHookInterface):
    """Without any in the folder `build` the wheel has none, and `gridglow flash` says how one is made."""

    def initialize(self, version: str, build_data: dict) -> None:
        if version == "editable":                  # it finds them in the checkout
            return
        for path in sorted((Path(self.root) / "build").glob("gridglow-rp2*.*")):
            if path.suffix in (".uf2", ".txt"):
                build_data["force_include"][str(path)] = f"gridglow/_bundle/{path.name}"
