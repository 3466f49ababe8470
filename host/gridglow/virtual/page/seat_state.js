// What a seat's page knows: the public state, and what only its seat may see.

import { State } from "./state.js";

export class SeatState extends State {
  constructor() {
    super();
    this.view = null; // the board's latest answer about this seat
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

  // Hands of the previous race are gone.
  leave() {
    super.leave();
    this.view = null;
    this.asked = [];
    this.touch("view");
  }

  // Of the open questions, only this seat's and the whole table's; with the choices that only this seat may see.
  mine() {
    const own = this.view?.prompt;
    this.prompts = this.asked
      .filter((prompt) => prompt.seat === this.seat || prompt.seat === 0)
      .map((prompt) => (own && own.serial === prompt.serial ? { ...prompt, ...own } : prompt));
    this.touch("prompts");
  }
}
