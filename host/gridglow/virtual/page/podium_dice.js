// At the podium: how often each seat rolled each face, and the mean beside that of a fair die.

import { h, replace } from "./dom.js";
import { fetched } from "./fetching.js";
import { say } from "./words.js";

const twoPlaces = new Intl.NumberFormat(document.documentElement.lang || "en", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

export class DiceCount {
  constructor() {
    this.node = h("details", { class: "podium-dice", hidden: true });
    this.looks = 0;
  }

  // The podium is shown: ask once.
  async look() {
    this.node.hidden = true;
    this.node.open = false;
    const look = (this.looks += 1);
    try {
      const reply = await fetched("/dice.json");
      const { dice } = reply.ok ? await reply.json() : { dice: [] };
      if (dice.length && look === this.looks) this.show(dice); // not the dice of an earlier podium
    } catch {
      // without an answer, "gridglow replay --dice" still has the figures
    }
  }

  show(dice) {
    const kinds = new Map(); // one table per kind of die
    for (const row of dice) {
      const kind = row.faces.join(" ");
      kinds.set(kind, [...(kinds.get(kind) ?? []), row]);
    }
    replace(this.node, h("summary", {}, say("diceCount")), [...kinds.values()].map((rows) => this.table(rows)));
    this.node.hidden = false;
  }

  table(rows) {
    const { faces, expected } = rows[0];
    const numbered = expected !== null;
    return h(
      "div",
      { class: "dice-table", tabindex: 0, role: "region", "aria-label": say("diceCount") },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, say("diceWho")),
            h("th", { scope: "col" }, say("diceRolled")),
            faces.map((face) => h("th", { scope: "col" }, face)),
            numbered ? h("th", { scope: "col" }, say("diceMean")) : null,
          ),
        ),
        h(
          "tbody",
          {},
          rows.map((row) =>
            h(
              "tr",
              { "data-seat": row.seat },
              h("th", { scope: "row" }, row.name || say("table")),
              h("td", {}, row.rolled),
              row.counts.map((count) => h("td", {}, count)),
              numbered ? h("td", {}, twoPlaces.format(row.mean)) : null,
            ),
          ),
        ),
      ),
      numbered ? h("p", {}, say("diceExpected", twoPlaces.format(expected))) : null,
    );
  }
}
