// What has to be told: short notices that go away, and the banner when link or engine are gone.

import { byId, h, icon, replace } from "./dom.js";
import { clauseTag } from "./prompt.js";
import { say } from "./words.js";

const shown_ms = 7000;
const lost_after_ms = 1200; // a reload must not flash the banner

export class Notices {
  constructor(state, resume, newRace) {
    this.state = state;
    this.resume = resume;
    this.newRace = newRace;
    this.banner = byId("banner");
    this.linked = true;
    state.on("engine", () => this.draw());
    state.on("fault", () => state.fault && this.toast(state.fault, "", "fault"));
    state.on(
      "hello",
      () => state.hello && state.hello.v !== 1 && this.toast(say("tooOld", state.hello.v), "", "fault"),
    );
  }

  toast(text, clause = "", kind = "") {
    if (!text) return;
    const root = byId("toasts");
    const node = h(
      "div",
      { class: `toast ${kind}` },
      h("p", {}, text, clauseTag(clause)),
      h(
        "button",
        { class: "ghost icon-only", "aria-label": say("close"), onclick: () => node.remove() },
        icon("close"),
      ),
    );
    for (const other of root.children) if (other.textContent === node.textContent) other.remove();
    root.append(node);
    while (root.children.length > 4) root.firstChild.remove();
    setTimeout(() => node.remove(), shown_ms);
  }

  link(status) {
    clearTimeout(this.timer);
    if (status === "open") {
      this.linked = true;
      this.draw();
    } else {
      this.timer = setTimeout(() => {
        this.linked = false;
        this.draw();
      }, lost_after_ms);
    }
  }

  draw() {
    const { engine } = this.state;
    const dead = this.linked && engine.name && !engine.alive;
    this.banner.hidden = this.linked && !dead;
    document.documentElement.classList.toggle("stopped", !this.banner.hidden);
    if (!this.linked) replace(this.banner, h("p", {}, h("span", { class: "spinner" }), say("lost")));
    else if (dead) {
      replace(
        this.banner,
        h("p", {}, h("strong", {}, say("engineDead")), " ", engine.reason),
        this.resume && !this.state.watching
          ? [
              h("button", { class: "primary", onclick: () => this.resume() }, icon("play"), say("startAgain")),
              h("button", { class: "ghost", onclick: () => this.newRace() }, say("newRace")),
            ]
          : null,
      );
    }
  }
}
