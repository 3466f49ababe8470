// Named things that lie on spaces for a while, such as obstacles: a token with a letter, in the colour of its light.

import { s } from "./dom.js";
import { spaceOf } from "./geometry.js";
import { COLOURS } from "./marks.js";

export class TrackTokens {
  constructor(geometry) {
    this.geometry = geometry;
    this.layer = s("g", { class: "tokens", "pointer-events": "none" });
    this.shown = "";
  }

  // The marks of a scene: [space, word, name, colour], without a name if nothing is to be drawn.
  update(state) {
    const marks = (state.scene.marks ?? []).filter((mark) => mark[2] && spaceOf(this.geometry, mark[0]));
    const look = JSON.stringify(marks);
    if (look === this.shown) return;
    this.shown = look;
    this.layer.replaceChildren(...marks.map((mark) => this.token(mark)));
  }

  // The token shows the first letter of a name such as "X Obstacle".
  token([space, word, name, colour]) {
    const [x, y] = spaceOf(this.geometry, space).centre;
    const half = this.geometry.lane_mm * 0.33;
    const hue = COLOURS[colour] ?? COLOURS.white;
    const [letter, ...rest] = name.split(" ");
    return s(
      "g",
      { class: "token", "data-token": word, "data-space": space, transform: `translate(${x} ${y})` },
      s("title", {}, `${rest.join(" ") || letter}, ${space}`),
      s("rect", {
        x: -half,
        y: -half,
        width: half * 2,
        height: half * 2,
        rx: half * 0.35,
        fill: "#10141b",
        stroke: hue,
        "stroke-width": half * 0.22,
      }),
      s(
        "text",
        {
          y: half * 0.06,
          fill: hue,
          "font-size": half * 1.35,
          "font-weight": 900,
          "text-anchor": "middle",
          "dominant-baseline": "central",
        },
        letter.slice(0, 2),
      ),
    );
  }
}
