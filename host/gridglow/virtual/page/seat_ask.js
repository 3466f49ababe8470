// The question on a seat's page: large buttons, and spaces picked by row first.

import { h, icon } from "./dom.js";
import { Prompts } from "./prompt.js";
import { say } from "./words.js";

const few = 6; // up to this many spaces fit in one list

export class SeatAsk extends Prompts {
  // changed() is called when another row is selected.
  constructor(state, socket, answer, changed) {
    super(state, socket, answer);
    this.changed = changed;
    this.geometry = null;
    this.rows = new Map(); // serial -> chosen row
    state.on("view", () => this.draw());
    state.onLeft(() => this.rows.clear());
  }

  setGeometry(geometry) {
    this.geometry = geometry;
    this.draw(true);
  }

  idle() {
    const { state } = this;
    if (state.race.state !== "race") return super.idle();
    const names = [...new Set(state.asked.map((prompt) => state.seatName(prompt.seat)))].filter(Boolean);
    return h(
      "div",
      { class: "question idle" },
      h("p", { class: "question-say" }, names.length ? say("waitFor", names.join(", ")) : say("waiting")),
      names.length ? h("p", { class: "question-more" }, say("waiting")) : null,
    );
  }

  who(prompt) {
    return prompt.seat ? say("yourTurn") : super.who(prompt);
  }

  ways(prompt) {
    if (prompt.secret && !prompt.choices) return h("p", { class: "question-more" }, say("viewComes"));
    const spaces = this.spacesOf(prompt);
    if (!spaces.length) return this.chips(prompt, prompt.choices) ?? super.ways(prompt);
    const others = prompt.choices.filter((text) => !spaces.some((one) => one.text === text));
    return [this.picker(prompt, spaces), others.length ? this.chips(prompt, others) : null];
  }

  chips(prompt, texts) {
    if (!texts) return null;
    const labels = texts.map((text) => this.label(prompt, text));
    const short = labels.length > few && labels.every((label) => label.length <= 3); // numbers, for example: several per line
    return h(
      "div",
      { class: `chips${short ? " short" : ""}` },
      texts.map((text, at) => this.chip(prompt, text, labels[at])),
    );
  }

  chip(prompt, text, ...inside) {
    return h(
      "button",
      { class: "chip", "data-answer": text, onclick: () => this.answer(prompt, text) },
      inside,
    );
  }

  label(prompt, text) {
    return prompt.labels?.[prompt.choices.indexOf(text)] || text;
  }

  // The options that name a space: [{text, name, row}].
  spacesOf(prompt) {
    if (!this.geometry || !prompt.choices) return [];
    const found = [];
    for (const text of prompt.choices) {
      const name = text.split(" ").find((word, place) => place > 0 && this.geometry.byName.has(word));
      if (name) found.push({ text, name, row: parseInt(name, 10) });
    }
    return found;
  }

  // The selected row, or 0. A single row needs no choice.
  rowOf(prompt) {
    const spaces = this.spacesOf(prompt);
    const rows = [...new Set(spaces.map((one) => one.row))];
    if (rows.length === 1) return rows[0];
    const row = this.rows.get(prompt.serial) ?? 0;
    return rows.includes(row) ? row : 0;
  }

  chooseRow(prompt, row) {
    this.rows.clear();
    if (row) this.rows.set(prompt.serial, row);
    this.draw(true);
    this.changed();
    this.root.querySelector(row ? "[data-answer]" : "[data-row]")?.focus({ preventScroll: !row });
  }

  picker(prompt, spaces) {
    const rows = [...new Set(spaces.map((one) => one.row))];
    const row = this.rowOf(prompt);
    if (!row && spaces.length > few) {
      return h(
        "div",
        { class: "row-picker", role: "group", "aria-label": say("rowPick") },
        h("p", { class: "question-more" }, say("rowPick")),
        h(
          "div",
          { class: "row-list" },
          rows.map((one) => {
            const ways = spaces.filter((space) => space.row === one);
            return h(
              "button",
              { class: "row-button", "data-row": one, onclick: () => this.chooseRow(prompt, one) },
              h("strong", {}, say("row", one)),
              h("small", {}, this.hint(prompt, ways)),
            );
          }),
        ),
      );
    }
    const shown = row ? spaces.filter((one) => one.row === row) : spaces;
    return h(
      "div",
      { class: "lane-picker", role: "group", "aria-label": say("lanePick") },
      h(
        "div",
        { class: "lane-head" },
        h("p", { class: "question-more" }, row ? say("row", row) : say("lanePick")),
        row && rows.length > 1
          ? h("button", { class: "ghost", onclick: () => this.chooseRow(prompt, 0) }, icon("PREV"), say("otherRow"))
          : null,
      ),
      shown.map((one) =>
        this.chip(
          prompt,
          one.text,
          h("strong", { class: "space-name" }, one.name),
          h("span", {}, this.label(prompt, one.text)),
        ),
      ),
    );
  }

  // The second line of a row's button: the cost if all its spaces cost the same, else the number of ways.
  hint(prompt, ways) {
    const costs = [...new Set(ways.map((one) => this.label(prompt, one.text).split(": ").at(-1)))];
    return costs.length === 1 ? costs[0] : say("rowOptions", ways.length);
  }
}
