// What a seat's page knows: the public state, and what its seat alone may see.

import { State } from "./state.js";

export class SeatState extends State {
  constructor() {
    super();
    this.view = null; // the board's newest answer about this seat
    this.asked = []; // the open questions of all seats, as the public sees them
  }

  get seat() {
    return this.you.seat;
  }

  take(message, quiet) {
    if (message.t === "view") {
      this.view = message;
      this.mine();
      this.touch("view");
      return;
    }
    if (message.t === "snapshot") {
      this.view = null;
      this.asked = [];
      this.touch("view");
    }
    super.take(message, quiet);
    if (message.t === "prompts") this.asked = message.list;
    if (message.t === "race" && !this.prompts.length) this.asked = [];
    if (message.t === "prompts" || message.t === "you") this.mine();
  }

  // Nobody holds any more what they held in the race before.
  leave() {
    super.leave();
    this.view = null;
    this.asked = [];
    this.touch("view");
  }

  // Of the open questions only this seat's and the whole table's; with the choices that it alone may see.
  mine() {
    const own = this.view?.prompt;
    this.prompts = this.asked
      .filter((prompt) => prompt.seat === this.seat || prompt.seat === 0)
      .map((prompt) => (own && own.serial === prompt.serial ? { ...prompt, ...own } : prompt));
    this.touch("prompts");
  }
}
