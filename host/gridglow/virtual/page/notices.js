// Notices: short ones that go away, faults for as long as they last, and the banner when the link or the engine is gone.

import { byId, h, icon, replace } from "./dom.js";
import { clauseTag } from "./prompt.js";
import { say, wording } from "./words.js";

const shown_ms = 7000;
const lost_after_ms = 1200; // so that a reload doesn't flash the banner

export class Notices {
  constructor(state, resume, newRace) {
    this.state = state;
    this.resume = resume;
    this.newRace = newRace;
    this.banner = byId("banner");
    this.linked = true;
    state.on("engine", () => this.draw());
    state.onLeft(() => replace(byId("toasts"))); // refusals from the previous race
    this.lasting = new Map(); // about -> [its message, its node]
    state.on("faults", () => this.faults());
    state.on(
      "hello",
      () => state.hello && state.hello.v !== 1 && this.toast(say("tooOld", state.hello.v), "", "fault"),
    );
  }

  toast(text, clause = "", kind = "") {
    if (!text) return;
    const root = byId("toasts");
    const node = this.notice(text, clause, `toast ${kind}`);
    for (const other of root.children) if (other.textContent === node.textContent) other.remove();
    root.append(node);
    while (root.children.length > 4) root.firstChild.remove();
    setTimeout(() => node.remove(), shown_ms);
  }

  // A box with a text and a close button.
  notice(text, clause, kind) {
    const node = h(
      "div",
      { class: `notice ${kind}` },
      h("p", {}, text, clauseTag(clause)),
      h(
        "button",
        { class: "ghost icon-only", "aria-label": say("close"), onclick: () => node.remove() },
        icon("close"),
      ),
    );
    return node;
  }

  // What the board said in this batch: refusals that belong to no question, and short notices.
  tell(list) {
    for (const message of list) {
      if (message.t === "no" && !message.handled) this.toast(wording(message), message.clause);
      if (message.t === "fault" && !(message.about && message.on)) this.toast(wording(message), "", "fault");
    }
  }

  // Faults stay until they're over. One that somebody closed stays closed until it occurs again.
  faults() {
    const { faults } = this.state;
    for (const [about, [message, node]] of this.lasting) {
      if (faults.get(about) === message) continue;
      node.remove();
      this.lasting.delete(about);
    }
    for (const [about, message] of faults) {
      if (this.lasting.has(about)) continue;
      const node = this.notice(wording(message), "", "lasting");
      node.dataset.about = about;
      this.lasting.set(about, [message, node]);
      byId("faults").append(node);
    }
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
