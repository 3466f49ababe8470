// A car's mark, the same wherever the car is shown: a shape of its own, its letters, its colour.

import { s } from "./dom.js";

export const COLOURS = {
  blue: "#3f8cff",
  yellow: "#ffd02e",
  red: "#ff4252",
  green: "#2fd873",
  white: "#f2f5fa",
  orange: "#ff8b26",
  cyan: "#2fd7f0",
  magenta: "#f15ce0",
};
const DARK_LETTERS = new Set(["yellow", "green", "white", "orange", "cyan", "magenta"]);

const polygon = (points) => "M" + points.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L") + "Z";
const regular = (corners, turn, radius = 10, inner = radius) =>
  polygon(
    Array.from({ length: inner === radius ? corners : corners * 2 }, (_, at) => {
      const angle = turn + (at * 2 * Math.PI) / (inner === radius ? corners : corners * 2);
      const length = at % 2 && inner !== radius ? inner : radius;
      return [length * Math.cos(angle), length * Math.sin(angle)];
    }),
  );
const UP = -Math.PI / 2;

// Outlines in a circle of radius 10 or so; they alone tell twelve cars apart.
const SHAPES = [
  "M-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0Z",
  "M-6 -8.4h12a2.4 2.4 0 0 1 2.4 2.4v12a2.4 2.4 0 0 1-2.4 2.4h-12a2.4 2.4 0 0 1-2.4-2.4v-12a2.4 2.4 0 0 1 2.4-2.4Z",
  regular(4, UP, 11.4),
  polygon([
    [-10.5, -8],
    [10.5, -8],
    [0, 11],
  ]),
  regular(6, UP, 10.4),
  regular(8, UP, 11.6, 8),
  regular(5, UP, 10.8),
  polygon([
    [-10.5, 8],
    [10.5, 8],
    [0, -11],
  ]),
  "M-4 -10h8v6h6v8h-6v6h-8v-6h-6v-8h6Z",
  "M-10 -6.5h20v13h-20Z",
  polygon([
    [-10.5, -7],
    [5, -7],
    [10.5, 0],
    [5, 7],
    [-10.5, 7],
    [-6, 0],
  ]),
  "M0 -10.5a9.4 9.4 0 0 1 9.4 9.4v9.6h-18.8v-9.6a9.4 9.4 0 0 1 9.4-9.4Z",
];

// Where letters don't fit in the middle: [offset down, size] for the triangles and narrow shapes.
const LETTERS = { 3: [-2.4, 0.78], 5: [0.5, 0.86], 7: [3, 0.78] };

export const shapeOf = (car) => SHAPES[(car - 1) % SHAPES.length];

// Letters from the labels: "Blue 1" becomes B1; where two cars would get the same letters, the number is used instead.
export function lettersOf(cars) {
  const letters = new Map();
  const used = new Map();
  for (const [car, , label] of cars) {
    const words = label.trim().split(/\s+/);
    const short = words
      .map((word) => (/^\d+$/.test(word) ? word : (word[0] ?? "")))
      .join("")
      .toUpperCase()
      .slice(0, 3);
    letters.set(car, short || String(car));
    used.set(short, (used.get(short) ?? 0) + 1);
  }
  for (const [car, short] of letters) if (used.get(short) > 1) letters.set(car, String(car));
  return letters;
}

// The mark as a group around 0, 0 with a radius of about 10.
export function carShape(entry, letters, attributes = {}) {
  const [car, , label, colour] = entry;
  const text = letters.get(car) ?? "";
  const [down, size] = LETTERS[(car - 1) % SHAPES.length] ?? [0.5, 1];
  return s(
    "g",
    { class: "car-mark", ...attributes },
    s("path", { d: shapeOf(car), fill: COLOURS[colour] ?? colour, class: "car-shape" }),
    s(
      "text",
      {
        class: "car-letters",
        y: down,
        fill: DARK_LETTERS.has(colour) ? "#0a0d12" : "#ffffff",
        "font-size": (text.length > 2 ? 6.6 : 8.8) * size,
      },
      text,
    ),
    s("title", {}, label),
  );
}

// The mark as a small picture of its own, for lists.
export function carBadge(state, car) {
  const entry = state.race.cars.find((one) => one[0] === car);
  if (!entry) return null;
  return s(
    "svg",
    { class: "badge", viewBox: "-12 -12 24 24", role: "img", "aria-label": entry[2] },
    carShape(entry, lettersOf(state.race.cars)),
  );
}
