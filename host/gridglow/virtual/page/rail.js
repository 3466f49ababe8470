// The lap counter and the five start lights.

import { byId, h, replace, s, setText } from "./dom.js";
import { say } from "./words.js";

export class Rail {
  constructor(state) {
    this.state = state;
    this.lapShown = "";
    this.was = "";
    this.lamps = Array.from({ length: 5 }, () =>
      s(
        "svg",
        { viewBox: "0 0 20 34", class: "lamp", "aria-hidden": "true" },
        s("rect", { x: 1, y: 1, width: 18, height: 32, rx: 5, class: "lamp-case" }),
        s("circle", { cx: 10, cy: 10, r: 6, class: "lamp-light" }),
        s("circle", { cx: 10, cy: 24, r: 6, class: "lamp-light" }),
      ),
    );
    this.go = h("strong", { class: "go" }, say("go"));
    this.gantry = byId("gantry");
    replace(this.gantry, h("div", { class: "lamps", role: "img" }, this.lamps), this.go);
    this.digits = h("span", { class: "lap-digits" });
    this.of = h("span", { class: "lap-of" });
    replace(
      byId("lap"),
      h("span", { class: "lap-word" }, say("lap")),
      h("p", { class: "lap-number" }, this.digits, this.of),
    );
    state.on("race scene", () => this.draw());
  }

  draw() {
    const { race, scene } = this.state;
    const laps = scene.laps || race.laps;
    const under_way = race.state === "race" || race.state === "podium" || race.state === "start";
    byId("lap").hidden = (under_way || scene.cars.length > 0) && !scene.laps && !race.lap; // the game has no laps
    const lap = under_way && laps ? Math.min(laps, Math.max(1, scene.lap || race.lap || 1)) : 0;
    const shown = lap ? String(lap) : "–";
    if (shown !== this.lapShown) {
      this.digits.classList.remove("changed");
      void this.digits.offsetWidth; // restarts the animation
      if (this.lapShown && lap > 1) this.digits.classList.add("changed");
      this.lapShown = shown;
    }
    setText(this.digits, shown);
    setText(this.of, lap ? `/${laps}` : "");
    byId("lap").classList.toggle("last", lap > 0 && lap === laps && laps > 1);
    this.light(race);
  }

  light(race) {
    const lights = race.state === "start" ? (race.lights ?? 0) : 0;
    this.lamps.forEach((lamp, at) => lamp.classList.toggle("lit", at < lights));
    this.gantry.firstChild.setAttribute("aria-label", say("lights", lights));
    this.gantry.classList.toggle("on", race.state === "start");
    if (this.was === "start" && race.state === "race") {
      this.gantry.classList.add("off-now");
      setTimeout(() => this.gantry.classList.remove("off-now"), 1600);
    }
    this.was = race.state;
  }
}
