// The order of the race, best first; changes of place are animated.

import { byId, calm, h, replace, s } from "./dom.js";
import { carBadge } from "./marks.js";
import { say } from "./words.js";

export class Standings {
  constructor(state) {
    this.state = state;
    this.rows = new Map();
    this.list = h("ol", { class: "places" });
    this.empty = h("p", { class: "nothing" }, say("standingsEmpty"));
    this.told = h("ul", { class: "told" }); // further lines of the game
    replace(byId("standings"), h("h2", {}, say("standings")), this.empty, this.list, this.told);
    state.on("standings race scene", () => this.draw());
    state.onLeft(() => (this.rows = new Map())); // nobody moves from a place in the previous race
  }

  draw() {
    const { standings, scene } = this.state;
    const before = new Map([...this.rows].map(([key, row]) => [key, row.offsetTop]));
    const status = new Map(scene.cars.map(([car, , word]) => [car, word]));
    const pointless = standings.list.every((row) => !row[3]);
    this.empty.hidden = standings.list.length > 0;
    this.rows = new Map();
    for (const [seat, car, place, points, label] of standings.list) {
      const word = status.get(car);
      const name = this.state.seatName(seat);
      const row = h(
        "li",
        { class: word && word !== "run" ? word : "", "data-place": place },
        h("span", { class: "place" }, place),
        car ? carBadge(this.state, car) : null,
        h(
          "span",
          { class: "place-name" },
          label || name,
          label && name && !label.includes(name) ? h("small", {}, name) : null,
        ),
        word === "done" && !standings.final
          ? chequered()
          : word === "out"
            ? h("span", { class: "tag" }, say("out"))
            : null,
        standings.final && !pointless && (points || word !== "out") ? h("span", { class: "place-points" }, points, h("small", {}, say("points"))) : null,
      );
      row.title = [label || name, label && name !== label ? name : ""].filter(Boolean).join(", ");
      this.rows.set(`${seat} ${car}`, row);
    }
    replace(this.list, [...this.rows.values()]);
    replace(
      this.told,
      scene.lines.map((line) => h("li", {}, line)),
    );
    if (calm()) return;
    for (const [key, row] of this.rows) {
      const moved = before.has(key) ? before.get(key) - row.offsetTop : 0;
      if (moved)
        row.animate([{ transform: `translateY(${moved}px)` }, { transform: "none" }], {
          duration: 350,
          easing: "ease-out",
        });
    }
  }
}

// A small chequered flag for a car that has finished.
function chequered() {
  const squares = [];
  for (let at = 0; at < 12; at += 1) {
    if ((at + Math.floor(at / 4)) % 2)
      squares.push(s("rect", { x: 2 + (at % 4) * 3, y: 1 + Math.floor(at / 4) * 3, width: 3, height: 3 }));
  }
  return s(
    "svg",
    { class: "flag", viewBox: "0 0 15 15", role: "img", "aria-label": say("done") },
    s("path", { d: "M1.4 .6V14.4M2 1h12v9H2", class: "flag-pole" }),
    squares,
  );
}
