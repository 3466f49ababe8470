// The podium after the race: the first three on their steps, everybody in the list.

import { byId, calm, h, icon, replace } from "./dom.js";
import { carBadge } from "./marks.js";
import { DiceCount } from "./podium_dice.js";
import { SeasonCount } from "./podium_season.js";
import { say } from "./words.js";

export class Podium {
  constructor(state, newRace) {
    this.state = state;
    this.newRace = newRace;
    this.root = byId("podium");
    this.season = new SeasonCount();
    this.dice = new DiceCount();
    this.put_away = false;
    this.shown = "";
    state.on("race standings scene", () => this.draw());
  }

  draw() {
    const { race, standings, scene } = this.state;
    const over = race.state === "podium" && standings.final && standings.list.length > 0;
    if (!over) {
      this.put_away = false;
      this.shown = "";
      replace(this.root);
    }
    this.root.hidden = !over || this.put_away;
    const lines = scene?.lines ?? []; // further lines of the game, such as teams
    const look = JSON.stringify([standings.list, race.seats, lines]);
    if (!over || look === this.shown) return;
    if (!this.shown && !this.state.watching) this.season.look();
    if (!this.shown) this.dice.look();
    this.shown = look;
    const [first, second, third] = standings.list;
    this.pointless = standings.list.every((row) => !row[3]);
    replace(
      this.root,
      calm() ? null : this.confetti(),
      h("h2", {}, say("winner", this.state.seatName(first[0]) || first[4])),
      h(
        "div",
        { class: "steps" },
        [
          [second, 2],
          [first, 1],
          [third, 3],
        ]
          .filter(([row]) => row)
          .map(([row, step]) => this.step(row, step)),
      ),
      standings.list.length > 3
        ? h(
            "ol",
            { class: "rest", start: 4 },
            standings.list
              .slice(3)
              .map(([seat, car, place, points, label]) =>
                h(
                  "li",
                  {},
                  h("span", { class: "place" }, place),
                  carBadge(this.state, car),
                  h("span", {}, this.state.seatName(seat) || label),
                  this.pointless ? null : h("span", { class: "place-points" }, say("podiumPoints", points)),
                ),
              ),
          )
        : null,
      lines.length ? h("ul", { class: "podium-lines" }, lines.map((line) => h("li", {}, line))) : null,
      this.dice.node,
      this.season.node,
      h(
        "div",
        { class: "podium-actions" },
        this.state.watching
          ? null
          : h("button", { class: "primary", onclick: () => this.newRace() }, icon("flag"), say("newRace")),
        h("a", { class: "button", href: "/journal", download: "" }, icon("book"), say("downloadJournal")),
        h(
          "button",
          {
            class: "ghost",
            onclick: () => {
              this.put_away = true;
              this.root.hidden = true;
            },
          },
          say("lookAtTrack"),
        ),
      ),
    );
  }

  step([seat, car, place, points, label], step) {
    const name = this.state.seatName(seat) || label;
    const driven = this.state.race.cars.find((one) => one[0] === car)?.[2] ?? label;
    return h(
      "div",
      { class: `step step${step}`, "data-step": step },
      carBadge(this.state, car),
      h("strong", {}, name),
      driven === name ? null : h("small", {}, driven), // a car without a driver has only one name
      h("div", { class: "block" }, h("b", {}, place), this.pointless ? null : h("span", {}, say("podiumPoints", points))),
    );
  }

  confetti() {
    return h(
      "div",
      { class: "confetti", "aria-hidden": "true" },
      Array.from({ length: 26 }, (_, at) =>
        h("i", {
          style: `--x:${(at * 37) % 100}%;--late:${((at * 53) % 90) / 30}s;--turn:${(at * 71) % 360}deg`,
          class: `c${at % 5}`,
        }),
      ),
    );
  }
}
