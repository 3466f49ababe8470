// The drawing of a track in millimetres, fetched once per track, with the look-ups that the layers need.

import { fetched } from "./fetching.js";

const known = new Map();

export function loadGeometry(track) {
  if (!known.has(track)) {
    const asked = fetched(`/geometry/${encodeURIComponent(track)}.json`, { cache: "default" }).then(async (reply) =>
      reply.ok ? prepare(await reply.json()) : Promise.reject(new Error(await reply.text())),
    );
    asked.catch(() => known.delete(track)); // it may work next time
    known.set(track, asked);
  }
  return known.get(track);
}

function prepare(plain) {
  const geometry = { ...plain };
  geometry.byName = new Map(plain.spaces.map((space, at) => [space.name, at]));
  geometry.ledOf = new Map();
  for (const led of plain.leds) for (const space of led.spaces) geometry.ledOf.set(space, led.led);
  geometry.half = (plain.lanes * plain.lane_mm) / 2;
  const rim = plain.lane_mm * 1.05; // for the numbers beside the road
  const [x, y, width, height] = plain.box;
  const left = Math.min(-4, x - rim);
  const top = Math.min(-4, y - rim);
  geometry.view = [
    left,
    top,
    Math.max(plain.width_mm + 4, x + width + rim) - left,
    Math.max(plain.height_mm + 4, y + height + rim) - top,
  ];
  // The side of the heading that lies outside the loop: 1 right, -1 left.
  geometry.outside = clockwise(plain.centre_line) ? -1 : 1;
  return geometry;
}

// A space by its name ("12b") or number, or undefined.
export function spaceOf(geometry, which) {
  return geometry.spaces[typeof which === "number" ? which : geometry.byName.get(which)];
}

export const points = (list) => list.map(([x, y]) => `${x},${y}`).join(" ");

// The point beside a row: `away_mm` from the middle of the road, 1 right or -1 left of the heading.
export function beside(centre, heading_deg, away_mm, side) {
  const angle = ((heading_deg + 90 * side) * Math.PI) / 180;
  return [centre[0] + away_mm * Math.cos(angle), centre[1] + away_mm * Math.sin(angle)];
}

function clockwise(line) {
  let twice_area = 0;
  line.forEach(([x, y], at) => {
    const [next_x, next_y] = line[(at + 1) % line.length];
    twice_area += x * next_y - next_x * y;
  });
  return twice_area > 0; // y points down
}

// How far a point is from the middle of the nearest stretch of road.
export function roomAt(geometry, x, y) {
  let least = Infinity;
  for (const row of geometry.rows) least = Math.min(least, Math.hypot(row.centre[0] - x, row.centre[1] - y));
  return least;
}

// The side (1 right, -1 left) with more room: the one whose point is farther from the road and from the rim.
export function roomySide(geometry, centre, heading_deg, away_mm) {
  const room = (side) => {
    const [x, y] = beside(centre, heading_deg, away_mm, side);
    const [left, top, width, height] = geometry.view;
    return Math.min(
      x - left,
      y - top,
      left + width - x,
      top + height - y,
      roomAt(geometry, x, y) - geometry.half,
    );
  };
  return room(geometry.outside) >= geometry.lane_mm * 0.55 ? geometry.outside : room(1) >= room(-1) ? 1 : -1;
}

// The point inside the loop with the most room around it: {x, y, room}, or null.
export function roomiest(geometry, others) {
  const [left, top, width, height] = geometry.box;
  let best = null;
  for (let down = 1; down < 28; down += 1) {
    for (let across = 1; across < 28; across += 1) {
      const x = left + (width * across) / 28;
      const y = top + (height * down) / 28;
      if (!inside(geometry.centre_line, x, y)) continue;
      const room = Math.min(
        roomAt(geometry, x, y) - geometry.half,
        ...others.map((place) => Math.hypot(place.x - x, place.y - y) - geometry.lane_mm * 0.4),
      );
      if (!best || room > best.room) best = { x, y, room };
    }
  }
  return best;
}

function inside(line, x, y) {
  let odd = false;
  for (let at = 0, before = line.length - 1; at < line.length; before = at, at += 1) {
    const [ax, ay] = line[at];
    const [bx, by] = line[before];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
  }
  return odd;
}
