// Seasons in the dialog for a new race: start a season's next race instead of setting one up here.

import { h, replace, s } from "./dom.js";
import { fetched } from "./fetching.js";
import { loadGeometry } from "./geometry.js";
import { drawTrack } from "./track.js";
import { say } from "./words.js";

export class SeasonChoice {
  // choices(name, legend, values, chosen, changed) makes a row of radio buttons; changed() is called on a new choice.
  constructor(choices, changed) {
    this.choices = choices;
    this.changed = changed;
    this.list = [];
    this.chosen = null;
    this.picker = h("div", { class: "season-picker" });
    this.body = h("div", { class: "setup-body season-body" });
  }

  // Ask which seasons are running; if there are none or the request fails, offer nothing.
  async load(menu) {
    this.games = menu;
    this.list = [];
    this.choose("");
    replace(this.picker);
    try {
      const reply = await fetched("/seasons.json");
      if (reply.ok) this.list = (await reply.json()).seasons;
    } catch {
      return;
    }
    if (!this.list.length) return;
    const values = this.list.map((one) => [one.id, say("seasonRace", one.name, one.round, one.races)]);
    replace(
      this.picker,
      this.choices("season", say("season"), [["", say("singleRace")], ...values], "", (id) => this.choose(id)),
    );
  }

  choose(id) {
    this.chosen = this.list.find((one) => one.id === id) ?? null;
    replace(this.body, this.chosen ? this.look(this.chosen) : null);
    this.changed();
  }

  look({ setup, track, game, laps, grid }) {
    const preview = h("div", { class: "preview" });
    loadGeometry(setup.track)
      .then((geometry) => {
        const drawing = drawTrack(geometry, true);
        drawing.setAttribute("aria-hidden", "true");
        preview.replaceChildren(drawing);
      })
      .catch(() => preview.replaceChildren(s("svg", { viewBox: "0 0 10 10" })));
    const { dice, decks } = this.games.find((one) => one.id === setup.game) ?? {};
    return [
      h(
        "div",
        { class: "setup-left" },
        h("p", { class: "setup-game" }, game),
        h("p", { class: "season-more" }, say("seasonMore")),
        h(
          "fieldset",
          {},
          h("legend", {}, say("seats")),
          h(
            "ol",
            { class: "season-players" },
            setup.players.map(([kind, name]) => h("li", {}, h("b", {}, name), " ", h("small", {}, say(kind)))),
          ),
        ),
        dice === 0
          ? null
          : this.choices("season dice", say("diceSource"), [
              ["device", say("device")],
              ["table", say("tableRolls")],
            ]),
        decks
          ? this.choices("season decks", say("deckSource"), [
              ["device", say("deviceDeals")],
              ["table", say("tableDeals")],
            ])
          : null,
      ),
      h(
        "div",
        { class: "setup-right" },
        h(
          "fieldset",
          {},
          h("legend", {}, say("track")),
          h("div", { class: "track-card season-track" }, preview, h("strong", {}, track), h("small", {}, say("lapsOf", laps))),
        ),
        grid.length
          ? h(
              "fieldset",
              {},
              h("legend", {}, say("seasonGrid")),
              h(
                "ol",
                { class: "season-players" },
                grid.map((name) => h("li", {}, name)),
              ),
            )
          : null,
      ),
    ];
  }

  // The set-up for the board; value(name) reads the form.
  setup(value) {
    return { ...this.chosen.setup, dice: value("season dice") ?? "device", decks: value("season decks") ?? "device" };
  }
}
