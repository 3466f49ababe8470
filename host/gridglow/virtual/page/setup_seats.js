// The seats in the dialog for a new race: a person, a bot or nobody in each, and the name.

import { h, replace } from "./dom.js";
import { say } from "./words.js";

const KINDS = ["person", "bot", "empty"];
const longest_name = 24;

export class Seats {
  constructor() {
    this.node = h("div", { class: "seats" });
    this.rows = [];
  }

  // seats: [fewest, most]; kept: [kind, name] of every seat from last time.
  build([fewest, most], kept, changed) {
    this.fewest = fewest;
    this.most = most;
    this.rows = Array.from({ length: most }, (_, at) => {
      const [kind, name] = kept[at] ?? [at === 0 ? "person" : at < Math.max(2, fewest) ? "bot" : "empty", ""];
      return this.row(at + 1, KINDS.includes(kind) ? kind : "empty", name, changed);
    });
    replace(
      this.node,
      this.rows.map((row) => row.node),
    );
  }

  row(seat, kind, name, changed) {
    const row = { kind };
    row.name = h("input", {
      type: "text",
      maxlength: longest_name,
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": say("seatName", seat),
      value: name || this.usual(kind, seat),
      oninput: changed,
    });
    const radios = KINDS.map((one) =>
      h(
        "label",
        { class: "segment" },
        h("input", {
          type: "radio",
          name: `seat ${seat}`,
          value: one,
          checked: one === kind,
          onchange: () => {
            const old = this.usual(row.kind, seat);
            if (!row.name.value.trim() || row.name.value === old) row.name.value = this.usual(one, seat);
            row.kind = one;
            row.name.disabled = one === "empty";
            row.node.classList.toggle("is-empty", one === "empty");
            changed();
          },
        }),
        h("span", {}, say(`${one}Kind`)),
      ),
    );
    row.name.disabled = kind === "empty";
    row.node = h(
      "div",
      { class: `seat-row${kind === "empty" ? " is-empty" : ""}` },
      h("b", { class: "seat-number" }, seat),
      row.name,
      h("div", { class: "segments", role: "radiogroup", "aria-label": say("seatKind", seat) }, radios),
    );
    return row;
  }

  usual(kind, seat) {
    return kind === "empty" ? "" : say(kind === "bot" ? "botName" : "player", seat);
  }

  all() {
    return this.rows.map((row) => [row.kind, row.name.value.trim()]);
  }

  // The occupied seats, in order, for the board.
  players() {
    return this.all().filter(([kind]) => kind !== "empty");
  }

  // The reason why the race can't be played with these seats, or "".
  problem() {
    const players = this.players();
    if (players.length < this.fewest || players.length > this.most)
      return say("seatsNeeded", this.fewest, this.most);
    return players.some(([, name]) => !name) ? say("nameNeeded") : "";
  }
}
