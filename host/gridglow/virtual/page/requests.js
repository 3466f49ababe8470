// What this page has asked and waits for. Each request has a number and one answer, which carries it. Which answer ends which
// request, and how long that may take, is told by the board's computer on each connection: this is its one table.

const QUIET = ["page", "beat"]; // of the connection alone: with it they are over

export class Requests {
  // late(request) is called for one that has waited too long; it has ended then.
  constructor(late) {
    this.late = late;
    this.count = 0;
    this.table = {}; // kind -> [type of its answer, where a new connection sends it again, seconds to wait]
    this.run = ""; // of the board's program
    this.open = new Map(); // number -> request
  }

  learn({ list, run }) {
    this.table = list;
    this.run = run;
  }

  // Begin to wait: reply(message) gets the answer, and returns true when it has shown it. `race` is what it was asked in.
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
      again, // "", "any": on every new connection, "race": on one in the same race
      arrived: false, // at the board's computer, as far as is known
      asked_ms: Date.now(),
    };
    if (!QUIET.includes(request.kind)) {
      request.timer = setTimeout(() => this.end(request) && this.late(request), within_s * 1000);
    }
    this.open.set(request.number, request);
    return request;
  }

  // Whether it was still open; then it waits no longer.
  end(request) {
    clearTimeout(request.timer);
    return this.open.delete(request.number);
  }

  // Take a message that carries a number. False for one that ends nothing here: it was told before, or comes too late.
  take(message) {
    const request = this.open.get(message.re);
    if (!request || (message.t !== "no" && message.t !== this.table[request.kind]?.[0])) return false;
    this.end(request);
    if (QUIET.includes(request.kind)) this.arrived(request);
    message.handled = request.reply(message) === true;
    return true;
  }

  // What was sent before one that is answered has arrived, too.
  arrived(answered) {
    for (const request of this.open.values()) if (request.number < answered.number) request.arrived = true;
  }

  // Since when the oldest waits of which nothing is known, in ms; 0 where none does.
  unsure_ms() {
    for (const request of this.open.values()) if (!request.arrived) return Date.now() - request.asked_ms;
    return 0;
  }

  // There is a new connection, which began with the request `first`, and on the board this race. Returns which older ones are to
  // be sent once more, [request, …], and which never will be, [[request, the word for why], …]: these have ended. What was sent
  // twice waits on.
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
