"""``led_map.csv``: the place of every space's pixel; and the same map as the board gets it, ``tracks/<id>.leds``.

One line per space, in wire order. ``pixel`` counts from 1 along the wire, as on the sheets and in ``gridglow walk``,
``index`` from 0, as in the board's map. Places are mm from the board's top left corner, y down; ``heading_deg``
is a car's heading, clockwise from "to the right"; ``hop_mm`` the distance from the previous hole.
"""

from __future__ import annotations

from gridglow.hardware.making import Build, Made, made_csv
from gridglow.hardware.string_plan import extension_note, plan_string
from gridglow.tracks.compiled import device_files

HEAD = ("space", "output", "pixel", "index", "x_mm", "y_mm", "heading_deg", "hop_mm", "wire_mm", "note")


def make(build: Build) -> list[Made]:
    """Both files."""
    plan, track = plan_string(build), build.track.track
    output = build.board.outputs[build.led_map.output].number
    longer = {one.after: one for one in plan.extensions}
    rows = []
    for i, hole in enumerate(plan.holes):
        for index, space in enumerate(hole.spaces):
            first = index == 0
            extension = longer.get(hole.pixel) if first else None
            wire = "" if not first or i == 0 else extension.wire_mm if extension else plan.wire_mm
            rows.append((
                track.space_name(space), output, hole.pixel, build.led_map.leds[space], f"{hole.x:.2f}", f"{hole.y:.2f}",
                f"{build.drawing['spaces'][space]['heading_deg']:.1f}", f"{hole.hop_mm:.1f}" if first and i else "", wire,
                extension_note(extension) if extension else "",
            ))
    leds = f"tracks/{build.track.id}.leds"
    return [made_csv("led_map.csv", HEAD, rows), (leds, device_files(build.track, build.board, build.light)[leds])]
