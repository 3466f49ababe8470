// The page of one seat, for a phone: its question, its track, its hand and its dials.

import { byId, h, icon, replace, setText } from "./dom.js";
import { fetched } from "./fetching.js";
import { carBadge } from "./marks.js";
import { Notices } from "./notices.js";
import { SeatAsk } from "./seat_ask.js";
import { Gauges, Hand } from "./seat_gauges.js";
import { SeatState } from "./seat_state.js";
import { SeatTrack } from "./seat_track.js";
import { Socket } from "./socket.js";
import { Standings } from "./standings.js";
import { follow, language, say, switchLanguage, translatePage } from "./words.js";

translatePage();
const state = new SeatState();
const path = location.pathname.replace(/\/$/, "");
let over = false;

const socket = new Socket(
  (list) => {
    state.takeAll(list);
    notices.tell(list);
  },
  (status) => {
    if (over) return;
    notices?.link(status);
    if (status === "lost") checkLink();
  },
  () => state.race.seed_hash,
  `${path}/ws`,
  () => gone(),
);
const notices = new Notices(state, null, null);

// A lost connection may mean that the board was restarted: then this link no longer works.
async function checkLink() {
  try {
    if ((await fetched(path, { method: "HEAD" })).status === 404) gone();
  } catch {
    // not reachable: the socket tries again
  }
}

function gone() {
  over = true;
  socket.close();
  document.body.classList.add("is-gone");
  byId("banner").hidden = true;
  replace(byId("main"), h("p", { class: "question seat-gone", role: "alert" }, say("seatGone")));
  replace(byId("keys"));
  byId("seat-lap").textContent = "";
}

const answer = (prompt, text) =>
  socket.send({ t: "answer", seat: state.seat, serial: prompt.serial, text }, (reply) => {
    if (reply.t === "no" && reply.say) ask.refuse(prompt.serial, reply);
    return true;
  });

const ask = new SeatAsk(state, socket, answer, () => track.update());
const track = new SeatTrack(
  state,
  (geometry) => ask.setGeometry(geometry),
  (prompt, row) => ask.chooseRow(prompt, row),
  (prompt) => ask.rowOf(prompt),
  answer,
);
new Hand(state);
new Gauges(state);
new Standings(state);

// The keys at the bottom

// Undoes the seat's own last choice, with consent where needed; its panel's key would act for all who share the panel.
function takeBack() {
  socket.send({ t: "answer", seat: state.seat, serial: 0, text: "undo" });
}

function why() {
  const [prompt] = state.prompts;
  if (prompt) ask.ask({ ...prompt, seat: state.seat });
}

const keys = {
  undo: h("button", { class: "seat-key", "data-key": "UNDO", onclick: takeBack }, icon("UNDO"), say("takeBack")),
  why: h("button", { class: "seat-key", "data-key": "WHY", onclick: why }, icon("WHY"), say("why")),
};
replace(byId("keys"), Object.values(keys));
replace(
  byId("actions"),
  h(
    "button",
    { class: "ghost", lang: language === "en" ? "de" : "en", title: say("language"), "aria-label": say("language"), onclick: switchLanguage },
    say("otherLanguage"),
  ),
);

state.on("hello", () => follow(state.hello));
state.on("race scene prompts you engine", () => {
  const { race, scene, seat } = state;
  const name = state.seatName(seat);
  document.body.classList.toggle("my-turn", state.prompts.length > 0);
  replace(
    byId("who"),
    state.carsOf(seat).map(([car]) => carBadge(state, car)),
    h("span", {}, name || say("seatOf", seat)),
    h("small", {}, name ? say("seatOf", seat) : ""),
  );
  const laps = scene.laps || race.laps;
  const lap = scene.lap || race.lap; // 0 if the game has no laps
  const shown = laps && lap && (state.playing || race.state === "podium");
  setText(byId("seat-lap"), shown ? `${say("lap")} ${Math.min(laps, lap)}/${laps}` : "");
  document.title = `${state.prompts.length ? `● ${say("yourTurn")} – ` : ""}${name || say("seatOf", seat)} – Gridglow`;
  keys.why.disabled = !state.prompts.length || state.prompts[0].secret;
  keys.undo.disabled = !state.playing;
  document.documentElement.dataset.race = race.state;
});
state.on("log race", () => {
  const line = state.lines.at(-1);
  setText(byId("latest"), line ? `${say("latest")}: ${line.say}` : "");
});
state.touch("race");
