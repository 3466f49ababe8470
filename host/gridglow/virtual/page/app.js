// Puts the page together.

import { Board } from "./board.js";
import { Dice } from "./dice.js";
import { Display } from "./display.js";
import { byId, h, icon, replace, s, setText } from "./dom.js";
import { Help } from "./help.js";
import { Keyboard } from "./keyboard.js";
import { Log } from "./log.js";
import { Notices } from "./notices.js";
import { Panels } from "./panels.js";
import { Podium } from "./podium.js";
import { Prompts } from "./prompt.js";
import { Rail } from "./rail.js";
import { SeatLinks } from "./seats.js";
import { SetupDialog } from "./setup.js";
import { Socket } from "./socket.js";
import { Sound } from "./sound.js";
import { Standings } from "./standings.js";
import { State } from "./state.js";
import { follow, language, say, switchLanguage, translatePage } from "./words.js";

translatePage();
const state = new State();
const sound = new Sound();
const socket = new Socket(
  (list) => {
    state.takeAll(list);
    notices.tell(list);
    for (const message of list) if (message.t === "sound") sound.play(message.name);
  },
  (status) => notices?.link(status),
  () => state.race.seed_hash,
);

const setup = new SetupDialog(state, socket);
const newRace = () => setup.open();
const resume = () => socket.send({ t: "resume" });
const notices = new Notices(state, resume, newRace);
const help = new Help(state);
const seatLinks = new SeatLinks(state);
// The board shows what a press does; that the press didn't arrive is said once, not again for its release.
const press = (panel, key, down) =>
  state.watching || socket.send({ t: "key", p: panel, k: key, d: down }, () => down === 0);
const answer = (prompt, text) =>
  socket.send({ t: "answer", seat: prompt.seat || firstPerson(), serial: prompt.serial, text }, (reply) => {
    if (reply.t === "no" && reply.say) prompts.refuse(prompt.serial, reply);
    return true;
  });

// A question to the whole table is answered by the first person it asks.
function firstPerson() {
  return Math.max(1, state.race.seats.findIndex((seat) => seat[0] === "person") + 1);
}

const prompts = new Prompts(state, socket, answer);
const panels = new Panels(state, press);
new Board(state, answer);
new Dice(state);
new Rail(state);
new Display(state);
new Standings(state);
new Log(state);
new Podium(state, newRace);
new Keyboard(state, panels, press, { h: () => help.open(), l: () => large() });

// The bar at the top

const LARGE = "gridglow.large";

function large(on = !document.documentElement.classList.contains("large")) {
  document.documentElement.classList.toggle("large", on);
  buttons.large.setAttribute("aria-pressed", String(on));
  try {
    localStorage.setItem(LARGE, on ? "1" : "");
  } catch {
    // forgotten at the next visit
  }
}

const action = (name, picture, does, more = {}) =>
  h(
    "button",
    { class: "action", title: say(`${name}Hint`), onclick: does, ...more },
    icon(picture),
    h("span", {}, say(name)),
  );
const buttons = {
  newRace: h(
    "button",
    { class: "action primary", onclick: newRace },
    icon("flag"),
    h("span", {}, say("newRace")),
  ),
  resume: action("resume", "play", resume),
  journal: h(
    "a",
    { class: "action button", href: "/journal", download: "", title: say("journalHint") },
    icon("book"),
    h("span", {}, say("journal")),
  ),
  sheet: h(
    "a",
    { class: "action button", target: "_blank", rel: "noopener", title: say("sheetHint") },
    icon("sheet"),
    h("span", {}, say("sheet")),
  ),
  seatLinks: action("seatLinks", "phone", () => seatLinks.open()),
  large: action("large", "screen", () => large(), { "aria-pressed": "false", class: "action for-desk" }),
  sound: action(
    "sound",
    "mute",
    () => {
      const on = sound.toggle();
      buttons.sound.setAttribute("aria-pressed", String(on));
      buttons.sound.firstChild.replaceWith(icon(on ? "sound" : "mute"));
    },
    { "aria-pressed": "false", class: "action for-desk" },
  ),
  language: h(
    "button",
    { class: "action", title: say("language"), "aria-label": say("language"), onclick: switchLanguage },
    say("otherLanguage"),
  ),
  help: action("help", "keys", () => help.open()),
};
replace(byId("actions"), Object.values(buttons));
replace(
  document.querySelector(".brand-dots"),
  ["#ff4d5e", "#ffb02e", "#f6f05a", "#35e8a9", "#2ec4ff"].map((fill, at) =>
    s("circle", { cx: 4 + at * 9, cy: 10 - Math.sin((at / 4) * Math.PI) * 5 + 2.5, r: 3, fill }),
  ),
);
try {
  if (localStorage.getItem(LARGE) || new URLSearchParams(location.search).has("large")) large(true);
} catch {
  // no storage, no memory
}

state.on("hello", () => follow(state.hello));
state.on("race menu engine hello you", () => {
  const { race, menu } = state;
  const game = menu?.games.find((one) => one.id === race.game);
  const variant = game?.variants.find((one) => [one].flat()[0] === race.variant);
  const track = game?.tracks.find((one) => one.id === race.track);
  const parts = race.game
    ? [game?.name ?? race.game, [variant].flat().at(-1) ?? race.variant, track?.name ?? race.track]
    : [];
  setText(byId("race-title"), parts.filter(Boolean).join(" · ") || say("noRace"));
  document.title =
    race.state === "race" && race.laps && race.lap
      ? `${say("lap")} ${Math.max(1, race.lap)}/${race.laps} – Gridglow`
      : "Gridglow";
  document.documentElement.dataset.race = race.state;
  document.documentElement.classList.toggle("watching", state.watching);
  buttons.newRace.hidden = buttons.seatLinks.hidden = state.watching;
  buttons.resume.hidden = state.watching || (state.engine.alive && (state.playing || race.state === "podium"));
  buttons.journal.hidden = !race.game;
  const about = race.game || menu?.games[0]?.id;
  buttons.sheet.hidden = !about;
  buttons.sheet.href = `/sheet/${about}?language=${language}`;
});
state.touch("race");
