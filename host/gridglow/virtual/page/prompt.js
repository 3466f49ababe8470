// The open questions: who is asked, the sentence, one chip per option, and why near misses aren't allowed.

import { byId, h, icon, replace, setText } from "./dom.js";
import { dieFace } from "./dice.js";
import { carBadge } from "./marks.js";
import { say, wording } from "./words.js";

export class Prompts {
  constructor(state, socket, answer) {
    this.state = state;
    this.socket = socket;
    this.answer = answer;
    this.root = byId("prompt");
    this.faces = new Map(); // serial -> faces chosen so far
    this.refusals = new Map(); // serial -> {say, clause}
    this.drawn = "";
    state.on("prompts race engine you", () => this.draw());
    state.on("why", () => this.draw(true));
    state.onLeft(() => [this.faces, this.refusals].forEach((kept) => kept.clear())); // the numbering of questions starts afresh
  }

  refuse(serial, message) {
    this.refusals.set(serial, message);
    this.draw(true);
  }

  draw(force = false) {
    const { state } = this;
    const fingerprint = JSON.stringify([
      state.prompts,
      state.race.seats,
      state.race.cars,
      state.race.state,
      state.engine.alive,
      state.you,
    ]);
    if (fingerprint === this.drawn && !force) return;
    this.drawn = fingerprint;
    for (const kept of [this.faces, this.refusals]) {
      for (const serial of kept.keys())
        if (!state.prompts.some((prompt) => prompt.serial === serial)) kept.delete(serial);
    }
    const focused = this.root.contains(document.activeElement) ? document.activeElement.dataset.answer : null;
    replace(this.root, state.prompts.length ? state.prompts.map((prompt) => this.card(prompt)) : this.idle());
    if (focused) this.root.querySelector(`[data-answer="${CSS.escape(focused)}"]`)?.focus();
    setText(
      byId("live-prompt"),
      state.prompts.map((prompt) => `${this.who(prompt)}: ${prompt.say}`).join(" "),
    );
  }

  who(prompt) {
    return prompt.seat ? this.state.seatName(prompt.seat) : say("table");
  }

  idle() {
    const key = { idle: "idle", menu: "menuOpen", start: "starting", podium: "podiumSay", service: "serviceSay" }[
      this.state.race.state
    ];
    if (!key) return null;
    return h(
      "div",
      { class: "question idle" },
      h("p", { class: "question-say" }, say(key)),
      key === "idle" && !this.state.watching ? h("p", { class: "question-more" }, say("idleMore")) : null,
    );
  }

  card(prompt) {
    const bot = this.state.isBot(prompt.seat);
    const refusal = this.refusals.get(prompt.serial);
    const why = this.state.why?.seat === prompt.seat ? this.state.why : null;
    return h(
      "article",
      { class: `question${bot ? " is-bot" : ""}`, "data-serial": prompt.serial },
      h(
        "header",
        {},
        prompt.car ? carBadge(this.state, prompt.car) : null,
        h("strong", {}, this.who(prompt)),
        bot ? h("span", { class: "tag" }, say("bot")) : null,
        bot || prompt.secret || this.state.watching
          ? null
          : h(
              "button",
              { class: "ghost why-button", onclick: () => this.ask(prompt) },
              icon("WHY"),
              say("why"),
            ),
      ),
      h("p", { class: "question-say" }, prompt.say),
      prompt.teach && !bot ? h("p", { class: "question-more question-teach" }, prompt.teach) : null,
      refusal ? h("p", { class: "refusal" }, wording(refusal), clauseTag(refusal.clause)) : null,
      bot ? h("p", { class: "question-more" }, say("botThinks")) : this.ways(prompt),
      why ? this.reasons(why) : null,
    );
  }

  ways(prompt) {
    if (this.state.watching) return h("p", { class: "question-more" }, say("watching"));
    if (prompt.secret && !prompt.choices) return h("p", { class: "question-more" }, say("secretAsk"));
    if (prompt.kind === "roll" && prompt.source === "table") return this.facePicker(prompt);
    if (!prompt.choices) {
      const text = prompt.kind === "draw" ? "draw" : "roll";
      return h(
        "div",
        { class: "chips" },
        h(
          "button",
          { class: "chip primary", "data-answer": text, onclick: () => this.answer(prompt, text) },
          icon("dice"),
          say(text),
        ),
      );
    }
    return h(
      "div",
      { class: "chips" },
      prompt.choices.map((text, at) =>
        h(
          "button",
          { class: "chip", "data-answer": text, onclick: () => this.answer(prompt, text) },
          prompt.labels?.[at] || text,
        ),
      ),
    );
  }

  // Real dice: one row of faces per die; tapping the last one sends them all.
  facePicker(prompt) {
    const chosen = this.faces.get(prompt.serial) ?? prompt.dice.map(() => null);
    const choose = (die, face) => {
      const now = chosen.map((old, at) => (at === die ? face : old));
      this.faces.set(prompt.serial, now);
      if (now.every((one) => one !== null)) this.answer(prompt, `roll ${now.join(" ")}`);
      else this.draw(true);
    };
    return h(
      "div",
      { class: "face-picker" },
      h("p", { class: "question-more" }, say("rollFaces")),
      prompt.dice.map((faces, die) =>
        h(
          "div",
          { class: "faces", role: "group", "aria-label": say("die", die + 1) },
          faces.map((face) =>
            h(
              "button",
              {
                class: "face",
                "aria-label": `${say("die", die + 1)}: ${face}`,
                "aria-pressed": String(chosen[die] === face),
                "data-answer": `die ${die} ${face}`,
                onclick: () => choose(die, face),
              },
              dieFace(face),
            ),
          ),
        ),
      ),
    );
  }

  ask(prompt) {
    this.socket.send({ t: "why", seat: prompt.seat }, (reply) => {
      if (reply.t !== "no") return true;
      this.refuse(prompt.serial, reply);
      return true;
    });
  }

  reasons(why) {
    return h(
      "div",
      { class: "reasons" },
      h(
        "header",
        {},
        h("h3", {}, say("whyTitle")),
        h(
          "button",
          {
            class: "ghost icon-only",
            "aria-label": say("close"),
            onclick: () => {
              this.state.why = null;
              this.draw(true);
            },
          },
          icon("close"),
        ),
      ),
      why.items.length
        ? h(
            "ul",
            {},
            why.items.map(([text, sentence, clause]) =>
              h("li", {}, text ? h("code", {}, text) : null, h("span", {}, sentence), clauseTag(clause)),
            ),
          )
        : h("p", {}, say("whyNone")),
    );
  }
}

export function clauseTag(clause) {
  return clause ? h("span", { class: "clause", title: say("rule", clause) }, clause) : null;
}
