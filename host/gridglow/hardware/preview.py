"""Pictures of printed parts: a part from the front, as a player sees it, and from behind at an angle, as it comes
off the printer. Edges are drawn as lines: shading alone hides engraved numbers.

A small renderer in numpy: every pixel of every triangle at once, and the nearest one wins.
"""

from __future__ import annotations

import math
import struct
import zlib
from typing import TYPE_CHECKING

from gridglow.hardware.making import load_extra

if TYPE_CHECKING:
    from numpy import ndarray

MAKES = "previews/*.png"
FRONT, BEHIND = (600, 480), (400, 480)  # of the two views, in pixels
MARGIN = 12
PAPER, INK = 255, 40
SLANT = math.radians(50)  # the tilt of the view from behind
TURN = math.radians(-25)
LIGHT = (-0.4, 0.6, 0.7)  # towards the lamp: right, up, towards the viewer
# At an edge, the plane of the part jumps by more than this: mm, and 1 - cosine of the angle.
STEP_MM, BEND = 0.2, 0.1
# The front view is darkened by FADE_FIRST in engravings, and by FADE_ALL more at FADE_MM behind the face.
FADE_MM, FADE_FIRST, FADE_ALL = 12.0, 45, 50


def picture(triangles: ndarray) -> bytes:
    """A PNG of both views. ``triangles`` (count, 3, 3) have the part's face on the bed."""
    np = load_extra("numpy", MAKES)
    views = [view(triangles, front(), *FRONT, True), view(triangles, behind(), *BEHIND, False)]
    return png_bytes(np.concatenate(views, axis=1))


def front() -> list[list[float]]:
    """The rows of a view: which of (x, y, z) go to the right, up, and towards the viewer. The face is at z = 0 and points
    down, so its viewer is below, and has x on the left."""
    return [[-1, 0, 0], [0, 1, 0], [0, 0, -1]]


def behind() -> list[list[float]]:
    """The part on the bed, seen from above at an angle."""
    sin_t, cos_t, sin_s, cos_s = math.sin(TURN), math.cos(TURN), math.sin(SLANT), math.cos(SLANT)
    return [[cos_t, -sin_t, 0], [sin_t * cos_s, cos_t * cos_s, sin_s], [-sin_t * sin_s, -cos_t * sin_s, cos_s]]


def view(triangles: ndarray, turn: list[list[float]], width: int, height: int, fade: bool) -> ndarray:
    """A view in shades of grey, (height, width), as large as fits; ``fade``: darker with depth."""
    np = load_extra("numpy", MAKES)
    corners = sum(triangles[:, :, i, None] * np.array([row[i] for row in turn]) for i in range(3))
    low, high = corners.reshape(-1, 3).min(axis=0), corners.reshape(-1, 3).max(axis=0)
    scale = min((width - 2 * MARGIN) / (high[0] - low[0]), (height - 2 * MARGIN) / (high[1] - low[1]))
    middle = (low + high) / 2
    x = (corners[:, :, 0] - middle[0]) * scale + width / 2
    y = height / 2 - (corners[:, :, 1] - middle[1]) * scale
    nearest, distance = _nearest(np, x, y, corners[:, :, 2], width, height)
    return _shaded(np, nearest, distance, _normals(np, corners), corners, fade).reshape(height, width)


def _nearest(np, x: ndarray, y: ndarray, depth: ndarray, width: int, height: int) -> tuple[ndarray, ndarray]:
    """The number of the triangle visible in each pixel, or -1, and how near that pixel is."""
    area = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
    seen = np.flatnonzero(area < -1e-9)  # those that face us, as y goes down here
    x, y, depth, area = x[seen], y[seen], depth[seen], area[seen]
    # The centres of the pixels in a box around each triangle: row after row of this box.
    left, right = np.ceil(x.min(axis=1) - 0.5).astype(int), np.floor(x.max(axis=1) - 0.5).astype(int)
    top, bottom = np.ceil(y.min(axis=1) - 0.5).astype(int), np.floor(y.max(axis=1) - 0.5).astype(int)
    tall = np.maximum(bottom - top + 1, 0) * (right >= left)
    one = np.repeat(np.arange(len(seen)), tall)
    row = np.arange(len(one)) - np.repeat(np.cumsum(tall) - tall, tall) + top[one]
    # In each row the triangle covers one stretch: between its edges' crossings with the middle of the row.
    begin, end = left[one].astype(float), right[one].astype(float)
    for i in range(3):
        ax, ay, bx, by = x[one, i], y[one, i], x[one, (i + 1) % 3], y[one, (i + 1) % 3]
        fall = by - ay
        cut = ax + (row + 0.5 - ay) * (bx - ax) / np.where(fall == 0, 1, fall) - 0.5
        inside = (bx - ax) * (row + 0.5 - ay) <= 0
        end = np.where(fall < 0, np.minimum(end, np.floor(cut)), np.where((fall == 0) & ~inside, -1e9, end))
        begin = np.where(fall > 0, np.maximum(begin, np.ceil(cut)), begin)
    wide = np.maximum(end - begin + 1, 0).astype(int)
    column = np.arange(wide.sum()) - np.repeat(np.cumsum(wide) - wide, wide) + np.repeat(begin.astype(int), wide)
    row, one = np.repeat(row, wide), np.repeat(one, wide)
    # Depth: the plane of the triangle at that point.
    rise_x = ((depth[:, 1] - depth[:, 0]) * (y[:, 2] - y[:, 0]) - (depth[:, 2] - depth[:, 0]) * (y[:, 1] - y[:, 0])) / area
    rise_y = ((depth[:, 2] - depth[:, 0]) * (x[:, 1] - x[:, 0]) - (depth[:, 1] - depth[:, 0]) * (x[:, 2] - x[:, 0])) / area
    near = depth[one, 0] + (column + 0.5 - x[one, 0]) * rise_x[one] + (row + 0.5 - y[one, 0]) * rise_y[one]
    pixel = row * width + column
    order = np.lexsort((seen[one], near, pixel))
    last = np.append(pixel[order][1:] != pixel[order][:-1], True) if len(order) else np.zeros(0, bool)
    nearest, distance = np.full(width * height, -1), np.zeros(width * height)
    nearest[pixel[order][last]] = seen[one[order]][last]
    distance[pixel[order][last]] = near[order][last]
    return nearest.reshape(height, width), distance.reshape(height, width)


def _normals(np, corners: ndarray) -> ndarray:
    (ax, ay, az), (bx, by, bz) = (corners[:, i].T - corners[:, 0].T for i in (1, 2))
    normals = np.stack((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx), axis=1)
    return normals / np.maximum(np.sqrt((normals * normals).sum(axis=1)), 1e-12)[:, None]


def _shaded(np, nearest: ndarray, near: ndarray, normals: ndarray, corners: ndarray, fade: bool) -> ndarray:
    """Shades: bright towards the lamp, with ink on every edge; with ``fade`` darker with depth."""
    light = np.array(LIGHT) / math.sqrt(sum(one * one for one in LIGHT))
    lit = 235 * (0.62 + 0.33 * np.clip((normals * light).sum(axis=1), -0.5, 1))
    wide, there = nearest.shape[1], (nearest >= 0).ravel()
    shade = np.where(there, lit[nearest.ravel()], PAPER)
    nearest, near = nearest.ravel(), near.ravel()
    if fade:
        depth = np.clip(corners[:, :, 2].max() - near, 0, FADE_MM)
        shade -= np.where(there, np.minimum(depth, 0.5) * 2 * FADE_FIRST + depth / FADE_MM * FADE_ALL, 0)
    # The plane of a triangle: if it is the same on both sides of a border, there is no edge.
    offset = (normals * corners[:, 0]).sum(axis=1)
    for away in (1, wide):
        border = np.flatnonzero(nearest[away:] != nearest[:-away])
        one, other = nearest[border + away], nearest[border]
        bent = (normals[one] * normals[other]).sum(axis=1) < 1 - BEND
        apart = np.abs(offset[one] - offset[other]) > STEP_MM
        alone = (one < 0) | (other < 0)
        edge = border[bent | apart | alone]
        shade[np.where(nearest[edge] >= 0, edge, edge + away)] = INK
    return np.clip(shade, INK, PAPER).astype(np.uint8)


def png_bytes(grey: ndarray) -> bytes:
    """A PNG with 8-bit greys, without a date."""
    height, width = grey.shape
    rows = b"".join(b"\0" + row.tobytes() for row in grey)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)),
                           (b"IDAT", zlib.compress(rows, 6)), (b"IEND", b""))
    )
