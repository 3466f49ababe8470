// The stage: loads the drawing of the race's track and stacks its layers, LEDs, targets and cars.

import { byId, replace, setText } from "./dom.js";
import { TrackCars } from "./cars.js";
import { loadGeometry } from "./geometry.js";
import { TrackLeds } from "./leds.js";
import { TrackTargets } from "./targets.js";
import { TrackTokens } from "./tokens.js";
import { drawTrack } from "./track.js";

export class Board {
  constructor(state, answer) {
    this.state = state;
    this.answer = answer;
    this.frame = byId("track");
    this.track = "";
    this.geometry = null;
    new ResizeObserver(() => this.scale()).observe(this.frame);
    state.on("race menu", () => this.load());
    state.on("px", () => this.light());
    state.on("race scene prompts you", () => this.update());
    state.onEvents((events, quiet) => this.events(events, quiet));
    state.onLeft(() => this.cars?.clear());
  }

  // The race's track, else the one already drawn, else the first playable one: an idle board shows its idle lights on
  // the track of the last race.
  wanted() {
    return this.state.race.track || this.track || this.state.menu?.games[0]?.tracks[0]?.id || "";
  }

  async load() {
    const track = this.wanted();
    if (!track || track === this.track) return;
    this.track = track;
    let geometry;
    try {
      geometry = await loadGeometry(track);
    } catch (error) {
      if (this.track === track) {
        this.geometry = this.leds = null;
        this.track = "";
        setText(byId("track-fault"), error.message.trim());
        byId("track-fault").hidden = false;
        replace(this.frame);
      }
      return;
    }
    if (this.track !== track) return;
    this.geometry = geometry;
    this.svg = drawTrack(geometry);
    this.leds = new TrackLeds(geometry);
    this.targets = new TrackTargets(geometry, this.frame, this.answer);
    this.tokens = new TrackTokens(geometry);
    this.cars = new TrackCars(geometry);
    this.svg.append(this.leds.layer, this.tokens.layer, this.targets.layer, this.cars.layer);
    replace(this.frame, this.svg);
    byId("track-fault").hidden = true;
    this.scale();
    this.light();
    this.cars.update(this.state, true);
    this.update();
  }

  scale() {
    if (!this.geometry) return;
    const { width, height } = this.frame.getBoundingClientRect();
    if (!width || !height) return;
    this.cars.setScale(Math.max(this.geometry.view[2] / width, this.geometry.view[3] / height));
  }

  // The track's output, as named in hello; the first output if hello names none.
  get output() {
    const at = this.state.hello?.outputs.findIndex((output) => output[1] === "track") ?? 0;
    return Math.max(0, at);
  }

  light() {
    this.leds?.show(this.state.pixels[this.output]);
  }

  update() {
    if (!this.geometry) return;
    this.targets.update(this.state);
    this.tokens.update(this.state);
    this.cars.update(this.state, false);
  }

  events(events, quiet) {
    if (!this.geometry) return;
    this.cars.take(events, quiet);
    if (quiet) this.cars.update(this.state, true);
  }
}
