// The keyboard controls one panel: the one with the open question, or the one chosen by a digit.

const MAP = {
  ArrowLeft: "PREV",
  ArrowUp: "PREV",
  ArrowRight: "NEXT",
  ArrowDown: "NEXT",
  Enter: "OK",
  Backspace: "UNDO",
  "?": "WHY",
  w: "WHY",
  W: "WHY",
  m: "MENU",
  M: "MENU",
};

export class Keyboard {
  // press(panel, key, down); others: actions by letter, such as {h: openHelp}
  constructor(state, panels, press, others) {
    this.state = state;
    this.panels = panels;
    this.press = press;
    this.others = others;
    this.chosen = 0;
    this.held = new Map(); // physical key -> [panel, key]
    document.addEventListener("keydown", (event) => this.down(event));
    document.addEventListener("keyup", (event) => this.up(event.code));
    window.addEventListener("blur", () => [...this.held.keys()].forEach((code) => this.up(code)));
    state.on("hello race prompts", () => this.mark());
  }

  get panel() {
    const count = this.state.hello?.panels ?? 0;
    if (this.chosen && this.chosen <= count) return this.chosen;
    const { prompts } = this.state;
    const asked = prompts.find((prompt) => !this.state.isBot(prompt.seat)) ?? prompts[0];
    return (asked && this.state.panelOf(asked.seat)) || (count ? 1 : 0);
  }

  mark() {
    this.panels.panels.forEach((panel, at) => panel.node.classList.toggle("keyboard", at + 1 === this.panel));
  }

  down(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (document.querySelector("dialog[open]") || event.target.closest("input, select, textarea, summary"))
      return;
    const onButton = event.target.closest("button, a, [role=button]");
    if (onButton && (event.key === "Enter" || event.key === " ")) return;
    if (event.target.closest(".lines") && event.key.startsWith("Arrow")) return; // scrolls the log
    const key = MAP[event.key];
    if (key) {
      event.preventDefault();
      if (event.repeat || this.held.has(event.code) || !this.panel) return;
      this.held.set(event.code, [this.panel, key]);
      this.show(this.panel, key, true);
      this.press(this.panel, key, 1);
    } else if (/^[0-9]$/.test(event.key)) {
      this.chosen = Number(event.key);
      this.mark();
    } else if (this.others[event.key.toLowerCase()]) {
      event.preventDefault();
      this.others[event.key.toLowerCase()]();
    }
  }

  up(code) {
    const held = this.held.get(code);
    if (!held) return;
    this.held.delete(code);
    this.show(...held, false);
    this.press(...held, 0);
  }

  show(panel, key, down) {
    this.panels.panels[panel - 1]?.node.querySelector(`[data-key=${key}]`)?.classList.toggle("down", down);
  }
}
