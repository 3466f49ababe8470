// The help: what the keys of the keyboard do, and how the page is read.

import { h, icon, replace } from "./dom.js";
import { say } from "./words.js";

export class Help {
  constructor() {
    this.dialog = h("dialog", { class: "help", "aria-labelledby": "help-title" });
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    document.body.append(this.dialog);
  }

  open() {
    replace(
      this.dialog,
      h(
        "header",
        {},
        h("h2", { id: "help-title" }, say("helpTitle")),
        h(
          "button",
          { class: "ghost icon-only", "aria-label": say("close"), onclick: () => this.dialog.close() },
          icon("close"),
        ),
      ),
      h(
        "dl",
        { class: "help-keys" },
        say("helpKeys").map(([keys, does]) =>
          h(
            "div",
            {},
            h(
              "dt",
              {},
              keys
                .split(" ")
                .map((key) =>
                  (key.length > 1 && /^[a-z…]/.test(key)) || key === "…" ? ` ${key} ` : h("kbd", {}, key),
                ),
            ),
            h("dd", {}, does),
          ),
        ),
      ),
      h("p", {}, say("helpMore")),
    );
    this.dialog.showModal();
  }
}
