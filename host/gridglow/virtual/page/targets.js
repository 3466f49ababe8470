// Spaces that answer the open question: tap an option's space on the track to choose it.

import { h, s } from "./dom.js";
import { points } from "./geometry.js";
import { say } from "./words.js";

// The options of people's open prompts that name a space: Map(space name -> [{prompt, text, label}]).
export function targetsOf(state, geometry) {
  const targets = new Map();
  if (state.watching) return targets;
  for (const prompt of state.prompts) {
    if (!prompt.choices || state.isBot(prompt.seat)) continue;
    prompt.choices.forEach((text, at) => {
      const name = spaceOfChoice(prompt, at, geometry);
      if (!name) return;
      if (!targets.has(name)) targets.set(name, []);
      targets.get(name).push({ prompt, text, label: prompt.labels?.[at] || text });
    });
  }
  return targets;
}

// The space that a choice names or leads to.
export function spaceOfChoice(prompt, at, geometry) {
  const named = prompt.choices[at].split(" ").find((word, place) => place > 0 && geometry.byName.has(word));
  return named ?? (geometry.byName.has(prompt.ends?.[at]) ? prompt.ends[at] : undefined);
}

export class TrackTargets {
  // answer(prompt, text) is called for the chosen space.
  constructor(geometry, frame, answer) {
    this.geometry = geometry;
    this.frame = frame;
    this.answer = answer;
    this.layer = s("g", { class: "targets" });
    this.chooser = null;
  }

  update(state) {
    this.targets = targetsOf(state, this.geometry);
    this.closeChooser();
    this.layer.replaceChildren();
    for (const [name, options] of this.targets) {
      const space = this.geometry.spaces[this.geometry.byName.get(name)];
      const label = say("tapSpace", name, options.map((option) => option.label).join(", "));
      const choose = () => this.choose(space, options);
      this.layer.append(
        s(
          "g",
          {
            class: "target",
            tabindex: 0,
            role: "button",
            "aria-label": label,
            "data-target": name,
            onclick: choose,
            onkeydown: (event) => {
              if (event.key !== "Enter" && event.key !== " ") return;
              event.preventDefault();
              event.stopPropagation();
              choose();
            },
          },
          s("title", {}, label),
          s("polygon", {
            points: points(space.polygon),
            class: "target-space",
            "stroke-width": this.geometry.lane_mm * 0.09,
          }),
          s(
            "text",
            {
              x: space.centre[0],
              y: space.centre[1],
              class: "target-name",
              "font-size": this.geometry.lane_mm * 0.34,
              dy: this.geometry.lane_mm * 0.36,
            },
            name,
          ),
        ),
      );
    }
  }

  choose(space, options) {
    if (options.length === 1) {
      this.answer(options[0].prompt, options[0].text);
      return;
    }
    this.closeChooser();
    this.chooser = h(
      "div",
      { class: "chooser", role: "group", "aria-label": say("chooseHere") },
      h("p", {}, `${say("chooseHere")} ${space.name}`),
    );
    for (const option of options) {
      this.chooser.append(
        h("button", { class: "chip", onclick: () => this.answer(option.prompt, option.text) }, option.label),
      );
    }
    this.chooser.append(h("button", { class: "ghost", onclick: () => this.closeChooser() }, say("close")));
    this.frame.append(this.chooser);
    this.chooser.querySelector("button").focus();
  }

  closeChooser() {
    this.chooser?.remove();
    this.chooser = null;
  }
}
