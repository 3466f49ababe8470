// What the page knows: the newest message of each kind, and who wants to hear of changes.

const nothing = () => ({
  hello: null,
  menu: null,
  race: { state: "idle", game: "", variant: "", track: "", laps: 0, lap: 0, seats: [], cars: [], panels: [] },
  scene: { cars: [], lap: 0, laps: 0, lines: [], dials: [], events: [], marks: [] },
  prompts: [],
  standings: { list: [], final: 0 },
  show: { lines: [], private: 0 },
  pixels: [],
  lines: [],
  why: null,
  stat: null,
  faults: new Map(), // what it is about -> the board's fault, until it is over
});
const TOPICS = ["hello", "menu", "race", "scene", "prompts", "standings", "show", "px", "log", "why", "stat", "faults"];

export class State {
  constructor() {
    Object.assign(this, nothing());
    this.engine = { name: "", alive: false, reason: "" };
    this.you = { role: "table", seat: 0 };
    this.logBegins = 0; // counts up whenever lines were taken back
    this.unsure = new Set(); // faults that a board which has said hello has not told anew yet
    this.shown = { seal: "", state: "" }; // of the race that is shown; a new picture of it is no new race
    this.leavers = [];
    this.listeners = new Map();
    this.eventListeners = [];
    this.changed = new Set();
    this.frame = 0;
  }

  // Call `listener` in the next frame after any of the topics (names separated by blanks) has changed.
  on(topics, listener) {
    for (const topic of topics.split(" ")) {
      if (!this.listeners.has(topic)) this.listeners.set(topic, []);
      this.listeners.get(topic).push(listener);
    }
  }

  // Call listener(events, quiet) at once for the events of each scene; quiet: they are old, nothing moves.
  onEvents(listener) {
    this.eventListeners.push(listener);
  }

  // Call listener() at once when another race begins, or the board has left its race: what belonged to it goes.
  onLeft(listener) {
    this.leavers.push(listener);
  }

  touch(topic) {
    this.changed.add(topic);
    if (!this.frame) this.frame = requestAnimationFrame(() => this.flush());
    // A page in the background gets no frames, but must not fall behind.
    if (document.hidden && !this.timer) this.timer = setTimeout(() => this.flush(), 500);
  }

  flush() {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    this.frame = this.timer = 0;
    const listeners = new Set();
    for (const topic of this.changed) for (const one of this.listeners.get(topic) ?? []) listeners.add(one);
    this.changed.clear();
    for (const listener of listeners) listener(this);
  }

  takeAll(list, quiet = false) {
    for (const message of list) this.take(message, quiet);
  }

  take(message, quiet) {
    switch (message.t) {
      case "snapshot":
        Object.assign(this, nothing());
        this.logBegins += 1;
        TOPICS.forEach((topic) => this.touch(topic));
        this.takeAll(message.list, true);
        break;
      case "px":
        this.pixels[message.o] = message.d;
        this.touch("px");
        break;
      case "prompts":
        this.prompts = message.list;
        this.why = null;
        this.touch("prompts");
        break;
      case "line":
        this.line(message);
        break;
      case "scene":
        this.scene = message;
        this.touch("scene");
        for (const listener of this.eventListeners) listener(message.events, quiet);
        break;
      case "fault":
        this.fault(message);
        break;
      case "race":
        this.race = message;
        this.touch("race");
        this.endUnsure();
        if (["idle", "menu", "podium"].includes(message.state) && this.prompts.length) {
          this.prompts = []; // nobody is asked any more
          this.touch("prompts");
        }
        if (this.isOther(message)) this.leave();
        break;
      case "hello":
        this.unsure = new Set(this.faults.keys());
        this.hello = message;
        this.touch("hello");
        break;
      case "engine":
      case "you":
      case "menu":
      case "standings":
      case "show":
      case "why":
      case "stat":
        this[message.t] = message;
        this.touch(message.t);
        break;
    }
  }

  // Whether this message is of another race than the one that is shown, or of none. Each race has a seal of its own, and
  // only a new one has start lights.
  isOther({ game, seed_hash: seal, state }) {
    const before = this.shown;
    this.shown = { seal, state };
    return !game || seal !== before.seal || (state === "start" && before.state !== "start");
  }

  // What was seen of the race before goes with it.
  leave() {
    const { scene, standings, prompts, lines, why } = nothing();
    Object.assign(this, { scene, standings, prompts, lines, why });
    this.logBegins += 1;
    for (const topic of ["scene", "standings", "prompts", "log", "why"]) this.touch(topic);
    for (const listener of this.leavers) listener();
  }

  // A fault begins or is over; one of the moment, or that something is well again, is only told (see Notices).
  fault(message) {
    if (!message.about) return;
    this.unsure.delete(message.about);
    const before = this.faults.get(message.about);
    this.faults.delete(message.about);
    if (message.on === 1) this.faults.set(message.about, before?.say === message.say ? before : message);
    this.touch("faults");
  }

  // After its hello a board tells the faults that last, and then of its race: those that it didn't tell are over.
  endUnsure() {
    if (!this.unsure.size) return;
    for (const about of this.unsure) this.faults.delete(about);
    this.unsure.clear();
    this.touch("faults");
  }

  line(message) {
    while (this.lines.length && this.lines.at(-1).i >= message.i) {
      this.lines.pop();
      this.logBegins += 1;
    }
    this.lines.push(message);
    this.touch("log");
  }

  // Questions that others ask of the state

  seatName(seat) {
    return this.race.seats[seat - 1]?.[1] ?? "";
  }

  isBot(seat) {
    return this.race.seats[seat - 1]?.[0] === "bot";
  }

  carsOf(seat) {
    return this.race.cars.filter((car) => car[1] === seat);
  }

  promptOf(seat) {
    return (
      this.prompts.find((prompt) => prompt.seat === seat) ?? this.prompts.find((prompt) => prompt.seat === 0)
    );
  }

  panelOf(seat) {
    const at = this.race.panels.findIndex((seats) => Array.isArray(seats) && seats.includes(seat));
    return at < 0 ? 0 : at + 1;
  }

  // Whether this page may only look: it is open on another computer than the board's.
  get watching() {
    return this.you.role === "watch";
  }

  get playing() {
    return this.race.state === "race" || this.race.state === "start";
  }
}
