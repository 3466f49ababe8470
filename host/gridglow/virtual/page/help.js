// The help: what the keyboard's keys do, how to read the page, and what the board's lights mean.

import { h, icon, replace } from "./dom.js";
import { carBadge } from "./marks.js";
import { say } from "./words.js";

export class Help {
  constructor(state) {
    this.state = state;
    this.dialog = h("dialog", { class: "help", "aria-labelledby": "help-title" });
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    document.body.append(this.dialog);
    state.on("race scene", () => this.dialog.open && this.follow());
  }

  // Another race has other cars.
  follow() {
    const lights = this.legend();
    if (lights.textContent === this.lights.textContent) return;
    this.lights.replaceWith(lights);
    this.lights = lights;
  }

  open() {
    this.lights = this.legend();
    replace(
      this.dialog,
      h(
        "header",
        {},
        h("h2", { id: "help-title" }, say("helpTitle")),
        h(
          "button",
          { class: "ghost icon-only", "aria-label": say("close"), onclick: () => this.dialog.close() },
          icon("close"),
        ),
      ),
      h(
        "dl",
        { class: "help-keys" },
        say("helpKeys").map(([keys, does]) =>
          h(
            "div",
            {},
            h(
              "dt",
              {},
              keys
                .split(" ")
                .map((key) =>
                  (key.length > 1 && /^[a-z…]/.test(key)) || key === "…" ? ` ${key} ` : h("kbd", {}, key),
                ),
            ),
            h("dd", {}, does),
          ),
        ),
      ),
      h("p", {}, say("helpMore")),
      this.lights,
    );
    this.dialog.showModal();
  }

  // The rhythm of each car's light, and what else may be lit.
  legend() {
    const { race, scene } = this.state;
    const rhythms = say("legendRhythms");
    const marks = [...new Map(scene.marks?.filter((mark) => mark[2]).map((mark) => [mark[1], mark[2]])).entries()].sort();
    return h(
      "section",
      { class: "legend", "aria-labelledby": "legend-title" },
      h("h3", { id: "legend-title" }, say("legend")),
      h(
        "ul",
        {},
        race.cars.map(([car, , label, colour, rhythm]) =>
          h(
            "li",
            { "data-car": car },
            carBadge(this.state, car),
            h("span", {}, say("legendCar", named(label, say("colours")[colour] ?? colour), rhythms[rhythm & 7])),
          ),
        ),
        say("legendMore").map((sentence) => h("li", {}, h("span", {}, sentence))),
        marks.map(([, name], at) => h("li", {}, h("span", {}, say(at ? "legendDips" : "legendMark", name)))),
      ),
    );
  }
}

// "Blue 1" already names its colour; any other car's name is followed by its colour.
function named(label, colour) {
  return label.toLowerCase().includes(colour) ? label : `${label} (${colour})`;
}
