// At the podium of a season's race: whether the race has been counted, and a button that counts it.

import { h, icon, replace } from "./dom.js";
import { fetched } from "./fetching.js";
import { say } from "./words.js";

export class SeasonCount {
  constructor() {
    this.node = h("div", { class: "podium-season", role: "status" });
    this.looks = 0;
  }

  // The podium is shown: ask once which season the race belongs to.
  async look() {
    replace(this.node);
    const look = (this.looks += 1);
    try {
      const reply = await fetched("/season.json");
      const { season } = reply.ok ? await reply.json() : {};
      if (season && look === this.looks) this.show(season); // not the season of an earlier podium
    } catch {
      // without an answer, the race can still be added from its journal
    }
  }

  show({ name, number, counts }) {
    if (counts) {
      replace(this.node, h("p", {}, say("seasonCounts", number, name)));
      return;
    }
    const button = h("button", { class: "primary", onclick: () => this.count(button) }, icon("flag"), say("seasonCount", name));
    replace(this.node, button);
  }

  async count(button) {
    const look = this.looks;
    button.disabled = true;
    const told = h("p", {}, say("seasonCounting"));
    replace(this.node, button, told);
    try {
      const reply = await fetched("/season", { method: "POST" });
      if (!reply.ok) throw new Error((await reply.text()).trim());
      const counted = await reply.json();
      if (look === this.looks) this.show({ ...counted, counts: true });
    } catch (error) {
      told.className = "complaint";
      told.textContent = error.message || say("lost");
      button.disabled = false;
    }
  }
}
