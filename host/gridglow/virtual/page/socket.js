// The websocket to the board: comes back by itself, hands on batches of messages, numbers what it sends.

import { say } from "./words.js";

const answer_ms = 12000;
const ended_code = 4001; // the board's other end has closed this page's link for good

export class Socket {
  // take(list of messages) and status("open" | "lost") are called by the socket. A path of its own has a seat's page;
  // gone() is called when the board closes it for good.
  constructor(take, status, path = "/ws", gone = null) {
    this.take = take;
    this.status = status;
    this.path = path;
    this.gone = gone;
    this.wait = 500;
    this.count = 0;
    this.closed = false;
    this.replies = new Map();
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}${this.path}`);
    this.socket.onopen = () => {
      this.wait = 500;
      this.status("open");
    };
    this.socket.onmessage = (event) => this.read(event.data);
    this.socket.onclose = (event) => {
      this.status("lost");
      for (const reply of this.replies.values()) reply({ t: "no", say: "", clause: "" });
      this.replies.clear();
      if (this.gone && event.code === ended_code) {
        this.gone();
        return;
      }
      if (!this.closed) setTimeout(() => !this.closed && this.open(), this.wait);
      this.wait = Math.min(this.wait * 1.6, 5000);
    };
  }

  read(text) {
    let list;
    try {
      list = JSON.parse(text);
    } catch {
      return;
    }
    for (const message of list) {
      if ((message.t === "ok" || message.t === "no") && this.replies.has(message.re)) {
        const reply = this.replies.get(message.re);
        this.replies.delete(message.re);
        message.handled = reply(message) === true;
      }
    }
    this.take(list);
  }

  // A board that does not answer in time is taken as a no without a reason of its own.
  await(number, reply) {
    this.replies.set(number, reply);
    setTimeout(() => {
      if (this.replies.delete(number)) reply({ t: "no", say: say("noAnswer"), clause: "" });
    }, answer_ms);
  }

  // End it: no message comes any more, and it does not come back.
  close() {
    this.closed = true;
    this.socket.close();
  }

  get ready() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  // Send one message; reply(message) gets its ok or no and returns true when it has shown it.
  send(message, reply) {
    if (!this.ready) return false;
    this.count += 1;
    if (reply) this.await(this.count, reply);
    this.socket.send(JSON.stringify({ ...message, id: this.count }));
    return true;
  }
}
