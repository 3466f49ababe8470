"""What the whole track shows outside of the race: the idle show, the five start lights, the podium."""

from glow.colours import WARNING, WORDS, rgb
from glow.effects import put, put_brighter
from hal import ticks_diff

FIRST_LIGHT_MS = 1000
BETWEEN_LIGHTS_MS = 1000
AFTER_GO_MS = 400
LIGHTS = 5

IDLE_ROW_MS = 90
IDLE_TAIL = (255, 120, 56, 24, 10)
PODIUM_STEP_MS = 100

_IDLE_COLOURS = tuple([rgb(word) for word in WORDS[:4]])


def draw_idle(frame, track, now, calm, dim):
    """Comets in the colours of cars run round the dark track; `dim` halves them (the menu is read meanwhile)."""
    row_ms = 2 * IDLE_ROW_MS if calm else IDLE_ROW_MS
    for comet in range(len(_IDLE_COLOURS)):
        # Comets start evenly spread, one round in common, so that they never meet.
        head = now // row_ms + comet * track.rows // len(_IDLE_COLOURS)
        lane = (now // row_ms // track.rows + comet) % track.lanes
        for back in range(len(IDLE_TAIL)):
            level = IDLE_TAIL[back] // 2 if dim else IDLE_TAIL[back]
            put_brighter(frame, track.pixel_at(head - back, lane), _IDLE_COLOURS[comet], level)


class StartLights:
    """Five lights, one a second, over the first rows behind the line; after a random hold all go out: go."""

    def __init__(self, now, hold_ms):
        """Start the sequence; `hold_ms` is the random time from the fifth light to go."""
        self._begun = now
        self._go_ms = FIRST_LIGHT_MS + (LIGHTS - 1) * BETWEEN_LIGHTS_MS + hold_ms

    def skip(self, now):
        """Go at once."""
        if ticks_diff(now, self._begun) < self._go_ms:
            self._go_ms = max(ticks_diff(now, self._begun), 0)

    def phase(self, now):
        """0 to 5: so many lights are lit; 6: go, all are out; -1: no sequence runs (any more)."""
        done = ticks_diff(now, self._begun)
        if done >= self._go_ms + AFTER_GO_MS:
            return -1
        if done >= self._go_ms:
            return 6
        if done < FIRST_LIGHT_MS:
            return 0
        return min(1 + (done - FIRST_LIGHT_MS) // BETWEEN_LIGHTS_MS, LIGHTS)

    def draw(self, frame, track, now):
        """Draw the lights that are lit."""
        phase = self.phase(now)
        if 0 < phase <= LIGHTS:
            for row in range(phase):
                for lane in range(track.lanes):
                    put(frame, track.pixel_at(row, lane), WARNING, 255)


def draw_podium(frame, track, now, colours):
    """The colours of the first three cars share the track 5 : 3 : 2 and move on slowly; a soft crest runs along."""
    if not colours:
        return
    rows = track.rows
    steps = now // PODIUM_STEP_MS
    crest = (3 * steps) % rows
    first_end = rows // 2 if len(colours) > 1 else rows
    second_end = rows * 4 // 5 if len(colours) > 2 else rows
    for row in range(rows):
        stand = (row + steps) % rows
        colour = colours[0 if stand < first_end else 1 if stand < second_end else 2]
        ahead = (crest - row) % rows
        level = 72 + (8 - ahead) * 16 if ahead < 8 else 72
        for lane in range(track.lanes):
            put(frame, track.pixel_at(row, lane), colour, level)
