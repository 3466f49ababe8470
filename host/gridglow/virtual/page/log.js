// The running log: number, seat, sentence, and the rule's clause as a tag; opening a line shows more.

import { byId, h, icon, replace, setText } from "./dom.js";
import { carBadge } from "./marks.js";
import { clauseTag } from "./prompt.js";
import { say } from "./words.js";

const most_shown = 400;

export class Log {
  constructor(state) {
    this.state = state;
    this.shown = 0; // how many of the state's lines are in the list
    this.begins = -1;
    this.list = h("ol", { class: "lines", tabindex: 0, "aria-label": say("log") });
    this.empty = h("p", { class: "nothing" }, say("logEmpty"));
    this.newest = h(
      "button",
      { class: "ghost to-end", hidden: true, onclick: () => this.toEnd() },
      icon("down"),
      say("toEnd"),
    );
    replace(byId("log"), h("h2", {}, say("log")), this.empty, this.list, this.newest);
    // The list follows its end until somebody scrolls up; a card that grows or shrinks doesn't count as scrolling.
    this.follows = true;
    this.height = 0;
    this.list.addEventListener("scroll", () => {
      if (this.list.clientHeight !== this.height) return;
      this.follows = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 40;
      if (this.follows) this.newest.hidden = true;
    });
    new ResizeObserver(() => {
      this.height = this.list.clientHeight;
      if (this.follows) this.toEnd();
    }).observe(this.list);
    state.on("log race", () => this.draw());
    state.onLeft(() => {
      this.follows = true;
      setText(byId("live-log"), "");
    });
  }

  draw() {
    const { lines, logBegins, race } = this.state;
    const look = `${logBegins} ${race.cars.length} ${race.seats.length}`;
    if (look !== this.begins) {
      this.begins = look;
      this.shown = Math.max(0, lines.length - most_shown);
      this.list.replaceChildren();
    }
    const fresh = lines.slice(this.shown);
    if (!fresh.length && lines.length) return;
    this.list.append(...fresh.map((line) => this.line(line)));
    while (this.list.children.length > most_shown) this.list.firstChild.remove();
    this.shown = lines.length;
    this.empty.hidden = lines.length > 0;
    if (this.follows) this.toEnd();
    else this.newest.hidden = false;
    if (fresh.length && fresh.length < 4) setText(byId("live-log"), fresh.map((line) => line.say).join(" "));
  }

  line(line) {
    const car = this.state.carsOf(line.seat);
    const name = line.seat ? this.state.seatName(line.seat) : say("table");
    const more = h(
      "p",
      { class: "line-more" },
      h("code", {}, line.text),
      h("span", {}, say("digest", line.pd)),
    );
    return h(
      "li",
      { "data-line": line.i, title: say("digest", line.pd) },
      h(
        "details",
        {},
        h(
          "summary",
          {},
          h("span", { class: "line-number" }, line.i),
          car.length === 1
            ? carBadge(this.state, car[0][0])
            : h("span", { class: "badge seat-badge" }, line.seat || "•"),
          h(
            "span",
            { class: "line-say" },
            h("b", { class: "line-who" }, name),
            " ",
            withoutName(line.say, name),
          ),
          clauseTag(line.clause),
        ),
        more,
      ),
    );
  }

  toEnd() {
    this.follows = true;
    this.list.scrollTop = this.list.scrollHeight;
    this.newest.hidden = true;
  }
}

// "Ann rolls 3 and 5." follows the name in the list, so the name isn't repeated.
function withoutName(text, name) {
  return name && text.startsWith(`${name} `) ? text.slice(name.length + 1) : text;
}
