// The websocket to the board: comes back by itself, hands on batches of messages, and sees to it that each request is answered.
//
// A connection can be dead without anybody saying so: the phone slept, or something between has gone silent. So the page has a
// beat of its own where nothing else comes, and begins a new connection where that has no answer, or where it was away.

import { Requests } from "./requests.js";
import { say } from "./words.js";

const tick_ms = 1000;
const quiet_ms = 5000; // so long after the last message there is a beat
const unsure_ms = 3000; // and so long after a request that has no answer yet
const beat_ms = 4000; // a beat that has no answer for so long: nobody is there
const connect_ms = 5000; // a connection that takes so long comes to nothing
const slept_ms = 6000; // ticks that come so late: the computer slept
const fresh_ms = 500; // a connection that is so new needs no other
const ended_code = 4001; // the board's other end has closed this page's link for good

export class Socket {
  // take(list of messages) and status("open" | "lost" | "again") are called by the socket; race() tells the race that the page
  // shows. A path of its own has a seat's page; gone() is called when the board closes it for good.
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
    this.ready = false; // the picture has come, and what is asked is taken
    this.beat = null; // one that waits for its answer
    this.begun_ms = this.heard_ms = Date.now();
    // First of all the board's computer hears which page this is: so it knows again what is asked once more.
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

  // A new connection in the place of this one, which is dead or may be: nobody waits for it to say so.
  renew() {
    if (this.closed) return;
    const old = this.socket;
    clearTimeout(this.retry);
    this.status("again");
    this.open();
    old.close();
  }

  // The page is looked at again, or has a network again.
  wake() {
    if (Date.now() - this.begun_ms >= fresh_ms) this.renew();
  }

  tick() {
    const now_ms = Date.now();
    const late_ms = now_ms - this.ticked_ms;
    this.ticked_ms = now_ms;
    if (this.closed) return;
    if (late_ms >= slept_ms && !document.hidden) this.wake(); // in the background all ticks are late
    else if (this.socket.readyState === WebSocket.CLOSED) return; // it is tried again already
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

  // The first batch has come: the whole picture. What still waits for an answer is asked again.
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

  // End it: no message comes any more, and it does not come back.
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

  // Send one request; reply(message) gets its one answer, or a "no", and returns true when it has shown it. False where there
  // is no connection: then it is refused at once, as nobody knows what is asked once there is one.
  send(message, reply = () => false) {
    if (!this.ready || this.socket.readyState !== WebSocket.OPEN) {
      queueMicrotask(() => this.refuse({ reply }, "notConnected"));
      return false;
    }
    this.begin(message, reply);
    return true;
  }
}
