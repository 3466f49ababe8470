// The board's buzzer, if switched on here: one short tone per name.

const TONES = {}; // made from the name, so that every sound has its own
const SCALE = [523, 587, 659, 784, 880, 1047, 1175, 1319];

function tonesOf(name) {
  if (!TONES[name]) {
    let sum = 7;
    for (const letter of name) sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
    TONES[name] = [SCALE[sum % 8], SCALE[(sum >> 3) % 8]];
  }
  return TONES[name];
}

export class Sound {
  constructor() {
    this.on = false;
    this.context = null;
  }

  // Browsers allow sound only after a tap, so it's off until somebody switches it on.
  toggle() {
    this.on = !this.on;
    if (this.on) this.context ??= new AudioContext();
    if (this.on) this.play("ok");
    return this.on;
  }

  play(name) {
    if (!this.on || document.hidden) return;
    const { context } = this;
    tonesOf(name).forEach((pitch, at) => {
      const begin = context.currentTime + at * 0.08;
      const tone = context.createOscillator();
      const volume = context.createGain();
      tone.type = "square";
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.04, begin);
      volume.gain.exponentialRampToValueAtTime(0.0001, begin + 0.09);
      tone.connect(volume).connect(context.destination);
      tone.start(begin);
      tone.stop(begin + 0.1);
    });
  }
}
