// The static parts of the track: board, asphalt, kerbs, difficulties, rows, finish line, driving direction.

import { s } from "./dom.js";
import { beside, points, roomAt, roomiest, roomySide } from "./geometry.js";
import { say } from "./words.js";

const closedPath = (list) => "M" + list.map(([x, y]) => `${x} ${y}`).join("L") + "Z";

// An svg element with everything that doesn't move; `small` leaves out numbers and texts (for previews).
export function drawTrack(geometry, small = false) {
  const label = `${geometry.name}: ${say("rowsLaps", geometry.row_count)}`;
  const svg = s("svg", {
    class: "track",
    viewBox: geometry.view.join(" "),
    role: "img",
    "aria-label": label,
  });
  if (!small) svg.append(plate(geometry));
  svg.append(asphalt(geometry), paint(geometry), corners(geometry), kerbs(geometry), finish(geometry));
  if (!small) {
    svg.insertBefore(spaces(geometry), svg.lastChild);
    svg.insertBefore(solid(geometry), svg.lastChild);
    const places = badgePlaces(geometry);
    svg.append(
      infield(geometry, places),
      arrows(geometry),
      rowNumbers(geometry, places),
      badges(geometry, places),
      signs(geometry),
      barriers(geometry),
      overpasses(geometry),
      indicators(geometry),
    );
  }
  return svg;
}

function asphalt(geometry) {
  const { left, right } = geometry.outline;
  const road = geometry.closed
    ? closedPath(left) + closedPath(right)
    : closedPath([...left, ...[...right].reverse()]);
  const kerb_mm = geometry.lane_mm * 0.22;
  // Side roads and ramps emerge from below the rows.
  const outlines = (start) => geometry.roads.filter((one) => (one.kind === "start") === start).map((one) => closedPath(one.outline));
  const below = outlines(false);
  const rows = [road, ...outlines(true)];
  const drawn = (roads, attributes) => roads.map((d) => s("path", { d, ...attributes }));
  const edge = { class: "edge", "stroke-width": Math.max(1.2, geometry.lane_mm * 0.055) };
  return s(
    "g",
    { class: "asphalt" },
    drawn([...below, ...rows], { class: "verge", "stroke-width": kerb_mm * 3.2 }),
    drawn(below, { class: "road" }),
    drawn(below, edge),
    drawn(rows, { class: "road" }),
    drawn(rows, edge),
  );
}

// A corner's tint says how hard it is; the badge beside it gives the figure.
function corners(geometry) {
  const group = s("g", { class: "corner-tints" });
  geometry.sections.forEach((section, at) => {
    if (!section.difficulty) return;
    for (const space of geometry.spaces) {
      if (space.section === at)
        group.append(s("polygon", { points: points(space.polygon), class: `tint d${section.difficulty}` }));
    }
  });
  return group;
}

function kerbs(geometry) {
  const group = s("g", { class: "kerbs" });
  for (const kerb of geometry.kerbs) {
    const difficulty = geometry.sections[kerb.section]?.difficulty ?? 0;
    kerb.stripes.forEach((stripe, at) => {
      group.append(
        s("polygon", { points: points(stripe), class: at % 2 ? "kerb light" : `kerb d${difficulty}` }),
      );
    });
  }
  return group;
}

// The paint of the spaces, with a second colour on the far half.
function paint(geometry) {
  const group = s("g", { class: "paint" });
  for (const space of geometry.spaces) {
    [space.polygon, space.further].forEach((polygon, at) => {
      if (space.colours[at]) group.append(s("polygon", { points: points(polygon), class: `paint-${space.colours[at]}` }));
    });
  }
  return group;
}

function spaces(geometry) {
  const line = Math.max(0.5, geometry.lane_mm * 0.022);
  return s(
    "g",
    { class: "spaces", "stroke-width": line },
    geometry.spaces.map((space) =>
      s(
        "polygon",
        { points: points(space.polygon), class: `space rank${space.rank ?? 0}`, "data-space": space.name },
        s("title", {}, [space.name, space.colours.join("/"), ...space.marks].join(" ").trim()),
      ),
    ),
  );
}

// Lines between lanes that no car may cross.
function solid(geometry) {
  return s(
    "g",
    { class: "solid", "stroke-width": geometry.lane_mm * 0.07 },
    (geometry.solid ?? []).map((line) => s("polyline", { points: points(line) })),
  );
}

// What is printed on a single space, such as "+2", beside the pixel.
function signs(geometry) {
  const size = geometry.lane_mm * 0.3;
  return s(
    "g",
    { class: "signs", "font-size": size },
    geometry.spaces
      .filter((space) => space.sign)
      .map((space) => s("text", { x: space.sign_at[0], y: space.sign_at[1] }, space.sign)),
  );
}

// Speed barriers: a broken red line across the road, and the speed needed to pass it.
function barriers(geometry) {
  const lane = geometry.lane_mm;
  return s(
    "g",
    { class: "barriers" },
    geometry.barriers.map(({ speed, line: [[ax, ay], [bx, by]] }) => {
      const long = Math.hypot(bx - ax, by - ay) || 1;
      const at = { x1: ax, y1: ay, x2: bx, y2: by, "stroke-width": lane * 0.16 };
      return s(
        "g",
        {},
        s("line", { ...at, class: "barrier-light" }),
        s("line", { ...at, class: "barrier", "stroke-dasharray": lane * 0.2 }),
        disc(bx + ((bx - ax) / long) * lane * 0.5, by + ((by - ay) / long) * lane * 0.5, lane * 0.3, speed, "barrier-speed"),
      );
    }),
  );
}

// The deck of another road that crosses above this one.
function overpasses(geometry) {
  const edge = { class: "edge", "stroke-width": geometry.lane_mm * 0.07 };
  return s(
    "g",
    { class: "overpasses" },
    (geometry.overpasses ?? []).map((deck) => [
      s("path", { class: "verge", d: closedPath(deck), "stroke-width": geometry.lane_mm * 0.2 }),
      s("path", { class: "road", d: closedPath(deck) }),
      s("polyline", { ...edge, points: points(deck.slice(0, 2)) }),
      s("polyline", { ...edge, points: points(deck.slice(2)) }),
    ]),
  );
}

// The red numbers beside the road.
function indicators(geometry) {
  const size = Math.min(geometry.lane_mm * 0.28, 8.5);
  return s(
    "g",
    { class: "indicators" },
    geometry.indicators.map(({ upgrades, centre: [x, y] }) => disc(x, y, size, upgrades, "indicator")),
  );
}

function disc(x, y, r, number, className) {
  return s(
    "g",
    { class: className, transform: `translate(${x} ${y})` },
    s("circle", { r }),
    s("text", { y: r * 0.46, "font-size": r * 1.3 }, number),
  );
}

function finish(geometry) {
  const [[ax, ay], [bx, by]] = geometry.finish;
  const width = Math.hypot(bx - ax, by - ay);
  const angle = (Math.atan2(by - ay, bx - ax) * 180) / Math.PI;
  const count = Math.max(6, Math.round(width / (geometry.lane_mm / 4)));
  const size = width / count;
  const group = s(
    "g",
    { class: "finish", transform: `translate(${ax} ${ay}) rotate(${angle})` },
    s("title", {}, say("finishLine")),
    s("rect", { x: 0, y: -size * 1.5, width, height: size * 3, class: "finish-light" }),
  );
  for (let row = 0; row < 3; row += 1) {
    for (let at = row % 2; at < count; at += 2) {
      group.append(
        s("rect", { x: at * size, y: (row - 1.5) * size, width: size, height: size, class: "finish-dark" }),
      );
    }
  }
  return group;
}

function chevron(centre, heading_deg, size, className) {
  return s("path", {
    class: className,
    d: `M${-size * 0.45} ${-size}L${size * 0.55} 0L${-size * 0.45} ${size}`,
    transform: `translate(${centre[0]} ${centre[1]}) rotate(${heading_deg})`,
    "stroke-width": size * 0.42,
  });
}

// Three chevrons beside the line, and a quiet one on each straight.
function arrows(geometry) {
  const group = s("g", { class: "arrows" });
  const first = geometry.rows[Math.min(1, geometry.rows.length - 1)];
  const away = geometry.half + geometry.lane_mm * 0.75;
  const side = roomySide(geometry, first.centre, first.heading_deg, away);
  const size = geometry.lane_mm * 0.26;
  const start = beside(first.centre, first.heading_deg, away, side);
  for (let at = 0; at < 3; at += 1) {
    const ahead = beside(start, first.heading_deg - 90, at * size * 1.3, 1);
    group.append(chevron(ahead, first.heading_deg, size, `arrow bright a${at}`));
  }
  group.append(s("title", {}, say("direction")));
  return group;
}

// Every fifth row has its number beside it, on the side that no corner badge needs.
function rowNumbers(geometry, places) {
  const group = s("g", { class: "row-numbers", "font-size": Math.min(15, geometry.lane_mm * 0.42) });
  const away = geometry.half + geometry.lane_mm * 0.5;
  for (const row of geometry.rows) {
    if (row.row !== 1 && row.row % 5) continue;
    const free = [1, -1]
      .map((side) => beside(row.centre, row.heading_deg, away, side * geometry.outside))
      .find(
        ([x, y]) =>
          roomAt(geometry, x, y) > geometry.half + geometry.lane_mm * 0.46 &&
          places.every((place) => Math.hypot(place.x - x, place.y - y) > geometry.lane_mm * 0.95),
      );
    if (free) group.append(s("text", { x: free[0], y: free[1] }, row.row));
  }
  return group;
}

function badgePlaces(geometry) {
  const away = geometry.half + geometry.lane_mm * 0.95;
  return geometry.sections
    .filter((section) => section.difficulty)
    .map((section) => {
      const side = roomySide(geometry, section.centre, section.heading_deg, away);
      const [x, y] = beside(section.centre, section.heading_deg, away, side);
      return { section, x, y };
    });
}

// A corner's number and difficulty on its roomier side, shown by figure, shape and colour.
function badges(geometry, places) {
  const size = geometry.lane_mm * 0.46;
  return s(
    "g",
    { class: "corner-badges" },
    places.map(({ section, x, y }) =>
      s(
        "g",
        { class: `corner-badge d${section.difficulty}`, transform: `translate(${x} ${y})` },
        s("title", {}, `${say("corner", section.number)}, ${say("difficulty", section.difficulty)}`),
        s("path", { d: `M0 ${-size}L${size} ${size * 0.72}H${-size}Z`, "stroke-width": size * 0.15 }),
        s("text", { y: size * 0.2, "font-size": size * 0.95 }, section.difficulty),
      ),
    ),
  );
}

// The board below the track: its edge and a fine grid of 50 mm.
function plate(geometry) {
  const { width_mm: width, height_mm: height } = geometry;
  const lines = [];
  for (let x = 50; x < width; x += 50) lines.push(`M${x} 0V${height}`);
  for (let y = 50; y < height; y += 50) lines.push(`M0 ${y}H${width}`);
  return s(
    "g",
    { class: "plate" },
    s("rect", { width, height, rx: 14, class: "plate-ground" }),
    s("path", { d: lines.join(""), class: "plate-grid" }),
  );
}

// The track's name where the loop leaves the most room.
function infield(geometry, places) {
  const group = s("g", { class: "infield", "aria-hidden": "true" });
  const spot = geometry.closed && roomiest(geometry, places);
  if (!spot || spot.room < geometry.lane_mm * 1.2) return group;
  const words = geometry.name.split(" ");
  const lines = words.length > 2 ? [words.slice(0, -1).join(" "), words.at(-1)] : words;
  const longest = Math.max(...lines.map((line) => line.length));
  const size = Math.min(spot.room * 0.5, (spot.room * 2.7) / longest);
  if (geometry.number)
    group.append(
      s(
        "text",
        { x: spot.x, y: spot.y - size * 1.15, "font-size": size * 1.9, class: "infield-number" },
        String(geometry.number).padStart(2, "0"),
      ),
    );
  lines.forEach((line, at) =>
    group.append(s("text", { x: spot.x, y: spot.y + size * (0.35 + at * 1.05), "font-size": size }, line)),
  );
  return group;
}
