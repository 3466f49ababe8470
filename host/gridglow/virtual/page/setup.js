// The dialog for a new race. All choices come from the board's menu: the page knows no rules.

import { byId, h, icon, replace, s } from "./dom.js";
import { loadGeometry } from "./geometry.js";
import { SeasonChoice } from "./setup_season.js";
import { Seats } from "./setup_seats.js";
import { drawTrack } from "./track.js";
import { levelWord, say, wording } from "./words.js";

const MEMORY = "gridglow.setup";
const most_laps = 99;

export class SetupDialog {
  constructor(state, socket) {
    this.state = state;
    this.socket = socket;
    this.seats = new Seats();
    this.season = new SeasonChoice(this.choices, () => this.seasonChosen());
    this.complaint = h("p", { class: "complaint", role: "alert" });
    this.form = h("form", { class: "setup-form", method: "dialog", onsubmit: (event) => this.submit(event) });
    this.dialog = h("dialog", { class: "setup", "aria-labelledby": "setup-title" }, this.form);
    document.body.append(this.dialog);
    try {
      this.kept = JSON.parse(localStorage.getItem(MEMORY)) ?? {};
    } catch {
      this.kept = {};
    }
  }

  open() {
    this.games = this.state.menu?.games ?? [];
    this.choice = { game: this.games.find((game) => game.id === this.kept.game)?.id ?? this.games[0]?.id };
    this.draw();
    this.season.load(this.games);
    if (!this.dialog.open) this.dialog.showModal();
  }

  // Another season, or none: then the race is set up here.
  seasonChosen() {
    if (!this.body) return;
    const { chosen } = this.season;
    this.body.hidden = this.laps.disabled = Boolean(chosen);
    this.season.body.hidden = !chosen;
    this.check();
  }

  get game() {
    return this.games.find((game) => game.id === this.choice.game);
  }

  draw() {
    this.complaint.textContent = "";
    const head = h(
      "header",
      {},
      h("h2", { id: "setup-title" }, say("setupTitle")),
      h(
        "button",
        {
          type: "button",
          class: "ghost icon-only",
          "aria-label": say("close"),
          onclick: () => this.dialog.close(),
        },
        icon("close"),
      ),
    );
    if (!this.game) {
      replace(this.form, head, h("p", { class: "nothing" }, say("noMenu")));
      return;
    }
    const { game, kept } = this;
    const old = kept.game === game.id ? kept : {};
    this.seats.build(game.seats, old.players ?? [], () => this.check());
    const variants = game.variants.map((one) => (Array.isArray(one) ? one : [one, one]));
    this.laps = h("input", {
      type: "number",
      name: "laps",
      min: 1,
      max: most_laps,
      inputmode: "numeric",
      required: true,
    });
    this.tracks = h(
      "div",
      { class: "tracks", role: "radiogroup", "aria-label": say("track") },
      game.tracks.map((track) => this.track(track, game, old)),
    );
    replace(
      this.form,
      head,
      this.season.picker,
      this.season.body,
      (this.body = h(
        "div",
        { class: "setup-body" },
        h(
          "div",
          { class: "setup-left" },
          this.games.length > 1
            ? this.choices(
                "game",
                say("game"),
                this.games.map((one) => [one.id, one.name]),
                game.id,
                (id) => {
                  this.choice.game = id;
                  this.draw();
                  this.form.querySelector("input[name=game]:checked")?.focus(); // keep the keyboard focus where it was
                },
              )
            : h("p", { class: "setup-game" }, game.name),
          variants.length > 1 ? this.choices("variant", say("variant"), variants, old.variant) : null,
          h("fieldset", {}, h("legend", {}, say("seats")), this.seats.node),
          game.dice === 0
            ? null
            : this.choices(
                "dice",
                say("diceSource"),
                [
                  ["device", say("device")],
                  ["table", say("tableRolls")],
                ],
                old.dice,
              ),
          game.decks
            ? this.choices(
                "decks",
                say("deckSource"),
                [
                  ["device", say("deviceDeals")],
                  ["table", say("tableDeals")],
                ],
                old.decks,
              )
            : null,
        ),
        h(
          "div",
          { class: "setup-right" },
          h("fieldset", {}, h("legend", {}, say("track")), this.tracks),
          h("label", { class: "field laps-field", hidden: game.laps === 0 }, h("span", {}, say("laps")), this.laps),
          this.more(game, old),
        ),
      )),
      this.complaint,
      h(
        "footer",
        {},
        h("button", { type: "button", class: "ghost", onclick: () => this.dialog.close() }, say("cancel")),
        (this.startButton = h("button", { type: "submit", class: "primary" }, icon("flag"), say("start"))),
      ),
    );
    this.laps.value = old.laps ?? game.tracks.find((track) => track.id === this.value("track"))?.laps ?? 1;
    this.seasonChosen();
  }

  // A row of radio buttons that looks like a switch.
  choices(name, legend, values, chosen, changed) {
    const now = values.some(([value]) => value === chosen) ? chosen : values[0][0];
    return h(
      "fieldset",
      {},
      h("legend", {}, legend),
      h(
        "div",
        { class: "segments" },
        values.map(([value, label]) =>
          h(
            "label",
            { class: "segment" },
            h("input", {
              type: "radio",
              name,
              value,
              checked: value === now,
              onchange: () => changed?.(value),
            }),
            h("span", {}, label),
          ),
        ),
      ),
    );
  }

  track(track, game, old) {
    const chosen = game.tracks.some((one) => one.id === old.track) ? old.track : game.tracks[0].id;
    const preview = h("div", { class: "preview" });
    const facts = h(
      "small",
      {},
      [levelWord(track.level), game.laps === 0 ? "" : say("trackLaps", "…", track.laps)].filter(Boolean).join(" · "),
    );
    loadGeometry(track.id)
      .then((geometry) => {
        const drawing = drawTrack(geometry, true);
        drawing.setAttribute("aria-hidden", "true");
        preview.replaceChildren(drawing);
        const long = game.laps === 0 ? say("rowsLaps", geometry.row_count) : say("trackLaps", geometry.row_count, track.laps);
        facts.textContent = [levelWord(track.level), long]
          .filter(Boolean)
          .join(" · ");
      })
      .catch(() => preview.replaceChildren(s("svg", { viewBox: "0 0 10 10" })));
    return h(
      "label",
      { class: "track-card" },
      h("input", {
        type: "radio",
        name: "track",
        value: track.id,
        checked: track.id === chosen,
        onchange: () => {
          this.laps.value = track.laps;
        },
      }),
      preview,
      h("strong", {}, track.number ? `${String(track.number).padStart(2, "0")} ` : "", track.name),
      facts,
    );
  }

  more(game, old) {
    const kept = new Map(old.options ?? []);
    return h(
      "details",
      {
        class: "more",
        open:
          kept.size > 0 && game.options.some(([key, , normal]) => kept.has(key) && kept.get(key) !== normal),
      },
      h("summary", {}, say("more")),
      game.options.map(([key, values, normal, label, labels]) =>
        h(
          "label",
          { class: "field" },
          h("span", {}, label || key),
          h(
            "select",
            { name: `option ${key}` },
            values.map((value, at) =>
              h("option", { value, selected: value === (kept.get(key) ?? normal) }, labels?.[at] || value),
            ),
          ),
        ),
      ),
      h(
        "label",
        { class: "field" },
        h("span", {}, say("seed")),
        h("input", {
          type: "text",
          name: "seed",
          maxlength: 64,
          autocomplete: "off",
          placeholder: say("seedHint"),
          pattern: "[!-~]*",
        }),
      ),
    );
  }

  value(name) {
    return new FormData(this.form).get(name);
  }

  check() {
    if (!this.startButton) return;
    const problem = this.problem();
    this.startButton.disabled = Boolean(this.season.chosen && problem);
    this.complaint.textContent = problem;
  }

  // The reason why the race can't be started, or "".
  problem() {
    return this.season.chosen ? this.season.chosen.problem : this.seats.problem();
  }

  setup() {
    if (this.season.chosen) return this.season.setup((name) => this.value(name));
    const setup = {
      game: this.game.id,
      variant: this.value("variant") ?? [this.game.variants[0]].flat()[0],
      track: this.value("track"),
      laps: Number(this.laps.value),
      players: this.seats.players(),
      dice: this.value("dice") ?? "device",
      decks: this.value("decks") ?? "device",
      options: this.game.options.map(([key]) => [key, this.value(`option ${key}`)]),
    };
    const seed = (this.value("seed") ?? "").trim();
    if (seed) setup.seed = seed;
    return setup;
  }

  // Keyboard focus goes to the question: on "New race", an Enter meant for the panel would open this dialog again.
  begun() {
    this.dialog.close();
    byId("prompt").focus({ preventScroll: true });
  }

  submit(event) {
    event.preventDefault();
    const problem = this.problem();
    if (problem) {
      this.complaint.textContent = problem;
      return;
    }
    const setup = this.setup();
    this.startButton.disabled = true;
    this.complaint.textContent = "";
    const sent = this.socket.send({ t: "start", setup }, (reply) => {
      this.startButton.disabled = false;
      if (reply.t === "no") this.complaint.textContent = wording(reply);
      else this.begun();
      return this.dialog.open || reply.t === "ok";
    });
    if (!sent || this.season.chosen) return;
    this.kept = { ...setup, players: this.seats.all(), seed: undefined };
    try {
      localStorage.setItem(MEMORY, JSON.stringify(this.kept));
    } catch {
      // a browser without storage just forgets the set-up
    }
  }
}
