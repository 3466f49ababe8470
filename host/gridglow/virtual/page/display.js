// The board's display: six lines of 21 characters, each in its own cell as on the real one.

import { byId, h, replace, setText } from "./dom.js";
import { say } from "./words.js";

export class Display {
  constructor(state) {
    this.state = state;
    this.root = byId("display");
    this.size = "";
    this.rows = [];
    state.on("show hello", () => this.draw());
    this.draw();
  }

  draw() {
    const [letters, lines] = this.state.hello?.display ?? [21, 6];
    if (this.size !== `${letters}x${lines}`) {
      this.size = `${letters}x${lines}`;
      this.rows = Array.from({ length: lines }, () => h("span", { class: "screen-line" }));
      this.note = h("p", { class: "screen-hidden" }, say("hidden"));
      replace(
        this.root,
        h(
          "div",
          { class: "screen-glass", style: `--letters:${letters};--lines:${lines}` },
          this.rows,
          this.note,
        ),
      );
    }
    const { show } = this.state;
    this.root.classList.toggle("is-hidden", show.private > 0);
    this.rows.forEach((row, at) => {
      const text = show.private ? "" : (show.lines[at] ?? "").slice(0, letters);
      setText(row, text.padEnd(letters, "\u00a0").replaceAll(" ", "\u00a0"));
    });
  }
}
