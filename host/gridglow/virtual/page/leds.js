// The track's LEDs: one dot each, its core in exactly the colour that the board sent to the LED.

import { s } from "./dom.js";

export class TrackLeds {
  constructor(geometry) {
    const radius = geometry.lane_mm * (geometry.light === "row" ? 0.2 : 0.15);
    this.leds = geometry.leds
      .filter((led) => led.centre.length)
      .map((led) => {
        const [cx, cy] = led.centre;
        // Circles of one colour on top of each other: a glow that is brightest in the middle.
        const halo = s(
          "g",
          { class: "halo" },
          [4.1, 3, 2.1, 1.45].map((times) => s("circle", { cx, cy, r: radius * times })),
        );
        const core = s("circle", { cx, cy, r: radius, class: "led", "data-led": led.led });
        const lens = s("circle", { cx, cy, r: radius * 0.94, class: "lens" });
        return { led: led.led, core, halo, lens, shown: "" };
      });
    this.layer = s(
      "g",
      { class: "leds" },
      s(
        "g",
        {},
        this.leds.map((led) => led.halo),
      ),
      s(
        "g",
        {},
        this.leds.map((led) => led.core),
      ),
      s(
        "g",
        {},
        this.leds.map((led) => led.lens),
      ),
    );
  }

  // Show a frame: the RRGGBB values of all the output's pixels in one text.
  show(frame) {
    for (const led of this.leds) {
      const colour = (frame ?? "").slice(led.led * 6, led.led * 6 + 6).toLowerCase();
      if (colour === led.shown) continue;
      led.shown = colour;
      if (colour.length !== 6 || colour === "000000") {
        led.core.removeAttribute("fill");
        led.halo.setAttribute("display", "none");
        led.lens.setAttribute("display", "none");
        continue;
      }
      const bright = brightest(colour);
      const seen = glare(bright);
      const hue = "#" + atFull(colour, bright);
      led.core.setAttribute("fill", "#" + colour);
      for (const [part, opacity] of [
        [led.halo, seen * 0.3],
        [led.lens, seen],
      ]) {
        part.setAttribute("fill", hue);
        part.setAttribute("fill-opacity", opacity.toFixed(2));
        part.removeAttribute("display");
      }
    }
  }
}

// How bright an LED looks in a room: a quarter of full power is already dazzling.
const glare = (bright) => Math.min(1, Math.sqrt(bright / 80));
const channels = (colour) => [0, 2, 4].map((at) => parseInt(colour.slice(at, at + 2), 16));
const brightest = (colour) => Math.max(...channels(colour));

// The board dims its LEDs to a quarter or less, and they still shine in a room: halo and lens show the hue at
// full brightness, the core shows the value itself.
export function atFull(colour, bright = brightest(colour)) {
  return channels(colour)
    .map((value) =>
      Math.round((value * 255) / (bright || 1))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("");
}

// A small dot for dials: exact colour in the core, hue in the halo.
export function paintDot(dot, colour) {
  const lit = colour.length === 6 && colour !== "000000";
  dot.style.backgroundColor = lit ? "#" + colour : "";
  const hue = lit ? "#" + atFull(colour) : "";
  const seen = lit
    ? Math.round(glare(brightest(colour)) * 255)
        .toString(16)
        .padStart(2, "0")
    : "";
  dot.style.backgroundImage = lit ? `radial-gradient(circle, ${hue}${seen} 45%, transparent 78%)` : "";
  dot.style.boxShadow = lit ? `0 0 6px 1px ${hue}${seen}` : "";
  dot.classList.toggle("lit", lit);
}
