// The cars on the track: marks that run along the path of each move.

import { calm, s } from "./dom.js";
import { spaceOf } from "./geometry.js";
import { carShape, lettersOf } from "./marks.js";

const step_ms = 170;
const longest_ms = 2600;
const glide_ms = 450;
const called_ms = 1100; // how long the next car and its distance show before it moves

export class TrackCars {
  constructor(geometry) {
    this.geometry = geometry;
    this.layer = s("g", { class: "cars" });
    this.cars = new Map();
    this.mm_a_pixel = 1;
    this.frame = 0;
  }

  // The scale of the drawing: marks stay large enough to read, however small the track is drawn.
  setScale(mm_a_pixel) {
    this.mm_a_pixel = mm_a_pixel;
    for (const car of this.cars.values()) this.place(car);
  }

  get size() {
    return Math.max(this.geometry.lane_mm * 0.041, this.mm_a_pixel * 0.8);
  }

  // Add new cars, remove others, and send each to its space; quiet: without animation.
  update(state, quiet) {
    const letters = lettersOf(state.race.cars);
    const spaces = new Map(state.scene.cars.map(([car, space, status]) => [car, { space, status }]));
    const active = new Set(state.prompts.map((prompt) => prompt.car));
    for (const [number, car] of this.cars) {
      if (!state.race.cars.some((entry) => entry[0] === number && entry.join() === car.entry.join())) {
        car.node.remove();
        this.cars.delete(number);
      }
    }
    for (const entry of state.race.cars) {
      const place = spaces.get(entry[0]);
      const space = place && spaceOf(this.geometry, place.space);
      let car = this.cars.get(entry[0]);
      if (!space) {
        if (car && !car.run) car.node.setAttribute("visibility", "hidden");
        if (car) car.at = car.space = null;
        continue;
      }
      if (!car) car = this.add(entry, letters);
      car.node.setAttribute("visibility", "visible");
      car.node.classList.toggle("active", active.has(entry[0]));
      car.node.classList.toggle("done", place.status === "done");
      car.node.dataset.space = place.space;
      if (car.run && car.run.to === place.space) continue;
      if (car.space === place.space) continue;
      if (car.at && !quiet && !calm()) this.run(car, [car.at, pose(space)], place.space, glide_ms);
      else {
        car.run = null;
        car.at = pose(space);
        this.place(car);
      }
      car.space = place.space;
    }
    this.spread();
  }

  // Another race: no car starts from its place in the previous race.
  clear() {
    this.cars.clear();
    this.layer.replaceChildren();
  }

  // Cars that share a space stand side by side.
  spread() {
    const together = new Map();
    for (const car of this.cars.values()) {
      if (!together.has(car.space)) together.set(car.space, []);
      together.get(car.space).push(car);
    }
    for (const cars of together.values()) {
      cars.forEach((car, at) => {
        const aside = cars.length > 1 && car.at ? at - (cars.length - 1) / 2 : 0;
        if (aside === car.aside) return;
        car.aside = aside;
        this.place(car);
      });
    }
  }

  add(entry, letters) {
    const nose = s("path", { class: "nose", d: "M11.6 -4.2L15.6 0L11.6 4.2" });
    const upright = s("g", {}, carShape(entry, letters));
    const node = s(
      "g",
      { class: "car", "data-car": entry[0] },
      s("circle", { r: 12.6, class: "car-ring" }),
      nose,
      upright,
    );
    const car = { entry, node, nose, at: null, space: null, run: null };
    this.layer.append(node);
    this.cars.set(entry[0], car);
    return car;
  }

  // A scene's events: moves run along their path; an announced car waits until everybody has seen how far it goes.
  take(events, quiet) {
    if (quiet || calm()) return;
    const runs = new Map(); // car -> {poses, to, wait_ms}
    for (const [kind, number, path] of events) {
      const car = this.cars.get(number);
      if (!car || !Array.isArray(path) || (kind !== "moved" && kind !== "called")) continue;
      const run = runs.get(number) ?? { poses: [], to: null, wait_ms: 0 };
      runs.set(number, run);
      const poses = path
        .map((space) => spaceOf(this.geometry, space))
        .filter(Boolean)
        .map(pose);
      if (kind === "called") {
        if (!run.poses.length) run.wait_ms = called_ms;
        this.call(car, poses);
      } else if (poses.length > 1) {
        run.poses.push(...poses.slice(run.poses.length ? 1 : 0));
        run.to = this.geometry.spaces[this.geometry.byName.get(path.at(-1)) ?? path.at(-1)]?.name;
      }
    }
    for (const [number, { poses, to, wait_ms }] of runs) {
      if (poses.length < 2) continue;
      const car = this.cars.get(number);
      this.run(car, poses, to, Math.min(longest_ms, step_ms * (poses.length - 1) + 120), wait_ms);
      car.space = to;
    }
  }

  // Mark a car and the spaces that it's about to count.
  call(car, poses) {
    const dots = poses.slice(1).map(({ x, y }) => s("circle", { cx: x, cy: y, r: this.size * 4, class: "car-way" }));
    this.layer.prepend(...dots);
    car.node.classList.add("called");
    setTimeout(() => {
      car.node.classList.remove("called");
      dots.forEach((dot) => dot.remove());
    }, called_ms + 300);
  }

  run(car, poses, to, duration_ms, wait_ms = 0) {
    car.run = { poses, to, duration_ms, begun_ms: performance.now() + wait_ms };
    car.node.parentNode.append(car.node); // on top of the others
    if (!this.frame) this.frame = requestAnimationFrame((now) => this.animate(now));
  }

  animate(now) {
    this.frame = 0;
    let running = false;
    for (const car of this.cars.values()) {
      if (!car.run) continue;
      const part = Math.min(1, Math.max(0, (now - car.run.begun_ms) / car.run.duration_ms));
      const eased = part < 0.5 ? 2 * part * part : 1 - (2 - 2 * part) ** 2 / 2;
      car.at = along(car.run.poses, eased);
      if (part >= 1) car.run = null;
      else running = true;
      this.place(car);
    }
    if (running) this.frame = requestAnimationFrame((next) => this.animate(next));
  }

  place(car) {
    if (!car.at) return;
    const { x, y, heading_deg } = car.at;
    const aside_mm = car.run ? 0 : (car.aside ?? 0) * this.size * 17;
    car.node.setAttribute(
      "transform",
      `translate(${(x + aside_mm).toFixed(2)} ${y.toFixed(2)}) scale(${this.size.toFixed(3)})`,
    );
    car.nose.setAttribute("transform", `rotate(${heading_deg.toFixed(1)})`);
  }
}

const pose = (space) => ({ x: space.centre[0], y: space.centre[1], heading_deg: space.heading_deg });

// The pose at a fraction (0 … 1) of the way along poses: a smooth curve through all of them.
function along(poses, part) {
  const way = part * (poses.length - 1);
  const at = Math.min(poses.length - 2, Math.floor(way));
  const t = way - at;
  const [before, from, to, after] = [
    poses[at - 1] ?? poses[at],
    poses[at],
    poses[at + 1],
    poses[at + 2] ?? poses[at + 1],
  ];
  const curve = (key) =>
    0.5 *
    (2 * from[key] +
      (to[key] - before[key]) * t +
      (2 * before[key] - 5 * from[key] + 4 * to[key] - after[key]) * t * t +
      (3 * from[key] - before[key] - 3 * to[key] + after[key]) * t * t * t);
  const turn = ((to.heading_deg - from.heading_deg + 540) % 360) - 180;
  return { x: curve("x"), y: curve("y"), heading_deg: from.heading_deg + turn * t };
}
