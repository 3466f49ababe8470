// The small track on a seat's page: spaces that can be chosen pulse; tapping one selects its row.

import { byId, h, icon, replace, setText } from "./dom.js";
import { TrackCars } from "./cars.js";
import { loadGeometry } from "./geometry.js";
import { TrackTargets } from "./targets.js";
import { TrackTokens } from "./tokens.js";
import { drawTrack } from "./track.js";
import { say } from "./words.js";

class RowTargets extends TrackTargets {
  choose(space, options) {
    if (options[0].prompt.ends) super.choose(space, options); // choices that don't name the space: nothing to pick in its row
    else this.picked(options[0].prompt, space);
  }
}

export class SeatTrack {
  // ready(geometry) is called when a track is drawn, picked(prompt, row) when a space is tapped; rowOf(prompt) is the
  // selected row; answer(prompt, text) gives an answer at once.
  constructor(state, ready, picked, rowOf, answer) {
    Object.assign(this, { state, ready, picked, rowOf, answer });
    this.root = byId("seat-track");
    this.frame = h("div", { class: "seat-track-frame" });
    this.fault = h("p", { class: "track-fault", hidden: true });
    this.closer = h("button", { class: "ghost zoom", "aria-pressed": "true", onclick: () => this.zoom(!this.near) });
    this.near = true;
    replace(this.root, this.frame, this.closer, this.fault);
    this.zoom(true);
    this.track = "";
    new ResizeObserver(() => this.scale()).observe(this.frame);
    state.on("race", () => this.load());
    state.on("race scene prompts view", () => this.update());
    state.onEvents((events, quiet) => this.events(events, quiet));
    state.onLeft(() => this.cars?.clear());
  }

  async load() {
    const { track } = this.state.race;
    if (!track || track === this.track) return;
    this.track = track;
    try {
      const geometry = await loadGeometry(track);
      if (this.track !== track) return;
      this.geometry = geometry;
    } catch (error) {
      this.geometry = null;
      this.track = "";
      replace(this.frame);
      setText(this.fault, error.message.trim());
      this.fault.hidden = false;
      return;
    }
    this.fault.hidden = true;
    this.svg = drawTrack(this.geometry);
    this.targets = new RowTargets(this.geometry, this.frame, this.answer);
    this.targets.picked = (prompt, space) => this.picked(prompt, parseInt(space.name, 10));
    this.tokens = new TrackTokens(this.geometry);
    this.cars = new TrackCars(this.geometry);
    this.svg.append(this.tokens.layer, this.targets.layer, this.cars.layer);
    replace(this.frame, this.svg);
    this.ready(this.geometry);
    this.cars.update(this.state, true);
    this.update();
  }

  zoom(near) {
    this.near = near;
    this.closer.setAttribute("aria-pressed", String(near));
    replace(this.closer, icon("screen"), near ? say("wholeTrack") : say("nearTrack"));
    this.update();
  }

  update() {
    if (!this.geometry) return;
    this.targets.update(this.state);
    this.tokens.update(this.state);
    this.cars.update(this.state, false);
    for (const node of this.targets.layer.children) {
      const [option] = this.targets.targets.get(node.dataset.target);
      const row = this.rowOf(option.prompt);
      node.classList.toggle("aside", row > 0 && row !== parseInt(node.dataset.target, 10));
    }
    this.svg.setAttribute("viewBox", this.view().join(" "));
    this.scale();
  }

  // The visible part: around the pulsing spaces and this seat's own cars, or all of it.
  view() {
    const { geometry, state } = this;
    const names = [...this.targets.targets.keys()];
    this.closer.hidden = !names.length;
    if (!this.near || !names.length) return geometry.view;
    const own = new Set(state.carsOf(state.seat).map(([car]) => car));
    for (const [car, space] of state.scene.cars) if (own.has(car)) names.push(space);
    const spots = names.map((name) => geometry.spaces[geometry.byName.get(name)]?.centre).filter(Boolean);
    const rim = geometry.lane_mm * 2;
    const [left, top] = [0, 1].map((axis) => Math.min(...spots.map((spot) => spot[axis])) - rim);
    const [right, bottom] = [0, 1].map((axis) => Math.max(...spots.map((spot) => spot[axis])) + rim);
    const least = geometry.lane_mm * 9;
    const width = Math.max(right - left, least);
    const height = Math.max(bottom - top, least * 0.55);
    return [(left + right - width) / 2, (top + bottom - height) / 2, width, height];
  }

  scale() {
    if (!this.svg) return;
    const { width, height } = this.frame.getBoundingClientRect();
    const view = this.svg.getAttribute("viewBox").split(" ").map(Number);
    if (width && height) this.cars.setScale(Math.max(view[2] / width, view[3] / height));
  }

  events(events, quiet) {
    if (!this.geometry) return;
    this.cars.take(events, quiet);
    if (quiet) this.cars.update(this.state, true);
  }
}
