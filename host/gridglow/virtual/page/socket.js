// The websocket to the board: reconnects by itself, hands on batches of messages, and makes sure every request is answered.
//
// A connection can be dead without notice: the phone slept, or something in between went silent. So the page sends a beat of
// its own when nothing else comes, and opens a new connection if the beat gets no answer, or after it was asleep.

import { Requests } from "./requests.js";
import { say } from "./words.js";

const tick_ms = 1000;
const quiet_ms = 5000; // beat this long after the last message
const unsure_ms = 3000; // and this long after an unanswered request
const beat_ms = 4000; // no answer to a beat for this long: nobody is there
const connect_ms = 5000; // give up connecting after this long
const slept_ms = 6000; // a tick this late: the computer slept
const fresh_ms = 500; // a connection younger than this isn't replaced
const ended_code = 4001; // the server has closed this page's link for good

export class Socket {
  // The socket calls take(list of messages) and status("open" | "lost" | "again"); race() returns the race that the page
  // shows. A seat's page has its own path; gone() is called when the board closes it for good.
  constructor(take, status, race, path = "/ws", gone = null) {
    Object.assign(this, { take, status, race, path, gone });
    this.word = Array.from(crypto.getRandomValues(new Uint8Array(12)), (one) => one.toString(36)).join("");
    this.requests = new Requests((request) => this.refuse(request, this.ready ? "noAnswer" : "notArrived"));
    this.wait_ms = 500;
    this.closed = false;
    this.open();
    this.ticked_ms = Date.now();
    setInterval(() => this.tick(), tick_ms);
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
    for (const event of ["pageshow", "online"]) window.addEventListener(event, () => this.wake());
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${this.path}`);
    this.socket = socket;
    this.ready = false; // the picture has arrived, and requests are accepted
    this.beat = null; // the beat that waits for its answer
    this.begun_ms = this.heard_ms = Date.now();
    // Tell the board's computer first which page this is, so that it recognizes requests sent again.
    socket.onopen = () => socket === this.socket && (this.first = this.begin({ t: "page", word: this.word }, () => true));
    socket.onmessage = (event) => socket === this.socket && this.read(event.data);
    socket.onclose = (event) => socket === this.socket && this.lost(event.code);
  }

  lost(code) {
    this.ready = false;
    this.status("lost");
    if (this.gone && code === ended_code) {
      this.gone();
      return;
    }
    this.retry = setTimeout(() => this.closed || this.open(), this.wait_ms);
    this.wait_ms = Math.min(this.wait_ms * 1.6, 5000);
  }

  // Replace this connection, which is or may be dead, without waiting for its close event.
  renew() {
    if (this.closed) return;
    const old = this.socket;
    clearTimeout(this.retry);
    this.status("again");
    this.open();
    old.close();
  }

  // The page is visible again, or has a network again.
  wake() {
    if (Date.now() - this.begun_ms >= fresh_ms) this.renew();
  }

  tick() {
    const now_ms = Date.now();
    const late_ms = now_ms - this.ticked_ms;
    this.ticked_ms = now_ms;
    if (this.closed) return;
    if (late_ms >= slept_ms && !document.hidden) this.wake(); // in the background every tick is late
    else if (this.socket.readyState === WebSocket.CLOSED) return; // reconnecting already
    else if (!this.ready) {
      if (now_ms - this.begun_ms >= connect_ms) this.renew();
    } else if (this.beat) {
      if (now_ms - this.beat.asked_ms >= beat_ms) this.renew();
    } else if (now_ms - this.heard_ms >= quiet_ms || this.requests.unsure_ms() >= unsure_ms) {
      this.beat = this.begin({ t: "beat" }, () => {
        this.beat = null;
        return true;
      });
    }
  }

  read(text) {
    let list;
    try {
      list = JSON.parse(text);
    } catch {
      return;
    }
    this.heard_ms = Date.now();
    for (const message of list) if (message.t === "asks") this.requests.learn(message);
    this.take(list.filter((message) => (message.re ?? null) === null || this.requests.take(message)));
    if (!this.ready) this.greeted();
  }

  // The first batch has come: the whole picture. Ask again whatever still waits for an answer.
  greeted() {
    this.ready = true;
    this.wait_ms = 500;
    this.status("open");
    const { again, not } = this.requests.renewed(this.first, this.race());
    for (const request of again) this.socket.send(request.text);
    for (const [request, why] of not) this.refuse(request, why);
  }

  refuse(request, why) {
    const message = { t: "no", say: say(why), clause: "" };
    message.handled = request.reply(message) === true;
    this.take([message]);
  }

  // Close it: no more messages, no reconnecting.
  close() {
    this.closed = true;
    this.ready = false;
    clearTimeout(this.retry);
    for (const request of [...this.requests.open.values()]) this.requests.end(request);
    this.socket.close();
  }

  begin(message, reply) {
    const request = this.requests.begin(message, reply, this.race());
    this.socket.send(request.text);
    return request;
  }

  // Send one request; reply(message) gets its one answer, or a "no", and returns true if it has shown it. False without a
  // connection: then it is refused at once, as the next connection may find other questions.
  send(message, reply = () => false) {
    if (!this.ready || this.socket.readyState !== WebSocket.OPEN) {
      queueMicrotask(() => this.refuse({ reply }, "notConnected"));
      return false;
    }
    this.begin(message, reply);
    return true;
  }
}
