// The dice on the table: the faces of the last roll, which dice were flipped, and what those showed before.

import { byId, calm, h, replace, s } from "./dom.js";
import { carBadge } from "./marks.js";
import { say } from "./words.js";

const PIPS = {
  1: [[0, 0]],
  2: [
    [-1, -1],
    [1, 1],
  ],
  3: [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  4: [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  5: [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  6: [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
};
const PALE = /^(gold|yellow|white)$/;
const WORDS = /^(blue|yellow|red|green|white|orange|cyan|magenta)$/;

// One face: pips for 1 to 6, otherwise the word or figure itself (dice may have any faces).
export function dieFace(face) {
  const pips = PIPS[face];
  const word = String(face);
  const both = /^([a-z]+)-(\d+)$/.exec(word); // a colour and a number on one face
  if (both) return colourFace(word, both[1], both[2]);
  return s(
    "svg",
    {
      class: `die-face${WORDS.test(word) ? ` colour-${word}` : ""}`,
      viewBox: "-24 -24 48 48",
      role: "img",
      "aria-label": word,
    },
    s("rect", { x: -21, y: -21, width: 42, height: 42, rx: 9, class: "die-body" }),
    pips
      ? pips.map(([x, y]) => s("circle", { cx: x * 11.5, cy: y * 11.5, r: 4.3, class: "pip" }))
      : s("text", { class: "die-word", "font-size": Math.min(20, 62 / Math.max(2, word.length)) }, word),
  );
}

function colourFace(word, colour, figure) {
  return s(
    "svg",
    { class: "die-face colour-face", viewBox: "-24 -24 48 48", role: "img", "aria-label": word },
    s("rect", { x: -21, y: -21, width: 42, height: 42, rx: 9, class: `die-body paint-${colour}` }),
    s("text", { class: `die-figure${PALE.test(colour) ? " dark" : ""}`, "font-size": 24 }, figure),
    s("title", {}, word),
  );
}

export class Dice {
  constructor(state) {
    this.state = state;
    this.root = byId("dice");
    this.roll = null;
    state.onEvents((events, quiet) => this.take(events, quiet));
    state.onLeft(() => {
      this.roll = null;
      this.draw("");
    });
    state.on("race menu", () => {
      const game = state.menu?.games.find((one) => one.id === state.race.game);
      this.root.hidden = game?.dice === 0; // the game rolls no dice
      this.draw(false);
    });
    this.draw(false);
  }

  take(events, quiet) {
    for (const [kind, seat, car, faces] of events) {
      if (kind === "rolled") {
        this.roll = { seat, car, faces: [...faces], before: faces.map(() => null) };
        this.draw(quiet ? "" : "rolled");
      } else if (kind === "undone") {
        this.roll = null; // it may belong to a turn that was undone
        this.draw("");
      } else if (kind === "flipped" && this.roll && this.roll.faces.length === faces.length) {
        const old = this.roll;
        this.roll = {
          ...old,
          seat,
          car,
          faces: [...faces],
          before: faces.map((face, at) => (face === old.faces[at] ? old.before[at] : old.faces[at])),
        };
        this.draw(quiet ? "" : "flipped", old.faces);
      }
    }
  }

  draw(motion, old = []) {
    const { roll } = this;
    if (!roll) {
      replace(
        this.root,
        h(
          "div",
          { class: "dice-row empty", role: "img", "aria-label": say("noDice") },
          [0, 1].map(() => h("div", { class: "die ghost-die" })),
        ),
      );
      return;
    }
    const name = this.state.seatName(roll.seat);
    const total = roll.faces.every((face) => typeof face === "number")
      ? roll.faces.reduce((sum, face) => sum + face, 0)
      : null;
    replace(
      this.root,
      h("p", { class: "dice-who" }, carBadge(this.state, roll.car), h("span", {}, name)),
      h(
        "div",
        { class: "dice-row", role: "group", "aria-label": say("diceSay", name, roll.faces.join(", ")) },
        roll.faces.map((face, at) => {
          const turned = motion === "flipped" && face !== old[at];
          const moves = calm() ? "" : motion === "rolled" ? ` tumbles t${at % 3}` : turned ? " turns" : "";
          return h(
            "div",
            { class: `die-place${roll.before[at] === null ? "" : " was-flipped"}` },
            h("div", { class: `die${moves}` }, dieFace(face)),
            roll.before[at] === null ? null : h("p", { class: "die-was" }, say("was", roll.before[at])),
          );
        }),
      ),
      total === null ? null : h("p", { class: "dice-total" }, say("total", total)),
    );
  }
}
