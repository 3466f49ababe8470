// What this page has asked and still waits for. Each request has a number, which its one answer carries. Which answer
// ends which request, and how long it may take, comes from the board's computer on each connection: this is its one table.

const QUIET = ["page", "beat"]; // they concern the connection alone and end with it

export class Requests {
  // late(request) is called for a request that has waited too long and so has ended.
  constructor(late) {
    this.late = late;
    this.count = 0;
    this.table = {}; // kind -> [its answer's type, when a new connection sends it again, seconds to wait]
    this.run = ""; // the run of the board's program
    this.open = new Map(); // number -> request
  }

  learn({ list, run }) {
    this.table = list;
    this.run = run;
  }

  // Start waiting: reply(message) gets the answer and returns true if it has shown it. `race` is the race it was asked in.
  begin(message, reply, race) {
    this.count += 1;
    const [, again, within_s] = this.table[message.t] ?? ["ok", "", 12];
    const request = {
      number: this.count,
      kind: message.t,
      text: JSON.stringify({ ...message, id: this.count }),
      reply,
      race,
      run: this.run,
      again, // "" never, "any" on every new connection, "race" in the same race
      arrived: false, // known to have reached the board's computer
      asked_ms: Date.now(),
    };
    if (!QUIET.includes(request.kind)) {
      request.timer = setTimeout(() => this.end(request) && this.late(request), within_s * 1000);
    }
    this.open.set(request.number, request);
    return request;
  }

  // Stop waiting; returns whether the request was still open.
  end(request) {
    clearTimeout(request.timer);
    return this.open.delete(request.number);
  }

  // Take a message that carries a number. False if it ends no request here: it was handled before, or comes too late.
  take(message) {
    const request = this.open.get(message.re);
    if (!request || (message.t !== "no" && message.t !== this.table[request.kind]?.[0])) return false;
    this.end(request);
    if (QUIET.includes(request.kind)) this.arrived(request);
    message.handled = request.reply(message) === true;
    return true;
  }

  // Everything sent before an answered request has arrived, too.
  arrived(answered) {
    for (const request of this.open.values()) if (request.number < answered.number) request.arrived = true;
  }

  // How long the oldest request without any sign of arrival has waited, in ms; 0 if there's none.
  unsure_ms() {
    for (const request of this.open.values()) if (!request.arrived) return Date.now() - request.asked_ms;
    return 0;
  }

  // A new connection has started with the request `first`, and the board is in this race. Returns the older requests to send
  // again, [request, …], and those that never will be, [[request, key of the reason], …], which have ended. What was sent
  // twice keeps waiting.
  renewed(first, race) {
    const again = [];
    const not = [];
    for (const request of [...this.open.values()]) {
      if (request.number >= first.number) continue;
      request.arrived = false;
      const elsewhere = request.again === "race" && (request.run !== this.run || request.race !== race);
      if (QUIET.includes(request.kind)) this.end(request);
      else if (!request.again || elsewhere) {
        this.end(request);
        not.push([request, elsewhere ? "otherRace" : "notArrived"]);
      } else if (!request.twice) {
        request.twice = true;
        again.push(request);
      }
    }
    return { again, not };
  }
}
