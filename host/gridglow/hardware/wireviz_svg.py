"""``wiring/*.svg``: the diagrams of ``wireviz_yaml.py``, drawn by WireViz if it and Graphviz's ``dot`` are installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import PurePosixPath

from gridglow.hardware.making import Build, Made, NeedsExtra, load_extra, made_text
from gridglow.hardware.wireviz_yaml import make as make_yaml

TIMEOUT_S = 60
# Boxes are measured with a wide font, so that no label is wider than its box when another font shows the drawing.
FONT = "DejaVu Sans"
BETWEEN_IN = "0.5"  # between two columns: WireViz leaves four times as much, which makes a sheet of paper unreadable
FONTS = "DejaVu Sans,Verdana,Arial,sans-serif"


def make(build: Build) -> list[Made]:
    """A picture for each diagram. Raises NeedsExtra if WireViz or Graphviz is missing."""
    wireviz = load_extra("wireviz.wireviz", "wiring/*.svg")
    dot = shutil.which("dot")
    if dot is None:
        raise NeedsExtra("wiring/*.svg was not drawn, as Graphviz's program \"dot\" is missing; install Graphviz (Debian: "
                         "apt-get install graphviz), or draw the files wiring/*.yml elsewhere.")
    names, graphs = [], []
    for path, content in make_yaml(build):
        harness = wireviz.parse(content.decode("utf-8"), return_types="harness")
        graph = harness.graph
        # Without names dot numbers things, and a diagram's bytes would depend on what was drawn before it.
        graph.name = PurePosixPath(path).stem
        graph.attr("graph", label=harness.metadata["title"], labelloc="t", fontsize="24", ranksep=BETWEEN_IN)
        names.append(path.removesuffix(".yml") + ".svg")
        graphs.append(graph.source)
    # One run for all: dot takes longer to start than to draw.
    done = subprocess.run([dot, "-Tsvg"], input="\n".join(graphs), capture_output=True, text=True, encoding="utf-8",
                          timeout=TIMEOUT_S, check=False)
    drawn = [f"<?xml{one}" for one in re.split(r"^<\?xml", done.stdout, flags=re.MULTILINE)[1:]]
    if done.returncode or len(drawn) != len(names):
        said = (done.stderr.strip().splitlines() or ["no reason"])[0]
        raise NeedsExtra(f"wiring/*.svg was not drawn, as \"dot\" failed ({said}); the files wiring/*.yml are there.")
    return [made_text(name, one.replace(f'"{FONT}"', f'"{FONTS}"')) for name, one in zip(names, drawn)]
