"""``stl/NAME_xQUANTITY.stl``: every printed part as binary STL, in mm, face down on the bed; and its
picture, ``previews/NAME.png``."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from gridglow.hardware.making import Build, Made, load_extra
from gridglow.hardware.panel_plan import printed_parts
from gridglow.hardware.preview import picture
from gridglow.hardware.solids import MAKES, solids_of

if TYPE_CHECKING:
    from manifold3d import Manifold
    from numpy import ndarray

HEAD_BYTES = 80
GRID = 2.0**-10  # corners are rounded to this (mm), so that rounding differences between computers change no byte


def make(build: Build) -> list[Made]:
    """The parts that the board needs, and their pictures."""
    load_extra("manifold3d", MAKES)
    load_extra("numpy", MAKES)
    solids = solids_of(build.board)
    made = []
    for name, quantity, what in printed_parts(build.board):
        triangles = triangles_of(solids[name])
        made.append((f"stl/{name}_x{quantity}.stl", stl_bytes(triangles, f"Gridglow {build.board.id}: {what}, mm")))
        made.append((f"previews/{name}.png", picture(triangles)))
    return made


def triangles_of(solid: Manifold) -> ndarray:
    """The corners of all triangles, (count, 3, 3), counter-clockwise from outside, in a fixed order."""
    np = load_extra("numpy", MAKES)
    mesh = solid.to_mesh()
    corners = np.round(np.asarray(mesh.vert_properties, dtype=np.float64)[:, :3] / GRID) * GRID + 0.0
    triangles = corners[np.asarray(mesh.tri_verts)]
    a, b, c = (triangles[:, i] for i in range(3))
    # Corners that coincide leave degenerate triangles, which have no face.
    triangles = triangles[(a != b).any(axis=1) & (b != c).any(axis=1) & (c != a).any(axis=1)]
    first = np.lexsort((triangles[:, :, 2].T, triangles[:, :, 1].T, triangles[:, :, 0].T), axis=0)[0]
    turned = (first[:, None] + np.arange(3)) % 3
    triangles = np.take_along_axis(triangles, turned[:, :, None], axis=1)
    return triangles[np.lexsort(triangles.reshape(-1, 9).T[::-1])]


def stl_bytes(triangles: ndarray, title: str) -> bytes:
    """A binary STL file: 80 bytes of title, the count, and 50 bytes per triangle."""
    np = load_extra("numpy", MAKES)
    rows = np.zeros(len(triangles), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("spare", "<u2")])
    rows["normal"] = normals_of(triangles)
    rows["corners"] = triangles
    return title.encode("ascii", "replace")[:HEAD_BYTES].ljust(HEAD_BYTES) + struct.pack("<I", len(rows)) + rows.tobytes()


def normals_of(triangles: ndarray) -> ndarray:
    """The normal of each triangle, of length 1; zeros if it has no face."""
    np = load_extra("numpy", MAKES)
    (ax, ay, az), (bx, by, bz) = (triangles[:, i].T - triangles[:, 0].T for i in (1, 2))
    normals = np.stack((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx), axis=1)
    length = np.sqrt((normals * normals).sum(axis=1))
    return normals / np.where(length == 0, 1, length)[:, None]
