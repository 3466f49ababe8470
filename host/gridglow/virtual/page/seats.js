// The dialog with a link and a QR code for each seat; only on the page on the board's own computer.

import { h, icon, replace } from "./dom.js";
import { fetched } from "./fetching.js";
import { say } from "./words.js";

const told_ms = 2500;

export class SeatLinks {
  constructor(state) {
    this.dialog = h("dialog", { class: "seat-links", "aria-labelledby": "seat-links-title" });
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    this.dialog.addEventListener("close", () => replace(this.dialog)); // don't leave the seats' keys on the screen
    document.body.append(this.dialog);
    this.players = "[]";
    state.on("race", () => this.follow(JSON.stringify(state.race.seats)));
  }

  // New players get new links.
  follow(players) {
    if (players === this.players) return;
    this.players = players;
    if (this.dialog.open) this.open();
  }

  async open() {
    let found;
    try {
      const reply = await fetched("/seats.json");
      if (!reply.ok) throw new Error((await reply.text()).trim());
      found = await reply.json();
    } catch (error) {
      this.show([h("p", { class: "complaint" }, say("seatsFailed", error.message))]);
      return;
    }
    const { lan, seats } = found;
    this.show([
      h("p", { class: "seat-links-more" }, seats.length ? say("seatsMore") : say("seatsNone")),
      lan || !seats.length ? null : h("p", { class: "seat-links-more warn" }, say("seatsHere")),
      h(
        "ul",
        {},
        seats.map((seat) => this.row(seat)),
      ),
    ]);
  }

  row({ seat, name, link, qr }) {
    const told = h("span", { class: "quiet", role: "status" });
    const text = h("a", { href: link, target: "_blank", rel: "noopener" }, link);
    const label = h("span", {}, say("copy"));
    const copy = h(
      "button",
      {
        onclick: async () => {
          try {
            await navigator.clipboard.writeText(link);
            label.textContent = told.textContent = say("copied");
          } catch {
            getSelection().selectAllChildren(text);
            label.textContent = told.textContent = say("copyHand");
          }
          setTimeout(() => (label.textContent = say("copy")), told_ms);
        },
      },
      icon("book"),
      label,
    );
    return h(
      "li",
      { "data-seat": seat },
      h("img", { src: qr, alt: say("qrOf", name), width: 148, height: 148 }),
      h("div", {}, h("h3", {}, name), h("p", {}, say("seatOf", seat)), text, copy, told),
    );
  }

  show(parts) {
    replace(
      this.dialog,
      h(
        "header",
        {},
        h("h2", { id: "seat-links-title" }, say("seatsTitle")),
        h(
          "button",
          { class: "ghost icon-only", "aria-label": say("close"), onclick: () => this.dialog.close() },
          icon("close"),
        ),
      ),
      parts,
    );
    if (!this.dialog.open) this.dialog.showModal();
  }
}
