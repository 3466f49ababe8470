// A seat's own dials as gauges, and the cards in its hand.

import { byId, h, replace, s } from "./dom.js";
import { carBadge } from "./marks.js";
import { say } from "./words.js";

const low = 2; // a gauge warns from here down, unless the board names another value
const SWEEP = 0.75; // fraction of a full turn
const RADIUS = 26;
const LENGTH = 2 * Math.PI * RADIUS;

export class Gauges {
  constructor(state) {
    this.state = state;
    this.root = byId("gauges");
    state.on("scene race you", () => this.draw());
  }

  draw() {
    const { state } = this;
    const dials = state.scene.dials.filter((dial) => dial[0] === state.seat);
    const playing = state.playing || state.race.state === "podium";
    this.root.hidden = !dials.length || !playing;
    const look = JSON.stringify([dials, state.race.cars]);
    if (look === this.look) return;
    this.look = look;
    const cars = [...new Set(dials.map((dial) => dial[1]))];
    replace(
      this.root,
      h("h2", {}, say("gauges")),
      cars.map((car) => {
        const own = dials.filter((dial) => dial[1] === car);
        return h(
          "div",
          { class: "gauge-row", "data-car": car },
          carBadge(state, car),
          own.map((dial) => this.gauge(dial, own)),
        );
      }),
    );
  }

  gauge([, , label, value, most, warns], others) {
    // A dial that counts laps starts low, which is no reason to warn: it alone counts up to the race's laps.
    const counts = most === this.state.scene.laps && others.filter((dial) => dial[4] === most).length === 1;
    const warning = most > 0 && value <= (warns ?? (counts ? -1 : low));
    const part = most > 0 ? Math.min(1, value / most) : 0;
    const sentence = warning ? "gaugeLow" : most > 0 ? "gaugeSay" : "gaugeSayFree";
    return h(
      "div",
      { class: `gauge${warning ? " low" : ""}`, role: "img", "aria-label": say(sentence, label, value, most), "data-label": label },
      s(
        "svg",
        { viewBox: "-32 -32 64 60", "aria-hidden": "true" },
        arc("gauge-rail", SWEEP),
        part > 0 ? arc("gauge-fill", SWEEP * part) : null,
        s("text", { class: "gauge-value", y: 3 }, value),
        most > 0 ? s("text", { class: "gauge-most", y: 20 }, `/${most}`) : null,
      ),
      h("span", { class: "gauge-label" }, warning ? h("b", { "aria-hidden": "true" }, "! ") : null, label),
    );
  }
}

function arc(name, turns) {
  return s("circle", {
    r: RADIUS,
    class: name,
    "stroke-dasharray": `${(LENGTH * turns).toFixed(2)} ${LENGTH.toFixed(2)}`,
    transform: "rotate(135)",
  });
}

export class Hand {
  constructor(state) {
    this.state = state;
    this.root = byId("hand");
    state.on("view you show", () => this.draw());
  }

  draw() {
    const { view, show, seat } = this.state;
    const screen = show.private === seat ? show.lines.filter((line) => line.trim()) : [];
    const held = view?.private ?? [];
    const lines = (held.length ? held : screen).map((item) => (Array.isArray(item) ? item.join(" ") : String(item)));
    this.root.hidden = !seat || !lines.length;
    replace(
      this.root,
      h("h2", {}, say("hand")),
      h(
        "ul",
        {},
        lines.map((line) => h("li", {}, line)),
      ),
    );
  }
}
