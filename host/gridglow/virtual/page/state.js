// What the page knows: the latest message of each kind, and who listens for changes.

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
  faults: new Map(), // subject -> the board's fault, until it's over
});
const TOPICS = ["hello", "menu", "race", "scene", "prompts", "standings", "show", "px", "log", "why", "stat", "faults"];

export class State {
  constructor() {
    Object.assign(this, nothing());
    this.engine = { name: "", alive: false, reason: "" };
    this.you = { role: "table", seat: 0 };
    this.logBegins = 0; // counts up whenever lines are taken back
    this.unsure = new Set(); // faults that the board hasn't repeated since its last hello
    this.shown = { seal: "", state: "" }; // the race shown; a new picture of it is no new race
    this.leavers = [];
    this.listeners = new Map();
    this.eventListeners = [];
    this.changed = new Set();
    this.frame = 0;
  }

  // Call `listener` in the next frame after a change of any of the topics (names separated by spaces).
  on(topics, listener) {
    for (const topic of topics.split(" ")) {
      if (!this.listeners.has(topic)) this.listeners.set(topic, []);
      this.listeners.get(topic).push(listener);
    }
  }

  // Call listener(events, quiet) at once for each scene's events; quiet: they're old, nothing moves.
  onEvents(listener) {
    this.eventListeners.push(listener);
  }

  // Call listener() at once when another race begins or the board leaves its race: clear what belonged to it.
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
          this.prompts = []; // nothing is asked any more
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

  // Whether this message belongs to another race than the one shown, or to none. Each race has its own seal, and
  // only a new one has start lights.
  isOther({ game, seed_hash: seal, state }) {
    const before = this.shown;
    this.shown = { seal, state };
    return !game || seal !== before.seal || (state === "start" && before.state !== "start");
  }

  // Forget what was seen of the previous race.
  leave() {
    const { scene, standings, prompts, lines, why } = nothing();
    Object.assign(this, { scene, standings, prompts, lines, why });
    this.logBegins += 1;
    for (const topic of ["scene", "standings", "prompts", "log", "why"]) this.touch(topic);
    for (const listener of this.leavers) listener();
  }

  // A fault begins or is over; Notices alone shows brief faults and all-clears.
  fault(message) {
    if (!message.about) return;
    this.unsure.delete(message.about);
    const before = this.faults.get(message.about);
    this.faults.delete(message.about);
    if (message.on === 1) this.faults.set(message.about, before?.say === message.say ? before : message);
    this.touch("faults");
  }

  // After its hello a board repeats its lasting faults, then describes its race: faults it didn't repeat are over.
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

  // Queries of the state

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

  // Whether this page may only watch: it's open on a computer other than the board's.
  get watching() {
    return this.you.role === "watch";
  }

  get playing() {
    return this.race.state === "race" || this.race.state === "start";
  }
}
