// The board's panels: six keys each, held for as long as they're pressed, and the dials' LEDs.

import { byId, h, icon, replace, setText } from "./dom.js";
import { paintDot } from "./leds.js";
import { carBadge } from "./marks.js";
import { say } from "./words.js";

export const KEYS = ["PREV", "NEXT", "OK", "UNDO", "WHY", "MENU"];
// For the left hand: in reverse order, but PREV stays left of NEXT.
export const LEFT_KEYS = ["MENU", "WHY", "UNDO", "OK", "PREV", "NEXT"];

export class Panels {
  constructor(state, press) {
    this.state = state;
    this.press = press; // press(panel, key, down)
    this.root = byId("panels");
    this.panels = [];
    this.look = "";
    this.scrolledTo = 0;
    state.on("hello race prompts scene engine", () => this.draw());
    state.on("px hello", () => this.light());
    state.onLeft(() => (this.scrolledTo = 0));
  }

  draw() {
    const count = this.state.hello?.panels ?? 0;
    this.left = new Set(this.state.hello?.left ?? []);
    const look = JSON.stringify([count, this.state.hello?.dials, [...this.left]]);
    if (look !== this.look) {
      this.look = look;
      this.panels = Array.from({ length: count }, (_, at) => this.build(at + 1));
      replace(
        this.root,
        this.panels.map((panel) => panel.node),
      );
      this.light();
    }
    this.panels.forEach((panel, at) => this.fill(panel, at + 1));
    // During a race, panels without a player are hidden.
    const served = this.panels.filter((panel) => !panel.node.classList.contains("free")).length;
    const fewer = served > 0 && ["start", "race", "podium"].includes(this.state.race.state);
    this.root.classList.toggle("only-served", fewer);
    this.root.style.setProperty("--panels", Math.max(1, fewer ? served : count));
    this.bringIntoView();
  }

  build(number) {
    const panel = {
      name: h("h2", { class: "panel-name" }),
      cars: h("span", { class: "panel-cars" }),
      say: h("p", { class: "panel-say" }),
      values: h("p", { class: "panel-values" }),
      flag: h("span", { class: "tag turn-tag" }),
      dials: this.dials(number),
    };
    panel.keyboard = h("span", { class: "keyboard-mark", title: say("keyboardHere") }, icon("keys"), number);
    panel.node = h(
      "article",
      { class: "panel", "data-panel": number, "aria-label": say("panel", number) },
      h("header", {}, panel.keyboard, panel.cars, panel.name, panel.flag),
      panel.say,
      h(
        "div",
        { class: "dials" },
        ["ring-dial", "bar-dial"].map((shape) =>
          h(
            "div",
            { class: "dial-row" },
            panel.dials.map((dial) => dial.node).filter((node) => node.classList.contains(shape)),
          ),
        ),
      ),
      panel.values,
      h(
        "div",
        { class: "keys", role: "group", "aria-label": say("panel", number) },
        (this.left.has(number) ? LEFT_KEYS : KEYS).map((key) => this.key(number, key)),
      ),
    );
    return panel;
  }

  key(panel, key) {
    let down = false;
    const set = (now, event) => {
      if (now === down || (now && event.button)) return;
      down = now;
      node.classList.toggle("down", now);
      this.press(panel, key, now ? 1 : 0);
    };
    const node = h(
      "button",
      {
        class: `key key-${key.toLowerCase()}`,
        "data-key": key,
        "aria-label": `${say(key)}, ${say("panel", panel)}`,
        onpointerdown: (event) => {
          event.target.setPointerCapture?.(event.pointerId);
          set(true, event);
        },
        onpointerup: (event) => set(false, event),
        onpointercancel: (event) => set(false, event),
        onlostpointercapture: (event) => set(false, event),
        onblur: (event) => set(false, event),
        oncontextmenu: (event) => event.preventDefault(),
        onkeydown: (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          event.stopPropagation();
          if (!event.repeat) set(true, event);
        },
        onkeyup: (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault(); // else the space bar would click as well
          set(false, event);
        },
        // A click that came without a pointer or key (a screen reader) is a short press.
        onclick: (event) => {
          if (event.detail !== 0 || down) return;
          this.press(panel, key, 1);
          setTimeout(() => this.press(panel, key, 0), 60);
        },
      },
      icon(key),
      h("span", {}, say(key)),
    );
    return node;
  }

  // The dials as listed in hello: [panel, label, output, first pixel, pixels, shape?].
  dials(number) {
    const { hello } = this.state;
    let rows = (hello?.dials ?? []).filter((dial) => dial[0] === number);
    if (!hello?.dials?.length && hello) {
      const output = hello.outputs.findIndex((one) => one[1] === "dials");
      const each = output < 0 ? 0 : Math.floor(hello.outputs[output][0] / hello.panels / 8);
      rows = Array.from({ length: each }, (_, at) => [number, "", output, (each * (number - 1) + at) * 8, 8]);
    }
    return rows.map(([, label, output, first, pixels, shape], at) => {
      const bar = (shape ?? (at < 3 ? "ring" : "bar")) === "bar";
      const dots = Array.from({ length: pixels }, (_, dot) =>
        h("i", { class: "dot", style: bar ? "" : `--angle:${Math.round((360 * dot) / pixels)}deg` }),
      );
      return {
        output,
        first,
        dots,
        colours: [],
        node: h("div", { class: `dial ${bar ? "bar-dial" : "ring-dial"}`, "data-label": label }, dots),
      };
    });
  }

  light() {
    for (const panel of this.panels) {
      for (const dial of panel.dials) {
        const frame = this.state.pixels[dial.output] ?? "";
        dial.dots.forEach((dot, at) => {
          const begin = (dial.first + at) * 6;
          const colour = frame.slice(begin, begin + 6).toLowerCase();
          if (dial.colours[at] === colour) return;
          dial.colours[at] = colour;
          paintDot(dot, colour);
        });
      }
    }
  }

  fill(panel, number) {
    const { state } = this;
    const seats = (state.race.panels[number - 1] ?? []).filter((seat) => state.seatName(seat));
    const prompt = state.prompts.find((one) => seats.includes(one.seat) || one.seat === 0);
    const seat = prompt?.seat && seats.includes(prompt.seat) ? prompt.seat : seats[0];
    const name = seats.map((one) => state.seatName(one)).join(" · ");
    setText(panel.name, name || say("free"));
    panel.node.classList.toggle("free", !name);
    panel.node.classList.toggle("turn", Boolean(prompt));
    setText(panel.flag, prompt ? say("turn") : seat && state.isBot(seat) ? say("bot") : "");
    panel.flag.hidden = !panel.flag.textContent;
    setText(panel.say, prompt ? prompt.say : "");
    const cars = JSON.stringify([seats, state.race.cars]);
    if (cars !== panel.carsShown) {
      panel.carsShown = cars;
      replace(
        panel.cars,
        seats.flatMap((one) => state.carsOf(one)).map((car) => carBadge(state, car[0])),
      );
    }
    const values = state.scene.dials.filter((dial) => seats.includes(dial[0]));
    setText(
      panel.values,
      values.map(([, , label, value, most]) => `${label} ${value}${most ? `/${most}` : ""}`).join("  ·  "),
    );
  }

  // On a phone one panel fills the strip: show the one whose seat is asked.
  bringIntoView() {
    const asked =
      this.state.prompts.find((prompt) => !this.state.isBot(prompt.seat)) ?? this.state.prompts[0];
    const number = asked ? this.state.panelOf(asked.seat) : 0;
    if (!number || number === this.scrolledTo || this.root.contains(document.activeElement)) return;
    this.scrolledTo = number;
    const node = this.panels[number - 1]?.node;
    if (node && this.root.scrollWidth > this.root.clientWidth) {
      this.root.scrollTo({ left: node.offsetLeft - this.root.offsetLeft - 12, behavior: "auto" });
    }
  }
}
